"""What a database asks of the backend that holds its state: one protocol for all, and what each declares that it can
do.

A backend takes facts, evaluates them from scratch (`bootstrap`), and gives rows. Whatever else it can do it declares
(`Capability`); the rest is refused by name. `recompute` evaluates again over changed facts; `update` and `evolve` bring
the state to changed facts or rules in proportion to the change, and may end in `NotWorthIt`. Which of them is asked
for, and where, is decided by `ladder.policy`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from ladder.engine.rows import Source
from ladder.errors import LadderError, Unsupported
from ladder.language.core import Program, Relation
from ladder.policy.rebuild import Known
from ladder.support.limits import Watch
from ladder.support.tuning import DEFAULT, Tuning

if TYPE_CHECKING:
    import numpy.typing as npt

LOCAL = 'Say engine="local".'


class Capability(Enum):
    """What a backend may be able to do: (how it is said that one is not, what to do instead)."""

    UPDATE = "does not update a state: it evaluates again", LOCAL
    EVOLVE = "does not change the rules of a state", 'Make a database of the changed program, or say engine="local".'
    FACTS = "does not tell the facts of a state", LOCAL
    STATE = "does not tell iterations and derivations of rows", LOCAL
    SAVE = "does not keep states in folders", LOCAL
    EXPLAIN = "does not explain rows", LOCAL
    PROFILE = "does not measure what rules take", LOCAL
    FRAMES = "has no DataFrames of Spark", 'Say engine="spark", or make views of the relations in a session (register).'


def refusal(engine: str, lacks: Capability | str, because: str = "", instead: str = "") -> Unsupported:
    """The error for what a backend lacks: which one, what it is that it lacks, and what to do instead."""
    said, otherwise = lacks.value if isinstance(lacks, Capability) else (lacks, "")
    return Unsupported(f"The {engine} engine {said}.{because and ' '}{because}", instead or otherwise)


@dataclass(frozen=True)
class OfRelation:
    """Facts of a relation: tuples of Python values, or a table."""

    relation: str
    rows: Any


@dataclass(frozen=True)
class InFolder:
    """The facts that the program's `.input` lines name, in the files of a folder; `missing_is_empty`: one that is not
    there has no rows."""

    folder: Path
    missing_is_empty: bool = False


@dataclass(frozen=True)
class InParts:
    """Facts of several relations in parts, which whoever evaluates reads by itself (see
    `ladder.engine.spark.facts.sources.Source`)."""

    source: Any


Facts = OfRelation | InFolder | InParts


@dataclass(slots=True)
class Change:
    """Facts that come and go, by relation; `replaced`: (relation, all of its facts from now on), which may come in
    several parts."""

    inserted: Mapping[str, Any] = field(default_factory=dict)
    deleted: Mapping[str, Any] = field(default_factory=dict)
    replaced: Iterable[tuple[str, Any]] = ()


NO_CHANGE = Change()


@dataclass(slots=True)
class Changes:
    """What an update, or evaluating again, has changed: relation → rows that came and went; `reason`: what was done,
    where rules changed."""

    came: Mapping[str, Source]
    went: Mapping[str, Source]
    timings: Mapping[str, float] = field(default_factory=dict)
    changed_states: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Stored:
    """Rows of a stored relation with the iteration in which each first appeared, and its derivations there."""

    rows: Source
    first: npt.NDArray[Any]
    counts: npt.NDArray[Any]


@dataclass(frozen=True)
class Settings:
    """How a database evaluates: `sources`: file → text of the program, for messages; `named`: whether this very engine
    was asked for; `own`: what one engine alone heeds; `tuning`: thresholds."""

    strategy: str
    watch: Watch
    jobs: int = 1
    profile: Any = None
    sources: Mapping[str, str] = field(default_factory=dict)
    named: bool = True
    own: Mapping[str, Any] = field(default_factory=dict)
    tuning: Tuning = DEFAULT


class Unmaintainable(LadderError):
    """The state of the old program cannot become that of the new one; the message says why."""


class FactsDoNotFit(Unmaintainable):
    """Nor can it be computed anew from the facts that the state has."""


class Backend(Protocol):
    """What holds a database's state; those that implement it inherit the refusals of what they do not declare.

    `strategies`: how it can maintain rows; `own`: names of settings that it alone heeds; `program`: that of the state;
    `seconds`: how long the last bootstrap took.
    """

    name: ClassVar[str]
    capabilities: ClassVar[frozenset[Capability]]
    strategies: ClassVar[frozenset[str]]
    own: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, program: Program, settings: Settings) -> None: ...

    @property
    def program(self) -> Program: ...

    @property
    def seconds(self) -> float: ...

    @property
    def report(self) -> Any:
        """Figures of the last bootstrap, where there are any."""
        return None

    def take(self, facts: Facts) -> None:
        """Facts for the bootstrap; `LadderError` for what does not fit, now or then."""

    def bootstrap(self) -> None:
        """Evaluate from scratch over all facts that were taken."""

    def taken(self, change: Change) -> Change:
        """A change as this backend holds it, and can read it several times; `LadderError` for what does not fit."""

    def known(self, change: Change) -> Known:
        """What there is to know of a change that was taken, for the decision whether it is an update or a bootstrap."""

    def recompute(self, change: Change, program: Program | None = None) -> Changes:
        """Evaluate from scratch over changed facts, or another `program` over the facts that there are; the old state
        stands until that is done."""

    def rows(self, relation: str) -> Source:
        """The rows of a relation of the program; of an aggregated one, the final total of each group."""

    def close(self) -> None:
        """Give back what is held outside of this process."""

    def update(self, change: Change, allowed: float | None, timings: dict[str, float]) -> Changes:
        """Bring the state to changed facts; `NotWorthIt` where that takes more than the `allowed` seconds.

        Parts of its time are added to `timings`.
        """
        raise refusal(self.name, Capability.UPDATE)

    def evolve(
        self, program: Program, others: Collection[str], allowed: float | None, timings: dict[str, float]
    ) -> Changes:
        """Bring the state to other rules, as `update`; `Unmaintainable` where that cannot be.

        `others`: functions and lattices that are not what they were.
        """
        raise refusal(self.name, Capability.EVOLVE)

    def facts(
        self, names: Iterable[str], change: Change = NO_CHANGE, program: Program | None = None
    ) -> Iterator[tuple[str, Source]]:
        """Iterate over the asserted facts of these relations after a change, as (relation, some of its facts). Raise
        `FactsDoNotFit` where they do not fit the relations of another `program`."""
        raise refusal(self.name, Capability.FACTS)

    def stored_relations(self) -> tuple[Relation, ...]:
        """All stored relations that the program declares, or that are part of others."""
        raise refusal(self.name, Capability.STATE)

    def state(self, relation: str) -> Stored:
        """A stored relation with what is known of each row."""
        raise refusal(self.name, Capability.STATE)

    def save(self, folder: Path, fingerprint: str, rules: Mapping[str, Any], note: str) -> None:
        """Save the state in a folder, with the fingerprint of the program, the rules that came and went, and a note."""
        raise refusal(self.name, Capability.SAVE)

    def explain(self, relation: str, row: tuple[Any, ...]) -> Any:
        """Why a row is there."""
        raise refusal(self.name, Capability.EXPLAIN)

    def frame(self, source: Source) -> Any:
        """Rows as a DataFrame of Spark."""
        raise refusal(self.name, Capability.FRAMES)


class Remote(Backend, Protocol):
    """A backend whose state is elsewhere, and that hands it over to the local one for whatever it lacks."""

    def state_too_large(self) -> str:
        """Why the state does not fit this machine, as a sentence; "" where it does."""

    def brought_here(self) -> Backend:
        """A local backend with the state, which is here no more."""

    def take_over(self, here: Backend, change: Change, program: Program) -> Changes:
        """Evaluate a program over the facts of a local state, changed so; from then on the state is here."""


def kept_for_reading(rows: Any) -> Any:
    """Rows that can be read more than once."""
    from ladder.support.by_name import table_of

    if hasattr(rows, "__len__") or hasattr(rows, "columns") or callable(rows):
        return rows
    table = table_of(rows)
    return list(rows) if table is None else table
