"""Bodies of random programs: atoms and whatever else may stand in them, over variables of known types."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..engine.programs import Row
from .forms import FORMS

if TYPE_CHECKING:
    from .programs import Maker

SCALARS = ("number", "symbol", "unsigned", "float", "Small")
LATTICES = ("Few", "Mask")
_NUMERIC = ("number", "unsigned", "float")


@dataclass
class Relation:
    """`form`: plain, eqrel, inline, min, max (aggregator head), lub (of `Few` by head), lattice (`<>` columns), choice,
    subsumed; over `FORMS`: form (`<>` columns), taken (by `lub` in the head), glb; delta (`debug_delta` of another)."""

    name: str
    types: tuple[str, ...]
    layer: int
    form: str = "plain"
    given: bool = False
    keys: str = "c0"
    qualifier: str = ""
    of: str = ""
    rows: set[Row] = field(default_factory=set)

    def declaration(self) -> str:
        if self.of:
            return f".decl {self.local} = debug_delta({self.of})"
        columns = [f"c{i}: {t}{'<>' if self.is_lattice(i) else ''}" for i, t in enumerate(self.types)]
        extra = {"eqrel": " eqrel", "inline": " inline", "choice": f" choice-domain {self.keys}"}.get(self.form, "")
        extra += f" {self.qualifier}" if self.qualifier else ""
        lines = [f".decl {self.local}({', '.join(columns)}){extra}"]
        if self.given:
            lines.append(f".input {self.local}")
        return "\n".join(lines)

    def is_lattice(self, column: int) -> bool:
        """Whether the values of a column are joined by the type's lattice."""
        if self.form == "lattice":
            return self.types[column] in LATTICES
        first = 1 if len(self.types) > 1 and self.types[0] in FORMS else 0
        return self.form in ("form", "taken") and self.types[column] in FORMS and column >= first

    @property
    def local(self) -> str:
        """Its name within its component."""
        return self.name.rpartition(".")[2]


