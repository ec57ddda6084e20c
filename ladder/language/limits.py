"""Limits of the size of plans, for plans and for the language, which splits or refuses longer rules.

Kernels are compiled with constants of their own (`ladder.engine.local.kernels.layout`), at least as large; a test
compares them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PlanLimits:
    """The maximal sizes of a plan, and those of rules, which are smaller.

    The records of plans and steps have these sizes, so that larger limits make every plan larger.
    """

    columns: int = 32  # of a relation
    atoms: int = 16  # and negated atoms of a rule: each has a row number that an event of an update notes
    steps: int = 63  # the last of the levels of a kernel's stack is that of the insertion
    variables: int = 128  # registers: variables, constants and rows, each a column of a batch
    arguments: int = 4  # of a function that are passed one by one; more are passed as a record
    choices: int = 4  # join orders among which rows of one plan choose
    grouped_steps: int = 32  # from which a plan is not grouped: a GROUP may come before each of its steps
    grouped_variables: int = 16  # that rows are grouped by
    # of rules that are written in the core program; what joins and computations become is counted from above
    body_steps: int = 48
    join_atoms: int = 8  # of a part of a rule that is longer than plans may be …
    join_steps: int = 40  # … and the steps and variables that it takes
    join_variables: int = 96
    computed_steps: int = 30  # of such a part that computes
    constants: int = 8  # of an atom in a rule that is too long, from which it gets a relation of its own

    @property
    def switched_atoms(self) -> int:
        """How many atoms a rule may have that can be switched on and off: the switch is one more."""
        return self.atoms - 1


LIMITS = PlanLimits()
