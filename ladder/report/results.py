"""Result tables as users read them: ids become readable names with positions.

The declared type of a column says what its ids name (in Java: `Method`, `Field`, `Var`, and `Instruction`,
`Invocation`, `Heap` for sites), and the front end how they are shown. Columns of other types stay as they are. The
functions work on whole columns; a name is made once for each distinct id.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ladder.facts.packs.rows import compact, fitting, plain
from ladder.frontends.protocol import Display
from ladder.lattices import TOP
from ladder.support.tuning import DEFAULT, Keeping

TEXT = pa.large_string()  # ids and names of a whole project may be more than 2 GiB, where arrays of `string` end


@dataclass(frozen=True)
class Places:
    """The places of sites: parallel columns `id`, `path` (dictionary-encoded), `line`, `column`, `rank` (2 for the
    second site of its kind at one place)."""

    table: pa.Table

    @classmethod
    def of(cls, positions: pa.Table, display: Display) -> Places:
        """The places of sites from rows `id, path, line, column`."""
        table = positions.set_column(0, "id", positions["id"].cast(TEXT)).combine_chunks()
        what = what_of(table["id"].combine_chunks(), display)
        keys = [
            compact(table["path"])[1].to_numpy(),
            table["line"].to_numpy(),
            table["column"].to_numpy(),
            pc.dictionary_encode(what).indices.to_numpy(zero_copy_only=False),
        ]
        number = pc.fill_null(
            pc.cast(
                pc.struct_field(pc.extract_regex(table["id"].combine_chunks(), r"#(?P<n>\d{1,9})$"), "n"), pa.int32()
            ),
            0,
        ).to_numpy(zero_copy_only=False)
        order = np.lexsort([number, *reversed(keys)])
        same = np.ones(len(order), bool)
        for key in keys:
            sorted_ = key[order]
            same[1:] &= sorted_[1:] == sorted_[:-1]
        if len(same):
            same[0] = False
        index = np.arange(len(order))
        rank = np.empty(len(order), np.int32)
        rank[order] = index - np.maximum.accumulate(np.where(same, 0, index)) + 1
        return cls(table.append_column("rank", pa.array(rank)))


@dataclass(frozen=True)
class Naming:
    """Names for ids: `places` of sites, and `names`: type → (ids, names), for every type that is named according to
    `display`."""

    places: Places
    names: Mapping[str, tuple[pa.Array, pa.Array]]
    display: Display

    def rename(self, table: pa.Table, types: Sequence[str]) -> pa.Table:
        """The table with names in place of ids; `types`: the declared types of its columns."""
        [renamed] = self.rename_all([(table, types)])
        return renamed

    def rename_all(
        self, tables: Iterable[tuple[pa.Table, Sequence[str]]], tuning: Keeping = DEFAULT.keeping
    ) -> list[pa.Table]:
        """Tables with names in place of ids of the declared types of their columns; sets (see `with_sets`) become text.

        Names are looked up for the ids of many columns at once: what is known is hashed for each look-up.

            for each column that holds ids:
                put its distinct ids aside; when these are many, name them all, each distinct id once
        """
        columns, aside, size = list[tuple[list[str], list[Any]]](), list[_Aside](), 0
        by_type = self._by_type()
        for table, types in tables:
            made = list(table.columns)
            columns.append((table.column_names, made))
            for position, (column, type_) in enumerate(zip(table.columns, types, strict=True)):
                if pa.types.is_list(column.type):
                    made[position] = self._sets(column)
                elif _is_text(column.type):
                    aside.append(_Aside(by_type.get(type_.lower()), made, position, *compact(column)))
                    size += aside[-1].ids.nbytes
            if size > tuning.named_at_once:
                _named(aside)
                aside, size = [], 0
        _named(aside)
        return [pa.Table.from_arrays(made, names=names) for names, made in columns]

    def _by_type(self) -> Mapping[str, Callable[[pa.Array], pa.Array]]:
        named = {type_: partial(looked_up, known=known, names=names) for type_, (known, names) in self.names.items()}
        parts = {type_: partial(self._parts, whole=whole) for type_, whole in self.display.parts.items()}
        return {**named, **parts, **dict.fromkeys(self.display.sites, self._sites)}

    def _sets(self, column: pa.ChunkedArray) -> pa.ChunkedArray:
        """Lists of sites → `{site, site}`, null → Top."""
        elements = pc.unique(pc.list_flatten(column)).cast(TEXT) if len(column) else pa.array([], TEXT)
        names = dict(zip(elements.to_pylist(), self._sites(elements).to_pylist(), strict=True))
        texts = [
            "Top" if cell is None else "{" + ", ".join(sorted(names[element] for element in cell)) + "}"
            for cell in column.to_pylist()
        ]
        encoded = pa.array(texts, TEXT).dictionary_encode()
        return pa.chunked_array([pa.DictionaryArray.from_arrays(encoded.indices, fitting(encoded.dictionary))])

    def _parts(self, ids: pa.Array, whole: str) -> pa.Array:
        """`<id>/x` → `<name>/x`, where the id is one of the type `whole`."""
        ids = ids.cast(TEXT)
        before, rest = _split(ids)
        named = _joined("/", looked_up(before, *self.names[whole]), rest)
        return pc.coalesce(named, ids)

    def _sites(self, ids: pa.Array) -> pa.Array:
        """`<id>/call f: a.f(x)#3` → `path/to/file:12:9/f`; what an analysis put below a site (`…/call f#3/varargs`)
        stands at the same place; other ids stay."""
        ids, table = ids.cast(TEXT), self.places.table
        known = table["id"].combine_chunks()
        at = pc.index_in(ids, value_set=known)
        at = pc.coalesce(at, pc.index_in(_split(ids)[0], value_set=known, skip_nulls=True))
        path, line, column, rank = (
            table[name].combine_chunks().take(at) for name in ("path", "line", "column", "rank")
        )
        suffix = pc.if_else(
            pc.greater(rank, 1), _joined("", pa.scalar("#", TEXT), pc.cast(rank, TEXT)), pa.scalar("", TEXT)
        )
        place = _joined(":", path.cast(TEXT), pc.cast(line, TEXT), pc.cast(column, TEXT))
        what = _joined("", what_of(ids, self.display), suffix)
        return pc.coalesce(_joined("/", place, what), ids)


@dataclass(frozen=True)
class _Aside:
    """A column that is to be named: its distinct ids by `name`, None where they stay; it becomes `into[position]`."""

    name: Callable[[pa.Array], pa.Array] | None
    into: list[Any]
    position: int
    ids: pa.Array
    indices: pa.Array


def _is_text(type_: pa.DataType) -> bool:
    return any(test(type_) for test in (pa.types.is_string, pa.types.is_large_string, pa.types.is_dictionary))


def _named(aside: Sequence[_Aside]) -> None:
    """Name the columns that were put aside, those that are named alike at once."""
    alike: dict[Any, list[_Aside]] = {}
    for column in aside:
        alike.setdefault(column.name, []).append(column)
    for name, columns in alike.items():
        texts = [column.ids for column in columns] if name is None else _names(name, [c.ids for c in columns])
        for column, named in zip(columns, texts, strict=True):
            encoded = pa.DictionaryArray.from_arrays(column.indices, fitting(named))
            column.into[column.position] = pa.chunked_array([encoded])


def _names(name: Callable[[pa.Array], pa.Array], parts: Sequence[pa.Array]) -> Iterator[pa.Array]:
    """The names of each part's ids; an id that is in several of them is named once."""
    encoded = pa.chunked_array([part.cast(TEXT) for part in parts], TEXT).dictionary_encode().combine_chunks()
    names, start = name(encoded.dictionary), 0
    for part in parts:
        yield names.take(encoded.indices.slice(start, len(part)))
        start += len(part)


