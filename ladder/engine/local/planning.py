"""From plans to records, with their indexes, and the statistics behind them. Which plans: `bootstrap_plans`,
`update_plans`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ladder.engine.local.encode import Fields, Names, TooComplex, concatenate, encode
from ladder.engine.local.intermediates import Intermediates
from ladder.engine.local.kernels import layout as L
from ladder.errors import LadderError
from ladder.language.core import Invalid, Rule
from ladder.plan.indexes import Columns, cover, look_ups, look_ups_of
from ladder.plan.intermediates import Intermediate
from ladder.plan.order import Statistics, expected_matches
from ladder.plan.steps import Plan

if TYPE_CHECKING:
    from ladder.engine.local.state import State
    from ladder.engine.local.store import Store

DORMANT = -1  # in place of the number of a rule's plans
ON_RELATIONS = (L.SCAN, L.CHANGED, L.PROBE, L.MEMBER, L.ABSENT_ROW, L.INSERT, L.SCHEDULE)  # steps that name one


@dataclass
class EncodedPlans:
    """Components and plans as records: what the bootstrap of one component, or an update, needs in addition to the
    state.

    `counts`: for an update, the number of plans of each rule of each component, DORMANT for a rule that has none yet;
    `room`: the arrays that plans and steps are the first parts of, where more may follow them. `shared_indexes`: for a
    bootstrap, indexes of the component's relations that were there before it, in which other plans may look up rows;
    `intermediates`: those that its rules use; `made`: by the identity of a rule, its plans and what they rest on;
    `encoded`: by the identity of a plan, its records.
    """

    components: Any
    inputs: Any
    plans: Any
    steps: Any
    sources: list[Plan] = field(default_factory=list)
    counts: list[list[int]] = field(default_factory=list)
    room: tuple[Any, Any] | None = None
    shared_indexes: frozenset[int] = frozenset()
    intermediates: Intermediates = field(default_factory=Intermediates)
    made: dict[int, Made] = field(default_factory=dict)
    encoded: dict[int, Encoded] = field(default_factory=dict)

    @staticmethod
    def none() -> EncodedPlans:
        """No components and no plans."""
        return EncodedPlans(np.zeros(0, L.COMPONENT), np.zeros(0, np.int64), np.zeros(0, L.PLAN), np.zeros(0, L.STEP))


@dataclass(frozen=True)
class Made:
    """The plans of one rule for a bootstrap; `rests_on`: the statistics that they were made with, of relations of the
    component itself, since those of others stay what they are; `intermediate`: the one that they use."""

    rule: Rule
    plans: tuple[Plan, ...]
    rests_on: Mapping[str, Statistics]
    intermediate: Intermediate | None


@dataclass(frozen=True)
class Encoded:
    """The fields of a plan's records, those of its steps and its own; `indexes`: columns of the indexes that its
    look-ups use, in their order."""

    indexes: tuple[Columns, ...]
    steps: list[Fields]
    plan: Fields


def indexes_of(encoded: EncodedPlans) -> set[int]:
    """The numbers of the indexes in which plans look up rows."""
    numbers = set(encoded.steps["index"].tolist())
    for choices, count in zip(
        encoded.steps["choices"]["index"].tolist(), encoded.steps["choice_count"].tolist(), strict=True
    ):
        numbers.update(choices[:count])
    return numbers


def statistics_of(engine: State, name: str) -> Statistics:
    """The measured statistics of a relation that is complete, or assumed ones; of one that had no rows when it was
    measured and has some now, new ones."""
    known = engine.statistics.get(name)
    if known is not None and not known.rows and engine.store.row_count(engine.numbers[name]):
        known = engine.statistics[name] = engine.measured(name)
    return known or Statistics.unknown(engine.relations[name].arity, engine.tuning.planning)


@dataclass
class Lowering:
    """What the passes from plans to records read, and what each leaves to those after it.

    `own`: relations of the component; `number_of`: numbers of relations; `indexes`: (relation, columns known at a
    look-up) → columns of the index to use; `before`: records of plans that were encoded before, by their identity;
    `encoded`: those of each plan; `steps`, `records`: the same as arrays of `layout.STEP` and `layout.PLAN`.
    """

    state: State
    own: frozenset[str]
    number_of: Callable[[str], int]
    plans: list[Plan]
    before: Mapping[int, Encoded] = field(default_factory=dict)
    indexes: dict[tuple[str, Columns], Columns] = field(default_factory=dict)
    encoded: list[Encoded] = field(default_factory=list)
    steps: Any = None
    records: Any = None


def lower(
    state: State,
    plans: list[Plan],
    own: frozenset[str],
    number_of: Callable[[str], int] | None = None,
    before: Mapping[int, Encoded] | None = None,
) -> Lowering:
    """Turn the plans of one component into records; the indexes that they need are created. `LadderError` if a rule is
    too long."""
    work = Lowering(state, own, number_of or state.numbers.__getitem__, plans, before or {})
    for run in TO_RECORDS.values():
        run(work)
    return work


def _choose_indexes(work: Lowering) -> None:
    """Choose as few indexes as possible that serve all look-ups."""
    work.indexes = choose_indexes(work.state, work.plans)


def _encode(work: Lowering) -> None:
    """Replace variables by registers, and relations, indexes and operations by their numbers; a plan that looks rows up
    in the indexes that it did before is left as it is."""
    state = work.state

    def index(relation: str, columns: Columns) -> Columns:
        return work.indexes[relation, tuple(sorted(columns))[: L.MAX_KEYS]] if columns else columns

    names = Names(work.number_of, state.values.constant, state.functions.operation, index)
    for plan in work.plans:
        indexes = tuple(index(relation, columns) for relation, columns in look_ups_of(plan))
        known = work.before.get(id(plan))
        if known is None or known.indexes != indexes:
            try:
                known = Encoded(indexes, *encode(plan, work.own, state.store, names))
            except TooComplex as error:
                raise LadderError(
                    f"A rule is too long for the engine: {error}.", f"Split it in two. {plan.rule.place or ''}"
                ) from error
        work.encoded.append(known)


def _concatenate(work: Lowering) -> None:
    """Concatenate the records of all plans."""
    work.steps, work.records = concatenate([(encoded.steps, encoded.plan) for encoded in work.encoded])


TO_RECORDS: dict[str, Callable[[Lowering], None]] = {
    "choose indexes": _choose_indexes,
    "encode": _encode,
    "concatenate": _concatenate,
}
"""The passes from a component's plans to records, in order; `verify` checks their result."""


