"""A saved state of which a few rows are looked up: its arrays are mapped and searched by numpy, and no engine is made,
so that neither kernels are loaded nor indexes restored.

A base is looked at as it is; rows, texts and values of the logs after it are added to what is asked for. Only states
that this user's Ladder has written are looked at, of programs without ordered components, for which an engine is
needed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.explain import Explanation, Rows, explain
from ladder.engine.local.owners import row_owners
from ladder.engine.local.rows import CellRows
from ladder.engine.local.saved.parts import Parts, damaged, read_small
from ladder.engine.local.saved.tables import CURRENT, believed
from ladder.engine.local.saved.values import values_of
from ladder.engine.local.values.calls import Calls
from ladder.engine.local.values.encoding import Objects, Values
from ladder.errors import NotOurs
from ladder.language.core import Program
from ladder.language.stored import language_version
from ladder.plan.components import Expanded, expand, needs_filler
from ladder.plan.order import Statistics
from ladder.support.tuning import DEFAULT, Tuning

Cells = npt.NDArray[np.int32]
ABSENT = 1 << 30  # as in the layout of kernels, whose import takes as long as all of this
NOWHERE = -1  # the number of a relation that the state does not have
TIMED = "elastic"  # the strategy whose states are looked at


class Glance:
    """The rows of a program in a saved state. `names`: its relations → what they are called there, if it is something
    else; `complete`: whether all of them are there."""

    def __init__(
        self, program: Program, names: Mapping[str, str], base: Parts, logs: Sequence[Parts], tuning: Tuning = DEFAULT
    ) -> None:
        self.program, self.tuning, self.base, self.logs = program, tuning, base, logs
        self.expanded: Expanded = expand(program)
        self.relations = self.expanded.relations
        there = {name: self._name_there(name, names) for name in self.relations}
        self.complete = base.header["numbers"].keys() >= set(there.values())
        self.numbers = {name: base.header["numbers"].get(called, NOWHERE) for name, called in there.items()}
        self.owners = {self.numbers[v]: self.numbers[o] for v, o in row_owners(self.expanded, program).items()}
        self.names = {number: name for name, number in self.numbers.items()}
        known = {name: base.header["statistics"].get(called) for name, called in there.items()}
        self.statistics = {name: Statistics(rows, tuple(blocks)) for name, (rows, blocks) in filter(all, known.items())}
        self.values = Values(program, self._pack, self._unpack, Texts([base, *logs]))  # type: ignore[arg-type]
        parts = (base, *logs)
        self.values.objects = Objects([v for part in parts for v in values_of(part, program, of_others=True)])
        self.functions = Calls(program, self.values, tuning.evaluating.results_between_looks)
        self.ordered, self.strategy = None, SimpleNamespace(timed=True, name=TIMED)
        self._known: dict[int, tuple[Cells, Cells]] = {}
        self._rows: dict[int, Rows] = {}
        self._made: dict[str, list[tuple[int, ...]]] = {}

    def _name_there(self, name: str, names: Mapping[str, str]) -> str:
        """What a stored relation is called in the state: helpers are called after those that they belong to."""
        part = self.relations[name].part
        if name in names or part is None or part.of not in names or name in self.program.relations:
            return names.get(name, name)
        return replace(part, of=names[part.of]).name

    @property
    def store(self) -> Glance:
        """Where rows are looked up."""
        return self

    # ---- rows

    def present(self, number: int) -> tuple[Cells, Cells, None]:
        """(the present rows of a relation, the first iteration of each, None)."""
        cells, first = self._stored(number)
        here = first != ABSENT
        return (cells, first, None) if here.all() else (cells[here], first[here], None)

    def find(self, number: int, cells: Cells) -> npt.NDArray[np.int64]:
        """The number of each of these rows; -1 for those that are not stored."""
        if number not in self._rows:
            stored, first = self._stored(number)
            blocks = self.statistics[name].blocks if (name := self.names[number]) in self.statistics else ()
            self._rows[number] = Rows(stored, first, blocks or (1.0,) * stored.shape[1], self.tuning)
        found = (self._rows[number].where(dict(enumerate(row))) for row in cells.tolist())
        return np.array([rows[0] if len(rows) else -1 for rows in found], np.int64)

    def first(self, number: int) -> Cells:
        """The first iteration of each stored row."""
        return self._stored(number)[1]

    def _stored(self, number: int) -> tuple[Cells, Cells]:
        """(all stored rows of a relation, the first iteration of each).

        rows of the base, those that logs have added
        the iterations of the base, ABSENT for rows that were added; then those that each log says
        """
        if number not in self._known:
            holder = self.owners.get(number, number)
            cells, place = self._cells(holder)
            first = np.full(len(cells), ABSENT, np.int32)
            count = self.base.header["relation records"][number]["row_count"]
            first[:count] = self.base.array(f"relation.{number}.first_iteration", np.int32)[:count]
            for log in self.logs:
                if number in log.header["relations"]:
                    rows = _rows_of(log, f"relation.{number}.rows", cells.shape[1])
                    states = log.used(f"relation.{number}.first_iteration", np.int32)
                    first[[place[row] for row in map(tuple, rows.tolist())]] = states
            self._known[number] = cells, first
        return self._known[number]

    def _cells(self, holder: int) -> tuple[Cells, Mapping[tuple[int, ...], int]]:
        """(the rows that a relation holds, the numbers of those that logs name)."""
        arity = self.relations[self.names[holder]].arity
        count = self.base.header["relation records"][holder]["row_count"]
        cells = self.base.array(f"relation.{holder}.rows", np.int32, arity).reshape(-1, arity)[:count]
        views = [holder, *(view for view, owner in self.owners.items() if owner == holder)]
        named = [
            _rows_of(log, f"relation.{number}.rows", arity)
            for log in self.logs
            for number in views
            if number in log.header["relations"]
        ]
        if not named:
            return cells, {}
        wanted = list(dict.fromkeys(row for rows in named for row in map(tuple, rows.tolist())))
        known = Rows(cells, cells[:, 0], (1.0,) * arity, self.tuning)
        found = {row: known.where(dict(enumerate(row))) for row in wanted}
        new = [row for row in wanted if not len(found[row])]
        place = {row: int(numbers[0]) for row, numbers in found.items() if len(numbers)}
        place |= {row: len(cells) + at for at, row in enumerate(new)}
        return np.concatenate([cells, np.array(new, np.int32).reshape(-1, arity)]), place

    # ---- records

    def _records(self, table: str) -> Cells:
        number, arity = self.numbers[table], self.relations[table].arity
        count = self.base.header["relation records"][number]["row_count"]
        parts = [self.base.array(f"relation.{number}.rows", np.int32, arity).reshape(-1, arity)[:count]]
        parts += [_rows_of(log, f"records.{number}", arity) for log in self.logs if number in log.header["records"]]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _unpack(self, table: str, cell: int) -> tuple[int, ...]:
        rows, made = self._records(table), self._made.get(table, [])
        return tuple(rows[cell - 1].tolist()) if cell <= len(rows) else made[cell - 1 - len(rows)]

    def _pack(self, table: str, cells: Cells) -> Cells:
        """The numbers of records; those that the state does not have get numbers that it does not use."""
        rows, made = self._records(table), self._made.setdefault(table, [])
        found = []
        for row in map(tuple, cells.tolist()):
            there = np.flatnonzero((rows == np.array(row, np.int32)).all(axis=1))
            if not len(there) and row not in made:
                made.append(row)
            found.append(int(there[0]) + 1 if len(there) else len(rows) + made.index(row) + 1)
        return np.array(found, np.int32)

    # ---- what is asked

    def encode_facts(self, name: str, rows: Any) -> Cells:
        """Rows of Python values of a relation of the program → cells as stored."""
        relation = self.program.relations[name]
        cells = self.values.encode_rows(rows, relation)
        return np.concatenate([np.zeros((len(cells), 1), np.int32), cells], axis=1) if needs_filler(relation) else cells

    def rows(self, relation: str) -> CellRows:
        """The rows of a relation."""
        return CellRows(self, self.relations[relation], self.present(self.numbers[relation])[0])

    def explain(self, relation: str, row: tuple[Any, ...], depth: int | None = None) -> Explanation:
        """Why a row is there (see `ladder.engine.local.explain`)."""
        return explain(self, relation, row, depth)


def glance_at(folder: Path, program: Program, names: Mapping[str, str], whole: str, note: str) -> Glance | None:
    """The rows of a program in the state that is saved in a folder with this note, which is one of the program with the
    fingerprint `whole`; None where an engine is needed to tell: the state is of another program, of others, of another
    language or strategy, has other rules, or is saved anew meanwhile."""
    try:
        current, ours = believed(folder, read_small(folder / CURRENT, trusted=False).decode(), trust=False)
        if not ours or current["note"] != note or "base" not in current:
            return None
        number, digests, look = current["base"], [*map(bytes.fromhex, current["digests"])], str(current.get("look", ""))
        base = Parts(folder / f"base-{number}", digests[0], False, look=look)
        logs = [Parts(folder / f"log-{number}-{n}", digest, False) for n, digest in enumerate(digests[1:], 1)]
    except (FileNotFoundError, NotOurs):
        return None
    header = base.header
    if (header["program"], header.get("language"), header["strategy"]) != (whole, language_version(), TIMED):
        return None
    if any(header["rules"].values()):
        return None
    found = Glance(program, names, base, logs)
    return None if found.expanded.ordered or not found.complete else found


def _items(array: npt.NDArray[Any]) -> memoryview[int]:
    return array.data


def _rows_of(parts: Parts, name: str, arity: int) -> Cells:
    return parts.used(name, np.int32, arity).reshape(-1, arity)


class Texts:
    """The symbols of a base and the logs after it, as `SymbolTable` has them; texts that are asked for and not there
    get numbers that the state does not use."""

    def __init__(self, parts: Sequence[Parts]) -> None:
        self.base, logs = parts[0], parts[1:]
        self.text, self.offsets = self.base.used("symbols.text", np.uint8), self.base.used("symbols.offsets", np.int64)
        self.slots = self.base.used("symbols.slots", np.int64)
        self.known = len(self.offsets) - 1
        for log in logs:
            text, offsets = log.used("symbols.text", np.uint8), log.used("symbols.offsets", np.int64)
            if log.header["first_symbol"] != len(self.offsets) - 1:
                damaged(log.folder, "its logs do not follow each other")
            self.offsets = np.concatenate([self.offsets, len(self.text) + offsets[1:]])
            self.text = np.concatenate([self.text, text])
        self.added: dict[bytes, int] = {}
        # of which Python takes single items many times as fast
        self._text, self._offsets, self._slots = (_items(array) for array in (self.text, self.offsets, self.slots))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def _logged(self) -> dict[bytes, int]:
        """The texts of the logs, with their numbers."""
        return {self._bytes(number): number for number in range(self.known, len(self))}

    def _bytes(self, number: int) -> bytes:
        return self._text[self._offsets[number] : self._offsets[number + 1]].tobytes()

    def number(self, text: str) -> int:
        """The number of a text."""
        data = text.encode("utf-8", "surrogatepass")
        found = self._in_base(data)
        if found is None:
            found = self._logged.get(data)
        return self.added.setdefault(data, len(self) + len(self.added)) if found is None else found

    def numbers(self, texts: Iterable[str]) -> Cells:
        """The numbers of texts."""
        return np.array([self.number(text) for text in texts], np.int32)

    def _in_base(self, data: bytes) -> int | None:
        hashed, last = hash_of(data), len(self.slots) - 1
        slot = hashed & last
        while (entry := self._slots[slot]) >= 0:
            if entry >> 32 == hashed and self._bytes(entry & 0xFFFFFFFF) == data:
                return entry & 0xFFFFFFFF
            slot = (slot + 1) & last
        return None

    def text_of(self, number: int) -> str:
        """The text of a number."""
        data = self._bytes(number) if number < len(self) else [*self.added][number - len(self)]
        return data.decode("utf-8", "surrogatepass")

    def texts_of(self, numbers: Sequence[int]) -> list[str]:
        """The texts of numbers."""
        return [self.text_of(int(number)) for number in numbers]

    def to_dictionary(self) -> Any:
        """All texts of the state as an Arrow array, by number, without copying."""
        import pyarrow as pa

        return pa.LargeStringArray.from_buffers(len(self), pa.py_buffer(self.offsets), pa.py_buffer(self.text))


SEED, PRIME, ALL = 0x243F6A8885A308D3, 0x9E3779B97F4A7C15, (1 << 64) - 1


def hash_of(data: bytes) -> int:
    """31 bits of hash of a text in UTF-8, as the kernels hash it (`kernels.texts.hash_text`)."""
    size, value = len(data), (SEED ^ len(data)) & ALL
    if size < 8:
        words = [int.from_bytes(data, "big")]
    else:
        words = [*struct.unpack_from(f"<{size // 8}Q", data)]
        words += struct.unpack_from("<Q", data, size - 8) if size % 8 else ()
    for word in words:
        value = ((value ^ word) * PRIME) & ALL
        value ^= value >> 32
    return (value >> 33) & 0x7FFFFFFF
