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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..engine.programs import Case, Row, Rows

FEATURES = frozenset(("aggregates", "branches", "components", "eqrel", "inline", "tables", "lattices", "heads", "choice", "subsumption",
                      "counter", "functors", "conversions", "alternatives"))
ORDERED = frozenset(("choice", "subsumption", "counter"))
SCALARS = ("number", "symbol", "unsigned", "float", "Small")
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
_NUMERIC = ("number", "unsigned", "float")
LATTICES = ("Few", "Mask")


@dataclass
class Relation:
    """`form`: plain, eqrel, inline, min, max (aggregator head), lub (of `Few` by head), lattice (`<>` columns), choice, subsumed."""

    name: str
    types: tuple[str, ...]
    layer: int
    form: str = "plain"
    given: bool = False
    rows: set[Row] = field(default_factory=set)

    def declaration(self) -> str:
        mark = "<>" if self.form == "lattice" else ""
        columns = [f"c{i}: {t}{mark if t in LATTICES else ''}" for i, t in enumerate(self.types)]
        extra = {"eqrel": " eqrel", "inline": " inline", "choice": " choice-domain c0"}.get(self.form, "")
        lines = [f".decl {self.local}({', '.join(columns)}){extra}"]
        if self.given:
            lines.append(f".input {self.local}")
        return "\n".join(lines)

    @property
    def local(self) -> str:
        """Its name within its component."""
        return self.name.rpartition(".")[2]


def build(source: random.Random, features: Iterable[str] = FEATURES) -> Case:
    """One case, whatever it costs to evaluate."""
    return _Maker(source, frozenset(features)).case()


class _Maker:
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
        scope = _Scope(self, relation.layer)
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

    def head(self, relation: Relation, scope: _Scope) -> str:
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


