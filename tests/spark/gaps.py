"""What Spark does not evaluate, and why: such programs are refused with a clear error, never evaluated wrongly."""
from __future__ import annotations

from ladder.errors import Unsupported
from ladder.language.core import Program, ordered_relations

ORDERED = "rows depend on the order in which they are derived, and Spark derives them in no order"

# Conformance cases that are refused.
CASES = {"choice": ORDERED, "counters": ORDERED, "subsumption": ORDERED}


def gap(program: Program) -> str | None:
    """Why Spark refuses a program; None where it must evaluate it."""
    return ORDERED if ordered_relations(program) else None


def check_refusal(refused: Unsupported, program: Program) -> None:
    """The error names the relation that is the reason, where it is declared, and what to do."""
    places = [program.relations[name].place for name in ordered_relations(program)]
    assert any(place is not None and f"{place.file}:{place.line}" in refused.message for place in places), refused.message
    assert any(name in refused.message for name in ordered_relations(program)), refused.message
    assert "local" in refused.mend, refused.mend
