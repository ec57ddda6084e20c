"""What each instruction does to the stack, and what it becomes: a table by opcode (JVMS 6.5)."""

from __future__ import annotations

from collections.abc import Callable

from ladder.frontends.bytecode import dynamic
from ladder.frontends.bytecode.builder import short
from ladder.frontends.bytecode.method import (
    CATEGORIES,
    NULL,
    NUMBERS,
    REFERENCE,
    RETURN_ADDRESS,
    UNINITIALISED,
    MethodLowering,
    Operation,
    Value,
    label_of,
    value_of_type,
)
from ladder.frontends.bytecode.pool import CLASS, DOUBLE, DYNAMIC, FLOAT, INTEGER, INVOKE_DYNAMIC, LONG, STRING
from ladder.frontends.java import ir

OPERATIONS: dict[int, Operation] = {}


def _operation(*opcodes: int) -> Callable[[Operation], Operation]:
    def register(operation: Operation) -> Operation:
        OPERATIONS.update(dict.fromkeys(opcodes, operation))
        return operation

    return register


@_operation(0)
def _nop(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    """Do nothing."""


@_operation(1)
def _null(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    m.push(Value(NULL, REFERENCE))


@_operation(*range(2, 18))
def _number(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    if opcode >= 16:
        category, value = "I", str(operand)
    elif opcode <= 8:
        category, value = "I", str(opcode - 3)
    elif opcode <= 10:
        category, value = "J", str(opcode - 9)
    elif opcode <= 13:
        category, value = "F", repr(float(opcode - 11))
    else:
        category, value = "D", repr(float(opcode - 14))
    m.push(Value(ir.Constant(value, NUMBERS[category]), category, NUMBERS[category]))


@_operation(18, 19, 20)
def _constant(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    constant = m.file.pool.loadable(operand, m.info.offset + m.instructions[m.index][0])
    value, b = constant.value, m.b
    if (constant.tag in (LONG, DOUBLE)) != (opcode == 20) and constant.tag != DYNAMIC:
        raise m.malformed("the constant is too wide, or not wide enough")
    if constant.tag in (INTEGER, LONG):
        category = "I" if constant.tag == INTEGER else "J"
        m.push(Value(ir.Constant(str(value), NUMBERS[category]), category, NUMBERS[category]))
    elif constant.tag in (FLOAT, DOUBLE):
        category = "F" if constant.tag == FLOAT else "D"
        m.push(Value(ir.Constant(repr(value), NUMBERS[category]), category, NUMBERS[category]))
    elif constant.tag == STRING:
        assert isinstance(value, str)
        m.push(Value(b.string(value), REFERENCE, "java.lang.String"))
    elif constant.tag == CLASS:
        assert isinstance(value, str)
        target = m.push_new("java.lang.Class")
        b.emit(ir.AssignClass(b.new_id("assign"), target, b.uses.of(value)))
    else:
        m.push(dynamic.constant_of(m, constant))


@_operation(*range(21, 46))
def _load(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    m.load("IJFDA"[opcode - 21 if opcode <= 25 else (opcode - 26) // 4])


@_operation(*range(54, 79))
def _store(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    category = "IJFDA"[opcode - 54 if opcode <= 58 else (opcode - 59) // 4]
    value = m.pop()
    if value.category != category and not (category == REFERENCE and value.category in "UR"):
        raise m.malformed(f"a value of category {value.category} is on the stack instead of {category}")
    m.store(value)


@_operation(*range(46, 54))
def _load_element(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    index = m.pop("I").operand
    base = m.pop(REFERENCE)
    array = m.b.variable_of(base.operand)
    type = base.type.removesuffix("[]") if base.type.endswith("[]") else ""
    if opcode != 50:
        type = type if opcode >= 51 and type in CATEGORIES else _ELEMENTS[opcode - 46]
    elif type in CATEGORIES:
        raise m.malformed("the elements of the array are no references")
    target = m.push_new(type)
    m.b.emit(ir.LoadArray(m.b.new_id("load"), target, array, index))


_ELEMENTS = ("int", "long", "float", "double", "", "byte", "char", "short")


@_operation(*range(79, 87))
def _store_element(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    source = m.pop_variable("IJFDAIII"[opcode - 79])
    index = m.pop("I").operand
    array = m.pop_variable(REFERENCE)
    m.b.emit(ir.StoreArray(m.b.new_id("store"), array, index, source))


@_operation(87, 88)
def _pop(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    m.take(opcode - 86)


@_operation(*range(89, 96))
def _duplicate(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    if opcode == 95:
        top, below = m.take(1), m.take(1)
        m.stack += [*top, *below]
        return
    top = m.take(1 if opcode < 92 else 2)
    below = m.take((opcode - 89) % 3)
    m.stack += [*top, *below, *top]


_OPERATORS = ("+", "-", "*", "/", "%")


@_operation(*range(96, 116))
def _arithmetic(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    category = "IJFD"[(opcode - 96) % 4]
    right, left = m.pop(category).operand, m.pop(category).operand
    _binary(m, _OPERATORS[(opcode - 96) // 4], category, left, right)


@_operation(*range(116, 120))
def _negate(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    category = "IJFD"[opcode - 116]
    value = m.pop(category).operand
    target = m.push_new(NUMBERS[category])
    m.b.emit(ir.Unary(m.b.new_id("assign"), target, "-", value))


@_operation(*range(120, 132))
def _bits(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    category = "IJ"[opcode % 2]
    operator = ("<<", ">>", ">>>", "&", "|", "^")[(opcode - 120) // 2]
    right = m.pop("I" if opcode < 126 else category).operand
    _binary(m, operator, category, m.pop(category).operand, right)


def _binary(m: MethodLowering, operator: str, category: str, left: ir.Operand, right: ir.Operand) -> None:
    target = m.push_new(NUMBERS[category])
    m.b.emit(ir.Binary(m.b.new_id("assign"), target, operator, left, right))


@_operation(132)
def _increment(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    variable = m.local(assigned=True)
    m.preserve(variable)
    m.b.defined_by(variable, variable, "int")
    m.b.emit(ir.Binary(m.b.new_id("assign"), variable, "+", variable, ir.Constant(str(second), "int")))


@_operation(*range(133, 148))
def _convert(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    if opcode >= 145:
        source, type = "I", ("byte", "char", "short")[opcode - 145]
    else:
        source, type = "IJFD"[(opcode - 133) // 3], NUMBERS[_CONVERTED[opcode - 133]]
    value = m.pop_variable(source)
    target = m.push_new(type)
    m.b.emit(ir.Cast(m.b.new_id("cast"), target, value, type))


_CONVERTED = "JFDIFDIJDIJF"


@_operation(*range(148, 153))
def _compare(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    category = "JFFDD"[opcode - 148]
    right, left = m.pop(category).operand, m.pop(category).operand
    following = m.index + 1
    if following < m.block.last and 153 <= m.instructions[following][1] <= 158:
        m.pending = opcode, left, right
        m.push(Value(ir.Constant("0", "int"), "I", "int"))  # for the branch that follows, which looks at `pending`
    else:
        _compared(m, opcode in (150, 152), left, right)


def _compared(m: MethodLowering, nan_is_greater: bool, left: ir.Operand, right: ir.Operand) -> None:
    """Push -1, 0 or 1, of which the last case is that of numbers that cannot be compared."""
    b = m.b
    target = m.push_new("int")
    first, last = ("<", "-1"), (">", "1")
    if not nan_is_greater:
        first, last = last, first
    one, other, equal, rest, end = (b.label() for _ in range(5))
    b.emit(ir.If(b.new_id("if"), first[0], left, right, one, other))
    b.code.append(ir.Label(other))
    b.emit(ir.If(b.new_id("if"), "==", left, right, equal, rest))
    for label, value in ((one, first[1]), (equal, "0"), (rest, last[1])):
        b.code.append(ir.Label(label))
        b.emit(ir.AssignConstant(b.new_id("assign"), target, ir.Constant(value, "int")))
        b.code.append(ir.Goto(end))
    b.code.append(ir.Label(end))


_CONDITIONS = ("==", "!=", "<", ">=", ">", "<=")
_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_FALSE_IF_UNORDERED = {148: "", 149: "< <=", 151: "< <=", 150: "> >=", 152: "> >="}
"""Of which comparisons with 0 the negation is what the program says, so that both are false for NaN."""


@_operation(*range(153, 159))
def _branch_on_zero(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    operator = _CONDITIONS[opcode - 153]
    value = m.pop("I").operand
    if m.pending is None:
        m.branch(operator, value, ir.Constant("0", "int"))
        return
    compared, left, right = m.pending
    m.pending = None
    negated = operator in _FALSE_IF_UNORDERED[compared].split()
    m.branch(_NEGATED[operator] if negated else operator, left, right, negated)


@_operation(*range(159, 167))
def _branch_on_two(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    category = "I" if opcode <= 164 else REFERENCE
    right, left = m.pop(category).operand, m.pop(category).operand
    m.branch(_CONDITIONS[(opcode - 159) % 6], left, right)


@_operation(198, 199)
def _branch_on_null(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    m.branch("==" if opcode == 198 else "!=", m.pop(REFERENCE).operand, NULL)


@_operation(167, 200)
def _goto(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    m.go_on(m.block.successors)


@_operation(168, 201)
def _jump_to_subroutine(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    m.push(Value(ir.Constant("0", "int"), RETURN_ADDRESS))
    m.go_on(m.block.successors)


@_operation(169)
def _return_from_subroutine(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    """Go back to any place after a jump to a subroutine."""
    if not m.block.successors:
        raise m.malformed("there is no subroutine to return from")
    if len(m.block.successors) == 1:
        m.go_on(m.block.successors)
        return
    m.leave(m.block.successors, [])
    labels = tuple(label_of(m.graph.blocks[number].at) for number in m.block.successors)
    m.b.budget.spend(len(labels), len(labels) * len(m.b.id))
    m.b.emit(ir.Fork(m.b.new_id("finally"), labels))


@_operation(*range(172, 178))
def _return(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    if (opcode == 177) != (m.method.result == "void"):
        raise m.malformed(f"a method with the result {m.method.result} returns otherwise")
    value = None if opcode == 177 else m.pop_variable("IJFDA"[opcode - 172])
    m.b.emit(ir.Return(m.b.new_id("return"), value))


@_operation(191)
def _throw(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    m.b.emit(ir.Throw(m.b.new_id("throw"), m.pop_variable(REFERENCE)))


@_operation(194, 195)
def _monitor(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    m.b.emit(ir.Monitor(m.b.new_id("monitor"), opcode == 194, m.pop_variable(REFERENCE)))


# ---- fields, calls, objects


@_operation(178, 179, 180, 181)
def _field(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    member = m.file.pool.field(operand, m.info.offset + m.instructions[m.index][0])
    type = m.file.descriptors.field(member.descriptor, m.info.offset)
    b = m.b
    exact = ir.Exact(b.uses.of(member.owner), member.name, b.uses.of(type))
    category = CATEGORIES.get(type, REFERENCE)
    if opcode == 178:
        target = m.push_new(type)
        b.emit(ir.LoadName(b.new_id("load"), target, None, None, member.name, exact))
    elif opcode == 179:
        source = m.pop_variable(category)
        b.emit(ir.StoreName(b.new_id("store"), None, None, member.name, source, exact))
    elif opcode == 180:
        base = m.pop_variable(REFERENCE)
        target = m.push_new(type)
        b.emit(ir.LoadMember(b.new_id("load"), target, base, member.name, False, exact))
    else:
        source = m.pop_variable(category)
        base = m.pop_variable(REFERENCE)
        b.emit(ir.StoreMember(b.new_id("store"), base, member.name, source, False, exact))


@_operation(182, 183, 184, 185)
def _call(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    member = m.file.pool.method(operand, m.info.offset + m.instructions[m.index][0])
    signature = m.file.descriptors.method(member.descriptor, m.info.offset)
    arguments = m.popped(signature[0])
    if member.name == "<init>":
        if opcode != 183:
            raise m.malformed("a constructor is called like a method")
        _construct(m, member.owner, signature, arguments)
        return
    base = None if opcode == 184 else m.pop_variable(REFERENCE)
    kind = "super" if opcode == 183 else "exact"
    result = m.b.call(kind, member.owner, member.name, signature, base, arguments)
    if result is not None:
        m.push(value_of_type(result, signature[1]))


def _construct(
    m: MethodLowering, owner: str, signature: tuple[tuple[str, ...], str], arguments: list[ir.Operand]
) -> None:
    object = m.pop()
    if object.category == REFERENCE:
        if m.method.name != "<init>":
            raise m.malformed("a constructor is called on an object that has been constructed")
        kind = "this-constructor" if owner == m.file.name else "super-constructor"
        m.b.call(kind, owner, "<init>", signature, m.b.variable_of(object.operand), arguments)
        return
    if object.category != UNINITIALISED or owner != object.type:
        raise m.malformed(f"a constructor of {owner} is called on something else")
    assert isinstance(object.operand, str)
    m.b.new(object.operand, owner, signature, arguments)
    made = Value(object.operand, REFERENCE, owner)
    m.step(len(m.stack))
    m.stack = [made if value.operand == object.operand else value for value in m.stack]
    for web in [web for web, value in m.unfinished.items() if value.operand == object.operand]:
        del m.unfinished[web]
        m.b.copy(m.b.declare(m.variables[web]), object.operand, owner)


@_operation(186)
def _dynamic(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    at = m.info.offset + m.instructions[m.index][0]
    named = m.file.pool.dynamic(operand, at, INVOKE_DYNAMIC)
    dynamic.call(m, named, m.file.descriptors.method(named.descriptor, at))


@_operation(187)
def _new(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    type = m.file.pool.class_name(operand, m.info.offset + m.instructions[m.index][0])
    if type.endswith("[]"):
        raise m.malformed("an array is made like an object")
    m.push(Value(m.b.temporary(type), UNINITIALISED, type))


_ARRAYS = ("boolean", "char", "float", "double", "byte", "short", "int", "long")


@_operation(188, 189)
def _new_array(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    if opcode == 189:
        element = m.file.pool.class_name(operand, m.info.offset + m.instructions[m.index][0])
    elif 4 <= operand <= 11:
        element = _ARRAYS[operand - 4]
    else:
        raise m.malformed(f"there are no arrays of kind {operand}")
    length = m.pop("I").operand
    _array(m, m.push_new(element + "[]"), element + "[]", length)


def _array(m: MethodLowering, target: str, type: str, length: ir.Operand) -> None:
    m.b.emit(ir.NewArray(m.b.new_id(f"new {short(type)}"), target, m.b.uses.of(type), length, ()))


@_operation(197)
def _new_arrays(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    """Make an array of each dimension: the elements of the outer ones are one array that stands for all inner ones."""
    type = m.file.pool.class_name(operand, m.info.offset + m.instructions[m.index][0])
    if not second or not type.endswith("[]" * second):
        raise m.malformed(f"{second} dimensions of the type {type} are made")
    lengths = m.popped(("int",) * second)
    outer = m.push_new(type)
    _array(m, outer, type, lengths[0])
    for length in lengths[1:]:
        type = type.removesuffix("[]")
        inner = m.b.temporary(type)
        _array(m, inner, type, length)
        m.b.emit(ir.StoreArray(m.b.new_id("store"), outer, None, inner))
        outer = inner


@_operation(190)
def _length(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    array = m.pop_variable(REFERENCE)
    target = m.push_new("int")
    m.b.emit(ir.LoadMember(m.b.new_id("load"), target, array, "length", False))


@_operation(192)
def _cast(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    type = m.file.pool.class_name(operand, m.info.offset + m.instructions[m.index][0])
    source = m.pop_variable(REFERENCE)
    target = m.push_new(type)
    m.b.emit(ir.Cast(m.b.new_id("cast"), target, source, m.b.uses.of(type)))


@_operation(193)
def _instance_of(m: MethodLowering, opcode: int, operand: int, second: int) -> None:
    type = m.file.pool.class_name(operand, m.info.offset + m.instructions[m.index][0])
    source = m.pop_variable(REFERENCE)
    target = m.push_new("boolean")
    m.b.emit(ir.InstanceOf(m.b.new_id("assign"), target, source, m.b.uses.of(type)))
