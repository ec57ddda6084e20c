"""Plans: short lists of relational steps, each working on the batch of rows that the one before it made.

A step's terms are variables and constants; which register or column expression a variable becomes is the backend's
business. A plan can be printed (`str`) and checked (`verify`).
"""

from __future__ import annotations

import enum
import os
from dataclasses import dataclass

from ladder.language.core import Atom, Compare, Compute, Generate, Invalid, Kind, Pack, Rule, Term, Type, Unpack, Var


class Role(enum.Enum):
    """When a plan runs: in iteration 1 of a bootstrap (`ONCE`) or later ones (`ITERATED`); in an update, from changed
    rows of a body literal (`FORWARD`) or from rows of the head (`BACKWARD`); in a bootstrap, to put into an
    intermediate the rows with which it begins (`BEGUN`), and those of an iteration (`FILLED`)."""

    ONCE = 0
    ITERATED = 1
    FORWARD = 2
    BACKWARD = 3
    BEGUN = 4
    FILLED = 5


class Window(enum.Enum):
    """The rows that a step of a bootstrap reads; windows other than EVERY apply to relations of the plan's own
    component only."""

    EVERY = 0  # all rows
    DELTA = 1  # those that appeared in the last iteration
    BEFORE = 2  # those that appeared earlier
    SETTLED = 3  # both


@dataclass(frozen=True)
class Scan:
    """The first step of a plan: read the rows of a relation that are in its window; in an update, its changed rows."""

    relation: str
    binds: tuple[tuple[int, Var], ...]
    literal: int | None  # position among the rule's relational literals; None: the head
    window: Window = Window.EVERY

    def __str__(self) -> str:
        return f"scan {self.relation} {self.window.name.lower()} → {_binds(self.binds)}"


@dataclass(frozen=True)
class Probe:
    """Join with the rows of a relation that agree on the key columns."""

    relation: str
    keys: tuple[tuple[int, Term], ...]
    binds: tuple[tuple[int, Var], ...]
    literal: int
    window: Window = Window.EVERY

    def __str__(self) -> str:
        return f"probe {self.relation} by {', '.join(f'{c}={t}' for c, t in self.keys)} → {_binds(self.binds)}"


@dataclass(frozen=True)
class Member:
    """Keep the batch rows whose terms are a row of a relation; with `negated`, those whose terms are none."""

    atom: Atom
    literal: int
    negated: bool = False
    window: Window = Window.EVERY

    def __str__(self) -> str:
        return f"{'without' if self.negated else 'with'} {self.atom}"


@dataclass(frozen=True)
class Find:
    """Bind the record of these fields, where it exists; rows without one have no match."""

    record: Var
    fields: tuple[Term, ...]
    type: Type
    branch: str | None = None

    def __str__(self) -> str:
        return f"find {Pack(self.record, self.fields, self.type, self.branch)}"


@dataclass(frozen=True)
class Group:
    """Merge the batch rows that agree on all variables still needed; the merged row counts for all their
    derivations."""

    needed: tuple[Var, ...]

    def __str__(self) -> str:
        return f"group by {', '.join(map(str, self.needed)) or 'nothing'}"


@dataclass(frozen=True)
class Weigh:
    """Let each batch row count for as many derivations as the row of an intermediate that it comes from."""

    relation: str
    literal: int

    def __str__(self) -> str:
        return f"weigh by {self.relation}"


Step = Scan | Probe | Member | Compare | Compute | Generate | Pack | Unpack | Find | Group | Weigh


@dataclass(frozen=True)
class Choice:
    """The first look-up of one of several plans with the same start; each start row takes the plan for which the rows
    that the look-up finds, times their weight, are the fewest.

    `start_columns`: of the relation from which the plans start, in the order of `columns`; `weight`: how many rows the
    plan is expected to look at for each that the look-up finds, this one included.
    """

    relation: str
    columns: tuple[int, ...]
    start_columns: tuple[int, ...]
    weight: float = 1.0


@dataclass(frozen=True)
class Plan:
    """A rule, where its evaluation starts, and the steps; `of`: the rule as it is written, if `rule` is one over an
    intermediate."""

    rule: Rule
    role: Role
    driver: int | None
    steps: tuple[Step, ...]
    choice: int = 0
    choices: tuple[Choice, ...] = ()
    of: Rule | None = None

    @property
    def written(self) -> Rule:
        """The rule as it is written."""
        return self.of or self.rule

    def __str__(self) -> str:
        return "\n  ".join((f"{self.role.name.lower()} plan of {self.rule}", *map(str, self.steps)))


def _binds(binds: tuple[tuple[int, Var], ...]) -> str:
    return ", ".join(f"{v}={c}" for c, v in binds) or "nothing"


def step_reads(step: Step) -> set[Var]:
    """Variables whose values a step needs."""
    match step:
        case Scan() | Weigh():
            terms: tuple[Term | None, ...] = ()
        case Probe(_, keys):
            terms = tuple(t for _, t in keys)
        case Member(atom):
            terms = atom.terms
        case Compare(_, left, right):
            terms = (left, right)
        case Compute(_, _, arguments) | Generate(_, _, arguments):
            terms = arguments
        case Pack(_, fields) | Find(_, fields):
            terms = fields
        case Unpack(record):
            terms = (record,)
        case Group(needed):
            terms = needed
    return {t for t in terms if isinstance(t, Var)}


def step_writes(step: Step) -> set[Var]:
    """Variables that a step gives values."""
    match step:
        case Scan(_, binds) | Probe(_, _, binds):
            return {v for _, v in binds}
        case Compute(result) | Generate(result) | Pack(result) | Find(result):
            return {result}
        case Unpack(_, fields):
            return {f for f in fields if f is not None}
        case _:
            return set()


def verify(plan: Plan) -> Plan:
    """The plan itself, or `Invalid` where a step reads what no earlier one wrote, or writes a variable twice."""
    known: set[Var] = set()
    forgotten: set[Var] = set()
    if not isinstance(plan.steps[0], Scan) or any(isinstance(s, Scan) for s in plan.steps[1:]):
        raise Invalid(f"not exactly one scan, first, in {plan}")
    for step in plan.steps:
        written = step_writes(step)
        if not step_reads(step) <= known or not written.isdisjoint(known):
            raise Invalid(f"{step} in {plan}")
        known |= written
        if isinstance(step, Group):
            forgotten |= known - set(step.needed)
            known = set(step.needed)
    if forgotten & known:
        raise Invalid(f"a variable is bound again in {plan}")
    if {t for t in plan.rule.head.terms if isinstance(t, Var)} - known:
        raise Invalid(f"head of {plan}")
    return plan


def checked(plan: Plan) -> Plan:
    """The plan itself; with LADDER_VERIFY=1, as in all tests, it is verified."""
    return verify(plan) if os.environ.get("LADDER_VERIFY") == "1" else plan


def equal(left: Term, right: Term) -> Compare:
    """The step that keeps rows where two terms are the same cell."""
    return Compare("=", left, right, Kind.NUMBER)
