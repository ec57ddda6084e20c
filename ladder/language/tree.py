"""Parser reductions → nodes of the syntax tree: precedence, atoms against function calls, literals' values."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lark import Token, Transformer

from ladder.language import syntax as s
from ladder.language.core import Place
from ladder.language.errors import Error

PRECEDENCE = {"lor": 1, "lxor": 2, "land": 3, "bor": 4, "bxor": 5, "band": 6, "bshl": 7, "bshr": 7, "bshru": 7,
              "+": 8, "-": 8, "*": 9, "/": 9, "%": 9, "^": 11}
_RIGHT_ASSOCIATIVE = 11
_PREFIX = {"-": "neg", "bnot": "bnot", "lnot": "lnot"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_EXPRESSIONS = (s.Variable, s.Wildcard, s.Number, s.String, s.Nil, s.Call, s.UserCall, s.Record, s.Cast, s.Aggregate,
                s.Unsupported)


@dataclass(frozen=True)
class _Group:
    """`(…)`, an expression or a body: where it stands will tell."""

    place: Place
    content: Any


class TreeBuilder(Transformer[Token, Any]):
    """Called by the parser for each reduction; `begin` before each text."""

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)
        self.begin("<text>")

    def begin(self, file: str) -> None:
        self._file = file
        self.errors: list[Error] = []

    # ---- helpers

    def _place(self, token: Token) -> Place:
        return Place(self._file, token.line or 1, token.column or 1)

    def _error(self, place: Place, message: str, mend: str | None = None) -> None:
        self.errors.append(Error(place, message, mend))

    def _expression(self, node: Any) -> Any:
        """What was parsed, as a value: parentheses go, a signed literal becomes one number."""
        while isinstance(node, _Group):
            node = node.content
        if isinstance(node, s.Call) and node.name in _PREFIX.values():
            operand = self._expression(node.arguments[0])
            if node.name == "neg" and isinstance(operand, s.Number):
                return s.Number(node.place, -operand.value, operand.suffix)
            return node if operand is node.arguments[0] else replace(node, arguments=(operand,))
        if not isinstance(node, _EXPRESSIONS):
            self._error(node.place, "a value is expected here, not an atom or a constraint")
            return s.Wildcard(node.place)
        return node

    def _literal(self, node: Any) -> Any:
        """What was parsed, as part of a body: a bare call is an atom."""
        while isinstance(node, _Group):
            node = node.content
        if isinstance(node, s.Call) and node.name not in PRECEDENCE and node.name not in _PREFIX.values():
            return s.AtomLiteral(node.place, node)
        if isinstance(node, _EXPRESSIONS) and not isinstance(node, s.Unsupported):
            self._error(node.place, "an atom or a constraint is expected here, not a value")
            return s.Truth(node.place, True)
        return node

    def _expressions(self, nodes: Sequence[Any] | None) -> tuple[Any, ...]:
        return tuple(map(self._expression, nodes or ()))

    # ---- declarations

    def start(self, items: list[Any]) -> list[s.Item]:
        flat: list[s.Item] = []
        for item in items:
            flat.extend(item if isinstance(item, list) else [item])
        return flat

    def attribute(self, children: list[Any]) -> s.Attribute:
        name, type_name, mark = children
        return s.Attribute(self._place(name), str(name), str(type_name), mark is not None)

    def attributes(self, children: list[Any]) -> tuple[s.Attribute, ...]:
        return tuple(children)

    parameters = attributes

    def parameter(self, children: list[Any]) -> s.Attribute:
        name = str(children[0]) if len(children) > 1 else ""
        return s.Attribute(self._place(children[0]), name, str(children[-1]))

    def choice_key(self, children: list[Token]) -> Token:
        return children[0]

    def choice(self, children: list[Any]) -> s.Unsupported:
        return s.Unsupported(self._place(children[0]), "a choice domain")

    def relation(self, children: list[Any]) -> list[s.Item]:
        names = [c for c in children if isinstance(c, Token) and c.type == "IDENT"]
        attributes = next((c for c in children if isinstance(c, tuple)), ())
        qualifiers = tuple(str(c) for c in children if isinstance(c, Token) and c.type == "QUALIFIER")
        items: list[s.Item] = [s.RelationDeclaration(self._place(n), str(n), attributes, qualifiers) for n in names]
        items.extend(c for c in children if isinstance(c, s.Unsupported))
        for qualifier in qualifiers:
            if qualifier in ("input", "output", "printsize"):
                items.extend(s.DirectiveItem(self._place(n), qualifier, str(n)) for n in names)
        return items

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

    def branch(self, children: list[Token]) -> Token:
        return children[0]

    def variant_type(self, children: list[Any]) -> s.Unsupported:
        return s.Unsupported(self._place(children[0]), f"the algebraic data type {children[0]}",
                             "use records, with a number that tells the branches apart", True)

    def bare_type(self, children: list[Any]) -> s.TypeDeclaration:
        parent = "number" if children[0] == ".number_type" else "symbol"
        place = self._place(children[-1])
        return s.TypeDeclaration(place, str(children[-1]), "subtype", ((parent, place),))

    def functor(self, children: list[Any]) -> s.Item:
        name, parameters, result, binding, *words = children
        if "stateful" in words:
            return s.Unsupported(self._place(name), f"the stateful functor {name}",
                                 "functors are pure functions of their arguments", True)
        text = None if binding is None else self._text(binding)
        several = "several" in words
        return s.FunctorDeclaration(self._place(name), str(name), parameters or (), str(result), text, several)

    def lattice(self, children: list[Any]) -> s.LatticeDeclaration:
        return s.LatticeDeclaration(self._place(children[0]), str(children[0]), self._text(children[1]))

    def lattice_entry(self, children: list[Any]) -> None:
        return None

    def lattice_table(self, children: list[Any]) -> s.Unsupported:
        name = str(children[0])
        return s.Unsupported(self._place(children[0]), "a lattice given by its functors",
                             f'write .lattice {name} = "module:attribute" and give its join in Python', True)

    def option(self, children: list[Any]) -> tuple[str, str]:
        key, value = children
        return str(key), self._text(value) if value.type == "STRING" else str(value)

    def directive(self, children: list[Any]) -> list[s.Item]:
        kind, *rest = children
        names = [c for c in rest if isinstance(c, Token)]
        options = tuple(c for c in rest if isinstance(c, tuple))
        return [s.DirectiveItem(self._place(n), str(kind)[1:], str(n), options) for n in names]

    def include(self, children: list[Any]) -> s.Include:
        keyword, path = children
        library = path.type == "LIBRARY_PATH"
        return s.Include(self._place(path), str(path)[1:-1] if library else self._text(path), library)

    def preprocessor(self, children: list[Any]) -> Any:
        line: Token = children[0]
        words = line[1:].split(None, 1)
        if words and words[0] == "include" and len(words) > 1 and words[1].strip()[:1] in ('"', "<"):
            path = words[1].strip()
            return s.Include(self._place(line), path[1:].rstrip('">'), path[0] == "<")
        if not words or words[0].isdigit() or words[0] in ("line", "!", "pragma"):
            return []
        return s.Unsupported(self._place(line), f"the preprocessor's #{words[0]}",
                             "run a preprocessor first, or use .include and functors", True)

    def once(self, children: list[Any]) -> list[s.Item]:
        return []   # every file is included once

    def pragma(self, children: list[Any]) -> s.Pragma:
        _, key, value = children
        return s.Pragma(self._place(key), self._text(key), None if value is None else self._text(value))

    def component_type(self, children: list[Token]) -> Token:
        return children[0]

    def component(self, children: list[Any]) -> s.Unsupported:
        return s.Unsupported(self._place(children[0]), f"the component {children[1]} (.comp)",
                             "write its relations and rules out", True)

    def instance(self, children: list[Any]) -> s.Unsupported:
        return s.Unsupported(self._place(children[0]), f"the component instance {children[0]} (.init)", None, True)

    def override(self, children: list[Any]) -> s.Unsupported:
        return s.Unsupported(self._place(children[0]), ".override")

    # ---- clauses

    def heads(self, children: list[Any]) -> tuple[s.Call, ...]:
        return tuple(children)

    def plan_entry(self, children: list[Any]) -> tuple[int, ...]:
        return tuple(int(c) for c in children if c is not None)

    def plan(self, children: list[tuple[int, ...]]) -> tuple[int, ...]:
        return children[0][1:]

    def fact(self, children: list[Any]) -> s.Clause:
        heads, plan = children
        return s.Clause(heads[0].place, heads, None, plan)

    def rule(self, children: list[Any]) -> s.Clause:
        heads, body, plan = children
        return s.Clause(heads[0].place, heads, self._literal(body), plan)

    def subsumption(self, children: list[Any]) -> s.Unsupported:
        return s.Unsupported(children[0].place, "subsumption (a clause with <= in its head)",
                             "an aggregated relation, with min(x), max(x) or lub(x) in the head, may serve")

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

    def prefixed(self, children: list[Any]) -> s.Call:
        word, operand = children
        return s.Call(self._place(word), _PREFIX[word], (operand,))

    def chain(self, children: list[Any]) -> Any:
        result, end = self._climb(children, 0, 1)
        assert end == len(children)
        return result

    target_chain = chain

    def _climb(self, parts: list[Any], position: int, weakest: int) -> tuple[Any, int]:
        """The expression that starts at a position and holds operators of at least that precedence, and its end."""
        left, position = parts[position], position + 1
        prefixes: list[s.Call] = []
        if position < len(parts) and PRECEDENCE[parts[position]] == _RIGHT_ASSOCIATIVE:
            while isinstance(left, s.Call) and left.name in _PREFIX.values():   # -a ^ b is -(a ^ b)
                prefixes.append(left)
                left = left.arguments[0]
        while position < len(parts):
            operator = parts[position]
            precedence = PRECEDENCE[operator]
            if precedence < weakest:
                break
            stronger = precedence if precedence == _RIGHT_ASSOCIATIVE else precedence + 1
            right, position = self._climb(parts, position + 1, stronger)
            left = s.Call(left.place, str(operator), (self._expression(left), self._expression(right)))
            if precedence == _RIGHT_ASSOCIATIVE:
                for prefix in reversed(prefixes):
                    left = replace(prefix, arguments=(left,))
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
        return s.String(self._place(children[0]), self._text(children[0]))

    def nil(self, children: list[Token]) -> s.Nil:
        return s.Nil(self._place(children[0]))

    def arguments(self, children: list[Any]) -> tuple[Any, ...]:
        return self._expressions(children)

    def call(self, children: list[Any]) -> s.Call:
        name, arguments = children
        return s.Call(self._place(name), str(name), arguments or ())

    qualified_call = call

    def user_call(self, children: list[Any]) -> Any:
        name, arguments = children
        if name.startswith("@@"):
            return s.Unsupported(self._place(name), f"the stateful functor {name}")
        return s.UserCall(self._place(name), str(name)[1:], arguments or ())

    def record(self, children: list[Any]) -> s.Record:
        return s.Record(self._place(children[0]), children[1] or ())

    def cast(self, children: list[Any]) -> s.Cast:
        word, value, type_name = children
        return s.Cast(self._place(word), self._expression(value), str(type_name))

    def variant(self, children: list[Any]) -> s.Unsupported:
        return s.Unsupported(self._place(children[0]), "a value of an algebraic data type", "use records")

    def counter(self, children: list[Any]) -> s.Unsupported:
        return s.Unsupported(self._place(children[0]), "a counter ($ or autoinc())",
                             "its values would depend on the order of evaluation")

    def aggregate(self, children: list[Any]) -> s.Aggregate:
        word, target, body = children
        target = target[0] if isinstance(target, tuple) else target
        value = None if target is None else self._expression(target)
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
                parts.append(_ESCAPES.get(raw[position], raw[position]))
            else:
                parts.append(raw[position])
            position += 1
        return "".join(parts)


def _integer(text: str) -> int:
    return int(text, 16) if text[:2] == "0x" else int(text, 2) if text[:2] == "0b" else int(text)
