"""What `ladder check` finds beyond errors of the language: broken laws of lattices, functors and rules that are not
monotone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from ladder.checks.monotone import Fall, Monotonicity, Stop
from ladder.checks.places import functor_in, tested_in
from ladder.checks.recursion import Growing, growing_components
from ladder.checks.values import Values, base_name
from ladder.language.compile import Compiled
from ladder.language.core import Compute, Generate, Kind, Place, Var
from ladder.language.errors import Error, Warning
from ladder.language.expressions import written
from ladder.language.objects.lattice_tables import DUAL, DeclaredLattice, value_text
from ladder.language.syntax import nodes as s
from ladder.lattices.laws import completed, counterexamples

EXAMPLES = 200


class Checker:
    """Checks one program, with this many random examples for each law."""

    def __init__(self, compiled: Compiled, examples: int = EXAMPLES) -> None:
        self.compiled, self.examples = compiled, examples
        self.program, self.sources = compiled.core, compiled.sources.texts
        lattices = {
            name: lattice
            for name, lattice in compiled.environment.lattices.items()
            if lattice is not None and not name.endswith(DUAL)
        }
        not_run = compiled.environment.not_run
        functors = {name[1:] for name in not_run if name.startswith("@")}
        self.unknown = {
            *functors,
            *(name for name in not_run if not name.startswith("@")),
            *(
                name
                for name, lattice in lattices.items()
                if isinstance(lattice, DeclaredLattice) and functors & set(lattice.operations.values())
            ),
        }
        self.values = Values(self.program, lattices)
        self.lattices = {name: self._shown(name, lattice) for name, lattice in lattices.items()}
        self.places = {
            item.name: item.place for item in compiled.sources.items if isinstance(item, s.LatticeDeclaration)
        }

    def _shown(self, name: str, lattice: Any) -> Any:
        """The lattice, with its values shown as the program writes them if its carrier is one of the program's
        types."""
        types = self.program.types
        return completed(
            lattice, partial(value_text, type_=types[name], types=types) if types[name].kind is Kind.RECORD else None
        )

    def findings(self) -> Iterator[Error]:
        """Iterate over errors (broken laws, functors that are not monotone) and warnings (possible problems in
        recursion)."""
        sound = set()
        yield from self._not_run()
        for name in self.lattices:
            if name in self.unknown:
                continue
            broken = list(self._laws(name))
            yield from broken
            if not broken:
                sound.add(name)
        for component in growing_components(self.program, self.lattices):
            yield from self._directions(component)
            if any(
                isinstance(step, Compute | Generate) and step.function.partition(".")[0] in self.unknown
                for rule in component.rules
                for step in rule.body
            ):
                continue
            if all(
                name in ("min", "max") or base_name(name) in sound
                for name in {order.name for order in component.orders.values()}
            ):
                yield from self._monotonicity(component)

    def _not_run(self) -> Iterator[Warning]:
        """Warn of what would be tested if that did not run code that the program names."""
        bindings, tested = self.compiled.environment.bindings, self._tested_functors()
        for name, place in self.compiled.environment.not_run.items():
            if name.startswith("@") and name[1:] not in tested:
                continue
            what = f"the functor {name[1:]} is" if name.startswith("@") else f"the laws of the lattice {name} are"
            yield Warning(
                place,
                f"{what} not tested: this would run {bindings.get(name, 'Python code')}",
                "read that code, then run with --trust",
                "not-run",
            )

    def _tested_functors(self) -> set[str]:
        """The functors that are operations of lattices, or that rules call in a recursion through lattices."""
        declared = (lattice for lattice in self.lattices.values() if isinstance(lattice, DeclaredLattice))
        called = (
            step.function.partition(".")[0]
            for component in growing_components(self.program, self.lattices)
            for rule in component.rules
            for step in rule.body
            if isinstance(step, Compute | Generate)
        )
        return {*called, *(functor for lattice in declared for functor in lattice.operations.values())}

    def _laws(self, name: str) -> Iterator[Error]:
        lattice, place = self.lattices[name], self.places.get(name, Place("", 0, 0))
        unbound = self.compiled.environment.unbound
        if isinstance(lattice, DeclaredLattice) and unbound & set(lattice.operations.values()):
            return  # no relation has it, so this is no error
        try:
            values = self.values.of_lattice(name)
        except LookupError as missing:
            yield Warning(
                place,
                f"the laws of the lattice {name} are not tested: {missing}",
                "give it a method values() that returns a hypothesis strategy",
                "untested-lattice",
            )
            return
        except Exception as error:  # noqa: BLE001 - whatever the lattice's own code raises
            yield Error(place, f"the values of the lattice {name} cannot be had: {type(error).__name__}: {error}")
            return
        places = lattice.places if isinstance(lattice, DeclaredLattice) else {}
        try:
            for violation in counterexamples(lattice, values, self.examples):
                yield Error(places.get(violation.operation, place), f"{name} is no lattice: {violation.sentence}")
        except Exception as error:  # noqa: BLE001 - drawing failed: laws tell themselves what operations raise
            yield Error(place, f"the lattice {name} cannot be tested: {type(error).__name__}: {error}")

    def _monotonicity(self, component: Growing) -> Iterator[Error]:
        tests = Monotonicity(self.program, self.lattices, self.values, self.examples)
        falls = list(tests.functors(component))
        yield from map(self._fall, falls)
        for stop in tests.rules(component, {fall.function for fall in falls}):
            yield self._leak(stop, component) if stop.leaks else self._stop(stop)
        yield from self._climbs(tests, component)

    def _fall(self, fall: Fall) -> Error:
        place = functor_in(fall.rule, fall.function, self.sources)
        return Error(
            place,
            f"the functor {fall.function} is not monotone: {fall.before}, but {fall.after}, which is not above",
            "in recursion, a greater argument must give a greater result, or results depend on the order of evaluation",
        )

    def _stop(self, stop: Stop) -> Warning:
        return Warning(
            self._place(stop),
            f"this rule may stop firing: what it derives for {self._growth(stop)} "
            "is neither derived nor dominated then",
            "this is sound only if another rule then derives what dominates it (eventual monotonicity)",
            "may-stop-firing",
        )

    def _leak(self, stop: Stop, component: Growing) -> Warning:
        name = stop.rule.head.relation
        readers = component.seen_through(name)
        also = "" if name in readers else f", and {written(readers[0])}, which is made of it,"
        columns = self.program.relations[name].columns
        hint = _settled(written(name), columns[-1].type.name if columns else "", set(self.lattices))
        return Warning(
            self._place(stop),
            f"{written(name)}{also} keeps rows made of values that are not final: what is derived "
            f"for {self._growth(stop)} is not derived then, but stays",
            hint,
            "not-final",
            name,
        )

    def _growth(self, stop: Stop) -> str:
        return f"{written(stop.variable) or 'a value'} = {stop.low}, which may have grown to {stop.high},"

    def _place(self, stop: Stop) -> Place:
        return tested_in(stop.rule, Var(stop.variable), self.sources)

    def _directions(self, component: Growing) -> Iterator[Warning]:
        """Warn of a lattice and its dual in one component: totals must grow in one direction."""
        directions: dict[str, dict[str, str]] = {}
        for name, order in sorted(component.orders.items()):
            direction = "glb" if order.name.endswith(DUAL) else "lub"
            directions.setdefault(base_name(order.name), {}).setdefault(direction, name)
        for lattice, names in directions.items():
            if len(names) > 1:
                place = self.program.relations[names["glb"]].place or Place("", 0, 0)
                yield Warning(
                    place,
                    f"{written(names['lub'])} and {written(names['glb'])} depend on each other, and "
                    f"values of {lattice} grow in one and shrink in the other",
                    "in a recursion, a lattice is joined or met, not both",
                    "join-and-meet",
                )

    def _climbs(self, tests: Monotonicity, component: Growing) -> Iterator[Warning]:
        """Warn of each relation whose totals may grow for very long."""
        reported = set()
        for climb in tests.climbs(component):
            name = written(climb.rule.head.relation)
            if name not in reported:
                reported.add(name)
                others = f" with {climb.others}" if climb.others else ""
                yield Warning(
                    climb.rule.place or Place("", 0, 0),
                    f"{name} may climb without end: from {climb.first}, "
                    f"this rule alone leads to {climb.last}, and on{others}",
                    _widen(climb.order.lattice),
                    "endless-climb",
                    name,
                )


def _settled(name: str, type_: str, lattices: set[str]) -> str:
    """A hint how rules can read a relation's final values only."""
    return (
        f"join them: give {name} a lattice column, x: {type_}<>"
        if type_ in lattices
        else ("this is sound only if other rows then say at least as much (eventual monotonicity)")
    )


def _widen(lattice: Any) -> str:
    """A hint how to add a widening to a lattice."""
    if hasattr(lattice, "widen"):
        return "its widening must come to rest sooner"
    return (
        "add Widen -> @functor(_, _) to the lattice"
        if isinstance(lattice, DeclaredLattice)
        else ("give the lattice a method widen(a, b)")
    )


def check(compiled: Compiled, examples: int = EXAMPLES) -> list[Error]:
    """All errors and warnings about a program, in textual order; `examples`: how many random examples each law is
    tested with."""
    return in_order(Checker(compiled, examples).findings())


def in_order(findings: Iterable[Error]) -> list[Error]:
    """The findings without duplicates, sorted by file, line and column."""
    return sorted(dict.fromkeys(findings), key=lambda e: (e.place.file, e.place.line, e.place.column))


__all__ = ["EXAMPLES", "Checker", "check", "in_order"]
