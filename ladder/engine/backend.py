"""The protocol of backends, which hold a database's state, and the capabilities that each declares.

A backend takes facts, evaluates the program from scratch (`bootstrap`), and returns rows. It declares what else it can
do (`Capability`); other requests raise `Unsupported`. `recompute` evaluates from scratch over changed facts; `update`
and `evolve` maintain the state under changes of facts or rules in proportion to the change, and may raise `NotWorthIt`.
`ladder.policy` decides which of them is called, and on which backend.
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
    """What a backend may be able to do; the values are (the message for a backend that is not, what to do instead)."""

    UPDATE = "does not update a state: it evaluates again", LOCAL
    EVOLVE = "does not change the rules of a state", 'Make a database of the changed program, or say engine="local".'
    FACTS = "does not tell the facts of a state", LOCAL
    STATE = "does not tell iterations and derivations of rows", LOCAL
    SAVE = "does not keep states in folders", LOCAL
    EXPLAIN = "does not explain rows", LOCAL
    PROFILE = "does not measure what rules take", LOCAL
    FRAMES = "has no DataFrames of Spark", 'Say engine="spark", or make views of the relations in a session (register).'


def refusal(engine: str, lacks: Capability | str, because: str = "", instead: str = "") -> Unsupported:
    """The error for a capability that an engine lacks, with the reason and what to do instead."""
    said, otherwise = lacks.value if isinstance(lacks, Capability) else (lacks, "")
    return Unsupported(f"The {engine} engine {said}.{because and ' '}{because}", instead or otherwise)


def require_assertable(relation: Relation) -> None:
    """Raise `LadderError` if facts cannot be asserted for a relation."""
    if relation.keys:
        raise LadderError(f"{relation.name} has keys: facts cannot be asserted for it.", "Derive its values by rules.")


@dataclass(frozen=True)
class OfRelation:
    """Facts of one relation: tuples of Python values, or a table."""

    relation: str
    rows: Any


@dataclass(frozen=True)
class InFolder:
    """The facts of the program's `.input` directives in the files of a folder; `missing_is_empty`: a missing file
    counts as empty."""

    folder: Path
    missing_is_empty: bool = False


@dataclass(frozen=True)
class InParts:
    """Facts of several relations in parts, which the evaluating processes read by themselves (see
    `ladder.engine.spark.facts.sources.Source`)."""

    source: Any


Facts = OfRelation | InFolder | InParts


@dataclass(slots=True)
class Change:
    """A change of asserted facts, by relation; `replaced`: pairs (relation, all of its facts from now on), several of
    which may have the same relation."""

    inserted: Mapping[str, Any] = field(default_factory=dict)
    deleted: Mapping[str, Any] = field(default_factory=dict)
    replaced: Iterable[tuple[str, Any]] = ()


NO_CHANGE = Change()


@dataclass(slots=True)
class Changes:
    """What an update or recomputation has changed: relation → rows that came, and that went; `reason`: what was done,
    if rules changed."""

    came: Mapping[str, Source]
    went: Mapping[str, Source]
    timings: Mapping[str, float] = field(default_factory=dict)
    changed_states: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Stored:
    """The rows of a stored relation, with the iteration in which each first appeared and the number of its derivations
    there."""

    rows: Source
    first: npt.NDArray[Any]
    counts: npt.NDArray[Any]


@dataclass(frozen=True)
class Settings:
    """The settings of an evaluation. `sources`: file → text of the program, for messages; `named`: whether the user
    named this engine; `own`: options of one engine alone; `tuning`: performance thresholds."""

    strategy: str
    watch: Watch
    jobs: int = 1
    profile: Any = None
    sources: Mapping[str, str] = field(default_factory=dict)
    named: bool = True
    own: Mapping[str, Any] = field(default_factory=dict)
    tuning: Tuning = DEFAULT


class Unmaintainable(LadderError):
    """Raised where the state of the old program cannot be changed to that of the new one; the message says why."""


class FactsDoNotFit(Unmaintainable):
    """Raised where the new state cannot be computed from the facts of the old state either, because their relations
    have other columns."""


class Backend(Protocol):
    """Holds a database's state. Methods of capabilities that an implementation does not declare raise `Unsupported`.

    `strategies`: names of the strategies by which it can maintain rows; `own`: names of options that only this backend
    has; `program`: that of the state; `seconds`: how long the last bootstrap took.
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
        """Figures of the last bootstrap; None if there are none."""
        return None

    def add_facts(self, facts: Facts) -> None:
        """Add facts for the bootstrap; facts that do not fit raise `LadderError` now or in `bootstrap`."""

    def bootstrap(self) -> None:
        """Evaluate from scratch over all facts that were added."""

    def encoded(self, change: Change) -> Change:
        """The change encoded for this backend, so that it can be read several times; `LadderError` for facts that do
        not fit."""

    def known(self, change: Change) -> Known:
        """What is known of an encoded change, for the decision between update and bootstrap."""

    def recompute(self, change: Change, program: Program | None = None) -> Changes:
        """Evaluate from scratch over changed facts, or evaluate another `program` over the present facts; the old state
        remains until that is done."""

    def rows(self, relation: str) -> Source:
        """The rows of a relation of the program; of an aggregated one, the final total of each group."""

    def close(self) -> None:
        """Release what is held outside of this process."""

    def update(self, change: Change, allowed: float | None, timings: dict[str, float]) -> Changes:
        """Update the state for changed facts; `NotWorthIt` if that takes more than the `allowed` seconds.

        The time of its parts is added to `timings`.
        """
        raise refusal(self.name, Capability.UPDATE)

    def evolve(
        self, program: Program, others: Collection[str], allowed: float | None, timings: dict[str, float]
    ) -> Changes:
        """Update the state for the rules of another program; `Unmaintainable` if that is impossible; other parameters
        are as for `update`.

        `others`: names of functions and lattices whose code has changed.
        """
        raise refusal(self.name, Capability.EVOLVE)

    def facts(
        self, names: Iterable[str], change: Change = NO_CHANGE, program: Program | None = None
    ) -> Iterator[tuple[str, Source]]:
        """Iterate over the asserted facts of these relations after a change, as (relation, some of its facts). Raise
        `FactsDoNotFit` where they do not fit the relations of another `program`."""
        raise refusal(self.name, Capability.FACTS)

    def stored_relations(self) -> tuple[Relation, ...]:
        """All stored relations: those that the program declares, and helper relations."""
        raise refusal(self.name, Capability.STATE)

    def state(self, relation: str) -> Stored:
        """The rows of a stored relation, with (first, count) of each."""
        raise refusal(self.name, Capability.STATE)

    def save(self, folder: Path, fingerprint: str, rules: Mapping[str, Any], note: str, language: str = "") -> None:
        """Save the state in a folder, with the fingerprint of the program, the rules that came and went, a note, and
        the version of the language that makes the state's core program of these, "" if it makes another one."""
        raise refusal(self.name, Capability.SAVE)

    def explain(self, relation: str, row: tuple[Any, ...], depth: int | None = None) -> Any:
        """Why a row is there, with so many levels of reasons at most."""
        raise refusal(self.name, Capability.EXPLAIN)

    def frame(self, source: Source) -> Any:
        """Rows as a Spark DataFrame."""
        raise refusal(self.name, Capability.FRAMES)


class Remote(Backend, Protocol):
    """A backend whose state is outside of this process, and which can move it to the local backend for what it cannot
    do."""

    def state_too_large(self) -> str:
        """Why the state does not fit this machine, as a sentence; "" where it does."""

    def to_local(self) -> Backend:
        """Move the state to a local backend, which is returned."""

    def recompute_from(self, here: Backend, change: Change, program: Program) -> Changes:
        """Evaluate a program over the changed facts of the local backend `here`; from then on this backend has the
        state."""


def kept_for_reading(rows: Any) -> Any:
    """The rows in a form that can be read several times."""
    from ladder.support.by_name import table_of

    if hasattr(rows, "__len__") or hasattr(rows, "columns") or callable(rows):
        return rows
    table = table_of(rows)
    return list(rows) if table is None else table
