"""What Spark does not evaluate, and why: such programs are refused with a clear error, never evaluated wrongly."""
from __future__ import annotations

from ladder.language.core import Program, ordered_relations

ORDERED = "rows depend on the order in which they are derived, and Spark derives them in no order"

# Conformance cases that are refused.
CASES = {"choice": ORDERED, "counters": ORDERED, "subsumption": ORDERED}


def gap(program: Program) -> str | None:
    """Why Spark refuses a program; None where it must evaluate it."""
    return ORDERED if ordered_relations(program) else None