def with_sets(table: pa.Table, values: Mapping[int, Sequence[Any]]) -> pa.Table:
    """The table in which columns with these Python values, by position, are lists if all values are sets or Top.

    A set becomes the list of its elements and Top becomes null, so that elements can be renamed.
    """
    for position, column in values.items():
        if all(isinstance(value, frozenset) or value is TOP for value in column):
            lists = [None if value is TOP else sorted(map(str, value)) for value in column]
            table = table.set_column(position, table.column_names[position], pa.array(lists, pa.list_(pa.string())))
    return table


def names_of(table: Any) -> tuple[pa.Array, pa.Array]:
    """(ids, names) of a relation whose first two columns are these; two empty arrays for None."""
    if table is None:
        return pa.array([], TEXT), pa.array([], TEXT)
    ids, names = (plain(table.select([i])).column(0).cast(TEXT).combine_chunks() for i in (0, 1))
    return ids, names


def looked_up(ids: pa.Array, known: pa.Array, names: pa.Array) -> pa.Array:
    """The name of each id; an unknown id is its own name, and null stays null."""
    ids = ids.cast(TEXT)
    return pc.coalesce(names.cast(TEXT).take(pc.index_in(ids, value_set=known.cast(TEXT), skip_nulls=True)), ids)


def _joined(between: str, *parts: Any) -> pa.Array:
    return pc.binary_join_element_wise(*parts, pa.scalar(between, TEXT))


def _split(ids: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Ids split at the last slash; nulls where there is none."""
    parts = pc.extract_regex(ids, r"(?s)^(?P<before>.*)/(?P<after>[^/]*)$")
    return pc.struct_field(parts, "before"), pc.struct_field(parts, "after")


def about_temporaries(table: pa.Table, types: Sequence[str], display: Display) -> pa.Array:
    """For each row of a table of ids whether one of them is that of a temporary; `types`: the declared types of its
    columns."""
    found = pa.array(np.zeros(len(table), bool))
    for column, type_ in zip(table.columns, types, strict=True):
        if pattern := display.temporaries.get(type_.lower()):
            distinct, indices = compact(column)
            one_of_them = pc.match_substring_regex(distinct, pattern).take(indices)
            found = pc.or_(found, pc.fill_null(one_of_them, False))
    return found


def what_of(ids: pa.Array, display: Display) -> pa.Array:
    """`<id>/call f: a.f(x)#3` → f where "call " is unsaid and ": " begins the detail, `…/new T#2` → new T."""
    _, last = _split(ids)
    left_out = [f"^{re.escape(word)}" for word in display.unsaid]
    left_out += [f"{re.escape(display.detail)}.*$"] if display.detail else []
    return pc.replace_substring_regex(last, "|".join([*left_out, r"#\d+$"]), "")
