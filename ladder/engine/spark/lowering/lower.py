"""Plans → SQL: each step of a plan turns a batch of rows into the next one.

A look-up is a hash join that builds its hash table from the batch, the small side, and streams the relation, whose rows
are already partitioned by the columns looked up: only the batch is shuffled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ladder.engine.spark.layout import TEXTS, Key, Layout, key_sql
from ladder.engine.spark.lowering import expressions
from ladder.engine.spark.lowering.batch import Batch
from ladder.engine.spark.lowering.context import Context
from ladder.engine.spark.materialised import View
from ladder.engine.spark.values.dictionary import record_tables
from ladder.language.core import Atom, Const, Term, Var
from ladder.plan.components import UNIT
from ladder.plan.steps import Group, Member, Plan, Probe, Scan, Step, Weigh, Window


class Nothing(Exception):
    """Raised for a plan that cannot derive a row, because a relation that it joins is empty."""


@dataclass(frozen=True)
class Derived:
    """The SELECT text of derived wide rows of replica 0, and the relations that they may belong to.

    `rows`: the number of rows that the plan starts from. `once`: each row is exactly one derivation (n is 1).
    """

    relations: frozenset[str]
    sql: str
    rows: int
    once: bool


def lower(plan: Plan, context: Context, layout: Layout) -> list[Derived]:
    """The rows that a plan derives, and the entries for new values; where the head is an aggregate's input, each of the
    two has a query of its own.

    The list is empty where a relation that the plan joins is empty.
    """
    context = replace(context, place=plan.rule.place)
    try:
        batch = _batch(plan, context)
    except Nothing:
        return []
    scan = plan.steps[0]
    assert isinstance(scan, Scan)
    start = None if scan.relation == UNIT else context.view(scan.relation, scan.window, None)
    return rows_of(plan.rule.head, batch, context, layout, 1 if start is None else start.rows)


def rows_of(head: Atom, batch: Batch, context: Context, layout: Layout, size: int) -> list[Derived]:
    """The wide rows of a head, and of the entries for values that its batch adds; rows of aggregate inputs have a query
    of their own.

    `size`: the number of rows that the plan starts from.
    """
    text = None
    if head.relation in layout.texts:
        kind = context.relations[head.relation].columns[-1].type.kind
        batch, (text,) = expressions.with_contents(head.terms[-1:], (kind,), batch, context)
    cells = [expressions.term(term, batch, context) for term in head.terms if term is not None]
    own, once = frozenset((head.relation,)), batch.multiplicity == "1L"
    if not batch.emits and not batch.lists:
        return [
            Derived(
                own, _select(batch, layout.row(head.relation, cells, batch.multiplicity, batch.time, text)), size, once
            )
        ]
    derived = f"array({layout.struct(head.relation, cells, batch.multiplicity, batch.time, text)})"
    entries = [f"transform({entries}, e -> {_entry(layout, context, batch.time)})" for entries in batch.lists]
    if batch.emits:
        rows = (layout.struct(e.relation, e.cells, "1L", batch.time, e.text) for e in batch.emits)
        entries.append(f"array({', '.join(rows)})")
    values = frozenset(_tables(layout, context)) if batch.lists else frozenset(e.relation for e in batch.emits)
    parts = (
        [(own, [derived]), (values, entries)]
        if head.relation in context.aggregate_inputs
        else [(own | values, [derived, *entries])]
    )
    return [
        Derived(relations, _select(batch, f"inline(concat({', '.join(arrays)}))"), size, once)
        for relations, arrays in parts
    ]


def _entry(layout: Layout, context: Context, time: str) -> str:
    """SQL of the wide row for an entry `e` (see `functions.ENTRY`)."""
    cases = (
        f"WHEN '{name}' THEN {layout.struct(name, [f'e.c[{i}]' for i in range(arity)], '1L', time, 'e.x')}"
        for name, arity in _tables(layout, context).items()
    )
    return f"CASE e.r {' '.join(cases)} END"


def _tables(layout: Layout, context: Context) -> dict[str, int]:
    """The dictionary and the tables of records, as far as a layout has them → the number of their columns."""
    tables = {TEXTS: 1} | {name: 1 + width for name, width in record_tables(context.program).items()}
    return {name: arity for name, arity in tables.items() if name in layout.arities}


def _select(batch: Batch, items: str) -> str:
    hint = f"/*+ {batch.hint} */ " if batch.hint else ""
    return f"SELECT {hint}{items} FROM {batch.source}{batch.condition}"


def _batch(plan: Plan, context: Context) -> Batch:
    first, *steps = plan.steps
    assert isinstance(first, Scan)
    batch = _scan(first, steps, context)
    for step in steps:
        match step:
            case Member(atom, _, negated, window):
                keys = tuple((column, term) for column, term in enumerate(atom.terms) if term is not None)
                if negated:
                    batch = _without(batch, atom, keys, context)
                else:
                    batch = _join(batch, atom.relation, keys, (), window, context)
            case Probe(relation, keys, binds, _, window):
                batch = _join(batch, relation, keys, binds, window, context)
            case Scan() | Group() | Weigh():
                raise AssertionError("a scan is the first step, and rows are not grouped: it made points-to no cheaper")
            case _:
                batch = expressions.apply(step, batch, context)
    return batch


def _scan(scan: Scan, steps: Sequence[Step], context: Context) -> Batch:
    alias = context.fresh()
    if scan.relation == UNIT and not scan.binds:
        return Batch(f"(SELECT 0 AS nothing) {alias}", alias, {})
    variables = {variable: column for column, variable in scan.binds}
    wanted = tuple(variables[t] for t in first_keys(steps) if isinstance(t, Var) and t in variables)
    view = context.view(scan.relation, scan.window, wanted or None)
    if view is None:
        raise Nothing
    columns = {variable: _cell(alias, column, view.replica.key) for column, variable in scan.binds}
    by_column = {column: variable for variable, column in variables.items()}
    hashes = {}
    if len(view.replica.key) > 1 and all(column in by_column for column in view.replica.key):
        hashes = {tuple(by_column[column] for column in view.replica.key): f"{alias}.k"}
    time = f"{alias}.f + 1" if scan.window is Window.DELTA else "1"
    texts = {variable: f"{alias}.x" for variable, column in variables.items() if column == view.text}
    return Batch(f"{view.sql} {alias}", alias, columns, time, texts=texts, hashes=hashes)


def _cell(alias: str, column: int, key: Key) -> str:
    """SQL of a cell of a view; a column that is the whole key is read as `k`, by which Spark knows the rows to be
    partitioned."""
    return f"{alias}.k" if key == (column,) else f"{alias}.c{column}"


@dataclass(frozen=True)
class _Side:
    """The relation's side of a join: its FROM text with the alias, the conditions of the join, and the view."""

    source: str
    alias: str
    conditions: tuple[str, ...]
    view: View


