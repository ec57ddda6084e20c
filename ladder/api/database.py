"""`Database`: a program's relations over changing facts, for Python users.

    db = Database(Program.load("pointsto.dl"))
    db.load("facts/")                                           # R.facts for every .input R; or db.load_rows("R", rows)
    delta = db.update(insert={"edge": [(1, 2)]}, delete={"edge": [(2, 3)]})
    delta.inserted["path"], delta.deleted["path"]
    db["path"], db.explain("path", (1, 3)), db.save("state"), Database.open("state", program)
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypedDict, cast

import numpy as np

from ladder.api.program import Program
from ladder.api.rows import Delta, Rows, Work
from ladder.api.rules import Rules, change_rules, core_of_saved, follow_edit
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.explain import Explanation, explain
from ladder.engine.local.profile import Profile
from ladder.engine.local.rows import CellRows, Cells
from ladder.engine.local.saved.program import Origin
from ladder.engine.local.saved.state import SavedState, open_state
from ladder.engine.rows import in_one_table
from ladder.errors import LadderError, Unsupported
from ladder.facts.files import read_facts
from ladder.facts.files.plain import PlainText
from ladder.facts.files.reading import Unreadable, read_value
from ladder.language import core
from ladder.language.versions.rule_changes import same_cells
from ladder.policy.rebuild import DEFAULT_SHARE
from ladder.support.by_name import row_in_order, table_of
from ladder.support.limits import NO_LIMITS, Limits, NotWorthIt, Watch

if TYPE_CHECKING:
    import pyarrow as pa

    from ladder.api.views import View
    from ladder.engine.local.values.encoding import Values
    from ladder.engine.spark.report import RunReport

COUNTS = ("first", "count")
ENGINES = ("local", "spark", "auto")
Progress = Callable[[str, int, int, int, int], None]      # of a bootstrap on Spark: relations, stage, stages, iteration, rows that appeared


class Options(TypedDict, total=False):
    """What a database is made or opened with, beside its program."""

    strategy: str
    switch: float | None
    limits: Limits
    jobs: int
    profile: bool
    engine: str
    spark: Any
    master: str | None
    spark_conf: Mapping[str, str] | None
    checkpoints: str | Path | None
    resume: bool
    progress: Progress | None


def local_options(options: Options) -> Options:
    """Return those of the options that the local engine heeds."""
    local = ("strategy", "switch", "limits", "jobs", "profile")
    return cast(Options, {name: value for name, value in options.items() if name in local})


class Database:
    """The state of a program over its facts; facts given before the first look at it are evaluated in one bootstrap.

    `strategy`: "elastic" keeps (first, count) per row and updates in proportion to the change, "recompute" starts over at
    every change; "counting", "dred", "dredc", "bf" and "bfc" are to be compared with them (see `ladder.engine.local.strategies`).
    `engine`: "local"; "spark": bootstraps run on Spark, updates here as long as the state fits; "auto": where the facts fit. With these, the
    object is a `SparkDatabase`, whose class describes its further keywords (`spark`, `master`, `spark_conf`, …). `switch`: the share of the last bootstrap's time after which an update is abandoned for a bootstrap;
    None: never, as with the other strategies. `limits`: of each bootstrap and update, which end in `TimedOut` or `OutOfMemory` and
    leave the old state. `jobs`: threads. `profile`: measure what each rule takes (see the attribute of this name), in one thread. Raises `LadderError` for rows that do not fit and for what is not supported.
    """

    engine = "local"

    def __new__(cls, program: Program | None = None, strategy: str = "elastic", engine: str = "local", *_: Any, **__: Any) -> Self:
        """A `SparkDatabase` where the engine is not the local one."""
        if engine not in ENGINES:
            raise Unsupported(f"There is no engine {engine!r}.", f"There are {', '.join(ENGINES)}.")
        if engine != "local" and cls is Database:
            from ladder.api.spark_database import SparkDatabase

            return object.__new__(SparkDatabase)     # type: ignore[return-value]
        return object.__new__(cls)

    def __init__(self, program: Program, strategy: str = "elastic", engine: str = "local", switch: float | None = DEFAULT_SHARE,
                 limits: Limits = NO_LIMITS, jobs: int = 1, profile: bool = False, **of_spark: Any) -> None:
        _refuse_unused(of_spark)
        self._begin(program, strategy, switch, limits, jobs, profile)
        self._engine: LocalEngine | None = LocalEngine(self._core, watch=self.watch, strategy=strategy, jobs=self.jobs)
        self._engine.profile = self.profile
        self._pending: dict[str, list[Cells]] | None = {}

    def _begin(self, program: Program, strategy: str, switch: float | None, limits: Limits, jobs: int, profile: bool) -> None:
        if switch is not None and not switch >= 0:
            raise LadderError(f"A share of a bootstrap's time is not negative: {switch}.")
        self.program, self.strategy, self.switch = program, strategy, switch if strategy == "elastic" else None
        self.watch, self.jobs, self.profile = Watch(limits), 1 if profile else jobs, Profile() if profile else None
        self.note = ""
        self._core: core.Program = program.core
        self._saved: SavedState | None = None
        self._elsewhere: dict[Path, SavedState] = {}     # folders that it was saved in before
        self._rules = Rules(program)
        self.opening: Delta | None = None     # what a program that was edited changed in the state that was opened, …
        self.new_inputs: tuple[str, ...] = ()     # … and the inputs that it has for the first time: nothing was given for them

    # ---- facts

    def load(self, folder: str | Path, missing_is_empty: bool = False) -> None:
        """Add the facts of every `.input` relation from its file in a folder; `missing_is_empty`: one that is not there has no rows."""
        for name, rows in read_facts(self._core, Path(folder), missing_is_empty):
            self.load_rows(name, rows)

    def load_rows(self, relation: str, rows: Any) -> None:
        """Add facts: tuples of Python values, or a table of pyarrow, pandas, Spark, polars, ….

        A record is a tuple or None, `$Branch(x)` the tuple ("Branch", x); in tables texts as in fact files will do. What has names is read
        by them: tables, and rows and records that are dicts, named tuples or dataclasses; names that do not fit are an error (`by_name`).
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
        engine = self._ready()
        self.watch.begin()
        deleted = {name: self._cells(name, rows) for name, rows in (delete or {}).items()}
        inserted = {name: self._cells(name, rows) for name, rows in (insert or {}).items()}
        return self._change(engine, deleted, inserted)

    def replace_facts(self, facts: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Delta:
        """Let these be the given facts of these relations from now on: what differs is deleted and inserted.

        `facts`: relation → rows, or pairs of them, where rows of one relation may come in several pairs.
        """
        engine = self._ready()
        self.watch.begin()
        parts: dict[str, list[Cells]] = {}
        for name, rows in facts.items() if isinstance(facts, Mapping) else facts:
            parts.setdefault(name, []).append(self._cells(name, rows))
        deleted, inserted = {}, {}
        for name, given_in_parts in parts.items():
            cells = np.concatenate(given_in_parts)
            old, given = engine.given_facts(name, cells)
            deleted[name], inserted[name] = old[given], cells[~engine.is_given(name, cells)]
        return self._change(engine, deleted, inserted)

    def _change(self, engine: LocalEngine, deleted: Mapping[str, Cells], inserted: Mapping[str, Cells]) -> Delta:
        """Bring the state to changed facts, by an update or a bootstrap."""
        with self._telling():
            return self._changed(engine, deleted, inserted)

    @contextmanager
    def _telling(self, sources: Mapping[str, str] | None = None) -> Iterator[None]:
        """Errors of a rule leave the block with its line; `sources`: file → text, if not those of the program."""
        try:
            yield
        except LadderError as error:
            from ladder.language.faults import with_excerpt

            raise with_excerpt(error, sources or self.program.sources)

    def _changed(self, engine: LocalEngine, deleted: Mapping[str, Cells], inserted: Mapping[str, Cells]) -> Delta:
        began, timings = self.watch.clock(), dict[str, float]()
        if self.strategy == "recompute":
            return self._rebuild(self._core, deleted, inserted, "The strategy recompute starts over at every change.")
        reason = self._hopeless(engine, deleted, inserted)
        if not reason:
            try:
                return self._updated(engine, deleted, inserted, timings)
            except NotWorthIt:
                reason = self._abandoned(engine, timings)
        return self._rebuild(self._core, deleted, inserted, reason, began, timings)

    def _abandoned(self, engine: LocalEngine, timings: Mapping[str, float]) -> str:
        return (f"The update was abandoned after {timings['update']:.3f} s: "
                f"the last bootstrap took {engine.costs.bootstrap or 0:.3f} s, of which it may take {self.switch:.0%}.")

    def _hopeless(self, engine: LocalEngine, deleted: Mapping[str, Cells], inserted: Mapping[str, Cells]) -> str:
        """Why an update would take longer than it may, at what each changed fact costs at least; "" where it may not."""
        allowed = engine.costs.allowed(self.switch)
        if allowed is None or engine.costs.least(sum(map(len, (*deleted.values(), *inserted.values())))) <= allowed:
            return ""
        changed = sum(int((~engine.is_given(name, cells)).sum()) for name, cells in inserted.items())
        changed += sum(int(engine.is_given(name, cells).sum()) for name, cells in deleted.items())
        if (least := engine.costs.least(changed)) <= allowed:
            return ""
        engine.costs.note_decision()
        return f"An update for {changed:,} changed facts would take {least:.3f} s or more, and may take {allowed:.3f} s."

    def _updated(self, engine: LocalEngine, deleted: Mapping[str, Cells], inserted: Mapping[str, Cells], timings: dict[str, float]) -> Delta:
        """An update; `NotWorthIt`, with its seconds in `timings`, where it takes longer than it may."""
        started, clock = self.watch.clock(), self.watch.work
        if not engine.rehearsed:
            began = clock()
            engine.rehearse()
            timings["prepare"] = clock() - began
        began, allowed = clock(), engine.costs.allowed(self.switch)
        self.watch.switch_at = None if allowed is None else began + allowed
        try:
            engine.update(deleted, inserted)
            try:
                changes = {name: (came, went) for name, came, went in engine.changes(self._core)}
            except BaseException:
                engine.abandon()
                raise
            report = engine.finish()
        finally:
            self.watch.switch_at = None
            timings["update"] = clock() - began
            engine.costs.note_update(timings["update"], sum(map(len, (*deleted.values(), *inserted.values()))))
        reason = "The change is small enough for an update." if allowed is not None else "An update may take any time."
        return self._delta(changes, Work("update", reason, self.watch.clock() - started, timings, report.changed_rows))

    def _rebuild(self, program: core.Program, deleted: Mapping[str, Cells], inserted: Mapping[str, Cells], reason: str,
                 began: float | None = None, timings: dict[str, float] | None = None) -> Delta:
        """Evaluate a program from scratch over the facts, changed so; the old state stands until that is done."""
        old, clock = self._ready(), self.watch.clock
        began = clock() if began is None else began
        facts: dict[str, Cells] = {}
        for name in program.declared:
            if name in old.program.relations:
                cells, given = old.given_facts(name, deleted.get(name))
                facts[name] = cells[given]
            if name in inserted:
                facts[name] = np.concatenate([facts[name], inserted[name]])
        new = old.successor(program)
        new.bootstrap({name: cells for name, cells in facts.items() if len(cells)})
        changes = {}
        for name in program.declared:
            after = new.store.present_cells(new.numbers[name])
            came, went = after, after[:0]
            if name in old.numbers and same_cells(name, old.program, program):
                before = old.store.present_cells(old.numbers[name])
                if len(before) < len(after):     # the fewer rows are looked up among the more
                    went, came = new.store.compared(new.numbers[name], before)
                else:
                    came, went = old.store.compared(old.numbers[name], after)
            if len(came) or len(went):
                changes[name] = (came, went)
        self._engine, self._core = new, program
        self._saved = None if self._saved is None else self._saved.renewed()
        new.costs.per_fact = old.costs.per_fact
        timings = {**(timings or {}), "bootstrap": new.costs.bootstrap or 0.0}
        impact = sum(len(came) + len(went) for came, went in changes.values())
        return self._delta(changes, Work("bootstrap", reason, clock() - began, timings, impact))

    def _delta(self, changes: Mapping[str, tuple[Cells, Cells]], work: Work) -> Delta:
        came, went = ({name: self._rows(name, sides[side]) for name, sides in changes.items()} for side in (0, 1))
        return Delta(self._core, came, went, work)

    def _rows(self, stored: str, cells: Cells) -> CellRows:
        return CellRows(self, self._ready().relations[stored], cells)

    @property
    def values(self) -> Values:
        """What cells stand for."""
        return self._ready().values

    def _ready(self) -> LocalEngine:
        """The engine, with everything that is pending evaluated."""
        if self._engine is None:
            raise LadderError("The database could not be evaluated.")
        if self._engine.half_done:
            raise LadderError("An earlier change was cut short for want of memory while it was completed.", "Open the saved state again, or load the facts.")
        if self._pending is not None:
            facts = {name: cells[0] if len(cells) == 1 else np.concatenate(cells) for name, cells in self._pending.items()}
            self._pending = None
            self.watch.begin()
            try:
                with self._telling():
                    self._engine.bootstrap(facts)
            except BaseException:
                self._engine = None
                raise
        return self._engine

    def _cells(self, name: str, rows: Any) -> Cells:
        """Rows as cells; known to the program, of the right width and types."""
        engine = self._engine
        assert engine is not None
        if not self._core.declares(name):
            raise LadderError(f"The program has no relation {name}.", f"It has {', '.join(sorted(self.relations)[:8])}, …")
        if isinstance(rows, PlainText):
            from ladder.engine.local.values.texts import cells_of_lines
            cells = rows.cells(partial(cells_of_lines, engine.values.symbols))
            if cells is not None:
                return engine.pad(name, cells)
            rows = rows.exactly()
        if (table := table_of(rows)) is not None:
            from ladder.engine.local.values.arrow import cells_of_table
            return engine.pad(name, cells_of_table(engine.values, table, engine.program.relations[name], self._read_text))
        return engine.encode_facts(name, rows)

    def _read_text(self, text: str, type_: core.Type) -> Any:
        try:
            return read_value(text, type_, self._core.types)
        except Unreadable as error:
            raise LadderError(f"{text!r} is not a value of type {type_.name}: {error}") from None

    # ---- rules

    def add_rules(self, text: str) -> Delta:
        """Add rules, facts and declarations; what follows from them comes, and what they contradict goes, in one transaction."""
        return change_rules(self, self._rules.with_added(text))

    def remove_rules(self, text: str) -> Delta:
        """Remove rules and facts, written as in the program up to layout, all copies of them; what followed from them alone goes.

        A fact that was given as well stays.
        """
        return change_rules(self, self._rules.without(text))

    # ---- results

    def __getitem__(self, relation: str) -> Rows:
        """The rows of a relation; of an aggregated one, the final total of each group."""
        if relation not in self._core.relations:
            raise KeyError(relation)
        engine = self._ready()
        return Rows(self._rows(relation, engine.store.present_cells(engine.numbers[relation])))

    @property
    def report(self) -> RunReport | None:
        """What the last bootstrap took, by component and iteration, where it ran on Spark."""
        return None

    def close(self) -> None:
        """Give back what is held outside of this process; only a database on Spark holds something there."""

    @property
    def relations(self) -> tuple[str, ...]:
        """Names of the program's relations."""
        return self._core.declared

    @property
    def stored_relations(self) -> tuple[str, ...]:
        """Names of all stored relations: beside the program's, those that stand behind them.

        `R$in`, `R$all` and `R$facts` belong to an aggregated relation, `R$facts` to an ordered one, `R$edge` to an equivalence;
        aggregates in bodies have relations of their own.
        """
        return tuple(name for name in self._ready().relations if not name.startswith(("[]", "$")))

    def names_in(self, other: Database) -> dict[str, str]:
        """Stored relation → its name in another database of the same program.

        Where rules came and went, relations of aggregates in bodies keep the names that they had before.
        """
        from ladder.language.versions.rule_changes import helper_names

        theirs = {ours: name for name, ours in helper_names(other._core, self._core).items()}
        parts = {name: (name, "") if name in theirs else (name.rpartition("$")[0], name[name.rfind("$"):]) for name in self.stored_relations}
        return {name: theirs[base] + rest if base in theirs else name for name, (base, rest) in parts.items()}

    def state(self, relation: str) -> pa.Table:
        """The rows of a stored relation with the iteration in which each first appeared and its derivations there."""
        import pyarrow as pa
        engine = self._ready()
        cells, first, counts = engine.store.present(engine.numbers[relation])
        table = in_one_table(self._rows(relation, cells))
        return table.append_column(COUNTS[0], pa.array(first)).append_column(COUNTS[1], pa.array(counts))

    @property
    def bootstrap_seconds(self) -> float:
        """How long the last bootstrap took."""
        return self._ready().costs.bootstrap or 0.0

    def explain(self, relation: str, row: Sequence[Any]) -> Explanation:
        """Why a row is there: a derivation of least height, down to given facts."""
        engine = self._ready()
        columns = [column.name for column in self._core.relations[relation].columns] if relation in self._core.relations else []
        return explain(engine, relation, tuple(row_in_order(row, columns, relation)))

    def register(self, spark: Any, folder: str | Path | None = None) -> list[View]:
        """Make the relations temporary views of a Spark session (see `ladder.api.views`); what views there are."""
        from ladder.api.views import register_views
        return register_views(spark, self, folder=None if folder is None else Path(folder))

    # ---- state on disk

    def save(self, path: str | Path, note: str = "") -> None:
        """Save the state in a folder: all of it the first time, then what changed; `note` is kept with it, in one step.

        `StateError` where somebody else has saved there since this database was opened from there, or saved there, and where the folder
        holds the state of another program: what is there stands.
        """
        engine = self._ready()
        if self.strategy != "recompute":
            engine.prepare_updates()
        self._saved = self._saved_in(Path(path))
        self._saved.save(engine, Origin(self.program.fingerprint, self._rules.description()), note)
        self.note = note

    def _saved_in(self, folder: Path) -> SavedState:
        """What is known of the state in a folder: since this database was opened from there or saved there, if it was."""
        if self._saved is not None and self._saved.folder == folder:
            return self._saved
        if self._saved is not None:
            self._elsewhere[self._saved.folder.resolve()] = self._saved
        known = self._elsewhere.get(folder.resolve())
        return SavedState(folder) if known is None else replace(known.renewed(), folder=folder)

    @staticmethod
    def open(path: str | Path, program: Program, strategy: str = "elastic", switch: float | None = DEFAULT_SHARE,
             limits: Limits = NO_LIMITS, jobs: int = 1, profile: bool = False, engine: str = "local", trust: bool = False,
             **of_spark: Any) -> Database:
        """A saved state; raises `StateError` where there is none, or a damaged or foreign one.

        A state is foreign where another user, or this one with another key, has saved it (see `ladder.support.private`). `trust`: it is opened all
        the same, after all that it holds was checked; what it says is believed then.

        Rules added or removed in the saved database are so in this one. A program that was edited since stands for
        itself: the state becomes that of its text, as if its rules had been added and removed (see `opening`).
        `engine`: where changes that are too large for an update are evaluated.
        """
        db = Database.__new__(Database, engine=engine)
        db._begin(program, strategy, switch, limits, jobs, profile)
        db._set_up(engine, of_spark)
        edited: list[set[str]] = []
        db._engine, db._saved, db.note = open_state(Path(path), lambda saved: core_of_saved(db, saved, edited), db.watch, strategy, trust)
        db._engine.jobs, db._engine.profile = db.jobs, db.profile
        db._core, db._pending = db._engine.program, None
        if edited:
            db.opening = follow_edit(db, edited[0])
        return db

    def _set_up(self, engine: str, of_spark: Mapping[str, Any]) -> None:
        """What an engine needs to know of a database that is opened."""
        _refuse_unused(of_spark)


def _refuse_unused(of_spark: Mapping[str, Any]) -> None:
    """`LadderError` for keywords that only Spark heeds."""
    if unknown := of_spark.keys() - Options.__annotations__.keys():
        raise TypeError(f"Database has no keyword {min(unknown)}.")
    if named := [name for name, value in of_spark.items() if value]:
        raise LadderError(f"The local engine has no use for {', '.join(named)}.", 'Say engine="spark" or engine="auto".')
