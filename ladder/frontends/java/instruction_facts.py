"""The instructions of a body → rows: what each instruction does, and the control-flow graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ladder.frontends.java import ir, names

Row = tuple[str | int, ...]
Rows = dict[str, list[Row]]


def body_rows(body: ir.Body, method: str, rows: Rows) -> None:
    """Add the rows of a body's instructions, in the order of the code."""
    kinds, positions = rows["Instruction"], rows["Position"]
    for code in body.code:
        if isinstance(code, ir.Instruction):
            kinds.append((code.id, names.instruction_kind(code.id, method), method))
            positions.append((code.id, *body.positions[code.id]))
            _ROWS[type(code)](code, method, rows)
    edges = rows["ExceptionEdge"]
    for instruction, handlers in body.handlers.items():
        edges.extend((instruction, handler, order) for order, handler in enumerate(handlers))
    _flow_rows(body, method, rows)


def _flow_rows(body: ir.Body, method: str, rows: Rows) -> None:
    first = _first_instructions(body.code)
    at_label = {code.name: index for index, code in enumerate(body.code) if isinstance(code, ir.Label)}
    entry = first[0]
    if entry is not None:
        rows["Entry"].append((entry, method))
    following = rows["Next"]

    def after(label: str) -> str:
        found = first[at_label[label]]
        assert found is not None
        return found

    for index, code in enumerate(body.code):
        if not isinstance(code, ir.Instruction):
            continue
        if isinstance(code, ir.ENDS):
            successors = _branch_rows(code, after, rows)
        else:
            successor = first[index + 1]
            successors = () if successor is None else (successor,)
        following.extend((code.id, successor) for successor in successors)


def _branch_rows(code: ir.Instruction, after: Callable[[str], str], rows: Rows) -> tuple[str, ...]:
    """Add the rows that say under which condition a branch goes to which successor; return its successors."""
    if isinstance(code, ir.If):
        yes, no = after(code.yes), after(code.no)
        rows["Branch"].extend(((code.id, 1, yes), (code.id, 0, no)))
        return yes, no
    if isinstance(code, ir.Switch):
        cases = [(code.id, kind, label, after(to)) for kind, label, to in code.cases]
        default = after(code.default)
        rows["SwitchCase"].extend(cases)
        rows["SwitchDefault"].append((code.id, default))
        return (*(case[3] for case in cases), default)
    return tuple(map(after, code.labels)) if isinstance(code, ir.Fork) else ()


def _first_instructions(code: tuple[ir.Code, ...]) -> list[str | None]:
    """Return the first instruction that is executed from each place in the code and from its end on (None: there is
    none)."""
    labels = {item.name: index for index, item in enumerate(code) if isinstance(item, ir.Label)}
    first: list[str | None] = [None] * (len(code) + 1)
    known = [False] * len(code) + [True]
    for start in range(len(code) - 1, -1, -1):
        path = []
        index = start
        while not known[index]:
            known[index] = True
            path.append(index)
            item = code[index]
            if isinstance(item, ir.Instruction):
                first[index] = item.id
                break
            index = labels[item.label] if isinstance(item, ir.Goto) else index + 1
        for passed in path:
            first[passed] = first[index]
    return first


def _operand(
    relation: str, constants: str, code: ir.Instruction, position: int, operand: ir.Operand, rows: Rows
) -> None:
    if isinstance(operand, ir.Constant):
        rows[constants].append((code.id, position, operand.value, operand.type))
    else:
        rows[relation].append((code.id, position, operand))


def _index(code: ir.LoadArray | ir.StoreArray, rows: Rows) -> None:
    if isinstance(code.index, ir.Constant):
        rows["ArrayInsnConstantIndex"].append((code.id, code.index.value))
    elif code.index is not None:
        rows["ArrayInsnIndex"].append((code.id, code.index))


def _assign_constant(i: ir.AssignConstant, m: str, rows: Rows) -> None:
    if i.value.type == "null":
        rows["AssignNull"].append((i.id, i.target, m))
    elif i.value.type == "java.lang.String":
        rows["AssignStringConstant"].append((i.id, i.value.value, i.target, m))
    else:
        rows["AssignNumConstant"].append((i.id, i.value.value, i.value.type, i.target, m))


def _binary(i: ir.Binary, m: str, rows: Rows) -> None:
    rows["AssignBinop"].append((i.id, i.operator, i.target, m))
    _operand("AssignOperFrom", "AssignOperFromConstant", i, 1, i.left, rows)
    _operand("AssignOperFrom", "AssignOperFromConstant", i, 2, i.right, rows)


