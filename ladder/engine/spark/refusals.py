"""Refuses programs that ask for the numbers which the local engine gives to symbols, records and objects: Spark has
others."""

from __future__ import annotations

from collections.abc import Iterator

from ladder.engine.spark.lowering.functions import NUMERIC
from ladder.errors import Unsupported
from ladder.language.core import REINTERPRETATIONS, Compute, Place, Program, Rule, Subsumption

OF_NUMBERS = frozenset((*REINTERPRETATIONS, "ord"))


def refusals(program: Program) -> Iterator[Unsupported]:
    """The errors of the rules that cannot be evaluated on Spark."""
    clauses: list[Rule | Subsumption] = [*program.rules, *program.subsumptions]
    for clause in clauses:
        for literal in clause.body:
            if isinstance(literal, Compute) and literal.function in OF_NUMBERS and literal.kind not in NUMERIC:
                asked = "ord" if literal.function == "ord" else "as"
                yield Unsupported(
                    f"{asked}(…) asks for the number of a {literal.kind.value}, which it does not have on "
                    f"Spark{where(clause.place)}.",
                    "Evaluate the program with the local engine.",
                )


def where(place: Place | None) -> str:
    """A place in a program's text, in a message."""
    return f" ({place.file}:{place.line})" if place else ""
