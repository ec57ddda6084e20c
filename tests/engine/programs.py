"""Random programs as text, with facts and changes, for comparing engines with the naive evaluator.

    text, facts, changes = random_case(seed)
    facts:   relation → rows of Python values
    changes: [{"insert": relation → rows, "delete": relation → rows}, …]; only given rows are deleted, only absent ones
    inserted

All values stay in a small domain, so every program ends; cases that need too many rule instantiations are left out.
`cases()` is the same as a hypothesis strategy, `smaller` cuts a failing case down.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import assume
from hypothesis import strategies as st

from ladder.engine.reference.evaluate import TooMuch, evaluate
from ladder.language import core, parse
from ladder.language.errors import ProgramError

Row = tuple[Hashable, ...]
Rows = dict[str, list[Row]]

MOST_INSTANTIATIONS = 20_000
_FUNCTORS = Path(__file__).with_name("functors.py")
_HEADER = f"""\
.type Pair = [n: number, s: symbol]
.lattice Few = "ladder.lattices:k_set(2)"
.lattice Const = "ladder.lattices:flat"
.lattice Range = "ladder.lattices:interval((-10, -1, 0, 1, 4, 10))"
.lattice Sign = "ladder.lattices:sign"
.functor half(n: number): number = "{_FUNCTORS}:half"
.functor letter(n: number): symbol = "{_FUNCTORS}:letter"
.functor near(n: number): number = "{_FUNCTORS}:near" several
.functor shifted(r: Range, by: number): Range = "{_FUNCTORS}:shifted"
.functor low(r: Range): number = "{_FUNCTORS}:low"
.functor elements(s: Few): symbol = "ladder.lattices:members" several
.functor constant(c: Const): number = "ladder.lattices:known" several
"""
LATTICES = {"Few": "symbol", "Const": "number", "Range": "number", "Sign": "number"}  # what they inject


class Case(NamedTuple):
    text: str
    facts: Rows
    changes: list[dict[str, Rows]]


@dataclass
class _Relation:
    name: str
    types: tuple[str, ...]
    layer: int
    aggregate: str | None = None
    given: bool = False  # facts are given from outside
    rows: set[Row] = field(default_factory=set)

    def declaration(self) -> str:
        columns = [f"c{i}: {t}" for i, t in enumerate(self.types)]
        if self.aggregate in LATTICES:
            columns[-1] += "<>"
        given = f"\n.input {self.name}" if self.given else ""
        return f".decl {self.name}({', '.join(columns)}){given}\n.output {self.name}"


def random_case(seed: int) -> Case:
    """The case of a seed: always the same, never too large for the naive evaluator."""
    for attempt in range(1000):
        case = build(random.Random(f"{seed}.{attempt}"))
        if affordable(case):
            return case
    raise AssertionError(f"no affordable case for seed {seed}")


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Random cases that hypothesis can shrink."""
    case = build(draw(st.randoms(use_true_random=False)))
    assume(affordable(case))
    return case


def build(source: random.Random) -> Case:
    """One case, whatever it costs to evaluate."""
    return _Maker(source).case()


def affordable(case: Case) -> bool:
    """Whether the naive evaluator needs few instantiations, on the facts and after each change."""
    program = parse(case.text)
    try:
        for facts in states(case):
            evaluate(program, facts, most_instantiations=MOST_INSTANTIATIONS)
    except TooMuch:
        return False
    return True


def states(case: Case) -> Iterator[Rows]:
    """The facts at first and after each change."""
    current = {name: dict.fromkeys(rows) for name, rows in case.facts.items()}
    yield {name: list(rows) for name, rows in current.items()}
    for change in case.changes:
        for name, rows in change["delete"].items():
            for row in rows:
                del current[name][row]
        for name, rows in change["insert"].items():
            current.setdefault(name, {}).update(dict.fromkeys(rows))
        yield {name: list(rows) for name, rows in current.items()}


def filled_later(case: Case, source: random.Random) -> Case:
    """The case, in which some relations have no facts at first and get theirs by changes, one relation after the other:
    rules that read them can derive nothing before."""
    later = [name for name in case.facts if source.random() < 0.5]
    first = {name: [] if name in later else rows for name, rows in case.facts.items()}
    filling: list[dict[str, Rows]] = [{"insert": {name: case.facts[name]}, "delete": {}} for name in later]
    return Case(case.text, first, [*filling, *case.changes])