def _unary(i: ir.Unary, m: str, rows: Rows) -> None:
    rows["AssignUnop"].append((i.id, i.operator, i.target, m))
    _operand("AssignOperFrom", "AssignOperFromConstant", i, 1, i.operand, rows)


def _load_field(i: ir.LoadField, m: str, rows: Rows) -> None:
    if i.base is None:
        rows["LoadStaticField"].append((i.id, i.target, i.field, m))
    else:
        rows["LoadInstanceField"].append((i.id, i.target, i.base, i.field, m))


def _store_field(i: ir.StoreField, m: str, rows: Rows) -> None:
    if i.base is None:
        rows["StoreStaticField"].append((i.id, i.source, i.field, m))
    else:
        rows["StoreInstanceField"].append((i.id, i.source, i.base, i.field, m))


def _load_member(i: ir.LoadMember, m: str, rows: Rows) -> None:
    rows["LoadMember"].append((i.id, i.target, i.base, i.name, m))
    if i.of_super:
        rows["SuperMember"].append((i.id,))
    _exact_member(i, rows)


def _store_member(i: ir.StoreMember, m: str, rows: Rows) -> None:
    rows["StoreMember"].append((i.id, i.source, i.base, i.name, m))
    if i.of_super:
        rows["SuperMember"].append((i.id,))
    _exact_member(i, rows)


def _load_name(i: ir.LoadName, m: str, rows: Rows) -> None:
    if i.base is None or i.type is None:
        rows["LoadSimpleName"].append((i.id, i.target, i.name, m))
    else:
        rows["LoadQualifiedName"].append((i.id, i.target, i.base, i.type, i.name, m))
    _exact_member(i, rows)


def _store_name(i: ir.StoreName, m: str, rows: Rows) -> None:
    if i.base is None or i.type is None:
        rows["StoreSimpleName"].append((i.id, i.source, i.name, m))
    else:
        rows["StoreQualifiedName"].append((i.id, i.source, i.base, i.type, i.name, m))
    _exact_member(i, rows)


def _exact_member(i: ir.LoadMember | ir.StoreMember | ir.LoadName | ir.StoreName, rows: Rows) -> None:
    if i.exact is not None:
        rows["ExactMember"].append((i.id, i.exact.owner, i.exact.signature, i.exact.result))


def _load_array(i: ir.LoadArray, m: str, rows: Rows) -> None:
    rows["LoadArrayIndex"].append((i.id, i.target, i.base, m))
    _index(i, rows)


def _store_array(i: ir.StoreArray, m: str, rows: Rows) -> None:
    rows["StoreArrayIndex"].append((i.id, i.source, i.base, m))
    _index(i, rows)


def _new_array(i: ir.NewArray, m: str, rows: Rows) -> None:
    rows["AssignHeapAllocation"].append((i.id, i.id, i.target, m))
    rows["NormalHeap"].append((i.id, i.type))
    if isinstance(i.length, ir.Constant):
        rows["ArrayAllocation_ConstantLength"].append((i.id, i.length.value))
    elif i.length is not None:
        rows["ArrayAllocation_Length"].append((i.id, i.length))
    rows["ArrayConstantElement"].extend((i.id, element.value, element.type) for element in i.elements)


def _new_object(i: ir.NewObject, m: str, rows: Rows) -> None:
    rows["AssignHeapAllocation"].append((i.id, i.id, i.target, m))
    if i.anonymous is None:
        rows["NormalHeap"].append((i.id, i.type))
    else:
        rows["AnonymousHeap"].append((i.id, i.anonymous))
    rows["Invocation"].append((i.id, "new", "<init>", len(i.arguments), m))
    rows["Invocation_Base"].append((i.id, i.target))
    if i.exact is None:
        rows["Invocation_Qualifier"].append((i.id, i.type))
    if i.outer is not None:
        rows["Invocation_Outer"].append((i.id, i.outer))
        rows["Invocation_OuterName"].append((i.id, i.type))
    _invocation(i, i.constructor, rows)


def _call(i: ir.Call, m: str, rows: Rows) -> None:
    rows["Invocation"].append((i.id, i.kind, i.name, len(i.arguments), m))
    if i.base is not None:
        rows["Invocation_Base"].append((i.id, i.base))
    if i.qualifier is not None:
        rows["Invocation_Qualifier"].append((i.id, i.qualifier))
    if i.outer is not None:
        rows["Invocation_Outer"].append((i.id, i.outer))
    if i.result is not None:
        rows["AssignReturnValue"].append((i.id, i.result))
    _invocation(i, i.method, rows)


