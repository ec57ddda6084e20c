"""The three-address form of class files as text."""

from __future__ import annotations

from ladder.frontends.bytecode.classfile import read_class
from ladder.frontends.bytecode.limits import budget_of
from ladder.frontends.bytecode.lower import lower
from ladder.frontends.java import ir, printer
from ladder.frontends.java.verifier import verify


def lowered(data: bytes) -> ir.Unit:
    """The form of a class that has nothing wrong with it."""
    file = read_class(data)
    unit, problems = lower(file, budget_of(len(data)))
    assert not file.problems and not problems, (file.problems, problems)
    assert not [problem for problem in verify(unit) if "unknown outer type" not in problem]
    return unit


def code(data: bytes, method: str) -> list[str]:
    """The instructions of the method or lambda with this id (without its class), without labels that nothing needs."""
    (found,) = [
        each
        for type_ in lowered(data).types
        for each in type_.methods
        if each.id.removeprefix(f"{type_.id}.") == method
    ]
    assert found.body is not None
    lines = []
    for each in found.body.code:
        if isinstance(each, ir.Label):
            lines.append(f"{each.name}:")
        elif isinstance(each, ir.Goto):
            lines.append(f"goto {each.label}")
        else:
            lines.append(printer.show(each, lambda id_: id_.rpartition("/")[2]))
    wanted = {word.rstrip(",}") for line in lines if not line.endswith(":") for word in line.split()}
    return [line for line in lines if not line.endswith(":") or line[:-1] in wanted]
