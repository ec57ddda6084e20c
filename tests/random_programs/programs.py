"""Random well-typed programs as text, of every construct of the language, with facts and changes.

    case = build(random.Random(seed), features)

Relations lie in layers: rules read their own layer positively and earlier layers in every way, so all is stratified.
All values stay in a small domain. Features can be left out one by one; "alternatives" are disjunctions in aggregates.
`EVERYTHING` is what the language has; `FEATURES` is what the cases of seeds that are written down in tests are made of.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

from ..engine.programs import Case, Row, Rows
from .bodies import SCALARS, Relation, Scope
from .forms import FORMS

FEATURES = frozenset(
    (
        "aggregates",
        "branches",
        "components",
        "eqrel",
        "inline",
        "tables",
        "lattices",
        "heads",
        "choice",
        "subsumption",
        "counter",
        "functors",
        "conversions",
        "alternatives",
    )
)
EVERYTHING = FEATURES | {
    "forms",
    "types",
    "wide",
    "qualifiers",
    "limits",
    "plans",
    "overrides",
    "deltas",
    "iterations",
    "keys",
    "meets",
    "twice",
    "small",
}
QUALIFIERS = ("magic", "no_magic", "brie", "btree", "no_inline")
_FUNCTORS = Path(__file__).parents[1] / "engine/functors.py"
_HEADER = """\
.type Small <: number
.type Pair = [n: number, s: symbol]
.type List = [head: number, tail: List]
"""
_HEADERS = {
    "types": """\
