"""Rules change like facts (DYRE): the state of one program becomes that of another in a transaction.

    NUMBER     relations of components that stay keep their numbers and arrays; those of other components get new ones
    FACTS      program facts that came or went; asserted facts follow the EDB relation that stores them
    SWITCH     rules that came are switched on, rules that went are switched off (see `ladder.plan.differences`)
    UPDATE     component by component: those that stay are updated; others are evaluated anew, and the differences of
               their relations are changes for the components after them
    COMMIT     relations that no longer exist are dropped, plans lose their switches

Before the commit, the old engine can be restored: new relations have arrays of their own, changes of others are rolled
back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ladder.engine.backend import FactsDoNotFit, Unmaintainable
from ladder.engine.local import transactions
from ladder.engine.local.asserted import among, without
from ladder.engine.local.dropping import drop_aggregates, drop_operations, drop_relation, keep_indexes
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.update import begin_update
from ladder.engine.local.owners import key_columns, row_owners
from ladder.engine.local.planning import (
    EncodedPlans,
    indexes_of,
    statistics_of,
    verified,
)
from ladder.engine.local.store import TooLarge
from ladder.engine.local.transactions import Report, change_facts
from ladder.engine.local.update_plans import RulePlans, assembled, plans_of_rule, rule_plans, taken_apart
from ladder.language.core import Program, Rule
from ladder.language.versions.rule_changes import cell_signature, names_moved, same_cells
from ladder.plan.build import (
    atom_of,
    plan_of_switch,
    plans_of_switched,
    relational_literals,
)
from ladder.plan.components import ADDED, REMOVED, Component, component_order, is_record_table
from ladder.plan.differences import Difference, Versions, switched
from ladder.plan.order import Statistics
from ladder.support.counts import counted
from ladder.support.signals import Undisturbed

Cells = npt.NDArray[np.int32]
ROW = np.zeros((1, 1), np.int32)  # of a switch


def refuse_misfits(old: LocalEngine, program: Program) -> None:
    """Raise `FactsDoNotFit` where facts were asserted for a relation that has other columns in a new program, or the
    same columns in another order."""
    for name, relation in program.relations.items():
        before = old.program.relations.get(name)
        if before is None or before.keys or relation.keys:
            continue
        fits = same_cells(name, old.program, program)
        earlier, now = (tuple((c.name, c.type.name) for c in r.columns) for r in (before, relation))
        moved = names_moved(earlier, now, old.program.types, program.types)
        if (moved or not fits) and old.asserted_in(old.fact_relation(name))[1].any():
            how = f"are in another order than before: {moved} stands elsewhere" if fits else "are others than before"
            raise FactsDoNotFit(f"The columns of {name}, for which facts were asserted, {how}.")


class Evolution:
    """A transaction that replaces a program.

    `open` first; then `finish` or `abandon`; `engine` is the new program's.
    """

    def __init__(self, old: LocalEngine, program: Program, redefined: Collection[str] = ()) -> None:
        """`redefined`: functions of both programs whose code has changed, and "lattice L" for such lattices (see
        `identity`)."""
        self.old, self.store = old, old.store
        self.engine = engine = LocalEngine(
            program,
            saved_order=component_order(program),
            store=old.store,
            watch=old.watch,
            strategy=old.strategy.name,
            jobs=old.jobs,
            tuning=old.tuning,
        )
        engine.profile = old.profile
        engine.values.symbols, engine.values.objects = old.values.symbols, old.values.objects
        signatures = {
            name
            for name, function in program.functions.items()
            if old.program.functions.get(name, function) != function
        }
        if lattices := sorted(name.partition(" ")[2] for name in redefined if name.startswith("lattice ")):
            raise Unmaintainable(f"The lattice {lattices[0]} is another one.")
        self.redefined = signatures.union(redefined)
        self.differences = Versions(old.program, program, old.expanded, engine.expanded, self.redefined).differences()
        self.anew = [
            position
            for position, difference in enumerate(self.differences)
            if difference.anew and not is_record_table(engine.expanded.components[position].relations[0])
        ]
        self._names_anew = {name for position in self.anew for name in engine.expanded.components[position].names}
        self.facts = self._moving_facts()
        self._operations = len(self.store.operations)
        self._fresh: list[int] = []
        self._aggregates = len(self.store.aggregates)
        self._final: list[list[RulePlans]] = []
        # of rules without switches that read no relation evaluated anew, by position of component and rule
        self._known: dict[tuple[int, int], RulePlans] = {}
        # by component and rule, the plans with which the update ended: some rules may have got some in it
        self._met: list[list[RulePlans]] = []

    @property
    def reason(self) -> str:
        """A sentence about what was done."""
        came = sum(kept is None for difference in self.differences for kept in difference.kept)
        went = sum(len(difference.removed) for difference in self.differences)
        parts = [f"{counted(count, 'rule')} {word}" for count, word in ((came, "added"), (went, "removed")) if count]
        parts += [f"evaluated anew since {self.differences[p].anew}" for p in self.anew[:3]]
        parts += list(dict.fromkeys(difference.ordered for difference in self.differences if difference.ordered))[:3]
        if self.old.program.facts != self.engine.program.facts:
            parts.append("the facts in the program differ")
        return f"Rules changed: {'; '.join(parts)}." if parts else "No rule is another one."

    def open(self) -> None:
        """Make the new state; whatever is raised, the old engine stays as it was."""
        began = False
        self.store.list_all_rows()
        try:
            self._number()
            self._switch(REMOVED, on=True)
            begin_update(self.store.update[0], self.store.relations)
            began = True
            self.engine.ordered.begin()
            self.engine.asserted_program_facts.begin()
            self._change_program_facts()
            change_facts(self.engine, ADDED, ROW, present=True)
            change_facts(self.engine, REMOVED, ROW, present=False)
            old_plans = self._old_plans()
            plans = [self._plans(p, old_plans) for p in range(len(self.differences))]
            changed = [p for p, difference in enumerate(self.differences) if not difference.unchanged]
            switches = dict.fromkeys(changed, (ADDED, REMOVED))
            prepared = assembled(self.engine, self.engine.strategy.chosen, plans, switches)
            self._met = taken_apart(self._update(prepared))
            self._final = [self._plans(p, old_plans, final=True) for p in range(len(self.differences))]
        except BaseException as error:
            with Undisturbed():
                self._take_back(began)
            if isinstance(error, TooLarge):
                raise Unmaintainable(f"The rules need too many indexes: {error}.") from error
            raise

    # ---- numbers, values, functions

    def _number(self) -> None:
        """Assign numbers to the relations and aggregates of the new program, and make arrays for new ones."""
        engine, old, store = self.engine, self.old, self.store
        numbers = {name: old.numbers[name] for name in old.tables}
        engine.tables = tuple(dict.fromkeys((*old.tables, *engine.tables)))  # values refer to those of the old one
        aggregates: dict[str, int] = {}
        owners = row_owners(engine.expanded, engine.program)
        keys, fresh = key_columns(engine.expanded, owners), list[Component]()
        for component, difference in zip(engine.expanded.components, self.differences, strict=True):
            names = [relation.name for relation in component.relations]
            if difference.anew and names[0] not in numbers:
                first = self._free_run(len(names))
                self._fresh += range(first, first + len(names))
                numbers |= {name: first + i for i, name in enumerate(names)}
                store.new_relations(
                    first,
                    [r.arity for r in component.relations],
                    [keys[name] for name in names],
                    [numbers[owners[name]] if name in owners else L.NONE for name in names],
                )
                fresh.append(component)
            elif not difference.anew:
                numbers |= {name: old.numbers[name] for name in names}
                aggregates |= {a.name: old.aggregate_numbers[a.name] for a in component.aggregates}
        engine.place(numbers, aggregates)
        self._carry()
        for component in fresh:
            aggregates |= {a.name: engine.add_aggregate(a) for a in component.aggregates}

    def _free_run(self, count: int) -> int:
        """The first of `count` consecutive unused numbers of relations."""
        taken = {*self.old.numbers.values(), *self._fresh}
        end = max(taken) + 1
        return next(first for first in range(end + 1) if taken.isdisjoint(range(first, first + count)))

    def _carry(self) -> None:
        """Copy the remaining parts of the old engine that the new one shares."""
        engine, old = self.engine, self.old
        names = {
            name: name
            for name in engine.numbers
            if name in old.statistics and engine.numbers[name] == old.numbers.get(name)
        }
        engine.statistics.take(old.statistics, names)
        engine.functions.follow(old.functions, self.redefined)
        engine.ordered.follow(old.ordered)
        engine.costs, engine.rehearsed, engine.budget = old.costs, old.rehearsed, old.budget

    # ---- facts

    def _moving_facts(self) -> Mapping[str, Cells]:
        """EDB relations that are evaluated anew → the facts asserted in each so far, which fit (see
        `refuse_misfits`)."""
        old, new = self.old, self.engine
        facts: dict[str, Cells] = {}
        for name, relation in new.program.relations.items():
            if name not in old.program.relations or relation.keys or old.program.relations[name].keys:
                continue
            edb, before = new.fact_relation(name), old.fact_relation(name)
            if edb not in self._names_anew or edb in facts:
                continue
            cells, asserted = old.asserted_in(before)
            ours, theirs = (
                [cell_signature(c.type, e.program.types) for c in e.program.relations[name].columns] for e in (new, old)
            )
            if ours == theirs:  # an aggregated relation of one column has a filler before it
                facts[edb] = new.pad(name, cells[asserted][:, cells.shape[1] - len(theirs) :])
        return facts

    def _change_program_facts(self) -> None:
        """Change the program facts of relations that stay: new ones are inserted; those that the program has no longer
        are deleted unless they were asserted as well."""
        old, new = self.old, self.engine
        for name in sorted({*old.program_facts, *new.program_facts}):
            now, before = new.program_facts.get(name), old.program_facts.get(name)
            stays = name in new.numbers and new.numbers[name] == old.numbers.get(name)
            if now is not None:
                asserted = old.is_asserted_in(name, now) if stays else among(now, self.facts.get(name, now[:0]))
                new.asserted_program_facts.rows[name] = now[asserted]
            if stays and before is not None:
                gone = before if now is None else without(before, now)
                change_facts(new, name, gone[~old.is_asserted_in(name, gone)], present=False)
            if stays and now is not None:
                change_facts(new, name, now if before is None else without(now, before), present=True)

    def _load_facts(self, component: Component) -> None:
        """Load the facts of relations that are evaluated anew."""
        for name in component.names:
            for cells in (self.facts.get(name), self.engine.program_facts.get(name)):
                if cells is not None:
                    self.engine.load_cells(name, cells)

    # ---- plans

    def _old_plans(self) -> list[list[RulePlans]]:
        """For each old component and rule its plans; empty where none can be used."""
        plans = self.old.update_plans
        return taken_apart(plans) if plans is not None else []

    def _plans(self, position: int, old: Sequence[Sequence[RulePlans]], final: bool = False) -> list[RulePlans]:
        """The plans of a component, including those of switched rules; if `final`, those without switches."""
        difference, component = self.differences[position], self.engine.expanded.components[position]
        if component.ordered or (difference.anew and not final):
            return []
        ready, missing = dict[int, RulePlans](), list[int]()
        before = (
            self.old.expanded.components[difference.old] if difference.old is not None and not difference.anew else None
        )
        usable = before is not None and bool(old) and all(self._same_number(name) for name in before.inputs)
        for number, rule in enumerate(component.rules):
            kept = difference.kept[number] if before is not None else None
            if usable and kept is not None and before is not None and before.rules[kept].plan == rule.plan:
                assert difference.old is not None
                plans = old[difference.old][kept]
                ready[number] = self._met[position][number] if final and plans.dormant else plans
            else:
                missing.append(number)
        switches = (
            set() if final else {number for number in missing if before is not None and difference.kept[number] is None}
        )
        ready |= {
            number: self._known[position, number]
            for number in missing
            if number not in switches and (position, number) in self._known
        }
        missing = [number for number in missing if number not in ready]
        for number, plans in zip(missing, self._encoded(component, missing, switches), strict=True):
            ready[number] = plans
            if number not in switches and not self._reads_anew(component.rules[number]):
                self._known[position, number] = plans
        return [
            *(ready[number] for number in range(len(component.rules))),
            *(self._switched_off(difference, component) if not final else ()),
        ]

    def _reads_anew(self, rule: Rule) -> bool:
        """Whether a rule reads a relation that is evaluated anew: its plans were made before statistics are known."""
        return any(atom_of(literal).relation in self._names_anew for literal in relational_literals(rule))

    def _same_number(self, name: str) -> bool:
        return self.engine.numbers.get(name) == self.old.numbers.get(name)

    def _encoded(self, component: Component, numbers: Sequence[int], switches: Collection[int]) -> list[RulePlans]:
        tuning = self.engine.tuning.planning
        plans = [
            plans_of_switched(switched(component.rules[n], ADDED), self._statistics, tuning)
            if n in switches
            else plans_of_rule(self.engine, component.rules[n])
            for n in numbers
        ]
        return rule_plans(self.engine, plans, component.names)

    def _switched_off(self, difference: Difference, component: Component) -> list[RulePlans]:
        """The plans of removed rules: they start from the switch alone, since all instantiations go with it.

        They read the old state. For a relation that is evaluated anew, now or later, it is stored under the old number.
        """
        tuning = self.old.tuning.planning
        plans = [
            [plan_of_switch(switched(rule, REMOVED), lambda name: statistics_of(self.old, name), tuning)]
            for rule in difference.removed
        ]
        return rule_plans(self.engine, plans, component.names, self.old.numbers.__getitem__)

    def _statistics(self, name: str) -> Statistics:
        return statistics_of(self.engine, name)

    # ---- evaluation

    def _update(self, prepared: EncodedPlans) -> EncodedPlans:
        """Update all components, in order. Returns the plans with which it ended."""
        engine = self.engine
        redrawn = engine.ordered.drawing_names != self.old.ordered.drawing_names
        for position in sorted({*self.anew, *engine.ordered.components}):
            if position in self.anew:
                prepared.components[position]["aggregate_count"] = 0  # it is evaluated here, not by the update
            prepared = engine.update_components(prepared, position)
            if position in self.anew:
                self._evaluate_anew(position)
                verified(prepared, self.store)
                continue
            again = bool(self.differences[position].ordered) or (position in engine.ordered.drawing and redrawn)
            for name, gone, came in engine.ordered.difference(position, again):
                change_facts(engine, name, gone, present=False)
                change_facts(engine, name, came, present=True)
        engine.ordered.forget()
        return engine.update_components(prepared)

    def _evaluate_anew(self, position: int) -> None:
        """Bootstrap a component; rows that came or went compared with the old state become changes."""
        engine, store, component = self.engine, self.store, self.engine.expanded.components[position]
        self._load_facts(component)
        # Rows that departed from an input are absent, though they are counted as such when the transaction ends.
        inputs = [
            engine.numbers[name] for name in component.inputs if store.relations[engine.numbers[name]].changed != L.END
        ]
        store.relations["absent_rows"][inputs] += 1
        try:
            with engine.watch.unhurried():
                engine.bootstrap_component(position, component)
        finally:
            store.relations["absent_rows"][inputs] -= 1
        inner = {name for a in component.aggregates for name in (a.inputs, a.totals)}
        for name in component.names - inner:
            self._register(name)

    def _register(self, name: str) -> None:
        """Register the rows in which a relation differs from the old state as changes."""
        store, number, old = self.store, self.engine.numbers[name], self.old.numbers.get(name)
        if old is not None and not self._same_columns(name):
            old = None
        cells, rows = store.cells(number), np.flatnonzero(store.first(number) != L.ABSENT)
        if old is not None:
            before = store.present_cells(old)
            departed = before[~store.holds(number, before)]
            rows = rows[~store.holds(old, cells[rows])]
            self._register_departed(number, departed)
        first, counts = store.first(number)[rows], store.counts(number)[rows]
        store.set_states(number, rows, np.full(len(rows), L.ABSENT, np.int32), counts)
        transactions.set_facts(self.engine, number, rows, present=True)
        store.set_states(number, rows, first, counts)

    def _register_departed(self, number: int, cells: Cells) -> None:
        rows = self.store.add(number, cells)
        self.store.set_states(number, rows, np.zeros(len(rows), np.int32), np.ones(len(rows), np.int32))
        transactions.set_facts(self.engine, number, rows, present=False)

    def _same_columns(self, name: str) -> bool:
        """Whether a relation of both programs has the same cells in both."""
        columns = [
            [cell_signature(column.type, e.program.types) for column in e.relations[name].columns]
            for e in (self.old, self.engine)
        ]
        return columns[0] == columns[1]

    # ---- the end

    def finish(self) -> Report:
        """Commit the transaction; the old engine must not be used any more."""
        engine, store = self.engine, self.store
        with Undisturbed():
            engine.unsaved.by_row = None
            report = engine.finish()
            self._switch(ADDED, on=False)
            self._switch(REMOVED, on=False)
            dropped = [
                number
                for name, number in self.old.aggregate_numbers.items()
                if engine.aggregate_numbers.get(name) != number
            ]
            renumbered = drop_aggregates(store, dropped)
            for number in set(self.old.numbers.values()).difference(engine.numbers.values()):
                drop_relation(store, number)
            engine.place(
                engine.numbers, {name: renumbered[number] for name, number in engine.aggregate_numbers.items()}
            )
            engine.functions.settle_on(engine.program)
            engine.update_plans = assembled(engine, engine.strategy.chosen, self._final)
            keep_indexes(store, indexes_of(engine.update_plans))
            verified(engine.update_plans, store)
        return report

    def abandon(self) -> None:
        """Roll the open transaction back: the old engine is as it was."""
        with Undisturbed():
            self._take_back(True)

    def _take_back(self, began: bool) -> None:
        engine, store = self.engine, self.store
        if began:
            transactions.abandon(engine)
        self._switch(ADDED, on=False)
        self._switch(REMOVED, on=False)
        drop_aggregates(store, range(self._aggregates, len(store.aggregates)))
        for number in self._fresh:
            if number < len(store.relations):
                drop_relation(store, number)
        drop_operations(store, self._operations)
        if self.old.update_plans is not None:
            keep_indexes(store, indexes_of(self.old.update_plans))

    def _switch(self, name: str, on: bool) -> None:
        """Add the row of a switch, or remove it, outside of any transaction."""
        number = self.old.numbers[name]
        rows = self.store.add(number, ROW)
        self.store.set_states(number, rows, np.array([0 if on else L.ABSENT], np.int32), np.ones(1, np.int32))
