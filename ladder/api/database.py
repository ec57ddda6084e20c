"""`Database`: a program's relations over changing facts, for Python users.

    db = Database(Program.load("pointsto.dl"))
    db.load("facts/")                                           # R.facts for every .input R; or db.load_rows("R", rows)
    delta = db.update(insert={"edge": [(1, 2)]}, delete={"edge": [(2, 3)]})
    delta.inserted["path"], delta.deleted["path"]
    db["path"], db.explain("path", (1, 3)), db.save("state"), Database.open("state", program)

A database holds a backend, which has the state (see `ladder.engine.backend`), and asks `ladder.policy` where a program
is evaluated and whether a change is an update or a bootstrap. Where that takes another backend, it hands the state
over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, cast

from ladder.api.joining import joined
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
from ladder.engine.local.explain import Explanation
from ladder.engine.local.profile import Profile
from ladder.engine.local.saved.program import inputs_of
from ladder.engine.registry import BACKENDS, backend_class
from ladder.engine.rows import in_one_table
from ladder.errors import LadderError, StateError, Unsupported
from ladder.facts.files import read_facts
from ladder.language import core
from ladder.policy.placement import Choice, chosen, facts_in
from ladder.policy.rebuild import Decision, Known, update_or_bootstrap
from ladder.support.by_name import row_in_order
from ladder.support.limits import NO_LIMITS, Limits, NotWorthIt, Watch
from ladder.support.tuning import DEFAULT, Placing, Tuning

if TYPE_CHECKING:
    import pyarrow as pa

    from ladder.api.views import View
    from ladder.engine.spark.report import RunReport
    from ladder.engine.spark.runs import Progress

COUNTS = ("first", "count")
# engine → the backend whose states may be handed over to the local one, and back
AWAY = {"spark": "spark", "auto": "spark"}


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
    """The state of a program over its facts. Facts that are asserted before its rows are first read are evaluated in
    one bootstrap.

    `strategy`: "elastic" keeps (first, count) per row and updates in proportion to the change, "recompute" starts over
    at every change; "counting", "dred", "dredc", "bf" and "bfc" are to be compared with them (see
    `ladder.engine.local.strategies`). `engine`: "local"; "spark": bootstraps run on Spark, updates here as long as the
    state fits; "auto": there where the facts may not fit this machine; "reference": the definition, executable, for
    small programs. `switch`: the share of the last bootstrap's time after which an update is abandoned for a bootstrap;
    None: never, as with the other strategies. `limits`: of each bootstrap and update, which end in `TimedOut` or
    `OutOfMemory` and leave the old state. `jobs`: threads. `profile`: measure what each rule takes (see the attribute
    of this name), in one thread. `tuning`: thresholds by which work is done in one way or another (see
    `ladder.support.tuning`); rows are the same with any.

    Of "spark" and "auto" alone: `spark`: a session to be used, and never stopped; else the active one of the process,
    else one of our own on `master` (None: this machine) with the settings `spark_conf`, which `close` stops;
    `checkpoints`: a folder (on a cluster: one that all machines see) to write what is evaluated to every now and then;
    `resume`: go on from there; `progress`: told of every iteration: relations, stage, stages, iteration, rows that
    appeared. `choice`: which engine was taken for the last bootstrap, and why.

    Raises `LadderError` for rows that do not fit and for what is not supported.
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
        """What is asked for is kept, or refused; there is no backend for the state yet."""
        if engine not in (*BACKENDS, "auto"):
            raise Unsupported(f"There is no engine {engine!r}.", f"There are {', '.join((*BACKENDS, 'auto'))}.")
        if switch is not None and not switch >= 0:
            raise LadderError(f"A share of a bootstrap's time is not negative: {switch}.")
        heeding = backend_class(AWAY.get(engine, engine))
        if unknown := own.keys() - Options.__annotations__.keys():
            raise TypeError(f"Database has no keyword {min(unknown)}.")
        if unused := [name for name, value in own.items() if value and name not in heeding.own]:
            raise refusal(engine, f"has no use for {', '.join(unused)}", instead='Say engine="spark" or engine="auto".')
        if profile and Capability.PROFILE not in heeding.capabilities:
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
        self.choice = Choice(AWAY.get(engine, engine), f"{engine.capitalize()} was asked for.")
        self.opening: Delta | None = None  # what a program that was edited changed in the state that was opened, …
        # … and the inputs that it has for the first time: no facts were asserted for them
        self.new_inputs: tuple[str, ...] = ()
        self._settings = Settings(
            strategy, self.watch, self.jobs, self.profile, program.sources, engine != "auto", own, tuning
        )
        self._remote = cast(Remote, heeding(program.core, self._settings)) if engine in AWAY else None
        self._waiting: list[Facts] = []  # until it is decided where they are evaluated
        self._rules = Rules(program)

    def close(self) -> None:
        """Give back what is held outside of this process: what is on Spark, and a session of our own."""
        if self._backend is not None and self._backend is not self._remote:
            self._backend.close()
        if self._remote is not None:
            self._remote.close()
            self._backend = None if self._backend is self._remote else self._backend

    # ---- facts

    def load(self, folder: str | Path, missing_is_empty: bool = False) -> None:
        """Add the facts of every `.input` relation from its file in a folder; `missing_is_empty`: one that is not there
        has no rows.

        On Spark, its workers read them.
        """
        if not self._evaluated:
            self._take(InFolder(Path(folder), missing_is_empty))
            return
        for name, rows in read_facts(self._core, Path(folder), missing_is_empty):
            self.update(insert={name: rows})

    def load_rows(self, relation: str, rows: Any) -> None:
        """Add facts: tuples of Python values, or a table of pyarrow, pandas, Spark, polars, ….

        A record is a tuple or None, `$Branch(x)` the tuple ("Branch", x); in tables texts as in fact files will do.
        What has names is read by them: tables, and rows and records that are dicts, named tuples or dataclasses; names
        that do not fit are an error (`by_name`). On Spark, a function that gives a DataFrame of a session will do, too.
        """
        if self._evaluated:
            self.update(insert={relation: rows})
        else:
            self._take(OfRelation(self._declared(relation), rows))

    def load_source(self, source: Any) -> None:
        """Add facts of several relations, in parts that Spark's workers read by themselves (see
        `engine.spark.facts.sources`), before anything is evaluated."""
        if self._evaluated:
            raise LadderError("Facts that workers read are loaded before a bootstrap.", "Hand over rows (load_rows).")
        self._take(InParts(source))

    def _take(self, facts: Facts) -> None:
        if self._backend is not None:
            self._backend.take(facts)
        else:
            self._waiting.append(
                OfRelation(facts.relation, kept_for_reading(facts.rows)) if isinstance(facts, OfRelation) else facts
            )

    def _declared(self, relation: str) -> str:
        """The name of a relation, which the program has."""
        if not self._core.declares(relation):
            raise LadderError(
                f"The program has no relation {relation}.", f"It has {', '.join(sorted(self.relations)[:8])}, …"
            )
        return relation

    def bootstrap(self, facts: Mapping[str, Any]) -> None:
        """Evaluate from scratch over these facts (and any loaded before)."""
        for name, rows in facts.items():
            self.load_rows(name, rows)
        self._with_state()

    def update(self, insert: Mapping[str, Any] | None = None, delete: Mapping[str, Any] | None = None) -> Delta:
        """Delete and insert facts in one transaction; what rows came and went in every relation.

        A fact both deleted and inserted is there afterwards. If anything goes wrong, the old state stands.
        """
        self._with_state()
        for name in (*(delete or {}), *(insert or {})):
            self._declared(name)
        return self._change(Change(insert or {}, delete or {}))

    def replace_facts(self, facts: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Delta:
        """Let these be the given facts of these relations from now on: what differs is deleted and inserted.

        `facts`: relation → rows, or pairs of them, where rows of one relation may come in several pairs.
        """
        self._with_state()
        pairs = facts.items() if isinstance(facts, Mapping) else facts
        return self._change(Change(replaced=((self._declared(name), rows) for name, rows in pairs)))

    def _change(self, change: Change) -> Delta:
        """Bring the state to changed facts, by an update or a bootstrap."""
        backend = self._with_state()
        self.watch.begin()
        return self._changed(backend, backend.taken(change))

    def _changed(self, backend: Backend, change: Change) -> Delta:
        """Return the same as `_change`, for a change that a backend has taken."""
        began, timings, known = self.watch.clock(), dict[str, float](), backend.known(change)
        with self._telling():
            decision = self._decided(known)
            if decision.update and Capability.UPDATE not in backend.capabilities:
                backend = self._able(Capability.UPDATE)
                return self._changed(backend, backend.taken(change))
            if decision.update:
                try:
                    return self._delta(
                        "update", decision.reason, backend.update(change, decision.allowed, timings), began, timings
                    )
                except NotWorthIt:
                    decision = self._decided(known, spent=timings["update"])
            return self._recomputed(backend, change, backend.program, decision.reason, began, timings)

    def _decided(self, known: Known, **more: Any) -> Decision:
        """Whether a change is an update; `more`: as of `update_or_bootstrap`."""
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
        """Evaluate from scratch where the last bootstrap was; the old state stands until that is done."""
        if self._remote is not None and self.choice.engine == self._remote.name and backend is not self._remote:
            changes = self._remote.take_over(backend, change, program)
            self._backend = self._remote
        else:
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
        """Errors of a rule leave the block with its line; `sources`: file → text, if not those of the program."""
        try:
            yield
        except LadderError as error:
            from ladder.language.faults import with_excerpt

            raise with_excerpt(error, sources or self.program.sources)

    # ---- where the state is

    def _with_state(self) -> Backend:
        """The backend with the state, with everything that waits for it evaluated."""
        if not self._evaluated:
            self._evaluated = True
            self.watch.begin()
            backend, self._backend = self._backend, None  # if this fails, there is no state
            with self._telling():
                backend = self._placed() if backend is None else backend
                backend.bootstrap()
            self._backend = backend
        if self._backend is None:
            raise LadderError("The database could not be evaluated.")
        return self._backend

    def _placed(self) -> Backend:
        """The backend that the size of the facts asks for, with these facts."""
        tuning = self._settings.tuning.placing
        size = sum(_size(facts, self.program.core, tuning) for facts in self._waiting)
        self.choice = chosen(size, self.watch.limits, tuning)
        remote = self._remote if self._remote is not None and self.choice.engine == self._remote.name else None
        backend = remote or backend_class(self.choice.engine)(self.program.core, self._settings)
        for facts in self._waiting:
            backend.take(facts)
        self._waiting = []
        return backend

    def _able(self, capability: Capability) -> Backend:
        """A backend with the state that can do this: the one that has it, or the local one, if the state fits there;
        else it is refused by name."""
        backend = self._with_state()
        if capability in backend.capabilities:
            return backend
        if self._remote is None or backend is not self._remote:
            raise refusal(backend.name, capability)
        if reason := self._remote.state_too_large():
            raise refusal(backend.name, capability, reason, "Read it on Spark (frame), or allow more memory.")
        self._backend = self._remote.brought_here()
        return self._backend

    def _ready(self) -> LocalEngine:
        """The local engine with the state in it: for measurements, and for tests that look into it."""
        backend = self._able(Capability.UPDATE)
        assert isinstance(backend, LocalBackend)
        return backend.engine

    @property
    def _core(self) -> core.Program:
        """The program of the state, with the rules that came and without those that went."""
        return self.program.core if self._backend is None else self._backend.program

    # ---- rules

    def add_rules(self, text: str) -> Delta:
        """Add rules, facts and declarations; what follows from them comes, and what they contradict goes, in one
        transaction."""
        return self._change_rules(self._rules.with_added(text))

    def remove_rules(self, text: str) -> Delta:
        """Remove rules and facts, written as in the program up to layout, all copies of them; what followed from them
        alone goes.

        A fact that was given as well stays.
        """
        return self._change_rules(self._rules.without(text))

    def _change_rules(self, rules: Rules) -> Delta:
        """Bring the state to other rules: maintained where that can be done, else from scratch; the result says which
        and why."""
        self._able(Capability.EVOLVE)
        self.watch.begin()
        with self._telling(rules.compiled.sources.texts):
            delta = self._evolve(rules.compiled.core)
        self._rules = rules
        return delta

    def _evolve(self, program: core.Program, others: Collection[str] | None = None) -> Delta:
        """Bring the state to another version of the program; `others`: functions and lattices that are not what they
        were."""
        from ladder.language.versions.identity import identities, redefined
        from ladder.language.versions.rule_changes import aligned, with_objects_of

        backend, began, timings = self._able(Capability.EVOLVE), self.watch.clock(), dict[str, float]()
        before, known = backend.program, backend.known(NO_CHANGE)
        others = redefined(identities(before), identities(program)) if others is None else others
        program = with_objects_of(aligned(program, before), before, others)
        decision = self._decided(known, rules=True)
        if decision.update:
            try:
                return self._delta(
                    "update",
                    decision.reason,
                    backend.evolve(program, others, decision.allowed, timings),
                    began,
                    timings,
                )
            except FactsDoNotFit:
                raise
            except Unmaintainable as error:
                decision = self._decided(known, rules=True, failed=error.message)
            except NotWorthIt:
                decision = self._decided(known, rules=True, spent=timings["update"])
        return self._recomputed(backend, NO_CHANGE, program, decision.reason, began, timings)

    def _follow_edit(self, program: core.Program, others: Collection[str]) -> Delta:
        """Bring an opened state to its program as it is now; facts of relations that are no inputs any more go."""
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
        """The rows of a relation, wherever they are; of an aggregated one, the final total of each group."""
        if relation not in self._core.relations:
            raise KeyError(relation)
        return Rows(self._with_state().rows(relation))

    def frame(self, relation: str) -> Any:
        """The rows of a relation as a Spark DataFrame with its columns; read it while the session is there."""
        rows = self[relation]
        return (self._remote or self._with_state()).frame(rows.source)

    @property
    def report(self) -> RunReport | None:
        """What the last bootstrap took, by component and iteration, where it ran on Spark."""
        backend = self._remote or self._backend
        report: RunReport | None = None if backend is None else backend.report
        return report

    @property
    def relations(self) -> tuple[str, ...]:
        """Names of the program's relations."""
        return self._core.declared

    @property
    def stored_relations(self) -> tuple[str, ...]:
        """Names of all stored relations: beside the program's, those that stand behind them.

        `R$in`, `R$all` and `R$facts` belong to an aggregated relation, `R$facts` to an ordered one, `R$edge` to an
        equivalence; aggregates in bodies have relations of their own.
        """
        return tuple(relation.name for relation in self._able(Capability.STATE).stored_relations())

    def names_in(self, other: Database) -> dict[str, str]:
        """Stored relation → its name in another database of the same program.

        Where rules came and went, relations of aggregates in bodies keep the names that they had before.
        """
        from ladder.language.versions.rule_changes import helper_parts

        theirs = {part.name: name for name, part in helper_parts(other._core, self._core).items()}

        def name(relation: core.Relation) -> str:
            part = relation.part
            there = theirs.get(relation.name) or part and part.of in theirs and replace(part, of=theirs[part.of]).name
            return there or relation.name

        return {relation.name: name(relation) for relation in self._able(Capability.STATE).stored_relations()}

    def state(self, relation: str) -> pa.Table:
        """The rows of a stored relation with the iteration in which each first appeared and its derivations there."""
        import pyarrow as pa

        stored = self._able(Capability.STATE).state(relation)
        return (
            in_one_table(stored.rows)
            .append_column(COUNTS[0], pa.array(stored.first))
            .append_column(COUNTS[1], pa.array(stored.counts))
        )

    @property
    def bootstrap_seconds(self) -> float:
        """How long the last bootstrap took."""
        backend = self._with_state()
        if self._remote is not None and self.choice.engine == self._remote.name:
            backend = self._remote
        return backend.seconds

    def explain(self, relation: str, row: Sequence[Any]) -> Explanation:
        """Why a row is there: a derivation of least height, down to facts."""
        backend = self._able(Capability.EXPLAIN)
        columns = (
            [column.name for column in self._core.relations[relation].columns]
            if relation in self._core.relations
            else []
        )
        return cast(Explanation, backend.explain(relation, tuple(row_in_order(row, columns, relation))))

    def register(self, spark: Any, folder: str | Path | None = None) -> list[View]:
        """Make the relations temporary views of a Spark session (see `ladder.api.views`); what views there are."""
        from ladder.api.views import register_views

        return register_views(spark, self, folder=None if folder is None else Path(folder))

    # ---- state on disk

    def save(self, path: str | Path, note: str = "") -> None:
        """Save the state in a folder: all of it the first time, then what changed; `note` is kept with it, in one step.

        `StateError` where somebody else has saved there since this database was opened from there, or saved there, and
        where the folder holds the state of another program: what is there stands. On Spark, its workers write the
        state, and must see the folder.
        """
        self._able(Capability.SAVE).save(Path(path), self.program.fingerprint, self._rules.description(), note)
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
        """A saved state; raises `StateError` where there is none, or a damaged or foreign one.

        A state is foreign where another user, or this one with another key, has saved it (see
        `ladder.support.private`). `trust`: it is opened all the same, after all that it holds was checked; what it says
        is believed then.

        Rules added or removed in the saved database are so in this one. A program that was edited since stands for
        itself: the state becomes that of its text, as if its rules had been added and removed (see `opening`).
        `engine`: where changes that are too large for an update are evaluated.
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
    """`Unsupported` for a strategy that an engine does not have, and others may."""
    there = backend_class(engine).strategies
    if strategy not in there and engine != "local":  # which tells by itself that there is no such strategy at all
        raise refusal(
            engine, f"has no strategy {strategy}", instead=f"It has {', '.join(sorted(there))}; the others are local."
        )


def _size(facts: Facts, program: core.Program, tuning: Placing) -> int:
    """How many facts these are, as far as they tell without being read."""
    match facts:
        case InFolder(folder):
            return facts_in(program, folder, tuning)
        case InParts(source):
            return int(sum(source.sizes))
    return len(facts.rows) if hasattr(facts.rows, "__len__") else 0
