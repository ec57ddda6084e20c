"""Random well-typed programs as text, of every construct of the language, with facts and changes.

    case = build(random.Random(seed), features)

Relations lie in layers: rules read their own layer positively and earlier layers in every way, so all is stratified.
All values stay in a small domain. `FEATURES` can be left out one by one; "alternatives" are disjunctions in aggregates.
"""
from __future__ import annotations

import itertools
import random
import re
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

from ..engine.programs import Case, Row, Rows
from .source_bodies import SCALARS, Relation, Scope

FEATURES = frozenset(("aggregates", "branches", "components", "eqrel", "inline", "tables", "lattices", "heads", "choice", "subsumption",
                      "counter", "functors", "conversions", "alternatives"))
_FUNCTORS = Path(__file__).parents[1] / "engine/functors.py"
_HEADER = """\
.type Small <: number
.type Pair = [n: number, s: symbol]
.type List = [head: number, tail: List]
"""
_HEADERS = {
    "branches": ".type Tree = Leaf {} | Num {n: number} | Node {left: Tree, n: number}\n.type Color = Red {} | Green {}\n",
    "functors": f'.functor half(n: number): number = "{_FUNCTORS}:half"\n.functor letter(n: number): symbol = "{_FUNCTORS}:letter"\n'
                f'.functor near(n: number): number = "{_FUNCTORS}:near" several\n',
    "lattices": '.lattice Few = "ladder.lattices:k_set(2)"\n.functor elements(s: Few): symbol = "ladder.lattices:members" several\n',
    "tables": '.type Mask <: number\n.functor either(a: Mask, b: Mask): Mask = "operator:or_"\n'
              '.functor both(a: Mask, b: Mask): Mask = "operator:and_"\n'
              '.lattice Mask<> {Bottom -> 0, Top -> 7, Lub -> @either(_, _), Glb -> @both(_, _)}\n',
}


def build(source: random.Random, features: Iterable[str] = FEATURES) -> Case:
    """One case, whatever it costs to evaluate."""
    return Maker(source, frozenset(features)).case()


