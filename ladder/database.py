"""`Database`: a program's relations over changing facts, for Python users.

    db = Database(Program.load("pointsto.dl"))
    db.load("facts/")                                           # R.facts for every .input R; or db.load_rows("R", rows)
    delta = db.update(insert={"edge": [(1, 2)]}, delete={"edge": [(2, 3)]})
    delta.inserted["path"], delta.deleted["path"]
    db["path"], db.explain("path", (1, 3)), db.save("state"), Database.open("state", program)
"""
from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ladder.engine.explain import Explanation, explain
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.saved import SavedState, open_state
from ladder.errors import LadderError, Unsupported
from ladder.factfiles import read_facts
from ladder.factfiles.reading import Unreadable, read_value
from ladder.language import core
from ladder.program import Program

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from ladder.language.compile import Clause, Compiled

Cells = npt.NDArray[np.int32]
Row = tuple[Any, ...]
STRATEGIES = ("elastic", "recompute")
LATER_STRATEGIES = ("counting", "dred", "dredc", "bf", "bfc")
COUNTS = ("first", "count")


class Database:
    """The state of a program over its facts; facts given before the first look at it are evaluated in one bootstrap.

    `strategy`: "elastic" keeps (first, count) per row and updates in proportion to the change, "recompute" starts over at
    every change. `engine`: "local". Raises `LadderError` for rows that do not fit and for what is not supported.
    """

    def __init__(self, program: Program, strategy: str = "elastic", engine: str = "local") -> None:
        if strategy in LATER_STRATEGIES:
            raise Unsupported(f"The strategy {strategy} is not supported yet.", f"There are {', '.join(STRATEGIES)}.")
        if strategy not in STRATEGIES:
            raise Unsupported(f"There is no strategy {strategy!r}.", f"There are {', '.join(STRATEGIES)}.")
        if engine not in ("local", "auto"):
            raise Unsupported(f"There is no engine {engine!r} in this version.", "There is local.")
        self.program, self.strategy = program, strategy
        self.note = ""
        self._core: core.Program = program.core
        self._engine: LocalEngine | None = LocalEngine(self._core)
        self._pending: dict[str, list[Cells]] | None = {}
        self._saved: SavedState | None = None
        self._added: list[str] = []
        self._removed: Counter[Clause] = Counter()

    # ---- facts

    def load(self, folder: str | Path) -> None:
        """Add the facts of every `.input` relation from its file in a folder."""
        for name, rows in read_facts(self._core, Path(folder)):
            self.load_rows(name, rows)

    def load_rows(self, relation: str, rows: Any) -> None:
        """Add facts: tuples of Python values, an Arrow table or a DataFrame.

        A record is a tuple or None, `$Branch(x)` the tuple ("Branch", x); in tables texts as in fact files will do.
        """
        if self._pending is None:
            self.update(insert={relation: rows})
        else:
            self._pending.setdefault(relation, []).append(self._cells(relation, rows))

    def bootstrap(self, facts: Mapping[str, Any]) -> None:
        """Evaluate from scratch over these facts (and any loaded before)."""
        for name, rows in facts.items():
            self.load_rows(name, rows)
        self._ready()

    def update(self, insert: Mapping[str, Any] | None = None, delete: Mapping[str, Any] | None = None) -> Delta:
        """Delete and insert facts in one transaction; what rows came and went in every relation.

        A fact both deleted and inserted is there afterwards. If anything goes wrong, the old state stands.
        """
        engine, began = self._ready(), time.perf_counter()
        deleted = {name: self._cells(name, rows) for name, rows in (delete or {}).items()}
        inserted = {name: self._cells(name, rows) for name, rows in (insert or {}).items()}
        if self.strategy == "recompute":
            return self._rebuild(self._core, deleted, inserted, began)
        engine.update(deleted, inserted)
        changes = {name: (came, went) for name, came, went in engine.changes() if name in self._visible}
        report = engine.finish()
        impact = sum(len(came) + len(went) for came, went in changes.values())
        return Delta(self, changes, "update", time.perf_counter() - began, impact, report.changed_rows)

    def _rebuild(self, program: core.Program, deleted: Mapping[str, Cells], inserted: Mapping[str, Cells], began: float) -> Delta:
        """Evaluate a program from scratch over the facts, changed so; the old state stands until that is done."""
        old = self._ready()
        given = self._given(old, self._core is not program)
        for name, cells in deleted.items():
            given[name] = without(given.get(name, cells[:0]), cells)
        for name, cells in inserted.items():
            given[name] = np.concatenate([given.get(name, cells[:0]), cells])
        new = old.successor(program)
        new.bootstrap({name: cells for name, cells in given.items() if name in program.relations})
        changes = {}
        for name in visible(program):
            after = new.store.present(new.numbers[name])[0]
            before = old.store.present(old.numbers[name])[0] if name in old.numbers else after[:0]
            came, went = without(after, before), without(before, after)
            if len(came) or len(went):
                changes[name] = (came, went)
        self._engine, self._core, self._saved = new, program, None
        impact = sum(len(came) + len(went) for came, went in changes.values())
        return Delta(self, changes, "bootstrap", time.perf_counter() - began, impact, impact)

    def _given(self, engine: LocalEngine, unstated: bool) -> dict[str, Cells]:
        """Facts that were given from outside; unless `unstated`, with those that the program states."""
        given = {}
        for name in visible(self._core):
            taker = engine.fact_relation(name)
            cells, first, _ = engine.store.present(engine.numbers[taker])
            cells = cells[first == 0]
            if unstated and taker in engine.stated_facts:
                cells = without(cells, engine.stated_facts[taker])
            if len(cells):
                given[name] = cells
        return given

    def _ready(self) -> LocalEngine:
        """The engine, with everything that is pending evaluated."""
        if self._engine is None:
            raise LadderError("The database could not be evaluated.")
        if self._pending is not None:
            facts = {name: np.concatenate(cells) for name, cells in self._pending.items()}
            self._pending = None
            try:
                self._engine.bootstrap(facts)
            except BaseException:
                self._engine = None
                raise
        return self._engine

    def _cells(self, name: str, rows: Any) -> Cells:
        """Rows as cells; known to the program, of the right width and types."""
        engine = self._engine
        assert engine is not None
        if name not in self._visible:
            raise LadderError(f"The program has no relation {name}.", f"It has {', '.join(sorted(self._visible)[:8])}, …")
        if type(rows).__module__.startswith("pandas"):
            import pyarrow as pa
            rows = pa.Table.from_pandas(rows, preserve_index=False)
        if type(rows).__module__.startswith("pyarrow"):
            from ladder.engine.local.arrow import cells_of_table
            return engine.pad(name, cells_of_table(engine.values, rows, engine.column_types(name), name, self._read_text))
        return engine.encode_facts(name, rows)

    def _read_text(self, text: str, type_: core.Type) -> Any:
        try:
            return read_value(text, type_, self._core.types)
        except Unreadable as error:
            raise LadderError(f"{text!r} is not a value of type {type_.name}: {error}") from None

    # ---- rules

    def add_rules(self, text: str) -> Delta:
        """Add rules (and declarations). Everything is evaluated anew; what came and went is told."""
        self._ready()
        delta = self._rebuild(self._compiled(self._removed, text).core, {}, {}, time.perf_counter())
        self._added.append(text)
        return delta

    def remove_rules(self, text: str) -> Delta:
        """Remove rules, written as in the program up to layout. Everything is evaluated anew; what came and went is told.

        A fact that was both given and stated by the program counts as stated: it goes with the rule that states it.
        """
        from ladder.language.compile import clauses_of

        self._ready()
        named, there = clauses_of(text), Counter(self._compiled(self._removed).clauses)
        missing = next((clause for clause in named if clause not in there), None)
        if missing is not None or not named:
            raise LadderError(f"The program has no rule {missing or text.strip()}", "Rules are compared up to layout; variables must have the same names.")
        unwanted = self._removed + Counter({clause: there[clause] for clause in named})
        delta = self._rebuild(self._compiled(unwanted).core, {}, {}, time.perf_counter())
        self._removed = unwanted
        return delta

    def _compiled(self, removed: Counter[Clause], more: str = "") -> Compiled:
        """The program's text with all that was added and `more`, without these clauses."""
        from ladder.language.compile import compile_program   # the parser is needed here only

        text = "\n".join((self.program.text, *self._added, more, ""))
        return compile_program(text, self.program.name, self.program.directory, self.program.functors, self.program.options, removed)

    # ---- results

    def __getitem__(self, relation: str) -> Rows:
        """The rows of a relation; of an aggregated one, the final total of each group."""
        if relation not in self._core.relations:
            raise KeyError(relation)
        engine = self._ready()
        return Rows(self, relation, engine.store.present(engine.numbers[relation])[0])

    @property
    def relations(self) -> tuple[str, ...]:
        """Names of the program's relations."""
        return visible(self._core)

    @property
    def _visible(self) -> tuple[str, ...]:
        return visible(self._core)

    @property
    def stored_relations(self) -> tuple[str, ...]:
        """Names of all stored relations: beside the program's, those that stand behind them.

        `R$in`, `R$all` and `R$facts` belong to an aggregated relation, `R$facts` to an ordered one, `R$edge` to an equivalence;
        aggregates in bodies have relations of their own.
        """
        return tuple(name for name in self._ready().relations if not name.startswith(("[]", "$")) and not name.endswith("$groups"))

    def state(self, relation: str) -> pa.Table:
        """The rows of a stored relation with the iteration in which each first appeared and its derivations there."""
        import pyarrow as pa
        engine = self._ready()
        cells, first, counts = engine.store.present(engine.numbers[relation])
        table = self._table(relation, cells)
        return table.append_column(COUNTS[0], pa.array(first)).append_column(COUNTS[1], pa.array(counts))

    def explain(self, relation: str, row: Sequence[Any]) -> Explanation:
        """Why a row is there: a derivation of least height, down to given facts."""
        return explain(self._ready(), relation, tuple(row))

    def _types(self, stored: str) -> tuple[tuple[str, core.Type], ...]:
        engine = self._ready()
        columns = engine.relations[stored].columns
        return tuple((c.name, c.type) for c in columns if c.name != "$filler")

    def _table(self, stored: str, cells: Cells) -> pa.Table:
        from ladder.engine.local.arrow import table_of_cells
        columns = self._types(stored)
        return table_of_cells(self._ready().values, cells[:, cells.shape[1] - len(columns):], columns)

    # ---- state on disk

    def save(self, path: str | Path, note: str = "") -> None:
        """Save the state in a folder: all of it the first time, then what changed; `note` is kept with it, in one step."""
        if self._added or self._removed:
            raise Unsupported("A database whose rules were changed cannot be saved.", "Write the rules into the program.")
        engine = self._ready()
        if self.strategy == "elastic":
            engine.prepare_updates()
        folder = Path(path)
        if self._saved is None or self._saved.folder != folder:
            self._saved = SavedState(folder)
        self._saved.save(engine, self.program.fingerprint, note)
        self.note = note

    @staticmethod
    def open(path: str | Path, program: Program, strategy: str = "elastic") -> Database:
        """A saved state; raises `StateError` where there is none, or a damaged or foreign one."""
        engine, saved, note = open_state(Path(path), program.core, program.fingerprint)
        db = Database.__new__(Database)
        db.program, db.strategy, db.note, db._core = program, strategy, note, program.core
        db._engine, db._pending, db._saved = engine, None, saved
        db._added, db._removed = [], Counter()
        return db


