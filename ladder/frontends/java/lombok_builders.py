"""The classes that Lombok makes for `@Builder` and `@SuperBuilder`, as source text.

A builder has a method for each part, a field of the class or a parameter of the method or constructor that it calls; a
part with `@Singular` has three: for one element, for several, and to clear them. What it builds with a part is a local
variable or an expression (`value`), after statements that compute it (`prepared`).

    @Builder class A { int x; }    →    static class ABuilder { private int x; ABuilder x(int x) {…} A build() {…} }
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LISTS = {
    "Collection": "java.util.Collections.unmodifiableList(new java.util.ArrayList<{0}>({1}))",
    "Iterable": "java.util.Collections.unmodifiableList(new java.util.ArrayList<{0}>({1}))",
    "List": "java.util.Collections.unmodifiableList(new java.util.ArrayList<{0}>({1}))",
    "Set": "java.util.Collections.unmodifiableSet(new java.util.LinkedHashSet<{0}>({1}))",
    "SortedSet": "java.util.Collections.unmodifiableSortedSet(new java.util.TreeSet<{0}>({1}))",
    "NavigableSet": "java.util.Collections.unmodifiableNavigableSet(new java.util.TreeSet<{0}>({1}))",
}
_MAPS = {
    "Map": ("LinkedHashMap", "unmodifiableMap"),
    "SortedMap": ("TreeMap", "unmodifiableSortedMap"),
    "NavigableMap": ("TreeMap", "unmodifiableNavigableMap"),
}
_GUAVA = {
    "ImmutableCollection": "ImmutableList",
    "ImmutableList": "ImmutableList",
    "ImmutableSet": "ImmutableSet",
    "ImmutableSortedSet": "ImmutableSortedSet",
    "ImmutableMap": "ImmutableMap",
    "ImmutableBiMap": "ImmutableBiMap",
    "ImmutableSortedMap": "ImmutableSortedMap",
}
_IRREGULAR = {"children": "child", "people": "person", "men": "man", "women": "woman", "indices": "index"}
_NOT_PLURAL = re.compile(r"(ss|us|is|news|series|species)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """What a builder takes: `name` and the text of its type; the call that gives its default, "" without one; with
    `@Singular`, the name of one element, else ""."""

    name: str
    type: str
    default: str = ""
    singular: str = ""


@dataclass(frozen=True, slots=True)
class Style:
    """How a builder's methods look: the type that they return, what they return, and the prefix of their names."""

    result: str
    end: str
    access: str
    prefix: str


def singular_of(name: str) -> str:
    """The singular that Lombok takes for a name in the plural; "" if it takes none."""
    head = re.match(r"(.*?)([A-Z]?[a-z]+)$", name)
    if head is None:
        return ""
    before, last = head[1], head[2]
    irregular = _IRREGULAR.get(last.lower())
    if irregular:
        return before + last[0] + irregular[1:]
    if last.endswith("ies") and len(last) > 4:
        return before + last[:-3] + "y"
    if re.search(r"(ss|x|ch|sh|us)es$", last):
        return before + last[:-2]
    return before + last[:-1] if last.endswith("s") and not _NOT_PLURAL.search(last) else ""


def members(part: Part, style: Style) -> Iterator[str]:
    """Yield the fields and methods of a builder for a part."""
    kind, arguments = _taken_apart(part.type)
    if not part.singular or kind not in (*_LISTS, *_MAPS, *_GUAVA):
        yield from _plain(part, style)
    elif kind in _MAPS:
        yield from _map(part, style, *_of(arguments, 2))
    elif kind in _GUAVA:
        yield from _guava(part, style, kind, arguments)
    else:
        yield from _list(part, style, *_of(arguments, 1))


def prepared(part: Part) -> str:
    """The statements that compute a part, where the builder builds."""
    kind, arguments = _taken_apart(part.type)
    if part.singular and kind in _MAPS:
        class_, view = _MAPS[kind]
        types = ", ".join(_of(arguments, 2))
        keys, values = f"this.{part.name}$key", f"this.{part.name}$value"
        return (
            f"java.util.{kind}<{types}> {part.name} = new java.util.{class_}<{types}>(); "
            f"if ({keys} != null) for (int $i = 0; $i < {keys}.size(); $i++) {part.name}.put({keys}.get($i), "
            f"{values}.get($i)); {part.name} = java.util.Collections.{view}({part.name});"
        )
    if part.singular and kind in _LISTS:
        (element,) = _of(arguments, 1)
        given = f"(this.{part.name} == null ? java.util.Collections.<{element}>emptyList() : this.{part.name})"
        type_ = "Collection" if kind == "Iterable" else kind
        return f"java.util.{type_}<{element}> {part.name} = {_LISTS[kind].format(element, given)};"
    if part.default:
        name = f"{part.name}$value"
        return f"{part.type} {name} = this.{name}; if (!this.{part.name}$set) {name} = {part.default};"
    return ""


def value(part: Part) -> str:
    """The part, after the statements that compute it."""
    kind, arguments = _taken_apart(part.type)
    if part.singular and kind in _GUAVA:
        made = f"com.google.common.collect.{_GUAVA[kind]}"
        return f"(this.{part.name} == null ? {made}.<{', '.join(arguments)}>of() : this.{part.name}.build())"
    if part.singular and kind in (*_MAPS, *_LISTS):
        return part.name
    return f"{part.name}$value" if part.default else f"this.{part.name}"


