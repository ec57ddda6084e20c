"""What relations are for that a program does not declare, and what they are called: the one place where such names are
made.

Nothing takes a name apart again: a relation carries its `Part` (see `ladder.language.core.Relation`), which is asked.
"""

from __future__ import annotations

import enum
from collections.abc import Collection
from dataclasses import dataclass, replace

MARK = "$"  # stands in no name that a program can declare


class Role(enum.Enum):
    """What a relation R is for beside those that the text declares; the values are what names end with."""

    # of core programs
    UNSPLIT_FACTS = "given"  # facts of a relation with several lattice columns, before they are split by column
    LATTICE_COLUMN = "lattice"  # one of the lattice columns of R
    EDGES = "edge"  # what an equivalence is the closure of
    PROJECTION = ""  # some columns of R, for negation: its word tells which
    AGGREGATE = "aggregate"  # an aggregate in the body of a rule of R
    GROUPS = "dom"  # the groups that such an aggregate is asked for
    CONDITION = "if"  # a part of a rule of R that has nothing to do with the rest
    JOIN = "join"  # what a long rule of R begins with
    MENTIONED = "mentioned"  # texts in the order in which a whole program mentions them
    # of plans
    FACTS = "facts"  # facts of an aggregated or ordered relation
    AGGREGATE_INPUTS = "in"  # the inputs of the aggregation in R
    TOTALS = "all"  # every total of R, at the iteration at which it appears
    UNIT = "unit"  # one row, from which rules without positive atoms start
    SWITCH = "switch"  # whether rules that come or go hold
    RECORDS = "records"  # rows that values refer to by their numbers: records of as many cells, arguments of functions


NUMBERED = frozenset((Role.AGGREGATE, Role.GROUPS, Role.CONDITION, Role.JOIN))
"""Those of which one relation may have several: they are numbered in the order of the text, so that a number may mean
another one when rules came and went."""


@dataclass(frozen=True)
class Part:
    """A role, the relation `of` whose rules or rows it is played ("" where it belongs to none), and what tells parts of
    one role apart: a word, as the function of an aggregate, and a number, counted from 1."""

    role: Role
    of: str = ""
    word: str = ""
    number: int = 0

    @property
    def name(self) -> str:
        """What a relation with this part is called."""
        if self.role is Role.RECORDS:
            return f"[]{self.word}{self.number}"
        return f"{self.of}{MARK}{self.word or self.role.value}{self.number or ''}"

    @property
    def numbered(self) -> bool:
        """Whether there may be others that differ in their number only."""
        return self.role in NUMBERED

    @property
    def kind(self) -> Part:
        """What it has in common with those that differ in their number only."""
        return replace(self, number=0)


def unused(part: Part, taken: Collection[str]) -> Part:
    """The part with the first number that makes a name which is not taken."""
    return next(one for n in range(1, len(taken) + 2) if (one := replace(part, number=n)).name not in taken)


def records_part(cells: int, branches: bool) -> Part:
    """The table of the records of so many cells; `branches`: the first of them tells the branch."""
    return Part(Role.RECORDS, word=MARK if branches else "", number=cells)


def can_be_declared(name: str) -> bool:
    """Whether a program can declare a relation of that name."""
    return MARK not in name and not name.startswith("[]")