class Scope:
    """A body while it is made; `typed`: its bound variables, `outer` ones of the body around it among them."""

    def __init__(self, maker: Maker, layer: int, outer: dict[str, str] | None = None) -> None:
        self.maker, self.layer = maker, layer
        self.parts: list[str] = []
        self.typed: dict[str, str] = dict(outer or {})
        self.outer = frozenset(outer or ())
        self.atoms, self.branched = 0, False

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
        terms = [self.pattern(t, 0 if relation.is_lattice(i) else 1) for i, t in enumerate(relation.types)]
        shown = f"{relation.name}({', '.join(terms)})"
        if maker.chance(0.08) and (not self.outer or "alternatives" in maker.features):
            similar = [r for r in candidates if r.types == relation.types]
            shown = f"({shown} ; {shown.replace(relation.name, maker.some(similar).name, 1)})"
            self.branched = True
        self.branched |= relation.form == "inline"
        self.atoms += 1
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
            case "Deep":
                return f"[{self.pattern('Pair', 0)}, {self.pattern('Deep', 0)}, {self.pattern('number', 0)}]"
            case "Even":
                return f"$After({self.pattern('Odd', 0)})"
            case "Odd":
                return f"$Next({self.pattern('Even', 0)}, {self.pattern('number', 0)})"
            case "Warm":
                return f"$Degrees({self.pattern('number', 0)})"
            case "Flat":
                return f"$One({self.pattern('number', 0)})"
            case "Hull":
                return f"[{self.pattern('number', 0)}, {self.pattern('number', 0)}]"
            case "Tree":
                return (
                    self.maker.some((f"$Num({self.pattern('number', 0)})",))
                    if self.maker.chance(0.5)
                    else f"$Node({self.pattern('Tree', 0)}, {self.pattern('number', 0)})"
                )
        return None

    # ---- terms

    def term(self, type_name: str, depth: int = 2, head: bool = False) -> str:
        """A value of a type from what is bound."""
        maker, known = self.maker, self.known(type_name)
        if type_name == "Few":
            return str(maker.some(known)) if known and maker.chance(0.7) else self.term("symbol", depth - 1)
        if type_name in FORMS:
            return str(maker.some(known)) if known and maker.chance(0.7) else self.made(type_name, depth)
        if depth and maker.chance(0.25):
            return self.composite(type_name, depth - 1)
        if known and maker.chance(0.9 if head else 0.8):
            return str(maker.some(known))
        return maker.constant(type_name)

    def made(self, form: str, depth: int) -> str:
        """A term that makes a value of a lattice of `FORMS`."""
        usual = [t for t in FORMS[form].terms if depth > 0 or f"{{{form}}}" not in t]
        template = str(self.maker.some(usual))
        for hole in set(re.findall(r"\{(\w+)\}", template)):
            template = template.replace(f"{{{hole}}}", self.term(hole, max(depth - 1, 0)))
        return template

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
                return [
                    f"({a} {operator} {b}) % {size}",
                    f"max({a}, {b})",
                    f"min({a}, {b}, 2)",
                    f"{a} / {b}",
                    f"({a} ^ 2) % {size}",
                    f"(0 - {a}) % {size}",
                    f"strlen({self.term('symbol', depth)})",
                    f"lnot {a}",
                    f"bnot {a} band 3",
                    *(
                        [
                            f"to_number(to_string({a}))",
                            f"to_number({self.term('unsigned', depth)}) % {size}",
                            f"to_number({self.term('symbol', depth)})",
                        ]
                        if "conversions" in on
                        else []
                    ),
                    *([f"@half({a})"] if "functors" in on else []),
                ]
            case "Small":
                return [f"as({self.term('number', depth)} % {size}, Small)", *self.known("Tiny")]
            case "Tiny" | "Same" | "Tag" | "Mixed":
                narrower = {"Same": ("Small", "Tiny"), "Mixed": ("Small", "Tag")}.get(type_name, ())
                return [
                    f"as({self.term('number', depth)} % {size}, {type_name})",
                    *(v for t in narrower for v in self.known(t)),
                ]
            case "Word":
                return [f"as({self.term('symbol', depth)}, Word)"]
            case "Deep":
                return ["nil", f"[{self.term('Pair', 0)}, nil, {self.term('number', 0)}]"]
            case "Even":
                return ["$Zero", f"$After($Next($Zero, {self.term('number', 0)}))"]
            case "Odd":
                return [f"$Next($Zero, {self.term('number', 0)})"]
            case "symbol":
                number = self.term("number", depth)
                return [
                    f"substr(cat({a}, {b}), 0, 2)",
                    f"to_string({number} % {size})",
                    *([f"@letter({number})"] if "functors" in on else []),
                ]
            case "unsigned":
                return [
                    f"({a} + {b}) % 5",
                    f"({a} - {b}) % 7",
                    f"{a} band {b}",
                    f"max({a}, {b})",
                    *([f"to_unsigned({self.term('number', depth)} % {size}) % 5"] if "conversions" in on else []),
                ]
            case "float":
                return [
                    f"min({a} + {b}, 4.0)",
                    f"max({a} - {b}, 0.0)",
                    f"max({a}, {b})",
                    *([f"to_float({self.term('number', depth)} % {size})"] if "conversions" in on else []),
                ]
            case "Pair":
                return [f"[{self.term('number', depth)} % {size}, {self.term('symbol', depth)}]", "nil"]
            case "List":
                return [
                    "nil",
                    f"[{self.term('number', 0)}, nil]",
                    f"[{self.term('number', 0)}, {self.term('List', 0)}]",
                ]
            case "Tree":
                return [
                    "$Leaf()",
                    "$Leaf",
                    f"$Num({self.term('number', depth)})",
                    f"$Node($Leaf, {self.term('number', 0)})",
                    f"$Node({self.term('Tree', 0)}, {self.term('number', 0)})",
                ]
            case "Mask":
                return [f"as({self.term('number', 0)} band 7, Mask)", f"@either({a}, {b})", f"@both({a}, {b})"]
        return []

    # ---- other literals

    def extra(self, depth: int) -> None:
        """A comparison, negation, value, range, text constraint, choice between two, or aggregate."""
        kinds = {
            "compare": 5,
            "negate": 4,
            "value": 3,
            "range": 1,
            "text": 1,
            "either": 1,
            "aggregate": 6,
            "unpack": 2,
            "elements": 2,
        }
        kind = self.maker.random.choices(list(kinds), list(kinds.values()))[0]
        if (
            kind == "aggregate"
            and "aggregates" not in self.maker.features
            or kind == "either"
            and self.outer
            and "alternatives" not in self.maker.features
        ):
            kind = "compare"
        if kind == "aggregate":
            self.aggregate(depth)
        else:
            getattr(self, kind)()

    def compare(self) -> None:
        maker = self.maker
        type_name = maker.some(sorted(set(self.typed.values()) & set(SCALARS)) or ["number"])
        operator = maker.some(("=", "!=", "<", "<=", ">", ">="))
        self.parts.append(f"{self.term(type_name)} {operator} {self.term(type_name)}")

    def negate(self) -> None:
        maker = self.maker
        below = [r for r in maker.relations if r.layer < self.layer and r.form != "inline"]
        relation = maker.some(below)
        arguments = [
            str(maker.some(self.known(t)))
            if self.known(t) and maker.chance(0.7)
            else self.term(t, 1)
            if t != "Few" and maker.chance(0.3)
            else "_"
            for t in relation.types
        ]
        if any(argument == "_" and not relation.is_lattice(i) for i, argument in enumerate(arguments)):
            # Of any key, a value of a lattice must not be asked for.
            arguments = ["_" if relation.is_lattice(i) else argument for i, argument in enumerate(arguments)]
        shown = f"{relation.name}({', '.join(arguments)})"
        self.parts.append(
            f"!{shown}" if maker.chance(0.8) else f"!({shown}, {self.term('number')} < {self.term('number')})"
        )

    def value(self) -> None:
        type_name = self.maker.some(("number", "number", "symbol", "unsigned", "float", "Pair"))
        known = self.known(type_name)
        value = (
            self.maker.some(known)
            if type_name == "Pair" and known
            else self.term(type_name if type_name != "Pair" else "number")
        )
        self.parts.append(f"{self.fresh(type_name if type_name != 'Pair' or known else 'number')} = {value}")

    def range(self) -> None:
        maker = self.maker
        first, last = self.term("number", 0), self.term("number", 0)
        made = maker.some((f"range(0, {first} % 3)", f"range({first} % 3, {last} % 4)", f"range({first} % 3, 0, -1)"))
        if maker.use("functors", 0.3):
            made = f"@near({first})"
        target = (
            maker.some(self.known("number")) if self.known("number") and maker.chance(0.3) else self.fresh("number")
        )
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
        looks = [(v, look) for v, t in self.typed.items() if t in FORMS for look in FORMS[t].looks]
        if looks and self.maker.chance(0.8):
            variable, (look, result) = self.maker.some(looks)
            text = self.term("symbol", 0) if "{symbol}" in look else ""
            self.parts.append(f"{self.fresh(result)} = {look.format(v=variable, symbol=text)}")
        elif found:
            chosen = self.maker.some(found)
            self.parts.append(f"{self.fresh('symbol')} = @elements({chosen})")

    def aggregate(self, depth: int) -> None:
        """A value of an aggregate: bound to a variable, compared, or part of an expression."""
        maker = self.maker
        inner = Scope(maker, self.layer, self.typed)
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
