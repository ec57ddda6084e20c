"""`Database`: the relations of a program over facts that change, for Python users.

    db = Database(Program.load("pointsto.dl"))
    db.load("facts/")                                           # R.facts for every .input R; or db.load_rows("R", rows)
    delta = db.update(insert={"edge": [(1, 2)]}, delete={"edge": [(2, 3)]})
    delta.inserted["path"], delta.deleted["path"]
    db["path"], db.explain("path", (1, 3)), db.save("state"), Database.open("state", program)

A database has a backend, which holds the state (see `ladder.engine.backend`). It asks `ladder.policy` where the program
is evaluated and whether a change is made by an update or a bootstrap, and moves the state where another backend is
chosen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ladder.api.joining import joined
from ladder.api.options import Options
from ladder.api.program import Program
from ladder.api.rows import Delta, Rows, Work
from ladder.api.rules import Opening, Rules
from ladder.engine.backend import (
    NO_CHANGE,
    Backend,
    Capability,
    Change,
    Changes,
    Facts,
    FactsDoNotFit,
    InFolder,
    InParts,
    OfRelation,
    Remote,
    Settings,
    Unmaintainable,
    kept_for_reading,
    refusal,
)
from ladder.engine.local.backend import LocalBackend
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.profile import Profile
from ladder.engine.registry import BACKENDS, backend_class
from ladder.engine.rows import in_one_table
from ladder.errors import LadderError, StateError, Unsupported
from ladder.facts.files import read_facts
from ladder.language import core
from ladder.policy.placement import Choice, chosen, facts_in
from ladder.policy.rebuild import Decision, Known, update_or_bootstrap
from ladder.support.by_name import row_in_order
from ladder.support.limits import NO_LIMITS, Limits, NotWorthIt, Watch
from ladder.support.shown import shown
from ladder.support.tuning import DEFAULT, Placing, Tuning

if TYPE_CHECKING:
    import pyarrow as pa

    from ladder.api.views import View
    from ladder.engine.local.explain import Explanation
    from ladder.engine.spark.report import RunReport

COUNTS = ("first", "count")
BY_RELATION = 'Say which: {"edge": [(1, 2), (2, 3)]}.'
# engine → the backend whose states may be handed over to the local one, and back
AWAY = {"spark": "spark", "auto": "spark"}


class Database:
    """The state of a program over its facts. Facts that are asserted before its rows are first read are evaluated in
    one bootstrap.

    `strategy`: how rows are maintained. "elastic" keeps (first, count) per row and updates in proportion to the change,
    "recompute" evaluates from scratch at every change; "counting", "dred", "dredc", "bf" and "bfc" are other
    algorithms, for comparison (see `ladder.engine.local.strategies`). `engine`: "local"; "spark": bootstraps run on
    Spark, updates on this machine as long as the state fits its memory; "auto": "spark" where the facts may not fit
    this machine, else "local"; "reference": the executable definition, for small programs. `switch`: the share of the
    time of starting over after which an update is abandoned for a bootstrap; None: never, as with strategies other than
    "elastic". `limits`: time and memory of each bootstrap and update; one that exceeds them raises `TimedOut` or
    `OutOfMemory` and leaves the old state. `jobs`: number of threads. `profile`: measure time and rows of each rule in
    the attribute `profile`; the evaluation then has one thread. `tuning`: performance thresholds (see
    `ladder.support.tuning`), which never change the rows.

    The engines "spark" and "auto" have further options. `spark`: the Spark session to use, which is never stopped;
    without one, the active session of the process, else a new one on `master` (None: this machine) with the settings
    `spark_conf`, which `close` stops. `checkpoints`: a folder for checkpoints of the evaluation, on a cluster one that
    all machines see; `resume`: go on from the last of them. `progress`: a function that is called after every iteration
    with its relations, the numbers of the stage, of all stages and of the iteration, and how many rows appeared. The
    attribute `choice` says which engine was chosen for the last bootstrap, and why.

    Raises `LadderError` for rows that do not fit their relation and for what the engine does not support.
    """

    def __init__(
        self,
        program: Program,
        strategy: str = "elastic",
        engine: str = "local",
        switch: float | None = DEFAULT.rebuilding.share,
        limits: Limits = NO_LIMITS,
        jobs: int = 1,
        profile: bool = False,
        tuning: Tuning = DEFAULT,
        **own: Any,
    ) -> None:
        self._begin(program, strategy, engine, switch, limits, jobs, profile, tuning, own)
        self._backend: Backend | None = self._remote
        if engine == "auto":
            self._backend = None  # the facts decide
        elif self._remote is None:
            self._backend = backend_class(engine)(program.core, self._settings)
        self._evaluated = False

    def _begin(
        self,
        program: Program,
        strategy: str,
        engine: str,
        switch: float | None,
        limits: Limits,
        jobs: int,
        profile: bool,
        tuning: Tuning,
        own: Mapping[str, Any],
    ) -> None:
        """Check the options and store them; the backend for the state is not made yet."""
        if not isinstance(program, Program):
            raise LadderError(
                f"A database is made of a Program, not of {shown(program)}.",
                "Program.parse(text) and Program.load(path) make one.",
            )
        if engine not in (*BACKENDS, "auto"):
            raise Unsupported(f"There is no engine {engine!r}.", f"There are {', '.join((*BACKENDS, 'auto'))}.")
        if switch is not None and not switch >= 0:
            raise LadderError(f"A share of a bootstrap's time is not negative: {switch}.")
        kind = backend_class(AWAY.get(engine, engine))
        if unknown := own.keys() - Options.__annotations__.keys():
            raise TypeError(f"Database has no keyword {min(unknown)}.")
        if unused := [name for name, value in own.items() if value and name not in kind.own]:
            raise refusal(engine, f"has no use for {', '.join(unused)}", instead='Say engine="spark" or engine="auto".')
        if profile and Capability.PROFILE not in kind.capabilities:
            raise refusal(engine, Capability.PROFILE)
        refuse_strategy(AWAY.get(engine, engine), strategy)
        self.program, self.strategy, self.engine, self.switch = (
            program,
            strategy,
            engine,
            switch if strategy == "elastic" else None,
        )
        self.watch, self.jobs, self.profile = Watch(limits), 1 if profile else jobs, Profile() if profile else None
        self.note = ""
        self._evaluating = False
        self.choice = Choice(AWAY.get(engine, engine), f"{engine.capitalize()} was asked for.")
        self.opening: Delta | None = None  # what a program that was edited changed in the state that was opened, …
        # … and the inputs that it has for the first time: no facts were asserted for them
        self.new_inputs: tuple[str, ...] = ()
        self._settings = Settings(
            strategy, self.watch, self.jobs, self.profile, program.sources, engine != "auto", own, tuning
        )
        self._remote = cast(Remote, kind(program.core, self._settings)) if engine in AWAY else None
        self._waiting: list[Facts] = []  # until it is decided where they are evaluated
        self._rules = Rules(program)

    def close(self) -> None:
        """Release what the database holds on Spark, and stop the session that it started."""
        if self._backend is not None and self._backend is not self._remote:
            self._backend.close()
        if self._remote is not None:
            self._remote.close()
            self._backend = None if self._backend is self._remote else self._backend

    # ---- facts

    def load(self, folder: str | Path, missing_is_empty: bool = False) -> None:
        """Add the facts of every `.input` relation from its file in a folder; `missing_is_empty`: a missing file counts
        as empty. On Spark, its workers read the files."""
        if not self._evaluated:
            self._add_facts(InFolder(Path(folder), missing_is_empty))
            return
        for name, rows in read_facts(self._core, Path(folder), missing_is_empty, self._settings.tuning.reading):
            self.update(insert={name: rows})

    def load_rows(self, relation: str, rows: Any) -> None:
        """Add facts: tuples of Python values, or a table of pyarrow, pandas, Spark, polars, ….

        A record is a tuple or None, `$Branch(x)` is the tuple ("Branch", x); tables may hold both as texts, as fact
        files do. Columns and fields with names (of tables, dicts, named tuples and dataclasses) are matched by name;
        names that do not fit are an error (see `ladder.support.by_name`). On Spark, `rows` may also be a function from
        a session to a DataFrame.
        """
        if self._evaluated:
            self.update(insert={relation: rows})
        else:
            self._add_facts(OfRelation(self._declared(relation), rows))

    def load_source(self, source: Any) -> None:
        """Add facts of several relations, in parts that Spark's workers read by themselves (see `Source` in
        `ladder.engine.spark.facts.sources`). `LadderError` once the program was evaluated."""
        if self._evaluated:
            raise LadderError("Facts that workers read are loaded before a bootstrap.", "Hand over rows (load_rows).")
        self._add_facts(InParts(source))

    def _add_facts(self, facts: Facts) -> None:
        self._refuse_while_evaluating()
        if self._backend is not None:
            self._backend.add_facts(facts)
        else:
            self._waiting.append(
                OfRelation(facts.relation, kept_for_reading(facts.rows)) if isinstance(facts, OfRelation) else facts
            )

    def _declared(self, relation: str) -> str:
        """The name itself; `LadderError` where the program has no such relation."""
        if not self._core.declares(relation):
            raise LadderError(
                f"The program has no relation {relation}.", f"It has {', '.join(sorted(self.relations)[:8])}, …"
            )
        return relation

    def _expect_relations(self, change: Mapping[str, Any] | None) -> None:
        """Raise `LadderError` for what is no mapping from relations to rows."""
        if not isinstance(change, Mapping | None):
            raise LadderError(f"Facts are given by relation, not as {shown(change)}.", BY_RELATION)
        for name in change or ():
            self._declared(name)

    def bootstrap(self, facts: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """Evaluate from scratch over these facts (and any loaded before).

        `facts`: relation → rows, or pairs (relation, rows), none of which is kept once it is read.
        """
        for name, rows in _by_relation(facts):
            self.load_rows(name, rows)
            del rows
        self._with_state()

    def update(self, insert: Mapping[str, Any] | None = None, delete: Mapping[str, Any] | None = None) -> Delta:
        """Delete and insert facts in one transaction. Returns which rows came and went in every relation.

        A fact that is both deleted and inserted is there afterwards. Whatever is raised, the old state remains.
        """
        self._with_state()
        for side in (delete, insert):
            self._expect_relations(side)
        return self._change(Change(insert or {}, delete or {}))

    def replace_facts(self, facts: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Delta:
        """Replace the asserted facts of these relations in one transaction, which deletes and inserts what differs.

        `facts`: relation → rows, or pairs (relation, rows), several of which may have the same relation.
        """
        self._with_state()
        return self._change(Change(replaced=((self._declared(name), rows) for name, rows in _by_relation(facts))))

    def _change(self, change: Change) -> Delta:
        """Make a change of facts by an update or a bootstrap."""
        backend = self._with_state()
        self.watch.begin()
        return self._changed(backend, backend.encoded(change))

    def _changed(self, backend: Backend, change: Change) -> Delta:
        """Do the same as `_change` for a change that the backend has encoded."""
        began, timings, known = self.watch.clock(), dict[str, float](), backend.known(change)
        with self._telling():
            decision = self._decided(known)
            if decision.update and Capability.UPDATE not in backend.capabilities:
                backend = self._able(Capability.UPDATE)
                return self._changed(backend, backend.encoded(change))
            if decision.update:
                try:
                    with self._alone():
                        changes = backend.update(change, decision.allowed, timings)
                    return self._delta("update", decision.reason, changes, began, timings)
                except NotWorthIt:
                    decision = self._decided(known, spent=timings["update"])
            return self._recomputed(backend, change, backend.program, decision.reason, began, timings)

    def _decided(self, known: Known, **more: Any) -> Decision:
        """Whether a change is made by an update; `more`: further parameters of `update_or_bootstrap`."""
        return update_or_bootstrap(self.strategy, self.switch, known, tuning=self._settings.tuning.rebuilding, **more)

    def _recomputed(
        self,
        backend: Backend,
        change: Change,
        program: core.Program,
        reason: str,
        began: float,
        timings: Mapping[str, float],
    ) -> Delta:
        """Evaluate from scratch on the engine of the last bootstrap; the old state remains until that is done."""
        if self._remote is not None and self.choice.engine == self._remote.name and backend is not self._remote:
            with self._alone():
                changes = self._remote.recompute_from(backend, change, program)
            self._backend = self._remote
        else:
            with self._alone():
                changes = backend.recompute(change, program)
        return self._delta("bootstrap", reason, changes, began, timings)

    def _delta(self, mode: str, reason: str, changes: Changes, began: float, timings: Mapping[str, float]) -> Delta:
        engine = self._with_state().name
        work = Work(
            mode,
            changes.reason or reason,
            self.watch.clock() - began,
            {**timings, **changes.timings},
            changes.changed_states,
            engine=engine,
        )
        return Delta(self._core, changes.came, changes.went, work)

    @contextmanager
    def _telling(self, sources: Mapping[str, str] | None = None) -> Iterator[None]:
        """A block whose errors of a rule are shown with its line; `sources`: file → text, those of the program by
        default."""
        try:
            yield
        except LadderError as error:
            from ladder.language.faults import with_excerpt

            raise with_excerpt(error, sources or self.program.sources)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """A block that evaluates; the program's functors and lattices, which it calls, cannot use the database."""
        self._refuse_while_evaluating()
        self._evaluating = True
        try:
            yield
        finally:
            self._evaluating = False

    def _refuse_while_evaluating(self) -> None:
        """Raise `LadderError` during an evaluation, whose state is neither the old one nor the new one."""
        if self._evaluating:
            raise LadderError(
                "The database is being evaluated, and cannot be used until that is done.",
                "Functors and lattices compute with their arguments alone, and threads take turns.",
            )

    # ---- where the state is

    def _with_state(self) -> Backend:
        """The backend with the state; facts that were added before the first bootstrap are evaluated first."""
        self._refuse_while_evaluating()
        if not self._evaluated:
            self._evaluated = True
            self.watch.begin()
            backend, self._backend = self._backend, None  # if this fails, there is no state
            with self._telling():
                backend = self._placed() if backend is None else backend
                with self._alone():
                    backend.bootstrap()
            self._backend = backend
        if self._backend is None:
            raise LadderError("The database could not be evaluated.")
        return self._backend

    def _placed(self) -> Backend:
        """The backend chosen by the number of the facts, with these facts loaded."""
        tuning = self._settings.tuning.placing
        size = sum(_size(facts, self.program.core, tuning) for facts in self._waiting)
        self.choice = chosen(size, self.watch.limits, tuning)
        remote = self._remote if self._remote is not None and self.choice.engine == self._remote.name else None
        backend = remote or backend_class(self.choice.engine)(self.program.core, self._settings)
        for facts in self._waiting:
            backend.add_facts(facts)
        self._waiting = []
        return backend

    def _able(self, capability: Capability) -> Backend:
        """A backend with the state that has this capability: the present one, or the local one if the state fits there.
        Raises `Unsupported` otherwise."""
        backend = self._with_state()
        if capability in backend.capabilities:
            return backend
        if self._remote is None or backend is not self._remote:
            raise refusal(backend.name, capability)
        if reason := self._remote.state_too_large():
            raise refusal(backend.name, capability, reason, "Read it on Spark (frame), or allow more memory.")
        self._backend = self._remote.to_local()
        return self._backend

    def _ready(self) -> LocalEngine:
        """The local engine with the state, for measurements and for tests of its internals."""
        backend = self._able(Capability.UPDATE)
        assert isinstance(backend, LocalBackend)
        return backend.engine

    @property
    def _core(self) -> core.Program:
        """The program of the state, with the rules that were added and without those that were removed."""
        return self.program.core if self._backend is None else self._backend.program

    # ---- rules

    def add_rules(self, text: str) -> Delta:
        """Add rules, facts and declarations to the program in one transaction. Returns which rows came and went."""
        return self._change_rules(self._rules.with_added(text))

    def remove_rules(self, text: str) -> Delta:
        """Remove rules and facts from the program in one transaction. Returns which rows came and went.

        They are written as in the program, except for layout; all copies of each are removed. A fact that was asserted
        as well stays.
        """
        return self._change_rules(self._rules.without(text))

    def _change_rules(self, rules: Rules) -> Delta:
        """Change the rules of the state: by an update where that is possible, else by a bootstrap; the result says
        which, and why."""
        self._able(Capability.EVOLVE)
        self.watch.begin()
        with self._telling(rules.compiled.sources.texts):
            delta = self._evolve(rules.compiled.core)
        self._rules = rules
        return delta

    def _evolve(self, program: core.Program, others: Collection[str] | None = None) -> Delta:
        """Change the state to another version of the program; `others`: names of functions and lattices whose code has
        changed."""
        from ladder.language.versions.identity import identities, redefined
        from ladder.language.versions.rule_changes import aligned, with_objects_of

        backend, began, timings = self._able(Capability.EVOLVE), self.watch.clock(), dict[str, float]()
        before, known = backend.program, backend.known(NO_CHANGE)
        others = redefined(identities(before), identities(program)) if others is None else others
        program = with_objects_of(aligned(program, before), before, others)
        decision = self._decided(known, rules=True)
        if decision.update:
            try:
                with self._alone():
                    changes = backend.evolve(program, others, decision.allowed, timings)
                return self._delta("update", decision.reason, changes, began, timings)
            except FactsDoNotFit:
                raise
            except Unmaintainable as error:
                decision = self._decided(known, rules=True, failed=error.message)
            except NotWorthIt:
                decision = self._decided(known, rules=True, spent=timings["update"])
        return self._recomputed(backend, NO_CHANGE, program, decision.reason, began, timings)

    def _follow_edit(self, program: core.Program, others: Collection[str]) -> Delta:
        """Change an opened state to the present version of its program; facts of relations that are inputs no longer
        are deleted."""
        from ladder.engine.local.saved.program import inputs_of

        old = self._core
        try:
            with self._telling():
                delta = self._evolve(program, others)
        except FactsDoNotFit as error:
            raise StateError(error.message) from error
        backend, before, now = self._able(Capability.FACTS), inputs_of(old), inputs_of(self._core)
        self.new_inputs = tuple(name for name in now if name not in before)
        gone = [name for name in before if name not in now and name in self._core.relations and name in old.relations]
        gone = [name for name, rows in backend.facts(gone) if len(rows)]
        return joined(delta, self._change(Change(replaced=[(name, []) for name in gone]))) if gone else delta

    # ---- results

    def __getitem__(self, relation: str) -> Rows:
        """The rows of a relation; of an aggregated one, the final total of each group."""
        if relation not in self._core.relations:
            raise KeyError(relation)
        return Rows(self._with_state().rows(relation))

    def __contains__(self, relation: object) -> bool:
        """Whether the program has a relation of this name."""
        return relation in self._core.relations

    __iter__ = None  # else Python would ask for the relations 0, 1, …

    def frame(self, relation: str) -> Any:
        """The rows of a relation as a Spark DataFrame with its columns, which can be read as long as its session
        lives."""
        rows = self[relation]
        return (self._remote or self._with_state()).frame(rows.source)

    @property
    def report(self) -> RunReport | None:
        """Time and rows of the last bootstrap by component and iteration, if it ran on Spark; None otherwise."""
        backend = self._remote or self._backend
        report: RunReport | None = None if backend is None else backend.report
        return report

    @property
    def relations(self) -> tuple[str, ...]:
        """Names of the program's relations."""
        return self._core.declared

    @property
    def stored_relations(self) -> tuple[str, ...]:
        """Names of all stored relations: those of the program and helper relations.

        `R$in`, `R$all` and `R$facts` belong to an aggregated relation R, `R$facts` to an ordered one, `R$edge` to an
        equivalence; aggregates in bodies of rules have helper relations, too.
        """
        return tuple(relation.name for relation in self._able(Capability.STATE).stored_relations())

    def names_in(self, other: Database) -> dict[str, str]:
        """Stored relation → its name in another database of the same program.

        Where rules were added and removed, helper relations of aggregates in bodies keep their names.
        """
        from ladder.language.versions.rule_changes import helper_parts

        theirs = {part.name: name for name, part in helper_parts(other._core, self._core).items()}

        def name(relation: core.Relation) -> str:
            part = relation.part
            there = theirs.get(relation.name) or part and part.of in theirs and replace(part, of=theirs[part.of]).name
            return there or relation.name

        return {relation.name: name(relation) for relation in self._able(Capability.STATE).stored_relations()}

    def state(self, relation: str) -> pa.Table:
        """The rows of a stored relation, with the iteration in which each first appeared (`first`) and the number of
        its derivations there (`count`)."""
        import pyarrow as pa

        stored = self._able(Capability.STATE).state(relation)
        return (
            in_one_table(stored.rows)
            .append_column(COUNTS[0], pa.array(stored.first))
            .append_column(COUNTS[1], pa.array(stored.counts))
        )

    @property
    def bootstrap_seconds(self) -> float:
        """How many seconds the last bootstrap took."""
        backend = self._with_state()
        if self._remote is not None and self.choice.engine == self._remote.name:
            backend = self._remote
        return backend.seconds

    def explain(self, relation: str, row: Sequence[Any], *, depth: int | None = None) -> Explanation:
        """Why a row is there: a derivation of least height from facts, or its first `depth` levels."""
        backend = self._able(Capability.EXPLAIN)
        if isinstance(row, str | bytes):
            raise LadderError(
                f"{shown(row)} is not a row of {relation}.", "A row is a tuple, or has the names of the columns."
            )
        columns = (
            [column.name for column in self._core.relations[relation].columns]
            if relation in self._core.relations
            else []
        )
        return cast("Explanation", backend.explain(relation, tuple(row_in_order(row, columns, relation)), depth))

    def register(self, spark: Any, folder: str | Path | None = None) -> list[View]:
        """Make the relations temporary views of a Spark session (see `ladder.api.views`). Returns the views."""
        from ladder.api.views import register_views

        return register_views(spark, self, folder=None if folder is None else Path(folder))

    # ---- state on disk

    def save(self, path: str | Path, note: str = "") -> None:
        """Save the state in a folder: all of it the first time, later what changed. `note` is a text that is saved with
        it.

        Raises `StateError`, and leaves the folder as it is, where somebody else has saved there since this database was
        opened from it or saved to it, or where it holds the state of another program. On Spark, its workers write the
        state, and must see the folder.
        """
        backend, rules = self._able(Capability.SAVE), self._rules
        made = rules.compiled.core if rules.changed else self.program.core
        language = self.program.made_by if backend.program is made else ""
        backend.save(Path(path), self.program.fingerprint, rules.description(), note, language)
        self.note = note

    @staticmethod
    def open(
        path: str | Path,
        program: Program,
        strategy: str = "elastic",
        switch: float | None = DEFAULT.rebuilding.share,
        limits: Limits = NO_LIMITS,
        jobs: int = 1,
        profile: bool = False,
        engine: str = "local",
        trust: bool = False,
        tuning: Tuning = DEFAULT,
        **own: Any,
    ) -> Database:
        """Open a saved state. Raises `StateError` where there is none, or where it is damaged or foreign.

        A state is foreign if another user saved it, or the same user with another key (see `ladder.support.private`).
        With `trust` it is opened all the same, after its structure was checked; its rows are taken as true.

        Rules that were added or removed in the saved database are so in this one. If the program was edited since, the
        state is changed to the new text, as if rules had been added and removed; the attribute `opening` says what that
        changed. `engine`: where changes that are too large for an update are evaluated.
        """
        db = Database.__new__(Database)
        db._begin(program, strategy, engine, switch, limits, jobs, profile, tuning, own)
        if db._remote is None and Capability.SAVE not in backend_class(engine).capabilities:
            raise refusal(engine, Capability.SAVE)
        if engine == "auto":
            db.choice = Choice("local", "The saved state fits this machine.")
        opening = Opening(program)
        db._backend, db.note = LocalBackend.open(Path(path), opening.core_of, db._settings, db.watch, trust)
        db._evaluated, db._rules = True, opening.rules
        if opening.edited is not None:
            db.opening = db._follow_edit(opening.core, opening.edited)
        return db


def refuse_strategy(engine: str, strategy: str) -> None:
    """Raise `Unsupported` for a strategy that the engine does not have."""
    there = backend_class(engine).strategies
    if strategy not in there and engine != "local":  # which tells by itself that there is no such strategy at all
        raise refusal(
            engine, f"has no strategy {strategy}", instead=f"It has {', '.join(sorted(there))}; the others are local."
        )


def _by_relation(facts: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Iterable[tuple[str, Any]]:
    """The relations of a mapping, or of pairs, with their rows."""
    if isinstance(facts, str | bytes):
        raise LadderError(f"Facts are given by relation, not as {shown(facts)}.", BY_RELATION)
    return facts.items() if isinstance(facts, Mapping) else facts


def _size(facts: Facts, program: core.Program, tuning: Placing) -> int:
    """The number of facts, estimated where they would have to be read to count them."""
    match facts:
        case InFolder(folder):
            return facts_in(program, folder, tuning)
        case InParts(source):
            return int(sum(source.sizes))
    return len(facts.rows) if hasattr(facts.rows, "__len__") else 0