class Maker:
    """Makes one case."""

    def __init__(self, source: random.Random, features: frozenset[str]) -> None:
        self.random, self.features = source, features
        self.size = source.choice((3, 4, 5))
        self.relations: list[Relation] = []
        self.clauses: dict[int, list[str]] = {}
        self.numbers = itertools.count()
        self.components: dict[int, int] = {}   # layer → the shape of its component

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def some(self, options: Iterable[Any]) -> Any:
        return self.random.choice(list(options))

    def use(self, feature: str, probability: float) -> bool:
        return feature in self.features and self.chance(probability)

    # ---- the whole case

    def case(self) -> Case:
        for _ in range(self.random.randint(1, 3)):
            self.relation(0)
        layers = self.random.randint(1, 3)
        for layer in range(1, layers + 1):
            if self.use("components", 0.3):
                self.components[layer] = self.random.randrange(4)
            made = [self.relation(layer) for _ in range(self.random.randint(1, 3))]
            for relation in made:
                self.rules(relation)
        for relation in self.relations:
            relation.rows = set(self.rows(relation)) if relation.given else set()
        facts = {r.name: sorted(r.rows, key=repr) for r in self.relations if r.given}
        changes = [self.change() for _ in range(self.random.randint(1, 3))]
        return Case(self.text(layers), facts, changes)

    def text(self, layers: int) -> str:
        parts = [_HEADER, *(text for feature, text in _HEADERS.items() if feature in self.features)]
        for layer in range(layers + 1):
            declared = [r.declaration() for r in self.relations if r.layer == layer]
            clauses = self.clauses.get(layer, [])
            parts.extend(self.component(layer, declared, clauses) if layer in self.components else [*declared, *clauses])
        return "\n".join(parts) + "\n"

    def component(self, layer: int, declared: list[str], clauses: list[str]) -> list[str]:
        """A layer as a component: with a parameter, or in two parts of which one inherits from the other."""
        clauses = [clause.replace(self.prefix(layer), "") for clause in clauses]
        name, instance = f"L{layer}", f".init l{layer} = L{layer}"
        match self.components[layer]:
            case 0:
                return [f".comp {name} {{", *declared, *clauses, "}", instance]
            case 1:
                generic = [line.replace(": number", ": T") for line in declared]
                return [f".comp {name}<T> {{", *generic, *clauses, "}", f"{instance}<number>"]
            case 2:
                cut = self.random.randint(0, len(clauses))
                return [f".comp Base{name}<T> {{", *declared, *clauses[:cut], "}", f".comp {name}<T> : Base{name}<T> {{", *clauses[cut:], "}",
                        f"{instance}<symbol>"]
        return [f".comp Outer{name} {{", f".comp {name} {{", *declared, *clauses, "}", f".init l{layer} = {name}", "}",
                f".init outer{layer} = Outer{name}"]

    def prefix(self, layer: int) -> str:
        """What stands before the names of a layer's relations outside it."""
        return "" if layer not in self.components else f"outer{layer}.l{layer}." if self.components[layer] == 3 else f"l{layer}."

    def relation(self, layer: int) -> Relation:
        forms = {"plain": 8.0}
        if layer:
            forms.update({form: weight for form, feature, weight in (
                ("eqrel", "eqrel", 1), ("inline", "inline", 1), ("min", "heads", 1), ("max", "heads", 1), ("lub", "lattices", 0.7),
                ("lattice", "lattices", 0.7), ("lattice", "tables", 2), ("choice", "choice", 1), ("subsumed", "subsumption", 1))
                if feature in self.features})
        form = self.random.choices(list(forms), list(forms.values()))[0]
        types = [self.column() for _ in range(self.random.choices((0, 1, 2, 3), (1, 5, 8, 3))[0])]
        match form:
            case "eqrel":
                types = [self.some(("number", "symbol"))] * 2
            case "min" | "max":
                types = [*types[:2], self.some(("number", "number", "unsigned", "float"))]
            case "lub":
                types = [*types[:1], "Few"]
            case "lattice":
                known = [t for t, feature in (("Few", "lattices"), ("Mask", "tables")) if feature in self.features]
                types = [*types[:1], self.some(known)]
                if types[-1] == "Mask" and self.chance(0.3):
                    types.append("Mask")
            case "choice":
                types = [*types, "number", self.column()][-2:]
            case "subsumed":
                types = [*types[:1], "number"]
        prefix = self.prefix(layer)
        given = layer == 0 or not prefix and form in ("plain", "eqrel", "choice") and self.chance(0.2)
        relation = Relation(f"{prefix}{'r' if layer else 'e'}{len(self.relations)}", tuple(types), layer, form, given)
        self.relations.append(relation)
        return relation

    def column(self) -> str:
        records = ["Pair", "List", *(["Tree", "Color"] if "branches" in self.features else [])]
        return str(self.some(records) if self.chance(0.15) else self.random.choices(SCALARS, (10, 6, 1.5, 1.5, 1))[0])

    # ---- values

    def value(self, type_name: str, depth: int = 2) -> Hashable:
        match type_name:
            case "number" | "Small":
                return self.random.randrange(self.size) if self.chance(0.97) else self.some((-1, 2**31 - 1, -(2**31)))
            case "symbol":
                return self.some(("a", "b", "ab", "", "1"))
            case "unsigned":
                return self.some((0, 1, 2, 3, 2**32 - 1))
            case "float":
                return self.some((0.0, 0.5, 1.0, 2.25, -1.5))
            case "Pair":
                return None if self.chance(0.2) else (self.random.randrange(self.size), self.some("ab"))
            case "List":
                return None if depth == 0 or self.chance(0.3) else (self.random.randrange(self.size), self.value("List", depth - 1))
            case "Tree":
                match self.some(("Leaf", "Num", "Node")) if depth else "Leaf":
                    case "Num":
                        return "Num", self.random.randrange(self.size)
                    case "Node":
                        return "Node", self.value("Tree", depth - 1), self.random.randrange(self.size)
                return ("Leaf",)
            case "Color":
                return (self.some(("Red", "Green")),)
            case "Mask":
                return self.some((0, 1, 2, 3, 4, 7))
        raise AssertionError(type_name)

    def literal(self, value: Any, type_name: str) -> str:
        if value is None:
            return "nil"
        match type_name:
            case "symbol":
                return f'"{value}"'
            case "unsigned":
                return f"{value}u"
            case "Pair":
                return f'[{value[0]}, "{value[1]}"]'
            case "List":
                return f"[{value[0]}, {self.literal(value[1], 'List')}]"
            case "Tree" | "Color":
                inner = [str(v) if isinstance(v, int) else self.literal(v, type_name) for v in value[1:]]
                return f"${value[0]}({', '.join(inner)})"
        return f"({value})" if value < 0 else str(value)

    def constant(self, type_name: str) -> str:
        if type_name == "Few":
            raise AssertionError("no literal")
        return self.literal(self.value(type_name), type_name)

    def row(self, relation: Relation) -> Row:
        return tuple(map(self.value, relation.types))

    def rows(self, relation: Relation) -> list[Row]:
        count = self.random.choice((0, 1, 2)) if relation.layer else self.random.choice((1, 3, 5, 8))
        rows = [self.row(relation) for _ in range(count)]
        if relation.types[:2] == ("number", "number") and not relation.layer and self.chance(0.5):
            rows += [(i, (i + 1) % self.size, *map(self.value, relation.types[2:])) for i in range(self.size)]
        return rows

    def change(self) -> dict[str, Rows]:
        insert: Rows = {}
        delete: Rows = {}
        for relation in self.relations:
            if not relation.given or self.chance(0.2):
                continue
            before, share = set(relation.rows), self.some((0.2, 0.4, 1.0))
            gone = [row for row in sorted(before, key=repr) if self.chance(share)]
            come = [row for row in dict.fromkeys(self.row(relation) for _ in range(self.some((0, 1, 1, 2)))) if row not in before]
            relation.rows = before - set(gone) | set(come)
            delete.update({relation.name: gone} if gone else {})
            insert.update({relation.name: come} if come else {})
        return {"insert": insert, "delete": delete}

    # ---- clauses

    def add(self, layer: int, clause: str) -> None:
        self.clauses.setdefault(layer, []).append(clause)

    def rules(self, relation: Relation) -> None:
        layer = relation.layer
        earlier = [r for r in self.relations if r.layer < layer]
        own = [r for r in self.relations if r.layer == layer and r.form != "inline"]
        self.rule(relation, [earlier] * self.some((1, 1, 2)))
        if relation.form != "inline":
            for _ in range(self.random.choices((0, 1, 2), (3, 5, 2))[0]):
                self.rule(relation, [own, *[earlier] * self.some((0, 1, 1)), *[own] * self.some((0, 0, 1))])
        if relation.form == "subsumed":
            self.subsumption(relation)
        if self.chance(0.15) and relation.form not in ("inline", "lub", "lattice", "min", "max") and "Few" not in relation.types:
            self.add(layer, f"{relation.name}({', '.join(map(self.constant, relation.types))}).")

    def rule(self, relation: Relation, choices: list[list[Relation]]) -> None:
        scope = Scope(self, relation.layer)
        for candidates in choices:
            scope.atom(candidates)
        for _ in range(self.random.choices((0, 1, 2), (4, 5, 2))[0]):
            scope.extra(2)
        self.random.shuffle(scope.parts)
        heads = [self.head(relation, scope)]
        same = [r for r in self.relations if r.layer == relation.layer and r.types == relation.types and r.form == "plain" == relation.form]
        if self.chance(0.1):
            heads.append(self.head(self.some(same or [relation]), scope))
        self.add(relation.layer, f"{', '.join(heads)} :- {', '.join(scope.parts)}.")

    def head(self, relation: Relation, scope: Scope) -> str:
        terms = [scope.term(t, head=True) for t in relation.types]
        if relation.form in ("min", "max", "lub"):
            terms[-1] = f"{relation.form}({terms[-1]})"
        own = {r.name for r in self.relations if r.layer == relation.layer}
        reads_own = any(re.search(rf"(?<![\w.]){re.escape(name)}\(", part) for name in own for part in scope.parts)
        if relation.form == "plain" and "number" in relation.types and not reads_own and self.use("counter", 0.05):
            terms[relation.types.index("number")] = "autoinc()"
        return f"{relation.name}({', '.join(terms)})"

    def subsumption(self, relation: Relation) -> None:
        groups = [f"g{i}" for i in range(len(relation.types) - 1)]
        left, right = (f"{relation.name}({', '.join([*groups, v])})" for v in ("a", "b"))
        self.add(relation.layer, f"{left} <= {right} :- {self.some(('a < b', 'b < a', 'b <= a, a != 1'))}.")
