"""Parser reductions → nodes of the syntax tree: operator precedence, atoms distinguished from function calls, values of
literals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lark import Token, Transformer

from ladder.language.core import Place
from ladder.language.errors import Error, did_you_mean
from ladder.language.syntax import nodes as s
from ladder.language.syntax.origins import Origins

PRECEDENCE = {
    "lor": 1,
    "lxor": 2,
    "land": 3,
    "bor": 4,
    "bxor": 5,
    "band": 6,
    "bshl": 7,
    "bshr": 7,
    "bshru": 7,
    "+": 8,
    "-": 8,
    "*": 9,
    "/": 9,
    "%": 9,
    "^": 11,
}
_RIGHT_ASSOCIATIVE = 11
_PREFIX = {"-": "neg", "bnot": "bnot", "lnot": "lnot"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", '"': '"', "'": "'", "\\": "\\"}
_EXPRESSIONS = (
    s.Variable,
    s.Wildcard,
    s.Number,
    s.String,
    s.Nil,
    s.Call,
    s.UserCall,
    s.Record,
    s.Variant,
    s.Counter,
    s.Cast,
    s.Aggregate,
    s.Unsupported,
)
_LATTICE_ENTRIES = ("Bottom", "Top", "Lub", "Glb", "Leq", "Widen")
_REPRESENTATIONS = frozenset(("btree", "btree_delete", "brie", "eqrel"))


@dataclass(frozen=True)
class _Group:
    """`(…)`, an expression or a body, depending on the context."""

    place: Place
    content: Any


@dataclass(frozen=True)
class _Operation:
    """Operands and operators, which are an expression in any context."""

    place: Place
    name: str
    operands: tuple[Any, ...]


@dataclass(frozen=True)
class _Choice:
    keys: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class _Override:
    place: Place
    name: str


class TreeBuilder(Transformer[Token, Any]):
    """Builds nodes: its methods are called by the parser for each reduction, and `begin` before each text."""

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)
        self.begin("<text>")

    def begin(self, file: str, origins: Origins | None = None) -> None:
        self._file, self._origins = file, origins
        self.last = Place(file, 1, 1)  # where the builder is
        self.errors: list[Error] = []

    # ---- helpers

    def _place(self, token: Token) -> Place:
        line, column = token.line or 1, token.column or 1
        self.last = Place(self._file, line, column) if self._origins is None else self._origins.place(line, column)
        return self.last

    def _error(self, place: Place, message: str, hint: str | None = None) -> None:
        self.errors.append(Error(place, message, hint))

    def _expression(self, node: Any) -> Any:
        """The parsed node as an expression, without parentheses; a literal with a sign becomes one number."""
        while isinstance(node, _Group):
            node = node.content
        if isinstance(node, _Operation):
            arguments = tuple(map(self._expression, node.operands))
            if node.name == "neg" and isinstance(number := arguments[0], s.Number) and not str(number).startswith("-"):
                return s.Number(node.place, -number.value, number.suffix)
            return s.Call(node.place, node.name, arguments)
        if isinstance(node, s.Call) and (node.name in PRECEDENCE or node.name in s.PREFIX_TEXT):
            self._error(node.place, f"the atom {node.name}(…) stands where a value is expected")
        elif not isinstance(node, _EXPRESSIONS):
            self._error(node.place, "a value is expected here, not an atom or a constraint")
            return s.Wildcard(node.place)
        return node

    def _literal(self, node: Any) -> Any:
        """The parsed node as part of a body, in which a call is an atom."""
        while isinstance(node, _Group):
            node = node.content
        if isinstance(node, s.Call):
            return s.AtomLiteral(node.place, node)
        if isinstance(node, (*_EXPRESSIONS, _Operation)) and not isinstance(node, s.Unsupported):
            self._error(node.place, "an atom or a constraint is expected here, not a value")
            return s.Truth(node.place, True)
        return node

    def _expressions(self, nodes: Sequence[Any] | None) -> tuple[Any, ...]:
        return tuple(map(self._expression, nodes or ()))

    # ---- declarations

    def start(self, items: list[Any]) -> list[s.Item]:
        flat = _flat(items)
        for item in flat:
            if isinstance(item, _Override):
                self._error(item.place, f".override {item.name} outside a component")
            elif isinstance(item, s.Use):
                name = item.instance
                self._error(item.place, f".use {name} outside a component", f"write {name}. before names of {name}")
        return [item for item in flat if not isinstance(item, _Override | s.Use)]

    def attribute(self, children: list[Any]) -> s.Attribute:
        name, type_name, mark = children
        return s.Attribute(self._place(name), str(name), str(type_name), mark is not None)

    def attributes(self, children: list[Any]) -> tuple[s.Attribute, ...]:
        return tuple(children)

    parameters = attributes

    def parameter(self, children: list[Any]) -> s.Attribute:
        name = str(children[0]) if len(children) > 1 else ""
        return s.Attribute(self._place(children[0]), name, str(children[-1]))

    def choice_key(self, children: list[Token]) -> tuple[str, ...]:
        return tuple(map(str, children))

    def choice(self, children: list[Any]) -> _Choice:
        return _Choice(tuple(children[1:]))

    def relation(self, children: list[Any]) -> list[s.Item]:
        names = [c for c in children if isinstance(c, Token) and c.type == "IDENT"]
        attributes = next((c for c in children if isinstance(c, tuple)), ())
        choices = next((c.keys for c in children if isinstance(c, _Choice)), ())
        qualifiers = self._qualifiers([c for c in children if isinstance(c, Token) and c.type == "QUALIFIER"])
        return [s.RelationDeclaration(self._place(n), str(n), attributes, qualifiers, choices) for n in names]

    def _qualifiers(self, words: list[Token]) -> tuple[str, ...]:
        qualifiers: list[str] = []
        for word in words:
            if word in qualifiers:
                self._error(self._place(word), f"the qualifier {word} is given twice")
            elif word in _REPRESENTATIONS and (other := _REPRESENTATIONS.intersection(qualifiers)):
                self._error(self._place(word), f"a relation has one representation: {min(other)} or {word}")
            else:
                qualifiers.append(str(word))
        return tuple(qualifiers)

    def delta_relation(self, children: list[Token]) -> s.RelationDeclaration:
        name, observed, *qualifiers = children
        return s.RelationDeclaration(self._place(name), str(name), (), self._qualifiers(qualifiers), (), str(observed))

    def subtype(self, children: list[Any]) -> s.TypeDeclaration:
        name, parent = children
        return s.TypeDeclaration(self._place(name), str(name), "subtype", ((str(parent), self._place(parent)),))

    def union(self, children: list[Any]) -> s.TypeDeclaration:
        name, *members = children
        places = tuple((str(member), self._place(member)) for member in members)
        return s.TypeDeclaration(self._place(name), str(name), "union", places)

    def record_type(self, children: list[Any]) -> s.TypeDeclaration:
        name, fields = children
        return s.TypeDeclaration(self._place(name), str(name), "record", (), fields or ())

    def branch(self, children: list[Any]) -> s.Branch:
        name, fields = children
        return s.Branch(self._place(name), str(name), fields or ())

    def variant_type(self, children: list[Any]) -> s.TypeDeclaration:
        name, *branches = children
        return s.TypeDeclaration(self._place(name), str(name), "variant", branches=tuple(branches))

    def bare_type(self, children: list[Any]) -> s.TypeDeclaration:
        parent = "number" if children[0] == ".number_type" else "symbol"
        place = self._place(children[-1])
        return s.TypeDeclaration(place, str(children[-1]), "subtype", ((parent, place),))

    def functor(self, children: list[Any]) -> s.Item:
        name, parameters, result, *words = children
        texts = [self._text(word) for word in words if word.type == "STRING"]
        if len(texts) > 1:
            self._error(self._place(name), f"the functor {name} has two functions")
        text = texts[0] if texts else None
        return s.FunctorDeclaration(
            self._place(name), str(name), parameters or (), str(result), text, "several" in words, "stateful" in words
        )

    def lattice(self, children: list[Any]) -> s.LatticeDeclaration:
        return s.LatticeDeclaration(self._place(children[0]), str(children[0]), self._text(children[1]))

    def lattice_entry(self, children: list[Any]) -> tuple[str, Any]:
        name, value = children
        if name not in _LATTICE_ENTRIES:
            self._error(
                self._place(name),
                f"a lattice has no {name}",
                did_you_mean(str(name), _LATTICE_ENTRIES) or f"it has {', '.join(_LATTICE_ENTRIES)}",
            )
        return str(name), self._expression(value)

    def lattice_table(self, children: list[Any]) -> s.LatticeDeclaration:
        name, _, *entries = children
        given = tuple(e for e in entries if e is not None)
        return s.LatticeDeclaration(self._place(name), str(name), None, given)

    def option(self, children: list[Any]) -> tuple[str, str, Place]:
        key, value = children
        return str(key), self._text(value) if value.type == "STRING" else str(value), self._place(value)

    def directive(self, children: list[Any]) -> list[s.Item]:
        kind, *rest = children
        names = [c for c in rest if isinstance(c, Token)]
        given = [c for c in rest if isinstance(c, tuple)]
        options, places = tuple((key, value) for key, value, _ in given), tuple(place for _, _, place in given)
        return [s.DirectiveItem(self._place(n), str(kind)[1:], str(n), options, places) for n in names]

    def include(self, children: list[Any]) -> s.Include:
        _, path = children
        library = path.type == "LIBRARY_PATH"
        return s.Include(self._place(path), str(path)[1:-1] if library else self._text(path), library)

    def once(self, children: list[Any]) -> list[s.Item]:
        return []  # every file is included once

    def pragma(self, children: list[Any]) -> s.Pragma:
        _, key, value = children
        return s.Pragma(self._place(key), self._text(key), None if value is None else self._text(value))

    def component_type(self, children: list[Token]) -> s.ComponentType:
        name, *arguments = children
        return s.ComponentType(self._place(name), str(name), tuple(str(a) for a in arguments if a is not None))

    def component(self, children: list[Any]) -> s.Component:
        types = [c for c in children if isinstance(c, s.ComponentType)]
        items = _flat([c for c in children[1:] if not isinstance(c, s.ComponentType)])
        overrides = tuple(item.name for item in items if isinstance(item, _Override))
        uses = tuple(item for item in items if isinstance(item, s.Use))
        kept = tuple(item for item in items if not isinstance(item, _Override | s.Use))
        return s.Component(types[0].place, types[0], tuple(types[1:]), kept, overrides, uses)

    def instance(self, children: list[Any]) -> s.Instance:
        name, type_ = children
        return s.Instance(self._place(name), str(name), type_)

    def override(self, children: list[Token]) -> _Override:
        return _Override(self._place(children[1]), str(children[1]))

    def use(self, children: list[Token]) -> s.Use:
        return s.Use(self._place(children[1]), str(children[1]))

    # ---- clauses

    def heads(self, children: list[Any]) -> tuple[s.Call, ...]:
        return tuple(children)

    def plan_entry(self, children: list[Any]) -> s.Plan:
        version, *order = children
        return s.Plan(self._place(version), _integer(version), tuple(_integer(c) for c in order if c is not None))

    def plan(self, children: list[s.Plan]) -> tuple[s.Plan, ...]:
        return tuple(children)

    def fact(self, children: list[Any]) -> s.Clause:
        heads, plan = children
        return s.Clause(heads[0].place, heads, None, plan or ())

    def rule(self, children: list[Any]) -> s.Clause:
        heads, body, plan = children
        return s.Clause(heads[0].place, heads, self._literal(body), plan or ())

    def subsumption(self, children: list[Any]) -> s.SubsumptionClause:
        dominated, _, dominating, body, plan = children
        return s.SubsumptionClause(dominated.place, dominated, dominating, self._literal(body), plan or ())

    def several_literals(self, children: list[Any]) -> s.Conjunction:
        return s.Conjunction(self._start(children[0]), tuple(map(self._literal, children)))

    def disjunction(self, children: list[Any]) -> s.Disjunction:
        return s.Disjunction(self._start(children[0]), tuple(map(self._literal, children)))

    def _start(self, node: Any) -> Place:
        place: Place = node.place
        return place

    def negation(self, children: list[Any]) -> s.Negation:
        bang, body = children
        return s.Negation(self._place(bang), self._literal(body))

    def comparator(self, children: list[Any]) -> str:
        return str(children[0])

    def comparison(self, children: list[Any]) -> s.Comparison:
        left, operator, right = children
        return s.Comparison(left.place, operator, self._expression(left), self._expression(right))

    def text_constraint(self, children: list[Any]) -> s.Comparison:
        word, left, right = children
        return s.Comparison(self._place(word), str(word), self._expression(left), self._expression(right))

    def truth(self, children: list[Any]) -> s.Truth:
        return s.Truth(self._place(children[0]), children[0] == "true")

    # ---- expressions

    def operator(self, children: list[Token]) -> Token:
        return children[0]

    prefix = operator

    def prefixed(self, children: list[Any]) -> _Operation:
        word, operand = children
        return _Operation(self._place(word), _PREFIX[word], (operand,))

    def chain(self, children: list[Any]) -> Any:
        result, end = self._climb(children, 0, 1)
        assert end == len(children)
        return result

    target_chain = chain

    def _climb(self, parts: list[Any], position: int, weakest: int) -> tuple[Any, int]:
        """(the expression that starts at a position and has operators of at least the precedence `weakest`, its
        end)."""
        left, position = parts[position], position + 1
        prefixes: list[_Operation] = []
        if position < len(parts) and PRECEDENCE[parts[position]] == _RIGHT_ASSOCIATIVE:
            while isinstance(left, _Operation):  # -a ^ b is -(a ^ b); only prefixes stand here without parentheses
                prefixes.append(left)
                left = left.operands[0]
        while position < len(parts):
            operator = parts[position]
            precedence = PRECEDENCE[operator]
            if precedence < weakest:
                break
            stronger = precedence if precedence == _RIGHT_ASSOCIATIVE else precedence + 1
            right, position = self._climb(parts, position + 1, stronger)
            left = _Operation(left.place, str(operator), (left, right))
            if precedence == _RIGHT_ASSOCIATIVE:
                for prefix in reversed(prefixes):
                    left = replace(prefix, operands=(left,))
                prefixes = []
        return left, position

    def group(self, children: list[Any]) -> _Group:
        left, content = children
        return _Group(self._place(left), content)

    def variable(self, children: list[Token]) -> s.Variable:
        return s.Variable(self._place(children[0]), str(children[0]))

    def wildcard(self, children: list[Token]) -> s.Wildcard:
        return s.Wildcard(self._place(children[0]))

    def integer(self, children: list[Token]) -> s.Number:
        text = children[0]
        if text == "__LINE__":
            place = self._place(text)
            return s.Number(place, place.line)
        return s.Number(self._place(text), _integer(text), "x" if text[:2] in ("0x", "0b") else "")

    def unsigned(self, children: list[Token]) -> s.Number:
        return s.Number(self._place(children[0]), _integer(children[0][:-1]), "u")

    def float(self, children: list[Token]) -> s.Number:
        return s.Number(self._place(children[0]), float(children[0]), "f")

    def address(self, children: list[Token]) -> s.Number:
        value = 0
        for part in children[0].split("."):
            value = value * 256 + int(part)
        return s.Number(self._place(children[0]), value, "x")

    def string(self, children: list[Token]) -> s.String:
        place = self._place(children[0])
        return s.String(place, place.file if children[0] == "__FILE__" else self._text(children[0]))

    def nil(self, children: list[Token]) -> s.Nil:
        return s.Nil(self._place(children[0]))

    def arguments(self, children: list[Any]) -> tuple[Any, ...]:
        return self._expressions(children)

    several_arguments = arguments

    def call(self, children: list[Any]) -> s.Call:
        name, *arguments = children
        if name.type != "AGGREGATOR":
            return self.qualified_call(children)
        several = arguments[1] if len(arguments) > 1 else ()
        return s.Call(self._place(name), str(name), (*self._expressions(arguments[:1]), *several))

    def qualified_call(self, children: list[Any]) -> s.Call:
        name, arguments = children
        return s.Call(self._place(name), str(name), arguments or ())

    def user_call(self, children: list[Any]) -> s.UserCall:
        name, arguments = children
        return s.UserCall(self._place(name), str(name).lstrip("@ \t\n"), arguments or ())

    def user_aggregate(self, children: list[Any]) -> s.Unsupported:
        return s.Unsupported(
            self._place(children[0]),
            f"the user-defined aggregate {children[0]}",
            "declare a lattice with its join, and write lub(x) in a head",
        )

    def record(self, children: list[Any]) -> s.Record:
        return s.Record(self._place(children[0]), children[1] or ())

    def cast(self, children: list[Any]) -> s.Cast:
        word, value, type_name = children
        return s.Cast(self._place(word), self._expression(value), str(type_name))

    def variant(self, children: list[Any]) -> s.Variant:
        name, arguments = children
        return s.Variant(self._place(name), str(name)[1:], arguments or ())

    def counter(self, children: list[Any]) -> s.Counter:
        return s.Counter(self._place(children[0]))

    def aggregate(self, children: list[Any]) -> s.Aggregate:
        word, target, body = children
        value = None if target is None else self._expression(target)
        if (value is None) != (word == "count"):
            self._error(
                self._place(word),
                "count takes no expression" if word == "count" else f"{word} takes one expression",
                "write count : { … }" if word == "count" else f"write {word} x : {{ … }}",
            )
        return s.Aggregate(self._place(word), str(word), value, self._literal(body))

    def _text(self, token: Token) -> str:
        """The value of a string literal."""
        raw = token[1:-1]
        if "\\" not in raw:
            return str(raw)
        parts, position = [], 0
        while position < len(raw):
            if raw[position] == "\\":
                position += 1
                if raw[position] not in _ESCAPES:
                    self._error(
                        self._place(token),
                        f"there is no escape sequence \\{raw[position]}",
                        "write \\\\ for a backslash",
                    )
                parts.append(_ESCAPES.get(raw[position], raw[position]))
            else:
                parts.append(raw[position])
            position += 1
        return "".join(parts)


def _flat(items: list[Any]) -> list[Any]:
    return [part for item in items for part in (item if isinstance(item, list) else [item])]


def _integer(text: str) -> int:
    return int(text, 16) if text[:2] == "0x" else int(text, 2) if text[:2] == "0b" else int(text)
