"""The code of a method → its three-address form: the operand stack is interpreted with operands in place of values.

An instruction that pushes a value assigns it to a temporary and pushes that; a load of a local variable pushes the
variable. An operand that the program changes while it is on the stack (`x` in `x++`) is copied first. Where several
blocks lead to one and the stack is not empty, what is on it is copied to variables of that block. Of an object between
`new` and its constructor the stack holds the variable that is to get it, so that both are one instruction, as in source
code. Code that cannot be reached is left out.

    blocks that may run, a block after one that leads to it:
        the stack is the one left by a predecessor, or the variables of the block, or what a handler catches
        each instruction: pop operands, emit, push
        the end: copy what is on the stack for the blocks that follow, emit the jump
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ladder.frontends.bytecode import webs
from ladder.frontends.bytecode.blocks import Block, Graph, graph_of
from ladder.frontends.bytecode.builder import MOVED, BodyBuilder
from ladder.frontends.bytecode.classfile import STATIC, ClassFile, Code, MethodInfo
from ladder.frontends.bytecode.errors import Malformed, place
from ladder.frontends.bytecode.instructions import ENDS, Instruction, Jumps, decode
from ladder.frontends.java import ir
from ladder.frontends.java.limits import LimitReached

NUMBERS = {"I": "int", "J": "long", "F": "float", "D": "double"}
CATEGORIES = {
    "long": "J",
    "float": "F",
    "double": "D",
    **dict.fromkeys(("boolean", "byte", "char", "short", "int"), "I"),
}
NULL = ir.Constant("null", "null")
REFERENCE, UNINITIALISED, RETURN_ADDRESS = "A", "U", "R"
STACK_STEPS_AT_FIRST = 200_000
STACK_STEPS_PER_BYTE = 50


@dataclass(frozen=True, slots=True)
class Value:
    """What is on the stack: a variable or constant, its category (`I`, `J`, `F`, `D`, a reference, an object before its
    constructor, a return address), and its type, empty if it is not known here."""

    operand: ir.Operand
    category: str
    type: str = ""

    @property
    def size(self) -> int:
        """The places that it takes."""
        return 2 if self.category in "JD" else 1


def value_of_type(operand: ir.Operand, type: str) -> Value:
    """Return a value of a declared type."""
    return Value(operand, CATEGORIES.get(type, REFERENCE), type)


@dataclass(slots=True)
class Lowered:
    """A body, its parameters and receiver, and the bodies of the lambdas in it."""

    body: ir.Body
    parameters: tuple[str, ...]
    this: str | None
    lambdas: list[ir.Method]


def parameter_slots(method: MethodInfo) -> list[int]:
    """Return the slots of the parameters, the receiver apart."""
    slots, following = [], 0 if method.flags & STATIC else 1
    for type in method.parameters:
        slots.append(following)
        following += 2 if type in ("long", "double") else 1
    return slots


class MethodLowering:
    """The lowering of one method with code."""

    def __init__(
        self,
        file: ClassFile,
        method: MethodInfo,
        code: Code,
        builder: BodyBuilder,
        operations: Mapping[int, Operation],
    ) -> None:
        self.operations = operations
        self.file, self.method, self.info, self.b = file, method, code, builder
        self.instructions = decode(file.data[code.offset : code.offset + code.length], code.offset)
        self.graph: Graph = graph_of(code, self.instructions)
        slots = parameter_slots(method)
        self.receiver = not method.flags & STATIC
        if (slots[-1] if slots else 0) + 1 > max(code.max_locals, 1) or (self.receiver and not code.max_locals):
            raise Malformed(f"the parameters do not fit into {code.max_locals} locals", code.at)
        self.webs = webs.webs_of(code, self.instructions, self.graph, ([0] if self.receiver else []) + slots)
        self.lines = sorted(code.lines)
        self.starts = [start for start, _ in self.lines]
        self.stack: list[Value] = []
        self.entries: dict[int, list[Value]] = {}
        self.made: dict[int, list[ir.Code]] = {}
        self.catches: dict[tuple[int, tuple[str, ...]], str] = {}
        self.caught: list[ir.Code] = []
        self.pending: tuple[int, ir.Operand, ir.Operand] | None = None
        self.unfinished: dict[int, Value] = {}
        self.steps = STACK_STEPS_AT_FIRST + STACK_STEPS_PER_BYTE * code.length
        self.block: Block = self.graph.blocks[0]
        self.index = 0
        self.variables = self._names()

    def _names(self) -> dict[int, str]:
        """Return the names of the variables by web: `this`, then as they appear, with numbers where names recur."""
        found: dict[int, str] = {}
        counts: dict[str, int] = {}
        for web, name in self.webs.names.items():
            if self.receiver and web == self.webs.parameters[0]:
                found[web] = "@this"
                continue
            number = counts[name] = counts.get(name, 0) + 1
            found[web] = name if number == 1 else f"{name}#{number}"
        return found

    def lower(self, prologue: list[ir.Code]) -> Lowered:
        """Return the body, which begins with `prologue`."""
        b = self.b
        b.budget.check_time()
        this = b.declare("@this", self.file.name) if self.receiver else None
        parameters = tuple(
            b.declare(self.variables[self.webs.parameters[slot]], type)
            for slot, type in zip(parameter_slots(self.method), self.method.parameters)
        )
        for number in self.graph.reached:
            if self.graph.blocks[number].is_handler:
                self.entries[number] = [Value(b.temporary(), REFERENCE)]
        self.entries.setdefault(0, [])
        for number in self.graph.reached:
            self._lower_block(self.graph.blocks[number])
        b.settle()
        return Lowered(b.finish([*prologue, *self._assembled()], parameters), parameters, this, b.lambdas)

    # ---- blocks

    def _lower_block(self, block: Block) -> None:
        b, self.block = self.b, block
        self.stack = list(self.entries[block.number])
        self.step(len(self.stack))
        b.code = self.made[block.number] = []
        b.at = self.position(block.at)
        b.handlers = tuple(self._handler(handler, types) for handler, types in block.handlers)
        most = self.info.max_stack
        for index in range(block.first, block.last):
            instruction = self.instructions[index]
            at, opcode, operand, second, jumps = instruction
            self.index = index
            b.at = self.position(at)
            if jumps is not None:
                self._switch(jumps)
            else:
                self.operations[opcode](self, opcode, operand, second)
            if len(self.stack) > most:
                raise self.malformed(f"there are more than {most} values on the stack")
        last = self.instructions[block.last - 1]
        if last[1] not in ENDS and not 153 <= last[1] <= 166 and last[1] not in (168, 198, 199, 201):
            self.go_on(block.successors)

    def go_on(self, successors: list[int]) -> None:
        """Leave the block for its only successor."""
        self.leave(successors, [])
        target = self.graph.blocks[successors[0]]
        if target.at <= self.block.at and not any(isinstance(code, ir.Instruction) for code in self.b.code):
            self.b.emit(ir.Nop(self.b.new_id("nop")))
        self.b.code.append(ir.Goto(label_of(target.at)))

    def leave(self, successors: Iterable[int], operands: list[ir.Operand]) -> list[ir.Operand]:
        """Let the blocks that follow have what is on the stack → `operands`, copied where such a block changes them."""
        stack = self.stack
        successors = list(dict.fromkeys(successors))
        self.step((len(stack) + 1) * (len(successors) + 1))
        if not stack and not any(self.entries.get(number) for number in successors):
            for number in successors:
                self.entries.setdefault(number, [])
            return operands
        assigned: dict[int, list[Value]] = {}
        for number in successors:
            block = self.graph.blocks[number]
            if number not in self.entries:
                several = block.entries > 1
                self.entries[number] = [self._variable_for(value) for value in stack] if several else []
            wanted = self.entries[number]
            if block.entries > 1 or block.is_handler:
                if [value.category for value in wanted] != [value.category for value in stack]:
                    raise self.malformed(f"the stack differs from what it is elsewhere before {block.at}")
                assigned[number] = wanted
        written = {value.operand for wanted in assigned.values() for value in wanted if value.category not in "UR"}
        for index, value in enumerate(stack):
            if value.operand in written:
                stack[index] = self._spilled(value)
        operands = [self._spilled(Value(o, REFERENCE)).operand if o in written else o for o in operands]
        for number in successors:
            if number not in assigned:
                self.entries[number] = list(stack)
        for wanted in assigned.values():
            for value, own in zip(wanted, stack):
                if value.category == UNINITIALISED and value.operand != own.operand:
                    raise self.malformed("objects without their constructor meet")
                if value.category not in "UR":
                    assert isinstance(value.operand, str)
                    self.b.copy(value.operand, own.operand, own.type)
        return operands

    def _variable_for(self, value: Value) -> Value:
        """Return what a block begins with where several others leave a value of this category."""
        if value.category in "UR":
            return value
        type = NUMBERS.get(value.category, "")
        return Value(self.b.temporary(*([type] if type else [])), value.category, type)

    def _spilled(self, value: Value) -> Value:
        """Return a copy of a value that is about to change."""
        target = self.b.temporary()
        self.b.copy(target, value.operand, value.type)
        return Value(target, value.category, value.type)

    def _handler(self, number: int, types: tuple[str, ...]) -> str:
        """Return the id of the instruction at which exceptions of these types arrive."""
        key = number, types
        if key not in self.catches:
            b, before, code = self.b, self.b.at, self.b.code
            target = self.entries[number][0].operand
            assert isinstance(target, str)
            caught = types or ("java.lang.Throwable",)
            b.at, b.code = self.position(self.graph.blocks[number].at), self.caught
            b.handlers = ()
            for type in caught:
                b.defined_by(target, target, type)
            id = self.catches[key] = b.new_id("catch")
            b.emit(ir.Handler(id, target, tuple(map(b.uses.of, dict.fromkeys(caught)))))
            b.code.append(ir.Goto(label_of(self.graph.blocks[number].at)))
            b.at, b.code = before, code
        return self.catches[key]

    def _assembled(self) -> list[ir.Code]:
        """Return the code of all blocks in their order, without jumps to what follows."""
        found: list[ir.Code] = []
        for number in sorted(self.made):
            label = label_of(self.graph.blocks[number].at)
            if found and found[-1] == ir.Goto(label):
                found.pop()
            found.append(ir.Label(label))
            found.extend(code for code in self.made[number] if code != MOVED)
        return found + self.caught

    # ---- places and errors

    def position(self, at: int) -> ir.Position:
        """Return the position of a place in the code."""
        index = bisect_right(self.starts, at) - 1
        return place(self.info.offset + at, self.lines[index][1] if index >= 0 else 1)

    def malformed(self, description: str) -> Malformed:
        """Return the error that the present instruction is."""
        return Malformed(description, self.info.offset + self.instructions[self.index][0])

    def step(self, count: int) -> None:
        self.steps -= count
        if self.steps < 0:
            raise LimitReached("The values on the stack of a method are copied too often", self.b.at)

    # ---- the stack

    def push(self, value: Value) -> None:
        """Push a value."""
        self.stack.append(value)

    def push_new(self, type: str) -> str:
        """Push a new temporary of a type, and return it."""
        target = self.b.temporary(*([type] if type else []))
        self.push(value_of_type(target, type))
        return target

    def pop(self, category: str = "") -> Value:
        """Pop a value, which must be of a category."""
        if not self.stack:
            raise self.malformed("there is no value on the stack")
        value = self.stack.pop()
        if category and value.category != category:
            raise self.malformed(f"a value of category {value.category} is on the stack instead of {category}")
        return value

    def pop_variable(self, category: str) -> str:
        """Pop a value, and return a variable that holds it."""
        return self.b.variable_of(self.pop(category).operand)

    def take(self, size: int) -> list[Value]:
        """Pop values that take so many places → them, the lowest first."""
        found: list[Value] = []
        while size > 0:
            found.append(self.pop())
            size -= found[-1].size
        if size:
            raise self.malformed("half a value is taken from the stack")
        return found[::-1]

    def popped(self, types: Iterable[str]) -> list[ir.Operand]:
        """Pop arguments of these types, and return them in their order."""
        found = [self.pop(CATEGORIES.get(type, REFERENCE)).operand for type in reversed(tuple(types))]
        return found[::-1]

    # ---- locals

    def local(self, assigned: bool = False) -> str:
        """Return the variable that the present instruction reads or writes."""
        table = self.webs.assigned if assigned else self.webs.used
        web = table[self.index]
        if webs_slot(self.instructions[self.index], assigned) >= self.info.max_locals:
            raise self.malformed(f"there are {self.info.max_locals} locals")
        return self.b.declare(self.variables[web])

    def store(self, value: Value) -> None:
        """Assign a value to the local variable of the present instruction."""
        target = self.local(assigned=True)
        web = self.webs.assigned[self.index]
        if value.category == RETURN_ADDRESS:
            return
        if value.category == UNINITIALISED:
            self.unfinished[web] = value
            return
        self.unfinished.pop(web, None)
        self.preserve(target)
        held = any(other.operand == value.operand for other in self.stack)
        assign = self.b.copy if held else self.b.move
        assign(target, value.operand, value.type if value.operand != NULL else "")

    def preserve(self, variable: str) -> None:
        """Copy what is on the stack of a variable that is about to change."""
        self.step(len(self.stack))
        for index, value in enumerate(self.stack):
            if value.operand == variable:
                self.stack[index] = self._spilled(value)

    def load(self, category: str) -> None:
        """Push the local variable of the present instruction."""
        unfinished = self.unfinished.get(self.webs.used[self.index])
        if unfinished is not None:
            self.push(unfinished)
            return
        variable = self.local()
        type = NUMBERS.get(category, "")
        if variable == f"{self.b.id}/@this":
            type = self.file.name
        self.push(Value(variable, category, type))

    # ---- branches

    def branch(self, operator: str, left: ir.Operand, right: ir.Operand, negated: bool = False) -> None:
        """Go where the present instruction jumps to if the comparison holds, or `negated` if it does not."""
        yes, no = self.block.successors
        left, right = self.leave([yes, no], [left, right])
        if negated:
            yes, no = no, yes
        labels = [label_of(self.graph.blocks[number].at) for number in (yes, no)]
        self.b.emit(ir.If(self.b.new_id("if"), operator, left, right, *labels))

    def _switch(self, jumps: Jumps) -> None:
        subject = self.pop_variable("I")
        (kept,) = self.leave(self.block.successors, [subject])
        assert isinstance(kept, str)
        cases = tuple(("number", str(value), label_of(to)) for value, to in jumps.cases)
        self.b.budget.spend(2 * len(cases), len(cases) * len(self.b.id))
        self.b.emit(ir.Switch(self.b.new_id("switch"), kept, cases, label_of(jumps.default)))


def webs_slot(instruction: Instruction, assigned: bool) -> int:
    """Return the slot that an instruction reads or writes."""
    slot = webs.slot_assigned(instruction) if assigned else webs.slot_used(instruction)
    assert slot is not None
    return slot


def label_of(at: int) -> str:
    """Return the label of the block at a place."""
    return f"L{at}"


Operation = Callable[[MethodLowering, int, int, int], None]
"""What an instruction does: its opcode and its operands."""
