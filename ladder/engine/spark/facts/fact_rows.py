"""SELECTs that turn encoded facts into wide rows: in one scan for all relations that share a frame."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ladder.engine.spark.facts.cells import Cells
from ladder.engine.spark.layout import NO_TEXT, TEXTS, Layout, key_sql

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class FactRows:
    """Makes the SELECTs. `edb_relations`: name of facts or values → relation of the layout whose rows they become;
    `filled`: names whose rows get a column of zeros in front."""

    layout: Layout
    edb_relations: Mapping[str, str]
    filled: Collection[str] = ()

    def of(self, cells: Cells) -> tuple[list[DataFrame], list[str]]:
        """(the frames, the SELECT texts of their wide rows with {} for the name of the frame)."""
        found = [(frame, self._own(name)) for name, frame in cells.frames.items() if name in self.edb_relations]
        together = [name for name in cells.tags if name in self.edb_relations]
        if cells.mixed is not None and together:
            found.append((cells.mixed, self._mixed(together, cells.tags)))
        return [frame for frame, _ in found], [select for _, select in found]

    def _own(self, name: str) -> str:
        """Return the SELECT text of the rows of a frame that holds one relation."""
        relation, shift = self.edb_relations[name], int(name in self.filled)
        cells = ["0L"] * shift + [f"CAST(c{i} AS BIGINT)" for i in range(self.layout.arities[relation] - shift)]
        return f"SELECT {self.layout.row(relation, cells, x='x' if name == TEXTS else None)} FROM {{}}"

    def _mixed(self, names: list[str], tags: Mapping[str, int]) -> str:
        """Return the SELECT text of the rows of a frame of mixed rows, in which the tag t chooses what depends on the
        relation."""
        layout, cells = self.layout, self._cells(names, tags)
        firsts = {name: layout.replicas_of(self.edb_relations[name])[0] for name in names}
        keys: dict[str, list[int]] = {}
        for name in names:
            keys.setdefault(key_sql(firsts[name].key, layout.cells(layout.width)), []).append(tags[name])
        tag = f"CASE t {' '.join(f'WHEN {tags[name]} THEN {first.tag}' for name, first in firsts.items())} END"
        key = f"CASE {' '.join(f'WHEN g IN ({_listed(those)}) THEN {key}' for key, those in keys.items())} END"
        texts = f", CASE WHEN t = {tags[TEXTS]} THEN x END AS x" if TEXTS in names else f", {NO_TEXT} AS x"
        rows = (
            f"SELECT t AS g, {tag} AS t, {', '.join(cells)}{texts if layout.texts else ''} FROM {{}} WHERE t IN "
            f"({_listed(tags[n] for n in names)})"
        )
        return (
            f"SELECT t, {key} AS k, {', '.join(layout.cells(layout.width))}, 1L AS n, 0 AS "
            f"f{', x' if layout.texts else ''} FROM ({rows})"
        )

    def _cells(self, names: list[str], tags: Mapping[str, int]) -> list[str]:
        """Columns c0…, none of them NULL."""
        layout, shifted = self.layout, [tags[name] for name in names if name in self.filled]
        widest = max(layout.arities[self.edb_relations[name]] - (name in self.filled) for name in names)
        cells = [f"coalesce(c{i}, 0L)" if i < widest else "0L" for i in range(layout.width)]
        if shifted:
            moved = ["0L", *cells[:-1]]
            cells = [
                f"CASE WHEN t IN ({_listed(shifted)}) THEN {there} ELSE {cell} END"
                for there, cell in zip(moved, cells, strict=True)
            ]
        return [f"{cell} AS c{i}" for i, cell in enumerate(cells)]


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
