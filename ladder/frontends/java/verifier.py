"""Checks that the three-address form of a file is consistent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from ladder.frontends.java import ir

VARIABLE_FIELDS = frozenset(
    (
        "target", "source", "base", "like", "result", "outer", "value", "subject", "left", "right", "operand", "index",
        "length",
    )
)  # fmt: skip


def verify(unit: ir.Unit) -> list[str]:
    """Return what is wrong with a unit, one line each; nothing if it is consistent."""
    problems: list[str] = []
    seen: set[str] = set()
    types = {declaration.id for declaration in unit.types}
    problems.extend(_duplicates("type", [declaration.id for declaration in unit.types]))
    for declaration in unit.types:
        problems.extend(f"{declaration.id}: unknown outer type {t}" for t in declaration.lexical if t not in types)
        problems.extend(_duplicates("member", [f.id for f in declaration.fields] + [m.id for m in declaration.methods]))
        for method in declaration.methods:
            problems.extend(f"{method.id}: {problem}" for problem in _method_problems(method, seen))
    problems.extend(_annotation_problems(unit))
    problems.extend(_use_problems(unit))
    return problems


def _method_problems(method: ir.Method, seen: set[str]) -> Iterator[str]:
    if len(method.parameters) != len(method.parameter_types):
        yield "parameters and their types differ in number"
    if method.body is None:
        return
    body = method.body
    variables = {variable.id for variable in body.variables}
    if len(variables) < len(body.variables):
        yield "a variable is declared twice"
    used = [p.id for p in method.parameters] + [copy for _, copy in method.captured] + [v for _, v in method.instances]
    yield from (f"undeclared {v}" for v in used if v not in variables)
    yield from _code_problems(body, variables, seen)


def _code_problems(body: ir.Body, variables: set[str], seen: set[str]) -> Iterator[str]:
    labels = {code.name for code in body.code if isinstance(code, ir.Label)}
    instructions = {code.id for code in body.code if isinstance(code, ir.Instruction)}
    for code in body.code:
        yield from (f"unknown label {label}" for label in targets(code) if label not in labels)
        if not isinstance(code, ir.Instruction):
            continue
        if code.id in seen:
            yield f"{code.id} occurs twice"
        seen.add(code.id)
        if code.id not in body.positions:
            yield f"{code.id} has no position"
        yield from (f"{code.id}: undeclared {v}" for v in variables_of(code) if v not in variables)
        yield from (f"{code.id}: unknown handler {h}" for h in body.handlers.get(code.id, ()) if h not in instructions)
    if not body.code or not _ends(body.code[-1]):
        yield "control runs off the end"


def _ends(code: ir.Code) -> bool:
    return isinstance(code, (ir.Goto, *ir.ENDS))


def targets(code: ir.Code) -> tuple[str, ...]:
    """Return the labels that an instruction may go to."""
    if isinstance(code, ir.Goto):
        return (code.label,)
    if isinstance(code, ir.If):
        return (code.yes, code.no)
    if isinstance(code, ir.Switch):
        return (*(label for _, _, label in code.cases), code.default)
    return code.labels if isinstance(code, ir.Fork) else ()


def variables_of(code: ir.Instruction) -> Iterator[str]:
    """Yield the variables that an instruction reads or writes."""
    for field in fields(code):
        content = getattr(code, field.name)
        if field.name in VARIABLE_FIELDS and isinstance(content, str):
            yield content
        elif field.name == "arguments":
            yield from content


def _annotation_problems(unit: ir.Unit) -> Iterator[str]:
    ids = [annotation.id for annotation in unit.annotations]
    known, uses = set(ids), {use.id for use in unit.uses}
    yield from _duplicates("annotation", ids)
    for annotation in unit.annotations:
        if annotation.type not in uses:
            yield f"{annotation.id}: unknown use {annotation.type}"
        for element in annotation.elements:
            if element.kind == "annotation" and element.value not in known:
                yield f"{annotation.id}: unknown annotation {element.value}"


def _use_problems(unit: ir.Unit) -> Iterator[str]:
    known = {use.id for use in unit.uses}
    yield from _duplicates("use", [use.id for use in unit.uses])
    for use in unit.uses:
        if isinstance(use, ir.QualifiedUse) and "." in use.qualifier_text and use.qualifier not in known:
            yield f"{use.id}: unknown qualifier {use.qualifier}"
        if isinstance(use, ir.ParameterizedUse) and use.erasure not in known:
            yield f"{use.id}: unknown erasure {use.erasure}"


def _duplicates(what: str, ids: list[str]) -> Iterator[str]:
    if len(set(ids)) < len(ids):
        seen: set[str] = set()
        for id in ids:
            if id in seen:
                yield f"{what} {id} occurs twice"
            seen.add(id)
