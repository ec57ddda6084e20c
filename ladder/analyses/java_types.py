"""Java types as text, and what linking computes with them: the functors that `java/*.dl` binds.

A type is written `int`, `a.b.Outer$Inner`, `a.b.C<T1,T2>`, `T[]`, or `{index owner erasure}` for type variable `index`
of a type or method `owner` with the erasure of its bound. Type arguments may be `+T` (`? extends T`) and `-T` (`? super
T`). Beyond those an expression has type `null`, `?` (unknown), `->n` (a lambda expression of n parameters) or `::` (a
method reference).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

OBJECT = "java.lang.Object"
STRING = "java.lang.String"
UNKNOWN = "?"
NULL = "null"
_CHAIN = 4  # bindings of variables to types with others
BOXES = {
    "boolean": "java.lang.Boolean",
    "byte": "java.lang.Byte",
    "char": "java.lang.Character",
    "short": "java.lang.Short",
    "int": "java.lang.Integer",
    "long": "java.lang.Long",
    "float": "java.lang.Float",
    "double": "java.lang.Double",
    "void": "java.lang.Void",
}
PRIMITIVES = {box: primitive for primitive, box in BOXES.items()}
NUMERIC = ("byte", "short", "char", "int", "long", "float", "double")
WIDER = {
    "byte": ("short", "int", "long", "float", "double"),
    "short": ("int", "long", "float", "double"),
    "char": ("int", "long", "float", "double"),
    "int": ("long", "float", "double"),
    "long": ("float", "double"),
    "float": ("double",),
}
VALUES = {"byte": range(-(1 << 7), 1 << 7), "short": range(-(1 << 15), 1 << 15), "char": range(1 << 16)}
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">=", "&&", "||", "!", "instanceof"))


@dataclass(frozen=True)
class Node:
    """A parsed type: `name` of a class or primitive, `[]`, `+` or `-` (one argument), or a `{variable}`."""

    name: str
    arguments: tuple[Node, ...] = ()


_UNBOUNDED = Node("+", (Node(OBJECT),))  # the type argument `?`


def erasure(type_: str) -> str:
    """The type without type arguments; a type variable becomes the erasure of its bound."""
    return _print(_erase(_parse(type_))) if "<" in type_ or "{" in type_ else type_


def component(type_: str) -> str:
    """The component type of an array type, or "" if it is none."""
    return type_[:-2] if type_.endswith("[]") else ""


def search_class(type_: str) -> str:
    """The class in which a call on an object of the type looks for its method: for arrays Object."""
    return OBJECT if type_.endswith("[]") else erasure(type_)


def is_generic(type_: str) -> int:
    """1 if the type mentions a type variable, else 0."""
    return int("{" in type_)


def is_variable(type_: str) -> int:
    """1 if the type is a type variable, else 0."""
    return int(type_.startswith("{") and type_.endswith("}"))


def class_of(type_: str) -> str:
    """The type of `T.class`."""
    return f"java.lang.Class<{BOXES.get(type_, type_)}>"


def receiver_result(method: str, receiver: str) -> str:
    """The type of `clone()` and `getClass()` on a receiver: that of an array, `Class<? extends T>`."""
    if method.endswith(" getClass()>"):
        return f"java.lang.Class<+{erasure(receiver)}>"
    return receiver if receiver.endswith("[]") else OBJECT


def variable(index: int, owner: str, bound: str) -> str:
    """Type variable `index` of the type or method `owner`; `bound` is the erasure of its bound."""
    return f"{{{index} {owner} {bound}}}"


def argument(wildcard: str, type_: str) -> str:
    """A type argument: the wildcard is "", "extends" or "super"."""
    return {"": "", "extends": "+", "super": "-"}[wildcard] + type_


def part_class(type_: str, path: str) -> str:
    """The class of what an object of the type holds at a path such as `.Element.MapValue`; Object where it is not said.

    A map's keys are of its first type argument; elements, values and what a collector makes are of the last.
    """
    node = _parse(type_)
    for part in path.split(".")[1:]:
        if not node.arguments or node.name == "[]":
            return OBJECT
        node = node.arguments[0 if part == "MapKey" else -1]
        if node.name == "+":
            node = node.arguments[0]
    return _print(_erase(node)) if node.name not in ("-", UNKNOWN) else OBJECT


def contained_class(type_: str, content: str) -> str:
    """The class of what a container of the JDK that has the type holds as `Element`, `MapKey` or `MapValue`.

    It is "" where type arguments do not say it: those of other classes may mean anything.
    """
    node = _parse(type_)
    arguments = {"Element": 1, "MapKey": 2, "MapValue": 2}.get(content)
    if not node.name.startswith("java.") or len(node.arguments) != arguments:
        return ""
    class_ = part_class(type_, f".{content}")
    return "" if class_ == OBJECT else class_


def substitute(type_: str, class_: str, view: str) -> str:
    """The type of a member declared as `type_` in `class_`, in an object that, seen as `class_`, has type `view`.

    A raw view erases; wildcards in the view are read at their upper bound, `?` at the bound of the class's variable.
    """
    if "{" not in type_ and "<" not in type_:
        return type_
    arguments = _parse(view).arguments if not view.endswith("[]") else ()
    if not arguments:
        return erasure(type_) if f" {class_} " in type_ else type_
    found = {i: a for i, a in enumerate(arguments)}
    return _print(_upper(_replace(_parse(type_), class_, found)))


def bind(bindings: str, parameter: str, argument_: str) -> str:
    """Bindings of type variables (`variable=type|…`) with those that an argument of type `argument_` adds.

    `argument_` is already seen as an instance of the parameter's class. The first binding of a variable stays, unless
    the later one is Object; `null` tells nothing of it.
    """
    known = _bindings(bindings)
    _unify(_parse(parameter), _parse(argument_), known)
    return "|".join(f"{name}={type_}" for name, type_ in sorted(known.items()))


def inner(type_: str) -> str:
    """The first type argument of a class, read at its upper bound, or "" if that is no class."""
    arguments = _parse(type_).arguments
    found = arguments[0] if arguments else Node("")
    if found.name == "+":
        found = found.arguments[0]
    return "" if found.name.startswith("{") or found.name in ("-", "[]", UNKNOWN) else _print(found)


def content(type_: str) -> str:
    """The class that the first type argument says, `?` if it says none."""
    found = inner(type_)
    return erasure(found) if found else UNKNOWN


def with_inner(type_: str, argument_: str) -> str:
    """The type with another first type argument."""
    node = _parse(type_)
    return _print(Node(node.name, (_parse(argument_), *node.arguments[1:])))


def apply(type_: str, bindings: str) -> str:
    """The type with its bound variables replaced, in what they are bound to as well; others are left."""
    known = {name: _parse(bound) for name, bound in _bindings(bindings).items()}
    for _ in range(_CHAIN):
        if "{" not in type_:
            break
        type_ = _print(_upper(_map(_parse(type_), lambda node: known.get(node.name, node))))
    return type_


def mentions(type_: str, owner_: str) -> int:
    """1 if the type has a type variable of that type or method, else 0."""
    return int(f" {owner_} " in type_)


def function_type(type_: str) -> str:
    """The function type of a functional interface: wildcards among its arguments become their bounds."""
    node = _parse(type_)
    return _print(Node(node.name, tuple(a.arguments[0] if a.name in ("+", "-") else a for a in node.arguments)))


def wanted_type(type_: str) -> str:
    """What a target of the type says: its wildcards become their bounds, and an unbounded one says nothing."""
    node = _parse(type_)
    return function_type(
        _print(Node(node.name, tuple(Node(UNKNOWN, ()) if a == _UNBOUNDED else a for a in node.arguments)))
    )


def open_owner(type_: str, method: str) -> str:
    """The type without the type variables of `method` that nothing has bound: they may stand for anything."""
    if f" {method} " not in type_:
        return type_
    if is_variable(type_):
        return erasure(type_)
    return _print(_map(_parse(type_), lambda node: Node("+", (_erase(node),)) if f" {method} " in node.name else node))


def says_little(type_: str) -> int:
    """1 if a value of the type may belong to more special ones: `null`, and types with a type argument left open."""
    return int(type_ in (NULL, UNKNOWN) or _print(_UNBOUNDED) in type_)


def operation(operator: str, left: str, right: str) -> str:
    """The type of `left operator right` from the types of the operands, `?` where they do not tell."""
    if operator in COMPARISONS:
        return "boolean"
    if operator == "+" and STRING in (left, right):
        return STRING
    a, b = PRIMITIVES.get(left, left), PRIMITIVES.get(right, right)
    if operator in ("<<", ">>", ">>>"):
        return unary(operator, left)
    if operator in ("&", "|", "^") and "boolean" in (a, b):
        return "boolean"
    if operator != "+" and "double" in (a, b):
        return "double"
    if a not in NUMERIC or b not in NUMERIC:
        return STRING if operator == "+" and UNKNOWN not in (a, b) else UNKNOWN
    return next((wide for wide in ("double", "float", "long") if wide in (a, b)), "int")


def unary(operator: str, operand: str) -> str:
    """The type of `operator operand`, `?` where the operand's does not tell."""
    if operator == "!":
        return "boolean"
    primitive = PRIMITIVES.get(operand, operand)
    return primitive if primitive in ("long", "float", "double") else "int" if primitive in NUMERIC else UNKNOWN