.type Tiny <: Small
.type Same = Small
.type Tag <: number
.type Mixed = Small | Tag
.type Word <: symbol
.type Deep = [p: Pair, d: Deep, n: number]
.type Even = Zero {} | After {o: Odd}   .type Odd = Next {e: Even, n: number}
""",
    "branches": ".type Tree = Leaf {} | Num {n: number} | Node {left: Tree, n: number}\n.type Color = Red {} | Green "
    "{}\n",
    "functors": f'.functor half(n: number): number = "{_FUNCTORS}:half"\n.functor letter(n: number): symbol = '
    f'"{_FUNCTORS}:letter"\n'
    f'.functor near(n: number): number = "{_FUNCTORS}:near" several\n',
    "lattices": '.lattice Few = "ladder.lattices:k_set(2)"\n.functor elements(s: Few): symbol = '
    '"ladder.lattices:members" several\n',
    "tables": '.type Mask <: number\n.functor either(a: Mask, b: Mask): Mask = "operator:or_"\n'
    '.functor both(a: Mask, b: Mask): Mask = "operator:and_"\n'
    ".lattice Mask<> {Bottom -> 0, Top -> 7, Lub -> @either(_, _), Glb -> @both(_, _)}\n",
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
        self.components: dict[int, int] = {}  # layer → the shape of its component
        self.forms: list[str] = []  # lattices of `FORMS`
        self.tail: list[str] = []  # what stands at the end: limits

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def some(self, options: Iterable[Any]) -> Any:
        return self.random.choice(list(options))

    def use(self, feature: str, probability: float) -> bool:
        return feature in self.features and self.chance(probability)

    # ---- the whole case

    def case(self) -> Case:
        if self.use("forms", 0.6):
            self.forms = self.random.sample(sorted(FORMS), self.some((1, 1, 2, 3)))
        # most defects need few relations, and more small programs are evaluated in the same time
        small = self.use("small", 0.75)
        for _ in range(self.random.randint(1, 2 if small else 3)):
            self.relation(0)
        layers = self.random.choice((1, 1, 2)) if small else self.random.randint(1, 3)
        for layer in range(1, layers + 1):
            if self.use("components", 0.3):
                self.components[layer] = self.random.randrange(5 if "overrides" in self.features else 4)
            made = [self.relation(layer) for _ in range(self.random.randint(1, 2 if small else 3))]
            for relation in made:
                self.rules(relation)
            if self.use("deltas", 0.08) and (plain := [r for r in made if r.form == "plain"]):
                self.debug_delta(layer, self.some(plain))
            if self.use("limits", 0.06) and (plain := [r for r in made if r.form == "plain"]):
                self.tail.append(f".limitsize {self.some(plain).name}(n={self.some((1, 2, 5))})")
        for relation in self.relations:
            relation.rows = set(self.rows(relation)) if relation.given else set()
        facts = {r.name: sorted(r.rows, key=repr) for r in self.relations if r.given}
        changes = [self.change() for _ in range(self.random.randint(1, 2 if small else 3))]
        return Case(self.text(layers), facts, changes)

    def text(self, layers: int) -> str:
        needed = dict.fromkeys(name for form in self.forms for name in (*FORMS[form].needs, form))
        headers = [
            _HEADER,
            *(_HEADERS[f] for f in _HEADERS if f in self.features),
            *(FORMS[form].text for form in needed),
        ]
        parts: list[str] = []
        for layer in range(layers + 1):
            declared = [r.declaration() for r in self.relations if r.layer == layer]
            clauses = self.clauses.get(layer, [])
            parts.extend(
                self.component(layer, declared, clauses) if layer in self.components else [*declared, *clauses]
            )
        parts.extend(self.tail)
        return _with_what_it_uses("".join(headers), "\n".join(parts) + "\n")

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
                return [
                    f".comp Base{name}<T> {{",
                    *declared,
                    *clauses[:cut],
                    "}",
                    f".comp {name}<T> : Base{name}<T> {{",
                    *clauses[cut:],
                    "}",
                    f"{instance}<symbol>",
                ]
            case 4:
                return self.overriding(layer, declared, clauses)
        return [
            f".comp Outer{name} {{",
            f".comp {name} {{",
            *declared,
            *clauses,
            "}",
            f".init l{layer} = {name}",
            "}",
            f".init outer{layer} = Outer{name}",
        ]

    def overriding(self, layer: int, declared: list[str], clauses: list[str]) -> list[str]:
        """A layer as a component that overrides what its base says about one relation, where one is only said in rules
        of its own."""
        heads = [re.match(r"(\w+)\(", clause) for clause in clauses]
        several = {
            name
            for clause in clauses
            for name in re.findall(r"(\w+)\(", re.sub(r'"[^"]*"', "", clause.partition(":-")[0]))[1:]
        }
        names = sorted({head[1] for head in heads if head} - several)
        chosen = [
            name
            for name in names
            if any(re.match(rf"\.decl {name}\([^)]*\)$", line.partition("\n")[0]) for line in declared)
        ]
        if not chosen:
            return [f".comp L{layer} {{", *declared, *clauses, "}", f".init l{layer} = L{layer}"]
        name = self.some(chosen)
        declared = [re.sub(rf"(\.decl {name}\([^)]*\))", r"\1 overridable", line, count=1) for line in declared]
        own = [clause for clause in clauses if clause.startswith(f"{name}(")]
        replaced = self.random.sample(own, self.random.randint(1, len(own)))
        base = [clause for clause in clauses if clause not in own or clause in self.random.sample(own, len(own) // 2)]
        return [
            f".comp Base{layer} {{",
            *declared,
            *base,
            "}",
            f".comp L{layer} : Base{layer} {{",
            f".override {name}",
            *replaced,
            "}",
            f".init l{layer} = L{layer}",
        ]

    def debug_delta(self, layer: int, relation: Relation) -> None:
        """A relation that tells in which iteration the rows of another came."""
        name = f"{self.prefix(layer)}d{len(self.relations)}"
        self.relations.append(Relation(name, (*relation.types, "unsigned"), layer, "delta", of=relation.local))

    def prefix(self, layer: int) -> str:
        """What stands before the names of a layer's relations outside it."""
        return (
            ""
            if layer not in self.components
            else f"outer{layer}.l{layer}."
            if self.components[layer] == 3
            else f"l{layer}."
        )

    def relation(self, layer: int) -> Relation:
        forms = {"plain": 8.0}
        if layer:
            forms.update(
                {
                    form: weight
                    for form, feature, weight in (
                        ("eqrel", "eqrel", 1),
                        ("inline", "inline", 1),
                        ("min", "heads", 1),
                        ("max", "heads", 1),
                        ("lub", "lattices", 0.7),
                        ("lattice", "lattices", 0.7),
                        ("lattice", "tables", 2),
                        ("choice", "choice", 1),
                        ("subsumed", "subsumption", 1),
                    )
                    if feature in self.features
                }
            )
            if self.forms:
                forms.update({"form": 4.0, "taken": 1.0, **({"glb": 0.5} if "meets" in self.features else {})})
        form = self.random.choices(list(forms), list(forms.values()))[0]
        types = [self.column() for _ in range(self.random.choices((0, 1, 2, 3), (1, 5, 8, 3))[0])]
        if form == "plain" and self.use("wide", 0.05):
            types = [self.column() for _ in range(self.some((8, 16, 31, 32)))]
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
            case "form":
                types = [*types[:1], *self.random.sample(self.forms, 1 if self.chance(0.8) else len(self.forms))]
            case "taken":
                types = [*types[:1], self.some(self.forms)]
            case "glb":
                types = [*types[:1], self.some([f for f in self.forms if FORMS[f].meets] or ["number"])]
                form = "glb" if types[-1] in FORMS else "plain"
            case "choice":
                types = [*types, "number", self.column()][-2:]
            case "subsumed":
                types = [*types[:1], "number"]
        prefix = self.prefix(layer)
        given = layer == 0 or not prefix and form in ("plain", "eqrel", "choice") and self.chance(0.2)
        relation = Relation(f"{prefix}{'r' if layer else 'e'}{len(self.relations)}", tuple(types), layer, form, given)
        if form == "choice" and "keys" in self.features:
            relation.keys = self.some(("c0", "c1", "(c0, c1)", "c0, c1"))
        if form == "plain" and self.use("qualifiers", 0.1):
            relation.qualifier = self.some(QUALIFIERS)
        self.relations.append(relation)
        return relation

    def column(self) -> str:
        if self.use("types", 0.2):
            return str(self.some(("Tiny", "Same", "Tag", "Mixed", "Word", "Deep", "Even", "Odd")))
        if self.forms and self.chance(0.03):
            return str(self.some(self.forms))
        records = ["Pair", "List", *(["Tree", "Color"] if "branches" in self.features else [])]
        return str(self.some(records) if self.chance(0.15) else self.random.choices(SCALARS, (10, 6, 1.5, 1.5, 1))[0])

    # ---- values

    def value(self, type_name: str, depth: int = 2) -> Hashable:
        match type_name:
            case "number" | "Small" | "Tiny" | "Same" | "Tag" | "Mixed":
                return self.random.randrange(self.size) if self.chance(0.97) else self.some((-1, 2**31 - 1, -(2**31)))
            case "symbol" | "Word":
                return self.some(("a", "b", "ab", "", "1"))
            case "Deep":
                return (
                    None
                    if depth == 0 or self.chance(0.3)
                    else (self.value("Pair"), self.value("Deep", depth - 1), self.random.randrange(self.size))
                )
            case "Even":
                return ("Zero",) if depth <= 0 or self.chance(0.4) else ("After", self.value("Odd", depth - 1))
            case "Odd":
                return "Next", self.value("Even", depth - 1), self.random.randrange(self.size)
            case "unsigned":
                return self.some((0, 1, 2, 3, 2**32 - 1))
            case "float":
                return self.some((0.0, 0.5, 1.0, 2.25, -1.5))
            case "Pair":
                return None if self.chance(0.2) else (self.random.randrange(self.size), self.some("ab"))
            case "List":
                return (
                    None
                    if depth == 0 or self.chance(0.3)
                    else (self.random.randrange(self.size), self.value("List", depth - 1))
                )
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
            case "symbol" | "Word":
                return f'"{value}"'
            case "Deep":
                return f"[{self.literal(value[0], 'Pair')}, {self.literal(value[1], 'Deep')}, {value[2]}]"
            case "Even" | "Odd":
                inner = [str(v) if isinstance(v, int) else self.literal(v, "Even") for v in value[1:]]
                return f"${value[0]}({', '.join(inner)})"
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
        if type_name in FORMS:
            return Scope(self, 0).made(type_name, 0)
        return self.literal(self.value(type_name), type_name)

    def row(self, relation: Relation) -> Row:
        return tuple(map(self.value, relation.types))

    def rows(self, relation: Relation) -> list[Row]:
        if set(relation.types) & FORMS.keys():
            return []
        count = self.random.choice((0, 1, 2)) if relation.layer else self.random.choice((1, 3, 5, 8))
        rows = [self.row(relation) for _ in range(count)]
        if relation.types[:2] == ("number", "number") and not relation.layer and self.chance(0.5):
            rows += [(i, (i + 1) % self.size, *map(self.value, relation.types[2:])) for i in range(self.size)]
        return rows

    def change(self) -> dict[str, Rows]:
        insert: Rows = {}
        delete: Rows = {}
        for relation in self.relations:
            if not relation.given or set(relation.types) & FORMS.keys() or self.chance(0.2):
                continue
            before, share = set(relation.rows), self.some((0.2, 0.4, 1.0))
            gone = [row for row in sorted(before, key=repr) if self.chance(share)]
            come = [
                row
                for row in dict.fromkeys(self.row(relation) for _ in range(self.some((0, 1, 1, 2))))
                if row not in before
            ]
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
        if (
            self.chance(0.15)
            and relation.form not in ("inline", "lub", "lattice", "min", "max", "taken", "glb")
            and "Few" not in relation.types
        ):
            fact = f"{relation.name}({', '.join(map(self.constant, relation.types))})."
            for _ in range(2 if self.use("twice", 0.2) else 1):
                self.add(layer, fact)

    def rule(self, relation: Relation, choices: list[list[Relation]]) -> None:
        scope = Scope(self, relation.layer)
        for candidates in choices:
            scope.atom(candidates)
        for _ in range(self.random.choices((0, 1, 2), (4, 5, 2))[0]):
            scope.extra(2)
        self.random.shuffle(scope.parts)
        heads = [self.head(relation, scope)]
        same = [
            r
            for r in self.relations
            if r.layer == relation.layer and r.types == relation.types and r.form == "plain" == relation.form
        ]
        if self.chance(0.1):
            heads.append(self.head(self.some(same or [relation]), scope))
        plan = ""
        if scope.atoms > 1 and len(heads) == 1 and not scope.branched and self.use("plans", 0.1):
            order = self.random.sample(range(1, scope.atoms + 1), scope.atoms)
            plan = f" .plan 0:({','.join(map(str, order))})"
        self.add(relation.layer, f"{', '.join(heads)} :- {', '.join(scope.parts)}.{plan}")

    def head(self, relation: Relation, scope: Scope) -> str:
        terms = [scope.term(t, head=True) for t in relation.types]
        if relation.form in ("min", "max", "lub", "glb"):
            terms[-1] = f"{relation.form}({terms[-1]})"
        elif relation.form == "taken":
            takes = FORMS[relation.types[-1]].takes
            terms[-1] = f"lub({scope.term(takes) if takes and self.chance(0.7) else terms[-1]})"
        own = {r.name for r in self.relations if r.layer == relation.layer}
        reads_own = any(re.search(rf"(?<![\w.]){re.escape(name)}\(", part) for name in own for part in scope.parts)
        if relation.form == "plain" and "number" in relation.types and not reads_own and self.use("counter", 0.05):
            terms[relation.types.index("number")] = "autoinc()"
        elif relation.form == "plain" and "unsigned" in relation.types and self.use("iterations", 0.15):
            terms[relation.types.index("unsigned")] = "recursive_iteration_cnt() % 3"
        return f"{relation.name}({', '.join(terms)})"

    def subsumption(self, relation: Relation) -> None:
        groups = [f"g{i}" for i in range(len(relation.types) - 1)]
        left, right = (f"{relation.name}({', '.join([*groups, v])})" for v in ("a", "b"))
        self.add(relation.layer, f"{left} <= {right} :- {self.some(('a < b', 'b < a', 'b <= a, a != 1'))}.")


def _with_what_it_uses(headers: str, text: str) -> str:
    """A text after those lines of the headers whose type, lattice or functor it, or a line that it uses, names."""
    for line in reversed(headers.splitlines()):
        if any(re.search(rf"\b{name}\b", text) for name in re.findall(r"\.(?:type|functor|lattice) (\w+)", line)):
            text = f"{line}\n{text}"
    return text
