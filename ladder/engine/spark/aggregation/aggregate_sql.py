"""Queries of aggregated relations on wide rows, for several relations at once; the meaning of a column depends on the
tag.

Inside the queries a row is t (tag of the totals), k, f, the group columns c0…, v (the value).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ladder.engine.canonical import KEY
from ladder.engine.spark.aggregation.streaming import NEW, OLD
from ladder.engine.spark.lattices.lattice_sql import OF_TOTALS, PAIRS, Entries, SqlJoin, sum_of
from ladder.engine.spark.lattices.set_forms import set_of
from ladder.engine.spark.layout import TEXTS, Layout, key_sql
from ladder.engine.spark.values.canonical_sql import NO_BYTES, literal
from ladder.engine.spark.values.dictionary import text_id_sql
from ladder.language.core import Kind, Type
from ladder.plan.components import Aggregate


@dataclass(frozen=True)
class Aggregated:
    """One aggregated relation. `group`, `keys`: numbers of columns; `type`: of the values; `join`: in SQL, or None.

    `bag`: a total is made of all aggregate inputs. `asked`: a lattice whose join Python makes, or None. `recursive`:
    rules of its own component read the totals, so that a group may have several.
    """

    aggregate: Aggregate
    group: int
    keys: int
    type: Type
    join: SqlJoin | None
    bag: bool
    asked: Any
    recursive: bool

    @property
    def carries(self) -> bool:
        """Whether rows carry the bytes of their values."""
        return (self.asked is not None or self.by_contents) and self.type.kind not in (
            Kind.NUMBER,
            Kind.UNSIGNED,
            Kind.FLOAT,
        )

    @property
    def by_contents(self) -> bool:
        """Whether SQL joins the bytes of values."""
        return self.join is not None and self.join.contents

    @property
    def maps(self) -> bool:
        """Whether SQL joins maps, entry by entry."""
        return self.join is not None and self.join.entries is not None

    def checked(self, content: str) -> str:
        """SQL of the bytes of a new value."""
        return content if self.join is None else self.join.checked(content)


Members = Sequence[Aggregated]


def group_width(members: Members) -> int:
    """The largest number of group columns of the relations."""
    return max(m.group for m in members)


# ---- joins in SQL


def joined(layout: Layout, members: Members, candidates: str, stored: str | None) -> str:
    """SELECT text of new totals by joins of cells; among the candidates there may be rows of other relations."""
    totals = _joined(layout, members, candidates, stored, "v")
    changed = "" if stored is None else " WHERE last IS NULL OR last <> total"
    return f"SELECT {_row(layout, members, 'total')} FROM ({totals}){changed}"


def joined_contents(layout: Layout, members: Members, candidates: str, stored: str | None, seed: int) -> str:
    """SELECT text of new totals by joins of bytes, and of their entries of the dictionary.

    `seed`: of the hashes that make ids.
    """
    totals = _joined(layout, members, candidates, stored, "x")
    return _with_contents(layout, members, totals, "" if stored is None else "last IS NULL OR last <> total", seed)


def joined_maps(layout: Layout, members: Members, candidates: str, stored: str | None, seed: int) -> str:
    """The same as `joined_contents` for maps, whose entries become rows, of which those with the same key are
    joined."""

    def entries(m: Aggregated) -> Entries:
        assert m.join is not None and m.join.entries is not None
        return m.join.entries

    values = tuple(replace(m, join=entries(m).join) for m in members)
    slots, of_group = _slots(values), ("t", "k", *_columns(group_width(members)), "f", "last")
    last = "0L" if stored is None else f"IF(last IS NULL, 0L, {text_id_sql(_whole('last[0]'), seed)})"
    apart = _by_tag(layout, members, "totals", lambda m: f"flatten(transform(total, s -> {entries(m).apart('s')}))")
    pairs = (
        f"SELECT {_list(of_group[:-1])}{last} AS last, inline_outer({apart}) FROM "
        f"({_joined(layout, members, candidates, stored, 'x')})"
    )
    gathered = ", ".join(f"{_gathered(layout, values, slot, 't', 'value')} AS a{i}" for i, slot in enumerate(slots))
    by_key = f"SELECT {_list(of_group)}key, {gathered} FROM ({pairs}) GROUP BY {_list(of_group)}key"
    total = _result(layout, values, slots, [f"a{i}" for i in range(len(slots))])
    entry = _by_tag(layout, members, "totals", lambda m: entries(m).written("key", "total"))
    written = (
        f"SELECT {_list(of_group)}IF(key IS NULL, NULL, {entry}) AS entry FROM "
        f"(SELECT {_list(of_group)}key, {total} AS total FROM ({by_key}))"
    )
    maps = (
        f"SELECT {_list(of_group)}sort_array(collect_list(entry)) AS e FROM ({written}) GROUP BY "
        f"{_list(of_group, end='')}"
    )
    return _with_contents(
        layout,
        members,
        f"SELECT {_list(of_group)}{_whole(set_of('e'))} AS total FROM ({maps})",
        "" if stored is None else "last <> v",
        seed,
    )


def _whole(content: str) -> str:
    """SQL of the bytes of a value from its bytes inside another value."""
    return f"concat({literal(KEY)}, CAST({content} AS BINARY))"


def _with_contents(layout: Layout, members: Members, totals: str, changed: str, seed: int) -> str:
    """SELECT text of wide rows of totals (t, k, group, f, total) and of their entries of the dictionary; `changed`:
    which, by `last` and id (v)."""
    columns = _list(("t", "k", *_columns(group_width(members)), "f", "total", *(["last"] if changed else [])))
    named = f"SELECT {columns}{text_id_sql('total', seed)} AS v FROM ({totals})"
    entry = layout.struct(TEXTS, ["v"], f="f", x="total")
    rows = _by_tag(
        layout,
        members,
        "totals",
        lambda m: f"array({layout.struct(m.aggregate.totals, [*_columns(m.group), 'v'], f='f', x='total')}, {entry})",
    )
    # A filter would be pushed to where totals are made, and make them twice.
    kept = f"IF({changed}, {rows}, array())" if changed else rows
    return f"SELECT inline({kept}) FROM ({named})"


def _joined(layout: Layout, members: Members, candidates: str, stored: str | None, value: str) -> str:
    """SELECT text of (t, k, group, f, total), and, where something is stored, `last`, the total of earlier; of cells
    (v) or bytes (x)."""
    group, slots = _columns(group_width(members)), _slots(members)
    numbers = range(len(slots))
    gathered = ", ".join(f"{_gathered(layout, members, slots[i], 't', value)} AS a{i}" for i in numbers)
    new = (
        f"SELECT t, k, {_list(group)}max(f) AS f, {gathered} FROM ({_of_candidates(layout, members, candidates)}) "
        f"GROUP BY {_list(('t', 'k', *group), end='')}"
    )
    if stored is None:
        total = _result(layout, members, slots, [f"a{i}" for i in numbers])
        return f"SELECT {_list(('t', 'k', *group, 'f'))}{total} AS total FROM ({new})"
    parts = [f"a{i}" for i in numbers]
    before = ", ".join(
        f"{_gathered(layout, members, slots[i], 'x.t', f'x.{value}', of_totals=True)} AS b{i}" for i in numbers
    )
    looked_up = (
        f"SELECT /*+ SHUFFLE_HASH(q) */ {_list(('t', 'k', *group, 'f', *parts), 'q.')}count(x.t) AS known, {before} "
        f"FROM ({_of_totals(layout, members, stored)}) x RIGHT JOIN ({new}) q ON {_same(('t', 'k', *group))} "
        f"GROUP BY {_list(('t', 'k', *group, 'f', *parts), 'q.', end='')}"
    )
    both = ", ".join(f"IF(known = 0L, a{i}, {PAIRS[slots[i][0]].format(f'a{i}', f'b{i}')}) AS p{i}" for i in numbers)
    paired = f"SELECT t, k, {_list(group)}f, known, {both}, {', '.join(f'b{i}' for i in numbers)} FROM ({looked_up})"
    total = _result(layout, members, slots, [f"p{i}" for i in numbers])
    last = _result(layout, members, slots, [f"b{i}" for i in numbers])
    return f"SELECT t, k, {_list(group)}f, {total} AS total, IF(known = 0L, NULL, {last}) AS last FROM ({paired})"


def last_totals(layout: Layout, members: Members, stored: str) -> str:
    """SELECT text of the last total of each group, as rows of R."""
    group = _columns(group_width(members))
    found = (
        f"SELECT t, k, {_list(group)}max_by(v, f) AS v, 0 AS f FROM ({_of_totals(layout, members, stored)}) "
        f"GROUP BY {_list(('t', 'k', *group), end='')}"
    )
    return f"SELECT {_row(layout, members, 'v', final=True)} FROM ({found})"


def only_totals(layout: Layout, members: Members, stored: str) -> str:
    """SELECT text of the totals of groups that have one each, as rows of R."""
    return (
        f"SELECT {_row(layout, members, 'v', final=True, iteration='0')} FROM ({_of_totals(layout, members, stored)})"
    )


def _slots(members: Members) -> list[tuple[str, int]]:
    """The aggregate functions that serve all joins, as (function, number among those with this function)."""
    joins = [m.join for m in members if m.join is not None]
    functions = dict.fromkeys(function for join in joins for function, _ in join.parts)
    return [
        (function, place)
        for function in functions
        for place in range(max(sum(f == function for f, _ in join.parts) for join in joins))
    ]


def _gathered(
    layout: Layout,
    members: Members,
    slot: tuple[str, int],
    tag: str,
    value: str,
    of_totals: bool = False,
) -> str:
    """SQL of the aggregate function of a slot; `of_totals`: of stored totals, which an outer join may lack: where the
    tag is NULL the value is none that could be checked."""
    function, place = slot

    def part(m: Aggregated) -> str | None:
        found = [argument for f, argument in m.join.parts if f == function] if m.join is not None else []
        return found[place](value) if place < len(found) else None

    argument = _by_tag(layout, members, "totals", part, tag)
    if of_totals:
        return OF_TOTALS.get(function, f"{function}({{}})").format(f"IF({tag} IS NULL, NULL, {argument})")
    return f"{function}({argument})"


def _result(layout: Layout, members: Members, slots: Sequence[tuple[str, int]], parts: Sequence[str]) -> str:
    """SQL of the total; `parts`: the results of the aggregate functions, one for each slot."""

    def result(m: Aggregated) -> str:
        own, seen = [], Counter[str]()
        for function, _ in m.join.parts if m.join is not None else ():
            own.append(parts[slots.index((function, seen[function]))])
            seen[function] += 1
        return m.join.result(own) if m.join is not None else "NULL"

    return _by_tag(layout, members, "totals", result)


# ---- sums


def summed(layout: Layout, members: Members, candidates: str, stored: str | None) -> str:
    """SELECT text of new sums."""
    group = _columns(group_width(members))
    found = _sums(layout, members, _all_inputs(layout, members, candidates, stored))
    if stored is None:
        return f"SELECT {_row(layout, members, 'v')} FROM ({found})"
    new = (
        f"SELECT /*+ SHUFFLE_HASH(q) */ {_list(('t', 'k', *group, 'f', 'v'), 'q.', end='')} "
        f"FROM ({found}) q LEFT JOIN ({_of_totals(layout, members, stored)}) x ON {_same(('t', 'k', *group, 'v'))} "
        "WHERE x.t IS NULL"
    )
    return f"SELECT {_row(layout, members, 'v')} FROM ({new})"


def final_sums(layout: Layout, members: Members, stored: str) -> str:
    """SELECT text of the sums of all aggregate inputs, as rows of R."""
    found = _sums(layout, members, _of_candidates(layout, members, inputs_sql(layout, members, stored), keys=True))
    return f"SELECT {_row(layout, members, 'v', final=True, iteration='0')} FROM ({found})"


def _sums(layout: Layout, members: Members, rows: str) -> str:
    group = _columns(group_width(members))
    total = _by_tag(layout, members, "totals", lambda m: sum_of("v", m.type.kind))
    return (
        f"SELECT {_list(('t', 'k', *group))}max(f) AS f, {total} AS v FROM ({rows}) GROUP BY "
        f"{_list(('t', 'k', *group), end='')}"
    )


# ---- rows


def to_be_folded(layout: Layout, members: Members, candidates: str, stored: str | None) -> list[str]:
    """SELECT texts of the rows that a fold reads (see `streaming`), which are then partitioned by k."""
    bags, plain = tuple(m for m in members if m.bag), tuple(m for m in members if not m.bag)
    width = group_width(members)
    group = _columns(width)
    parts = []
    if plain:
        parts.append(
            f"SELECT {_list(('t', 'k', *group))}v, x, f, {NEW} AS s FROM "
            f"({_distinct(layout, plain, candidates, width)})"
        )
    if bags:
        parts.append(
            f"SELECT {_list(('t', 'k', *group))}v, x, f, {NEW} AS s FROM "
            f"({_all_inputs(layout, bags, candidates, stored, width)})"
        )
    if stored is not None:
        touched = (
            f"SELECT {_list(('t', 'k', *group), end='')} FROM "
            f"({_of_candidates(layout, members, candidates, width=width)}) "
            f"GROUP BY {_list(('t', 'k', *group), end='')}"
        )
        parts.append(
            f"SELECT /*+ SHUFFLE_HASH(q) */ {_list(('t', 'k', *group), 'x.')}x.v, x.x, x.f, {OLD} AS s "
            f"FROM ({_of_totals(layout, members, stored, width)}) x LEFT SEMI JOIN ({touched}) q ON "
            f"{_same(('t', 'k', *group))}"
        )
    return parts


def of_fold(layout: Layout, members: Members, values: Collection[str], view: str) -> str:
    """SELECT text of the results of a fold as wide rows, with the k of their relation.

    `values`: relations of the layout that hold values, the dictionary and tables of records.
    """
    keys = {
        layout.tag(name): key_sql(layout.replicas_of(name)[0].key, layout.cells(layout.arities[name]))
        for name in layout.arities
        if name in values or name in {m.aggregate.totals for m in members}
    }
    columns = layout.cells(layout.width)
    contents = ", x" if layout.texts else ""
    return f"SELECT t, {_case('t', keys)} AS k, {_list(columns)}1L AS n, f{contents} FROM {view}"


def as_finals(layout: Layout, members: Members, rows: str) -> str:
    """SELECT text of wide rows of R$all as rows of R."""
    tags = _by_tag(layout, members, "totals", lambda m: str(layout.tag(m.aggregate.name)))
    contents = f", {NO_BYTES} AS x" if layout.texts else ""
    among = ", ".join(str(layout.tag(m.aggregate.totals)) for m in members)
    return (
        f"SELECT {tags} AS t, k, {_list(layout.cells(layout.width))}n, 0 AS f{contents} FROM ({rows}) WHERE t IN "
        f"({among})"
    )


def inputs_sql(layout: Layout, members: Members, stored: str) -> str:
    """FROM text of the rows of R$in."""
    among = ", ".join(str(layout.tag(m.aggregate.inputs)) for m in members)
    return f"(SELECT * FROM {stored} WHERE t IN ({among}))"


def _of_candidates(
    layout: Layout, members: Members, candidates: str, keys: bool = False, width: int | None = None
) -> str:
    """SELECT text of aggregate inputs as (t, k, f, group, v), with x where they carry bytes, and their keys as d0…"""
    among = ", ".join(str(layout.tag(m.aggregate.inputs)) for m in members)
    tag = _by_tag(layout, members, "inputs", lambda m: str(layout.tag(m.aggregate.totals)))
    return f"SELECT {tag} AS t, {_meant(layout, members, 'inputs', keys, width)} FROM {candidates} WHERE t IN ({among})"


def _of_totals(layout: Layout, members: Members, stored: str, width: int | None = None) -> str:
    """SELECT text of stored totals as (t, k, f, group, v), with x where they carry bytes."""
    among = ", ".join(str(layout.tag(m.aggregate.totals)) for m in members)
    return f"SELECT t, {_meant(layout, members, 'totals', False, width)} FROM {stored} WHERE t IN ({among})"


def _meant(layout: Layout, members: Members, of: str, keys: bool, width: int | None) -> str:
    """SQL of the columns of a row by their meaning: group, value, and bytes where rows carry them."""
    width = group_width(members) if width is None else width

    def meant(meaning: Callable[[Aggregated], str]) -> str:
        return _by_tag(layout, members, of, meaning)

    def in_group(place: int) -> str:
        return meant(lambda m: f"c{place}" if place < m.group else "0L")

    def in_keys(place: int) -> str:
        return meant(lambda m: f"c{m.group + place}" if place < m.keys else "0L")

    group = (f"{in_group(i)} AS c{i}" for i in range(width))
    value = meant(lambda m: f"c{m.group + (m.keys if of == 'inputs' else 0)}")
    key_columns = [f"{in_keys(i)} AS d{i}" for i in range(_keys_width(members))] if keys else []
    carried = NO_BYTES
    if layout.texts and any(m.carries for m in members):
        carried = meant(lambda m: m.checked("x")) if of == "inputs" else "x"
    return ", ".join(("k", "f", *group, f"{value} AS v", *key_columns, f"{carried} AS x"))


def _keys_width(members: Members) -> int:
    return max(m.keys for m in members)


def _distinct(layout: Layout, members: Members, candidates: str, width: int) -> str:
    """SELECT text of the distinct (group, value) among candidates."""
    columns = ("t", "k", *_columns(width), "v", "x")
    rows = _of_candidates(layout, members, candidates, width=width)
    return f"SELECT {_list(columns)}max(f) AS f FROM ({rows}) GROUP BY {_list(columns, end='')}"


def _all_inputs(layout: Layout, members: Members, candidates: str, stored: str | None, width: int | None = None) -> str:
    """SELECT text of all distinct (group, keys, value), earlier ones included, of the groups that candidates touch."""
    group = _columns(group_width(members) if width is None else width)
    columns = ("t", "k", *group, *(f"d{i}" for i in range(_keys_width(members))), "v")
    rows = _of_candidates(layout, members, candidates, keys=True, width=width)
    if stored is not None:
        touched = (
            f"SELECT {_list(('t', 'k', *group), end='')} FROM "
            f"({_of_candidates(layout, members, candidates, width=width)}) "
            f"GROUP BY {_list(('t', 'k', *group), end='')}"
        )
        earlier = _of_candidates(layout, members, inputs_sql(layout, members, stored), keys=True, width=width)
        rows += (
            f" UNION ALL SELECT /*+ SHUFFLE_HASH(q) */ x.* FROM ({earlier}) x "
            f"LEFT SEMI JOIN ({touched}) q ON {_same(('t', 'k', *group))}"
        )
    content = "min(x)" if layout.texts and any(m.carries for m in members) else NO_BYTES
    return f"SELECT {_list(columns)}{content} AS x, max(f) AS f FROM ({rows}) GROUP BY {_list(columns, end='')}"


def _row(layout: Layout, members: Members, value: str, final: bool = False, iteration: str = "f") -> str:
    """SELECT list of a wide row of R$all, or R, from (t, k, group, value)."""
    tag = _by_tag(
        layout, members, "totals", lambda m: str(layout.tag(m.aggregate.name if final else m.aggregate.totals))
    )

    def cell(place: int) -> str:
        return _by_tag(
            layout, members, "totals", lambda m: f"c{place}" if place < m.group else value if place == m.group else "0L"
        )

    named = ", ".join(f"{cell(i)} AS c{i}" for i in range(layout.width))
    contents = f", {NO_BYTES} AS x" if layout.texts else ""
    return f"{tag} AS t, k, {named}, 1L AS n, {iteration} AS f{contents}"


def _by_tag(
    layout: Layout, members: Members, of: str, meaning: Callable[[Aggregated], str | None], tag: str = "t"
) -> str:
    """SQL that depends on the relation, determined by the tag of its `of` (aggregate inputs or totals)."""
    return _case(tag, {layout.tag(getattr(m.aggregate, of)): meaning(m) or "NULL" for m in members})


def _case(tag: str, meanings: Mapping[int, str]) -> str:
    if len(set(meanings.values())) == 1:
        return next(iter(meanings.values()))
    return f"CASE {tag} {' '.join(f'WHEN {number} THEN {meaning}' for number, meaning in meanings.items())} END"


def _columns(width: int) -> tuple[str, ...]:
    return Layout.cells(width)


def _list(columns: Sequence[str], prefix: str = "", end: str = ", ") -> str:
    return ", ".join(f"{prefix}{column}" for column in columns) + end


def _same(columns: Sequence[str]) -> str:
    return " AND ".join(f"x.{column} = q.{column}" for column in columns)
