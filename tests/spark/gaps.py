"""What Spark does not evaluate, and why: such programs are refused with a clear error, never evaluated wrongly."""
from __future__ import annotations

from ladder.language.core import Program

# Conformance cases that are refused.
CASES: dict[str, str] = {}


def gap(program: Program) -> str | None:
    """Why Spark refuses a program; None where it must evaluate it."""
    return None