def _side(
    batch: Batch, relation: str, keys: Sequence[tuple[int, Term]], window: Window, context: Context
) -> _Side | None:
    """The relation's side of a join; None where the relation has no rows. Constants filter the relation before the
    join."""
    values = {column: term for column, term in keys if isinstance(term, Var)}
    constants = {column: expressions.term(term, batch, context) for column, term in keys if isinstance(term, Const)}
    view = context.view(relation, window, tuple(values) or tuple(constants))
    if view is None:
        return None
    alias, key = context.fresh(), view.replica.key
    source = f"{view.sql} {alias}"
    if constants:
        alias = context.fresh()
        kept = " AND ".join(f"c{column} = {value}" for column, value in constants.items())
        source = f"(SELECT * FROM {view.sql} WHERE {kept}) {alias}"
    conditions = []
    if set(key) <= values.keys() and key:
        terms = tuple(values[column] for column in key)
        hashed = batch.hashes.get(terms) or key_sql(
            tuple(range(len(key))), [expressions.term(t, batch, context) for t in terms]
        )
        conditions.append(f"{alias}.k = {hashed}")
    conditions += [
        f"{alias}.c{column} = {expressions.term(term, batch, context)}"
        for column, term in values.items()
        if (column,) != key
    ]
    return _Side(source, alias, tuple(conditions), view)


def _join(
    batch: Batch,
    relation: str,
    keys: Sequence[tuple[int, Term]],
    binds: Sequence[tuple[int, Var]],
    window: Window,
    context: Context,
) -> Batch:
    batch = batch.closed(context.fresh)
    side = _side(batch, relation, keys, window, context)
    if side is None:
        raise Nothing
    bound = {variable: _cell(side.alias, column, side.view.replica.key) for column, variable in binds}
    texts = {variable: f"{side.alias}.x" for column, variable in binds if column == side.view.text}
    if side.conditions:
        return batch.join(side.source, " AND ".join(side.conditions), bound, context.fresh, texts=texts)
    small = side.alias if side.view.rows <= context.tuning.broadcast_rows else batch.alias
    return batch.join(side.source, "true", bound, context.fresh, texts=texts, hint=f"BROADCAST({small})")


def _without(batch: Batch, atom: Atom, keys: Sequence[tuple[int, Term]], context: Context) -> Batch:
    """The rows of the batch that match no row of a relation, in which each row occurs once."""
    batch = batch.closed(context.fresh)
    side = _side(batch, atom.relation, keys, Window.EVERY, context)
    if side is None:
        return batch
    if side.conditions:
        return batch.join(
            side.source, " AND ".join(side.conditions), {}, context.fresh, "LEFT JOIN", absent=f"{side.alias}.k"
        )
    return batch.join(
        side.source, "true", {}, context.fresh, "LEFT JOIN", absent=f"{side.alias}.k", hint=f"BROADCAST({side.alias})"
    )


def first_keys(steps: Sequence[Step]) -> tuple[Term | None, ...]:
    """The terms by which the first look-up in these steps finds its rows; () where there is no look-up."""
    for step in steps:
        if isinstance(step, Probe):
            return tuple(term for _, term in step.keys)
        if isinstance(step, Member):
            return step.atom.terms
    return ()