def renamed(text: str, source: random.Random, facts: Collection[str]) -> str:
    """A program in which relations that are not given facts have other names: new ones, or those of each other."""
    names = [name for name in re.findall(r"^\.decl (\w+)\(", text, re.MULTILINE) if name not in facts]
    chosen = source.sample(names, source.randint(0, len(names)))
    new = chosen[1:] + chosen[:1] if source.random() < 0.5 else [f"{name}x" for name in chosen]
    other = dict(zip(chosen, new, strict=True))
    return re.sub(r"\w+", lambda word: other.get(word[0], word[0]), text)


def smaller(case: Case, fails: Callable[[Case], bool]) -> Case:
    """A case that still fails, from which no clause, change or row can be taken away."""

    def still(candidate: Case) -> bool:
        try:
            list(states(candidate))
            parse(candidate.text)
        except (ProgramError, KeyError):
            return False
        return fails(candidate)

    shrunk = True
    while shrunk:
        shrunk = False
        for candidate in _reductions(case):
            if still(candidate):
                case, shrunk = candidate, True
                break
    return case


def _reductions(case: Case) -> Iterator[Case]:
    for i in range(len(case.changes) - 1, -1, -1):
        yield case._replace(changes=case.changes[:i] + case.changes[i + 1 :])
    lines = case.text.splitlines()
    for i, line in enumerate(lines):
        if not line.startswith("."):
            yield case._replace(text="\n".join(lines[:i] + lines[i + 1 :]))
    for i, change in enumerate(case.changes):
        for side, relations in change.items():
            for name in relations:
                for less in _fewer(relations, name):
                    yield case._replace(changes=case.changes[:i] + [{**change, side: less}] + case.changes[i + 1 :])
    for name in case.facts:
        for less in _fewer(case.facts, name):
            yield case._replace(facts=less)