def conditional(left: str, right: str) -> str:
    """The type of `c ? left : right` where it does not take a class hierarchy to tell, else "".

    An integer that is written is `int=97`: it has the type of the other branch if it fits into that (JLS 15.25.2).
    """
    left, value = _written(left)
    right, other = _written(right)
    if left == right or right in (NULL, UNKNOWN):
        return BOXES.get(left, left) if right == NULL else left
    if left in (NULL, UNKNOWN):
        return BOXES.get(right, right) if left == NULL else right
    a, b = PRIMITIVES.get(left, left), PRIMITIVES.get(right, right)
    if a == b:
        return a
    if a in NUMERIC and b in NUMERIC:
        if {a, b} == {"byte", "short"}:
            return "short"
        if other is not None and other in VALUES.get(a, ()):
            return a
        if value is not None and value in VALUES.get(b, ()):
            return b
        return next((wide for wide in ("double", "float", "long") if wide in (a, b)), "int")
    return ""


def _written(type_: str) -> tuple[str, int | None]:
    """The type of a branch, and its value if that is an integer that is written."""
    name, _, value = type_.partition("=")
    return (name, int(value)) if name == "int" and value else (type_, None)


def boxed(type_: str) -> str:
    """The class of a primitive type's values as objects; other types are left, and of a written integer the value."""
    known, _ = _written(type_)
    return BOXES.get(known, known)