def _invocation(i: ir.Call | ir.NewObject, target: str | None, rows: Rows) -> None:
    if target is not None:
        rows["Invocation_Target"].append((i.id, target))
    if i.exact is not None:
        rows["ExactInvocation"].append((i.id, i.exact.owner, i.exact.signature, i.exact.result))
    if i.synthetic:
        rows["SyntheticInvocation"].append((i.id,))
    rows["ActualParam"].extend((index, i.id, var) for index, var in enumerate(i.arguments))
    rows["Invocation_TypeArgument"].extend((i.id, index, use) for index, use in enumerate(i.type_arguments))


def _new_lambda(i: ir.NewLambda, m: str, rows: Rows) -> None:
    rows["AssignHeapAllocation"].append((i.id, i.id, i.target, m))
    rows["Lambda"].append((i.id, i.method))
    if i.function is not None:
        rows["LambdaFunction"].append((i.id, *i.function))
    rows["FunctionalTarget"].extend((i.id, *context) for context in i.contexts)


def _new_reference(i: ir.NewReference, m: str, rows: Rows) -> None:
    rows["AssignHeapAllocation"].append((i.id, i.id, i.target, m))
    rows["MethodReference"].append((i.id, i.kind, i.name, m))
    if i.base is not None:
        rows["MethodReference_Base"].append((i.id, i.base))
    if i.type is not None:
        rows["MethodReference_Type"].append((i.id, i.type))
    rows["FunctionalTarget"].extend((i.id, *context) for context in i.contexts)


def _if(i: ir.If, m: str, rows: Rows) -> None:
    rows["If"].append((i.id, i.operator, m))
    _operand("IfVar", "IfConstant", i, 1, i.left, rows)
    _operand("IfVar", "IfConstant", i, 2, i.right, rows)


def _return(i: ir.Return, m: str, rows: Rows) -> None:
    if i.value is None:
        rows["ReturnVoid"].append((i.id, m))
    else:
        rows["Return"].append((i.id, i.value, m))


def _handler(i: ir.Handler, m: str, rows: Rows) -> None:
    rows["ExceptionHandler"].append((i.id, i.target, m))
    rows["ExceptionHandler_Type"].extend((i.id, use) for use in i.types)


def _monitor(i: ir.Monitor, m: str, rows: Rows) -> None:
    rows["EnterMonitor" if i.enter else "ExitMonitor"].append((i.id, i.value, m))


def _nothing(i: ir.Instruction, m: str, rows: Rows) -> None:
    """Add nothing, because the control-flow rows say all."""


_ROWS: dict[type[ir.Instruction], Callable[[Any, str, Rows], None]] = {
    ir.AssignConstant: _assign_constant,
    ir.AssignClass: lambda i, m, rows: rows["AssignClassConstant"].append((i.id, i.type, i.target, m)),
    ir.Copy: lambda i, m, rows: rows["AssignLocal"].append((i.id, i.source, i.target, m)),
    ir.Cast: lambda i, m, rows: rows["AssignCast"].append((i.id, i.source, i.target, i.type, m)),
    ir.CastAs: lambda i, m, rows: rows["AssignCastAs"].append((i.id, i.source, i.target, i.like, m)),
    ir.InstanceOf: lambda i, m, rows: rows["AssignInstanceOf"].append((i.id, i.source, i.target, i.type, m)),
    ir.Binary: _binary,
    ir.Unary: _unary,
    ir.LoadField: _load_field,
    ir.StoreField: _store_field,
    ir.LoadMember: _load_member,
    ir.StoreMember: _store_member,
    ir.LoadName: _load_name,
    ir.StoreName: _store_name,
    ir.LoadComponent: lambda i, m, rows: rows["LoadRecordComponent"].append((i.id, i.target, i.base, i.index, m)),
    ir.LoadArray: _load_array,
    ir.StoreArray: _store_array,
    ir.NewArray: _new_array,
    ir.NewObject: _new_object,
    ir.Call: _call,
    ir.NewLambda: _new_lambda,
    ir.NewReference: _new_reference,
    ir.If: _if,
    ir.Switch: lambda i, m, rows: rows["Switch"].append((i.id, i.subject, m)),
    ir.Fork: _nothing,
    ir.Return: _return,
    ir.Throw: lambda i, m, rows: rows["Throw"].append((i.id, i.value, m)),
    ir.Handler: _handler,
    ir.Monitor: _monitor,
    ir.Nop: _nothing,
}
