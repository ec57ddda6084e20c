"""The roles of helper relations, which a program does not declare, and their names, which are made here alone.

No code parses such a name: a relation has its `Part` as an attribute (see `ladder.language.core.Relation`).
"""

from __future__ import annotations

import enum
from collections.abc import Collection
from dataclasses import dataclass, replace

MARK = "$"  # stands in no name that a program can declare


class Role(enum.Enum):
    """The roles of helper relations of a relation R; the values are the ends of their names."""

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
    INTERMEDIATE = "part"  # part of the join of a rule of R, which lives during a bootstrap: numbered
    RECORDS = "records"  # rows that values refer to by their numbers: records of as many cells, arguments of functions


NUMBERED = frozenset((Role.AGGREGATE, Role.GROUPS, Role.CONDITION, Role.JOIN))
"""Those of which one relation may have several: they are numbered in the order of the text, so that a number may mean
another one when rules came and went."""


@dataclass(frozen=True)
class Part:
    """What a helper relation is: its role, the relation `of` to which it belongs ("" for none), and what distinguishes
    parts with the same role: a word, such as the function of an aggregate, and a number, counted from 1."""

    role: Role
    of: str = ""
    word: str = ""
    number: int = 0

    @property
    def name(self) -> str:
        """The name of the relation with this part."""
        if self.role is Role.RECORDS:
            return f"[]{self.word}{self.number}"
        return f"{self.of}{MARK}{self.word or self.role.value}{self.number or ''}"

    @property
    def numbered(self) -> bool:
        """Whether there may be other parts that differ in their number only."""
        return self.role in NUMBERED

    @property
    def kind(self) -> Part:
        """The part without its number, to compare it with others that differ in their number only."""
        return replace(self, number=0)


def unused(part: Part, taken: Collection[str]) -> Part:
    """The part with the first number for which its name is not taken."""
    return next(one for n in range(1, len(taken) + 2) if (one := replace(part, number=n)).name not in taken)


def records_part(cells: int, branches: bool) -> Part:
    """The part of the table of all records with this number of cells; `branches`: the first cell tells the branch."""
    return Part(Role.RECORDS, word=MARK if branches else "", number=cells)


def can_be_declared(name: str) -> bool:
    """Whether a program can declare a relation of this name."""
    return MARK not in name and not name.startswith("[]")