def type_number(type_: str) -> int:
    """A number for the type: two types have the same one by a chance of one in two billion."""
    return crc32(type_.encode()) & 0x7FFFFFFF


def common(left: str, right: str) -> str:
    """The type of a class that has these type arguments in two alternatives, "" if the first ones have to be looked at.

    Arguments that differ are unbounded wildcards; what one alternative leaves open the other one tells. Raw types stay
    raw.
    """
    a, b = _parse(left), _parse(right)
    if a == b:
        return left
    if a.name != b.name or len(a.arguments) != len(b.arguments) or a.name == "[]":
        return erasure(left)
    if len(a.arguments) == 1 and inner(left) and inner(right) and _UNBOUNDED not in (*a.arguments, *b.arguments):
        return ""
    return _print(Node(a.name, tuple(map(_common_argument, a.arguments, b.arguments))))


def _common_argument(left: Node, right: Node) -> Node:
    if left == _UNBOUNDED:
        return right
    return left if right in (left, _UNBOUNDED) else _UNBOUNDED


def element(type_: str) -> str:
    """The single type argument of `Iterable<T>`, read at its upper bound; Object for a raw type."""
    arguments = _parse(type_).arguments
    return _print(_upper(arguments[0])) if arguments else OBJECT


def whole_variable(variable: str, method: str) -> str:
    """The variable of which this one is a part, as the front end calls parts: `name: …` and `name = …`; itself, if it
    is none. Both are ids; `method`: that which declares it."""
    begin = len(method) + 1
    name = variable[begin:]
    return variable[:begin] + name.partition(" ")[0].removesuffix(":")


def last_name(text: str) -> str:
    """`a.B.c` → `c`."""
    return text.rpartition(".")[2]


def vicinity(type_: str) -> str:
    """The beginning of a type's package that all packages of a product have: `org.apache.kafka.common.message.X` →
    `org.apache.kafka`, its first three parts."""
    return ".".join(type_.split(".")[:-1][:3])


def owner_in_text(text: str) -> str:
    """The class in a string literal that names a method: `"a.B#c(int)"` → `a.B`; empty where it names none."""
    return text.strip('"').rpartition("#")[0]


def method_in_text(text: str) -> str:
    """The name of the method in such a literal: `"a.B#c(int)"`, `"c()"` and `"c"` → `c`."""
    return text.strip('"').rpartition("#")[2].partition("(")[0]