def method_name(part: Part, prefix: str) -> str:
    """The name of the method that sets a part as a whole."""
    return prefix + part.name[:1].upper() + part.name[1:] if prefix else part.name


def _method(part: Part, style: Style, name: str, parameters: str, body: str) -> str:
    called = style.prefix + name[:1].upper() + name[1:] if style.prefix else name
    return f"{style.access}{style.result} {called}({parameters}) {{ {body} return {style.end}; }}"


def _plain(part: Part, style: Style) -> Iterator[str]:
    if part.default:
        yield f"private {part.type} {part.name}$value; private boolean {part.name}$set;"
        body = f"this.{part.name}$value = {part.name}; this.{part.name}$set = true;"
    else:
        yield f"private {part.type} {part.name};"
        body = f"this.{part.name} = {part.name};"
    yield _method(part, style, part.name, f"{part.type} {part.name}", body)


def _list(part: Part, style: Style, element: str) -> Iterator[str]:
    made = f"if (this.{part.name} == null) this.{part.name} = new java.util.ArrayList<{element}>();"
    yield f"private java.util.ArrayList<{element}> {part.name};"
    one, all_ = part.singular, part.name
    yield _method(part, style, one, f"{element} {one}", f"{made} this.{all_}.add({one});")
    given = f"java.util.Collection<? extends {element}> {all_}"
    yield _method(part, style, all_, given, f"{made} this.{all_}.addAll({all_});")
    yield _clear(part, style, f"if (this.{all_} != null) this.{all_}.clear();")


def _map(part: Part, style: Style, key: str, element: str) -> Iterator[str]:
    keys, values = f"{part.name}$key", f"{part.name}$value"
    made = (
        f"if (this.{keys} == null) {{ this.{keys} = new java.util.ArrayList<{key}>(); "
        f"this.{values} = new java.util.ArrayList<{element}>(); }}"
    )
    yield f"private java.util.ArrayList<{key}> {keys}; private java.util.ArrayList<{element}> {values};"
    one = part.singular
    put = f"{made} this.{keys}.add({one}Key); this.{values}.add({one}Value);"
    yield _method(part, style, one, f"{key} {one}Key, {element} {one}Value", put)
    entry = f"java.util.Map.Entry<? extends {key}, ? extends {element}>"
    each = f"this.{keys}.add($e.getKey()); this.{values}.add($e.getValue());"
    all_ = f"for ({entry} $e : {part.name}.entrySet()) {{ {each} }}"
    given = f"java.util.Map<? extends {key}, ? extends {element}> {part.name}"
    yield _method(part, style, part.name, given, f"{made} {all_}")
    yield _clear(part, style, f"if (this.{keys} != null) {{ this.{keys}.clear(); this.{values}.clear(); }}")


def _guava(part: Part, style: Style, kind: str, arguments: list[str]) -> Iterator[str]:
    types = ", ".join(arguments)
    class_ = f"com.google.common.collect.{_GUAVA[kind]}"
    start = "naturalOrder()" if "Sorted" in kind else "builder()"
    made = f"if (this.{part.name} == null) this.{part.name} = {class_}.{start};"
    yield f"private {class_}.Builder<{types}> {part.name};"
    one, all_ = part.singular, part.name
    if kind.endswith("Map"):
        key, element = _of(arguments, 2)
        put = f"{made} this.{all_}.put({one}Key, {one}Value);"
        yield _method(part, style, one, f"{key} {one}Key, {element} {one}Value", put)
        given = f"java.util.Map<? extends {key}, ? extends {element}> {all_}"
        yield _method(part, style, all_, given, f"{made} this.{all_}.putAll({all_});")
    else:
        (element,) = _of(arguments, 1)
        yield _method(part, style, one, f"{element} {one}", f"{made} this.{all_}.add({one});")
        given = f"java.lang.Iterable<? extends {element}> {all_}"
        yield _method(part, style, all_, given, f"{made} this.{all_}.addAll({all_});")
    yield _clear(part, style, f"this.{all_} = null;")


def _clear(part: Part, style: Style, body: str) -> str:
    name = f"clear{part.name[:1].upper()}{part.name[1:]}"
    return f"{style.access}{style.result} {name}() {{ {body} return {style.end}; }}"


def _taken_apart(type_: str) -> tuple[str, list[str]]:
    """The simple name of a type, and its type arguments; wildcards are their bounds."""
    head, _, rest = type_.partition("<")
    depth, found = 0, [""]
    for sign in rest.removesuffix(">"):
        depth += {"<": 1, ">": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            found.append("")
        else:
            found[-1] += sign
    arguments = [
        re.sub(r"^\?\s*(extends\s+|super\s+.*)?", "", argument.strip()) for argument in found if argument.strip()
    ]
    return head.rpartition(".")[2], [argument or "java.lang.Object" for argument in arguments]


def _of(arguments: list[str], number: int) -> list[str]:
    return arguments if len(arguments) == number else ["java.lang.Object"] * number