class Rows:
    """Rows of a relation, decoded as they are asked for."""

    def __init__(self, database: Database, relation: str, cells: Cells) -> None:
        self._database, self.relation, self._cells = database, relation, cells

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Row]:
        columns = self._database._types(self.relation)
        values = self._database._ready().values
        if not columns:
            return iter([()] * len(self._cells))
        offset = self._cells.shape[1] - len(columns)
        decoded = [values.decode_column(self._cells[:, offset + i], type_) for i, (_, type_) in enumerate(columns)]
        return iter(zip(*decoded, strict=True))

    def __contains__(self, row: object) -> bool:
        return row in set(self)

    def __repr__(self) -> str:
        return f"<{len(self)} rows of {self.relation}>"

    def to_arrow(self) -> pa.Table:
        """An Arrow table; symbols are dictionary-encoded, and so are the texts of records, branches and values of lattices."""
        return self._database._table(self.relation, self._cells)

    def to_pandas(self) -> pd.DataFrame:
        """A pandas DataFrame."""
        return self.to_arrow().to_pandas()


class _Side(Mapping[str, Rows]):
    """Relation → rows that came, or rows that went; empty for a relation that did not change."""

    def __init__(self, database: Database, cells: Mapping[str, Cells]) -> None:
        self._database, self._cells = database, cells

    def __getitem__(self, relation: str) -> Rows:
        if relation in self._cells:
            return Rows(self._database, relation, self._cells[relation])
        if relation not in self._database.relations:
            raise KeyError(relation)
        return Rows(self._database, relation, np.zeros((0, max(1, len(self._database._types(relation)))), np.int32))

    def __iter__(self) -> Iterator[str]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)