def lambda_type(arity: int) -> str:
    """The type of a lambda expression before its target is known."""
    return f"->{arity}"


def giving_value(arity: int) -> str:
    """That of one whose body gives a value."""
    return f"->{arity}="


def giving_nothing(arity: int) -> str:
    """That of one whose body gives none."""
    return f"->{arity};"


@lru_cache(maxsize=1 << 16)
def _parse(text: str) -> Node:
    node, at = _read(text, 0)
    if at != len(text):
        raise ValueError(f"not a type: {text!r} at {at}")
    return node


def _read(text: str, at: int) -> tuple[Node, int]:
    if text[at : at + 1] in ("+", "-") and text[at : at + 2] != "->":
        inner, end = _read(text, at + 1)
        return Node(text[at], (inner,)), end
    if text[at : at + 1] == "{":
        end = text.index("}", at) + 1
        node = Node(text[at:end])
    else:
        end = at
        while end < len(text) and text[end] not in "<,[" and not (text[end] == ">" and text[at:end] != "-"):
            end += 1
        name, arguments = text[at:end], []
        if text[end : end + 1] == "<":
            while text[end] != ">":
                inner, end = _read(text, end + 1)
                arguments.append(inner)
            end += 1
        node = Node(name, tuple(arguments))
    while text.startswith("[]", end):
        node, end = Node("[]", (node,)), end + 2
    return node, end


def _print(node: Node) -> str:
    if node.name == "[]":
        return _print(node.arguments[0]) + "[]"
    if node.name in ("+", "-"):
        return node.name + _print(node.arguments[0])
    return node.name + (f"<{','.join(map(_print, node.arguments))}>" if node.arguments else "")


def _erase(node: Node) -> Node:
    if node.name == "[]":
        return Node("[]", (_erase(node.arguments[0]),))
    if node.name == "+":
        return _erase(node.arguments[0])
    if node.name == "-":
        return Node(OBJECT)
    return Node(node.name[:-1].rpartition(" ")[2]) if node.name.startswith("{") else Node(node.name)


def _map(node: Node, change: Callable[[Node], Node]) -> Node:
    if node.name.startswith("{"):
        return change(node)
    return (
        Node(node.name, tuple(_wildcard(_map(inner, change), node.name) for inner in node.arguments))
        if node.arguments
        else node
    )


def _wildcard(node: Node, around: str) -> Node:
    """A wildcard put below another one, or into an array, keeps its bound only."""
    if node.name in ("+", "-") and around in ("+", "-", "[]"):
        return node.arguments[0]
    return node


def _replace(node: Node, class_: str, arguments: dict[int, Node]) -> Node:
    def change(variable_: Node) -> Node:
        index, owner_, _ = variable_.name[1:].split(" ", 2)
        found = arguments.get(int(index)) if owner_ == class_ else None
        if found is None:
            return variable_
        return Node("+", (_erase(variable_),)) if found == _UNBOUNDED else found

    return _map(node, change)


def _upper(node: Node) -> Node:
    """A type that came out as a wildcard, read at its upper bound."""
    if node.name == "+":
        return node.arguments[0]
    if node.name == "-":
        return Node(OBJECT)
    if node.name == "[]":
        return Node("[]", (_upper(node.arguments[0]),))
    return node


def _bindings(text: str) -> dict[str, str]:
    return dict(item.split("=", 1) for item in text.split("|")) if text else {}


def _unify(parameter: Node, argument_: Node, known: dict[str, str]) -> None:
    if argument_ == _UNBOUNDED:
        return
    if parameter.name.startswith("{"):
        bound = _print(_upper(argument_))
        if bound in (UNKNOWN, NULL, "::") or bound.startswith("->"):
            return
        bound = BOXES.get(bound, bound)
        if parameter.name in bound:  # an argument that waits for this call's own type arguments
            return
        if parameter.name not in known or bound == OBJECT:
            known[parameter.name] = bound
    elif parameter.name in ("+", "-"):
        inner = argument_.arguments[0] if argument_.name in ("+", "-") else argument_
        _unify(parameter.arguments[0], inner, known)
    elif parameter.name == argument_.name and len(parameter.arguments) == len(argument_.arguments):
        for left, right in zip(parameter.arguments, argument_.arguments, strict=True):
            _unify(left, right, known)