class _Scope:
    """A body while it is made; `typed`: its bound variables, `outer` ones of the body around it among them."""

    def __init__(self, maker: _Maker, layer: int, outer: dict[str, str] | None = None) -> None:
        self.maker, self.layer = maker, layer
        self.parts: list[str] = []
        self.typed: dict[str, str] = dict(outer or {})
        self.outer = frozenset(outer or ())

    def fresh(self, type_name: str) -> str:
        name = f"v{next(self.maker.numbers)}"
        self.typed[name] = type_name
        return name

    def known(self, type_name: str) -> list[str]:
        return [v for v, t in self.typed.items() if t == type_name]

    # ---- atoms

    def atom(self, candidates: list[Relation]) -> None:
        if not candidates:
            return
        maker = self.maker
        relation = maker.some(candidates)
        shown = f"{relation.name}({', '.join([self.pattern(t) for t in relation.types])})"
        if maker.chance(0.08) and (not self.outer or "alternatives" in maker.features):
            similar = [r for r in candidates if r.types == relation.types]
            shown = f"({shown} ; {shown.replace(relation.name, maker.some(similar).name, 1)})"
        self.parts.append(shown)

    def pattern(self, type_name: str, depth: int = 1) -> str:
        """An argument of a positive atom."""
        maker = self.maker
        known = self.known(type_name)
        if known and maker.chance(0.4):
            return str(maker.some(known))
        if maker.chance(0.08):
            return "_"
        if type_name != "Few" and maker.chance(0.06):
            return maker.constant(type_name)
        if depth and maker.chance(0.5):
            inner = self.inside(type_name)
            if inner is not None:
                return inner
        return self.fresh(type_name)

    def inside(self, type_name: str) -> str | None:
        """A pattern that takes a record or a branch apart."""
        match type_name:
            case "Pair":
                return f"[{self.pattern('number', 0)}, {self.pattern('symbol', 0)}]"
            case "List":
                return f"[{self.pattern('number', 0)}, {self.pattern('List', 0)}]"
            case "Tree":
                return self.maker.some((f"$Num({self.pattern('number', 0)})",)) if self.maker.chance(0.5) else \
                    f"$Node({self.pattern('Tree', 0)}, {self.pattern('number', 0)})"
        return None

    # ---- terms

    def term(self, type_name: str, depth: int = 2, head: bool = False) -> str:
        """A value of a type from what is bound."""
        maker, known = self.maker, self.known(type_name)
        if type_name == "Few":
            return str(maker.some(known)) if known and maker.chance(0.7) else self.term("symbol", depth - 1)
        if depth and maker.chance(0.25):
            return self.composite(type_name, depth - 1)
        if known and maker.chance(0.9 if head else 0.8):
            return str(maker.some(known))
        return maker.constant(type_name)

    def composite(self, type_name: str, depth: int) -> str:
        maker = self.maker
        options = self.composites(type_name, depth)
        return str(maker.some(options)) if options else maker.constant(type_name)

    def composites(self, type_name: str, depth: int) -> list[str]:
        a, b = ((self.term(type_name, depth) if type_name not in ("Color", "Few") else "") for _ in range(2))
        size, on = self.maker.size, self.maker.features
        match type_name:
            case "number":
                operator = self.maker.some(("+", "-", "*", "band", "bor", "bxor", "bshl", "bshr", "land", "lxor"))
                return [f"({a} {operator} {b}) % {size}", f"max({a}, {b})", f"min({a}, {b}, 2)", f"{a} / {b}", f"({a} ^ 2) % {size}",
                        f"(0 - {a}) % {size}", f"strlen({self.term('symbol', depth)})", f"lnot {a}", f"bnot {a} band 3",
                        *([f"to_number(to_string({a}))", f"to_number({self.term('unsigned', depth)}) % {size}",
                           f"to_number({self.term('symbol', depth)})"] if "conversions" in on else []),
                        *([f"@half({a})"] if "functors" in on else [])]
            case "Small":
                return [f"as({self.term('number', depth)} % {size}, Small)"]
            case "symbol":
                number = self.term("number", depth)
                return [f"substr(cat({a}, {b}), 0, 2)", f"to_string({number} % {size})", *([f"@letter({number})"] if "functors" in on else [])]
            case "unsigned":
                return [f"({a} + {b}) % 5", f"({a} - {b}) % 7", f"{a} band {b}", f"max({a}, {b})",
                        *([f"to_unsigned({self.term('number', depth)} % {size}) % 5"] if "conversions" in on else [])]
            case "float":
                return [f"min({a} + {b}, 4.0)", f"max({a} - {b}, 0.0)", f"max({a}, {b})",
                        *([f"to_float({self.term('number', depth)} % {size})"] if "conversions" in on else [])]
            case "Pair":
                return [f"[{self.term('number', depth)} % {size}, {self.term('symbol', depth)}]", "nil"]
            case "List":
                return ["nil", f"[{self.term('number', 0)}, nil]", f"[{self.term('number', 0)}, {self.term('List', 0)}]"]
            case "Tree":
                return ["$Leaf()", "$Leaf", f"$Num({self.term('number', depth)})", f"$Node($Leaf, {self.term('number', 0)})",
                        f"$Node({self.term('Tree', 0)}, {self.term('number', 0)})"]
            case "Mask":
                return [f"as({self.term('number', 0)} band 7, Mask)", f"@either({a}, {b})", f"@both({a}, {b})"]
        return []

    # ---- other literals

    def extra(self, depth: int) -> None:
        """A comparison, negation, value, range, text constraint, choice between two, or aggregate."""
        kinds = {"compare": 5, "negate": 4, "value": 3, "range": 1, "text": 1, "either": 1, "aggregate": 6, "unpack": 2, "elements": 2}
        kind = self.maker.random.choices(list(kinds), list(kinds.values()))[0]
        if kind == "aggregate" and "aggregates" not in self.maker.features or \
                kind == "either" and self.outer and "alternatives" not in self.maker.features:
            kind = "compare"
        if kind == "aggregate":
            self.aggregate(depth)
        else:
            getattr(self, kind)()

    def compare(self) -> None:
        maker = self.maker
        type_name = maker.some(set(self.typed.values()) & set(SCALARS) or {"number"})
        operator = maker.some(("=", "!=", "<", "<=", ">", ">="))
        self.parts.append(f"{self.term(type_name)} {operator} {self.term(type_name)}")

    def negate(self) -> None:
        maker = self.maker
        below = [r for r in maker.relations if r.layer < self.layer and r.form != "inline"]
        relation = maker.some(below)
        arguments = [str(maker.some(self.known(t))) if self.known(t) and maker.chance(0.7) else
                     self.term(t, 1) if t != "Few" and maker.chance(0.3) else "_" for t in relation.types]
        shown = f"{relation.name}({', '.join(arguments)})"
        self.parts.append(f"!{shown}" if maker.chance(0.8) else f"!({shown}, {self.term('number')} < {self.term('number')})")

    def value(self) -> None:
        type_name = self.maker.some(("number", "number", "symbol", "unsigned", "float", "Pair"))
        known = self.known(type_name)
        value = self.maker.some(known) if type_name == "Pair" and known else self.term(type_name if type_name != "Pair" else "number")
        self.parts.append(f"{self.fresh(type_name if type_name != 'Pair' or known else 'number')} = {value}")

    def range(self) -> None:
        maker = self.maker
        first, last = self.term("number", 0), self.term("number", 0)
        made = maker.some((f"range(0, {first} % 3)", f"range({first} % 3, {last} % 4)", f"range({first} % 3, 0, -1)"))
        if maker.use("functors", 0.3):
            made = f"@near({first})"
        target = maker.some(self.known("number")) if self.known("number") and maker.chance(0.3) else self.fresh("number")
        self.parts.append(f"{target} = {made}")

    def text(self) -> None:
        left, right = self.maker.some(('"a.*"', '"[ab]*"', '"1"')), self.term("symbol", 1)
        shown = f"match({left}, {right})" if self.maker.chance(0.5) else f"contains({self.term('symbol', 0)}, {right})"
        self.parts.append(self.maker.some((shown, f"!{shown}")))

    def either(self) -> None:
        maker, sides = self.maker, []
        before = self.parts
        for _ in range(2):
            self.parts = []
            self.maker.some((self.compare, self.negate, self.text))()
            sides.append(", ".join(self.parts))
        self.parts = before
        self.parts.append(f"({sides[0]} ; {maker.some((sides[1], 'true', sides[1]))})")

    def unpack(self) -> None:
        found = [(v, t) for v, t in self.typed.items() if t in ("Pair", "List", "Tree")]
        if found:
            variable, type_name = self.maker.some(found)
            self.parts.append(f"{variable} = {self.inside(type_name)}")

    def elements(self) -> None:
        found = [v for v, t in self.typed.items() if t == "Few"]
        if found:
            chosen = self.maker.some(found)
            self.parts.append(f"{self.fresh('symbol')} = @elements({chosen})")

    def aggregate(self, depth: int) -> None:
        """A value of an aggregate: bound to a variable, compared, or part of an expression."""
        maker = self.maker
        inner = _Scope(maker, self.layer, self.typed)
        below = [r for r in maker.relations if r.layer < self.layer and r.form != "inline"]
        for _ in range(maker.some((1, 1, 2))):
            inner.atom(below)
        for _ in range(maker.some((0, 0, 1, 1, 2)) if depth else 0):
            inner.extra(depth - 1)
        maker.random.shuffle(inner.parts)
        local = [(v, t) for v, t in inner.typed.items() if v not in inner.outer and t in _NUMERIC]
        function = maker.some(("count", "count", "sum", "min", "max", "mean"))
        type_name = maker.some(local)[1] if local else "number"
        if function == "mean" and type_name != "float" or not local:
            function = "count"
        target = "" if function == "count" else " " + inner.target([v for v, t in local if t == type_name])
        result = "number" if function == "count" else type_name
        shown = f"{function}{target} : {{ {', '.join(inner.parts)} }}"
        use = maker.random.randrange(4)
        if use == 0 and self.known(result):
            self.parts.append(f"{maker.some(self.known(result))} {maker.some(('=', '!=', '<', '>='))} {shown}")
        elif use == 1 and result == "number":
            more = self.term("number", 0)
            self.parts.append(f"{self.fresh('number')} = ({shown} + {more}) % {maker.size}")
        else:
            self.parts.append(f"{self.fresh(result)} = {shown}")

    def target(self, local: list[str]) -> str:
        chosen = str(self.maker.some(local))
        return f"{chosen} + {self.maker.some(local)}" if self.maker.chance(0.2) else chosen