def _fewer(relations: Rows, name: str) -> Iterator[Rows]:
    rows = relations[name]
    if len(rows) > 3:
        yield {**relations, name: rows[: len(rows) // 2]}
        yield {**relations, name: rows[len(rows) // 2 :]}
    for i in range(len(rows)):
        yield {**relations, name: rows[:i] + rows[i + 1 :]}


class _Maker:
    """Makes one case from a source of randomness."""

    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.size = source.choice((3, 4, 6, 8, 10))
        self.mixed = source.choice((0.1, 0.5, 1.0))  # how often columns are anything but numbers
        self.relations: list[_Relation] = []
        self.clauses: list[str] = []

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def some(self, options: Any) -> Any:
        return self.random.choice(list(options))

    # ---- the whole case

    def case(self) -> Case:
        for _ in range(self.random.randint(1, 4)):
            self.relation(0, self.random.choices((0, 1, 2, 3, 4, 6), (1, 4, 8, 4, 2, 1))[0], given=True)
        layers = self.random.randint(1, 3)
        for layer in range(1, layers + 1):
            for _ in range(self.random.randint(1, 3)):
                self.derived(layer)
        for relation in self.relations:
            if relation.layer:
                if self.chance(0.95):
                    self.base_rule(relation)
                for _ in range(self.random.choices((0, 1, 2), (2, 6, 3))[0]):
                    self.step_rule(relation)
                if self.chance(0.35):
                    self.any_rule(relation)
                if self.chance(0.15):
                    self.text_fact(relation)
            elif self.chance(0.2):
                self.text_fact(relation)
        facts = {r.name: self.rows(r) for r in self.relations if r.given}
        changes = [self.change() for _ in range(self.random.randint(1, 4))]
        text = "\n".join((_HEADER, *(r.declaration() for r in self.relations), *self.clauses)) + "\n"
        return Case(text, facts, changes)

    def relation(self, layer: int, arity: int, given: bool, aggregate: str | None = None) -> _Relation:
        mixed = self.mixed
        types = [
            self.random.choices(
                ("number", "symbol", "Pair", "unsigned", "float"), (10, 6 * mixed, 2 * mixed, mixed / 2, mixed / 2)
            )[0]
            for _ in range(arity)
        ]
        if aggregate is not None:
            types = [t if t in ("number", "symbol") else "number" for t in types[:2]]
            types.append(aggregate if aggregate in LATTICES else "number")
        relation = _Relation(
            f"{'e' if layer == 0 else 'r'}{len(self.relations)}", tuple(types), layer, aggregate, given
        )
        self.relations.append(relation)
        return relation

    def derived(self, layer: int) -> None:
        aggregate = self.some(("min", "max", *LATTICES)) if self.chance(0.3) else None
        arity = self.random.choices((0, 1, 2, 3, 5), (1, 5, 8, 4, 1))[0]
        self.relation(layer, arity, given=self.chance(0.2), aggregate=aggregate)

    # ---- rows

    def number(self) -> int:
        return self.some((2**31 - 1, -(2**31), -1)) if self.chance(0.03) else self.random.randrange(self.size)

    def value(self, type_name: str) -> Hashable:
        match type_name:
            case "number":
                return self.number()
            case "symbol":
                return self.some("abcd")
            case "unsigned":
                return self.some((0, 1, 2, 2**32 - 1))
            case "float":
                return self.some((0.0, 0.5, 1.0, 2.25))
            case "Pair":
                return None if self.chance(0.2) else (self.number(), self.some("abc"))
            case "Few":
                return frozenset(self.some(("a", "b", "ab", "c")))
            case "Const":
                return self.random.randrange(3)
            case "Range":
                return self.some(((0, 0), (1, 1), (2, 3), (-1, 4), (5, 5)))
            case "Sign":
                return self.some(("-", "0", "+", "-0"))
        raise AssertionError(type_name)

    def row(self, relation: _Relation) -> Row:
        return tuple(map(self.value, relation.types))

    def chain(self, relation: _Relation) -> None:
        """Gives a relation of numbers the edges of a long path, so that recursion over it goes deep."""
        for i in range(self.size):
            relation.rows.add((i, (i + 1) % self.size, *map(self.value, relation.types[2:])))

    def rows(self, relation: _Relation) -> list[Row]:
        if relation.types[:2] == ("number", "number") and relation.layer == 0 and self.chance(0.4):
            self.chain(relation)
        count = self.random.randint(0, 4) if relation.layer else self.random.choice((1, 4, 8, 12, 16))
        for _ in range(count):
            row = self.row(relation)
            if self.fact_text(relation, row) not in self.clauses:
                relation.rows.add(row)
        return sorted(relation.rows, key=repr)

    def change(self) -> dict[str, Rows]:
        insert: Rows = {}
        delete: Rows = {}
        for relation in self.relations:
            if not relation.given or self.chance(0.3):
                continue
            before = set(relation.rows)
            share = self.some((0.1, 0.1, 0.4, 1.0))
            gone = [row for row in sorted(before, key=repr) if self.chance(share)]
            relation.rows.difference_update(gone)
            come = [self.row(relation) for _ in range(self.some((0, 1, 1, 2, 5)))]
            come = [
                row
                for row in dict.fromkeys(come)
                if row not in before and self.fact_text(relation, row) not in self.clauses
            ]
            relation.rows.update(come)
            if gone:
                delete[relation.name] = gone
            if come:
                insert[relation.name] = come
        return {"insert": insert, "delete": delete}

    # ---- clauses

    def fact_text(self, relation: _Relation, row: Row) -> str:
        return f"{relation.name}({', '.join(map(self.literal, row, relation.types))})."

    def text_fact(self, relation: _Relation) -> None:
        values = [self.value(LATTICES.get(t, t)) for t in relation.types]
        types = [LATTICES.get(t, t) for t in relation.types]
        shown = list(map(self.literal, values, types))
        if relation.aggregate in LATTICES:
            shown[-1] = f"lub({shown[-1]})"
        self.clauses.append(f"{relation.name}({', '.join(shown)}).")

    def literal(self, value: Hashable, type_name: str) -> str:
        if value is None:
            return "nil"
        if isinstance(value, str):
            return f'"{value}"'
        if isinstance(value, tuple):
            return f"[{value[0]}, {self.literal(value[1], 'symbol')}]" if type_name == "Pair" else str(value)
        return f"{value}u" if type_name == "unsigned" else str(value)

    def base_rule(self, relation: _Relation) -> None:
        """A rule that reads earlier layers only."""
        body = _Body(self, relation.layer)
        for _ in range(self.random.choices((1, 2), (3, 1))[0]):
            body.atom([r for r in self.relations if r.layer < relation.layer])
        self.finish_rule(relation, body, (6, 2, 1))

    def step_rule(self, relation: _Relation) -> None:
        """A rule that goes on from a relation of its own layer, often by way of an earlier one."""
        body = _Body(self, relation.layer)
        own = [r for r in self.relations if r.layer == relation.layer]
        body.atom([relation] if self.chance(0.5) else own)
        for _ in range(self.random.choices((0, 1, 2, 3), (1, 6, 3, 1))[0]):
            body.atom(own if self.chance(0.25) else [r for r in self.relations if r.layer < relation.layer])
        self.random.shuffle(body.parts)
        self.finish_rule(relation, body, (6, 2, 1))

    def any_rule(self, relation: _Relation) -> None:
        body = _Body(self, relation.layer)
        for _ in range(self.random.choices((0, 1, 2, 3), (0.5, 5, 8, 3))[0]):
            body.atom([r for r in self.relations if r.layer <= relation.layer])
        self.finish_rule(relation, body, (1, 4, 2))

    def finish_rule(self, relation: _Relation, body: _Body, extras: tuple[float, ...]) -> None:
        for _ in range(self.random.choices(range(len(extras)), extras)[0]):
            body.extra()
        heads = [relation]
        if self.chance(0.12):
            heads.append(self.some([r for r in self.relations if r.layer == relation.layer]))
        shown = ", ".join(self.head(head, body) for head in heads)
        self.clauses.append(f"{shown} :- {', '.join(body.parts) or 'true'}.")

    def head(self, relation: _Relation, body: _Body) -> str:
        body.used = set()
        shown = (
            [body.term(t) for t in relation.types[:-1]] if relation.aggregate else list(map(body.term, relation.types))
        )
        if relation.aggregate in LATTICES:
            own = body.variables(relation.types[-1])
            value = self.some(own) if own and self.chance(0.6) else None
            if value is not None and relation.aggregate == "Range" and self.chance(0.5):
                value = f"@shifted({value}, {body.term('number')})"
            shown.append(f"lub({value or body.term(LATTICES[relation.aggregate])})")
        elif relation.aggregate:
            value = body.term("number")
            if self.chance(0.5):
                value = f"({value} + {body.term('number') if self.chance(0.3) else 1}) % {2 * self.size}"
            shown.append(f"{relation.aggregate}({value})")
        return f"{relation.name}({', '.join(shown)})"


class _Body:
    """A body that grows; `typed`: its bound variables and their types."""

    def __init__(self, maker: _Maker, layer: int) -> None:
        self.maker = maker
        self.layer = layer
        self.parts: list[str] = []
        self.typed: dict[str, str] = {}
        self.used: set[str] = set()  # in the head so far
        self.named = 0

    def variables(self, type_name: str) -> list[str]:
        return [name for name, t in self.typed.items() if t == type_name]

    def fresh(self, type_name: str) -> str:
        self.named += 1
        name = f"v{self.named}"
        self.typed[name] = type_name
        return name

    def atom(self, relations: list[_Relation]) -> None:
        """A positive atom of one of the relations; it shares a variable with what is there where it can."""
        maker = self.maker
        before = set(self.typed)
        shares = [r for r in relations if {*r.types} & {*self.typed.values()}]
        relation = maker.some(shares if shares and maker.chance(0.8) else relations)
        terms = [self.argument(t, before) for t in relation.types]
        joinable = [i for i, t in enumerate(relation.types) if any(self.typed[v] == t for v in before)]
        if joinable and not before & set(terms):
            position = maker.some(joinable)
            terms[position] = maker.some([v for v in sorted(before) if self.typed[v] == relation.types[position]])
        shown = f"{relation.name}({', '.join(terms)})"
        if maker.chance(0.07):
            same = [r for r in relations if r.types == relation.types]
            shown = f"({shown} ; {maker.some(same).name}({', '.join(terms)}))"
        self.parts.append(shown)
        inside = set(re.findall(r"\w+", " ".join(terms)))
        self.typed = {v: t for v, t in self.typed.items() if v in before or v in inside}

    def argument(self, type_name: str, before: set[str] | None = None) -> str:
        """An argument of a positive atom: a known variable, a wildcard, a constant, a record pattern, or a new
        variable."""
        maker = self.maker
        known = self.variables(type_name)
        earlier = [v for v in known if before is None or v in before]
        if earlier and maker.chance(0.35):
            return str(maker.some(earlier))
        if known and maker.chance(0.06):
            return str(maker.some(known))
        if maker.chance(0.06):
            return "_"
        if type_name not in LATTICES and maker.chance(0.06):
            return maker.literal(maker.value(type_name), type_name)
        if type_name == "Pair" and maker.chance(0.4):
            return f"[{self.argument('number', before)}, {self.argument('symbol', before)}]"
        return self.fresh(type_name)

    def term(self, type_name: str) -> str:
        """A value of a type from what is bound; numbers stay small."""
        maker = self.maker
        known = self.variables(type_name)
        if type_name == "number" and known and maker.chance(0.1):
            left, right = self.term_of("number"), self.term_of("number")
            operator = maker.some(("+", "-", "*", "band", "bxor", "max", "min"))
            inner = f"{operator}({left}, {right})" if operator in ("max", "min") else f"{left} {operator} {right}"
            return f"({inner}) % {maker.size}"
        if type_name == "Pair" and maker.chance(0.5):
            return f"[{self.term('number')}, {self.term('symbol')}]"
        unused = [v for v in known if v not in self.used]
        if not known:
            return self.constant(type_name)
        chosen = str(maker.some(unused if unused and maker.chance(0.8) else known))
        self.used.add(chosen)
        return chosen

    def term_of(self, type_name: str) -> str:
        known = self.variables(type_name)
        return str(self.maker.some(known)) if known and self.maker.chance(0.8) else self.constant(type_name)

    def constant(self, type_name: str) -> str:
        maker = self.maker
        return maker.literal(maker.value(type_name), type_name)

    def extra(self) -> None:
        """A comparison, negation, computed or generated value, or the taking apart of a record."""
        maker = self.maker
        choice = maker.random.choices(
            ("compare", "negate", "compute", "generate", "unpack", "look into", "text"), (4, 5, 3, 2, 1, 3, 1)
        )[0]
        numbers = self.variables("number")
        if choice == "compare" and self.typed:
            self.compare()
        elif choice == "negate":
            self.negate()
        elif choice == "compute" and numbers:
            value = maker.some((self.term("number"), f"@half({maker.some(numbers)})", f"{maker.some(numbers)} / 2"))
            self.parts.append(f"{self.fresh('number')} = {value}")
        elif choice == "generate" and numbers:
            source = maker.some(numbers)
            values = maker.some((f"@near({source})", f"range(0, {source} % 3)", f"range({source} % 3, 0)"))
            target = maker.some(numbers) if maker.chance(0.3) else self.fresh("number")
            self.parts.append(f"{target} = {values}")
        elif choice == "unpack" and (pairs := self.variables("Pair")):
            self.parts.append(f"{maker.some(pairs)} = [{self.argument('number')}, {self.argument('symbol')}]")
        elif choice == "look into":
            self.look_into_lattice()
        elif choice == "text" and numbers:
            self.parts.append(f"{self.fresh('symbol')} = @letter({maker.some(numbers)})")

    def compare(self) -> None:
        maker = self.maker
        name, type_name = maker.some(self.typed.items())
        if type_name in LATTICES or type_name == "Pair":
            operator, other = maker.some(("=", "!=")), maker.some(self.variables(type_name))
        else:
            operator, other = maker.some(("=", "!=", "<", "<=", ">", ">=")), self.term(type_name)
        self.parts.append(f"{name} {operator} {other}")

    def negate(self) -> None:
        maker = self.maker
        below = [r for r in maker.relations if r.layer < self.layer]
        relation = maker.some(below)
        terms = []
        for type_name in relation.types:
            known = self.variables(type_name)
            terms.append(
                str(maker.some(known))
                if known and maker.chance(0.7)
                else self.constant(type_name)
                if maker.chance(0.3) and type_name not in LATTICES
                else "_"
            )
        if any(
            term == "_" and type_name not in LATTICES for term, type_name in zip(terms, relation.types, strict=True)
        ):
            # Of any key, a value of a lattice must not be asked for.
            terms = [
                "_" if type_name in LATTICES else term for term, type_name in zip(terms, relation.types, strict=True)
            ]
        self.parts.append(f"!{relation.name}({', '.join(terms)})")

    def look_into_lattice(self) -> None:
        maker = self.maker
        functors = {"Few": ("elements", "symbol"), "Const": ("constant", "number"), "Range": ("low", "number")}
        found = [(v, t) for v, t in self.typed.items() if t in functors]
        if found:
            variable, type_name = maker.some(found)
            functor, result = functors[type_name]
            self.parts.append(f"{self.fresh(result)} = @{functor}({variable})")


def relations_of(program: core.Program) -> list[str]:
    """Relations that a user can see."""
    return list(program.declared)