class Delta:
    """What an update changed: `inserted` and `deleted` rows by relation, `mode` ("update" or "bootstrap"), `seconds`,
    `impact` (rows that came and went in all relations) and `changed_states` (rows whose (first, count) differs)."""

    def __init__(self, database: Database, changes: Mapping[str, tuple[Cells, Cells]], mode: str, seconds: float, impact: int,
                 changed_states: int) -> None:
        self.inserted: Mapping[str, Rows] = _Side(database, {n: came for n, (came, _) in changes.items() if len(came)})
        self.deleted: Mapping[str, Rows] = _Side(database, {n: went for n, (_, went) in changes.items() if len(went)})
        self.mode, self.seconds, self.impact, self.changed_states = mode, seconds, impact, changed_states

    def __bool__(self) -> bool:
        return self.impact > 0

    def __repr__(self) -> str:
        return f"<{self.mode} in {self.seconds:.3f} s, {self.impact} rows came or went>"


def visible(program: core.Program) -> tuple[str, ...]:
    """The relations that a program declares, without those that stand for parts of its rules."""
    return tuple(name for name in program.relations if "$" not in name)


def without(rows: Cells, others: Cells) -> Cells:
    """Rows that are not among others."""
    if not len(rows) or not len(others):
        return rows
    items = [np.ascontiguousarray(r).view([("", r.dtype)] * r.shape[1]).ravel() for r in (rows, others)]
    return rows[~np.isin(items[0], items[1])]
