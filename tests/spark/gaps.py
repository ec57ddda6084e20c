"""What Spark does not evaluate, and why: such programs are refused with a clear error, never evaluated wrongly."""

from __future__ import annotations

from ladder.errors import Unsupported
from ladder.language.core import REINTERPRETATIONS, Compute, Kind, Place, Program

NUMBERS = (
    "asks for the number of a symbol, record or object: on Spark these have no numbers that count up, but "
    "hashes of 64 bits"
)

# What is refused, each with why. No conformance case and no program of the documentation is among them.
PROGRAMS = {
    ".decl s(x: symbol) .input s\n.decl n(x: number)\nn(ord(x)) :- s(x).": NUMBERS,
    ".decl s(x: symbol) .input s\n.decl n(x: number)\nn(as(x, number)) :- s(x).": NUMBERS,
    ".type P = [a: number]\n.decl p(x: P)\np([1]).\n.decl n(x: number)\nn(as(x, number)) :- p(x).": NUMBERS,
    ".decl s(x: symbol) .input s\n.decl n(x: symbol, y: symbol)\nn(x, y) :- s(x), s(y).\nn(x, y) <= n(z, y) :- ord(x) "
    "< ord(z).": NUMBERS,
}


def gap(program: Program) -> str | None:
    """Why Spark refuses a program; None where it must evaluate it."""
    return NUMBERS if _asking(program) else None


def check_refusal(refused: Unsupported, program: Program) -> None:
    """The error names the place, and what to do."""
    assert any(f"{place.file}:{place.line}" in refused.message for place in _asking(program)), refused.message
    assert "local" in refused.hint, refused.hint


def _asking(program: Program) -> list[Place]:
    """Where the rules stand that ask for such numbers."""
    cells = (Kind.SYMBOL, Kind.RECORD, Kind.OBJECT)
    return [
        clause.place
        for clause in (*program.rules, *program.subsumptions)
        for literal in clause.body
        if isinstance(literal, Compute)
        and literal.function in (*REINTERPRETATIONS, "ord")
        and literal.kind in cells
        and clause.place is not None
    ]