def choose_indexes(engine: State, plans: Sequence[Plan]) -> dict[tuple[str, Columns], Columns]:
    """(relation, columns by which plans look up its rows) → columns of the index to use; the primary index exists
    anyway and costs nothing more."""
    chosen: dict[tuple[str, Columns], Columns] = {}
    for name, wanted in look_ups(plans).items():
        known = {columns[: L.MAX_KEYS] for columns in wanted}
        serving = cover(known, _indexes_there(engine, name), _is_short(engine, name), engine.tuning.planning)
        chosen |= {(name, columns): index for columns, index in serving.items()}
    return chosen


def _indexes_there(engine: State, name: str) -> list[Columns]:
    """Columns of a relation's indexes, the primary one first."""
    number = engine.numbers.get(name)
    if number is None:
        return []
    store = engine.store
    numbers = [int(store.relations["primary_index"][number]), *store.secondary_indexes(number)]
    keys, counts = store.indexes["keys"], store.indexes["key_count"]
    return [tuple(keys[n, : counts[n]].tolist()) for n in numbers]


def _is_short(engine: State, name: str) -> Callable[[Columns], bool]:
    """A predicate: whether few rows agree in given columns; always false where the relation is not complete yet."""
    statistics, short = engine.statistics.get(name), engine.tuning.planning.short_block
    return lambda columns: statistics is not None and expected_matches(statistics, columns) <= short


def verify(plans: EncodedPlans, store: Store) -> EncodedPlans:
    """Return the plans; raises `Invalid` if a record names a relation, index, operation or register that does not
    exist, or an index of another relation."""
    steps, kinds = plans.steps, plans.steps["kind"]
    if int(plans.plans["step_count"].sum()) != len(steps):
        raise Invalid("plans do not have all steps, or share some")
    for field_, there, users in (
        ("relation", len(store.relations), ON_RELATIONS),
        ("index", len(store.indexes), (L.PROBE,)),
        ("operation", len(store.operations), (L.CALL, L.GENERATE)),
    ):
        _refuse(field_, among_kinds(kinds, users) & ((steps[field_] < 0) | (steps[field_] >= there)))
    _refuse("index of the relation", (kinds == L.PROBE) & ~_on_their_relations(steps, store))
    for field_, count in (("arguments", "argument_count"), ("keys", "key_count"), ("live", "live_count")):
        used = np.arange(steps[field_].shape[1]) < steps[count][:, None]
        _refuse(field_, (used & ((steps[field_] < 0) | (steps[field_] >= L.MAX_REGISTERS))).any(axis=1))
    scans = among_kinds(kinds, (L.SCAN, L.CHANGED))
    wide = np.where(scans, store.relations["arity"][np.where(scans, steps["relation"], 0)], 0)
    used = np.arange(L.MAX_FILTERS) < steps["filter_count"][:, None]
    columns = steps["filters"]["column"]
    _refuse("filters", (used & ((columns < 0) | (columns >= wide[:, None]))).any(axis=1))
    firsts = plans.plans["first_step"]
    for table, field_, count, arities in (
        (steps, "choices", "choice_count", wide),
        (plans.plans, "sieves", "sieve_count", wide[firsts]),
    ):
        used = np.arange(table[field_].shape[1]) < table[count][:, None]
        numbers, keys = table[field_]["index"], table[field_]["keys"]
        _refuse(field_, (used & ((numbers < 0) | (numbers >= len(store.indexes)))).any(axis=1))
        used = used[..., None] & (np.arange(L.MAX_KEYS) < table[field_]["key_count"][..., None])
        _refuse(field_, (used & ((keys < 0) | (keys >= arities[:, None, None]))).any(axis=(1, 2)))
    return plans


def among_kinds(kinds: Any, wanted: Sequence[int]) -> Any:
    """For each kind of a step whether it is one of these."""
    return np.bincount(wanted, minlength=256).astype(bool)[kinds]


def _on_their_relations(steps: Any, store: Store) -> Any:
    """For each step whether its index is one of its relation, or the primary one, which relations share."""
    numbers, owners = steps["relation"], store.relations["owner"]
    indexed = store.indexes["relation"][steps["index"]]
    return (indexed == numbers) | ((indexed == owners[numbers]) & (indexed != L.NONE))


def _refuse(what: str, wrong: Any) -> None:
    if wrong.any():
        raise Invalid(f"step {int(np.flatnonzero(wrong)[0])}: {what} is not there")


def verified(plans: EncodedPlans, store: Store) -> EncodedPlans:
    """Return the plans, checked by `verify` if LADDER_VERIFY=1, as in the tests."""
    return verify(plans, store) if os.environ.get("LADDER_VERIFY") == "1" else plans
