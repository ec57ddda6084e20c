"""Lattices made of others: products, lexicographic pairs, and maps."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import islice
from itertools import product as combinations
from typing import TYPE_CHECKING, Any

from ladder.lattices.base import Lattice, below, text_of
from ladder.lattices.shapes import Maps, Priority, Shape, shape_of, tuples, widened_shape_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Tuple = tuple[Hashable, ...]
Entries = frozenset[tuple[Hashable, Hashable]]

_MOST_EXAMPLES = 24


class Product(Lattice[Tuple]):
    """Tuples with one value of each lattice, joined component by component.

    (a, b) ⊑ (c, d)  ⟺  a ⊑ c and b ⊑ d. With two booleans:

              (1, 1)
             /      \\
        (1, 0)     (0, 1)
             \\      /
              (0, 0)
    """

    def __init__(self, *parts: Lattice[Any]) -> None:
        self.parts = parts
        for extreme in ("bottom", "top"):
            if all(hasattr(part, extreme) for part in parts):
                setattr(self, extreme, tuple(getattr(part, extreme) for part in parts))
        if all(hasattr(part, "meet") for part in parts):
            self.meet = self._meet
        if any(hasattr(part, "widen") for part in parts):
            self.widen = self._widen

    def join(self, a: Tuple, b: Tuple) -> Tuple:
        return tuple(part.join(x, y) for part, x, y in zip(self.parts, a, b, strict=True))

    def _meet(self, a: Tuple, b: Tuple) -> Tuple:
        """The greatest value below both."""
        return tuple(part.meet(x, y) for part, x, y in zip(self.parts, a, b, strict=True))  # type: ignore[attr-defined]

    def _widen(self, a: Tuple, b: Tuple) -> Tuple:
        """The widened value, component by component where a lattice widens."""
        return tuple(getattr(part, "widen", part.join)(x, y) for part, x, y in zip(self.parts, a, b, strict=True))

    def leq(self, a: Tuple, b: Tuple) -> bool:
        return all(below(part, x, y) for part, x, y in zip(self.parts, a, b, strict=True))

    def shape(self) -> Shape | None:
        """The shape of tuples that are joined component by component."""
        return tuples(map(shape_of, self.parts))

    def widened_shape(self) -> Shape | None:
        """The shape of tuples that are widened component by component, where a lattice widens."""
        return tuples(map(widened_shape_of, self.parts))

    def values(self) -> SearchStrategy[Tuple]:
        from hypothesis import strategies as st

        return st.tuples(*(part.values() for part in self.parts))

    def examples(self) -> Sequence[Tuple]:
        every = list(combinations(*(part.examples() for part in self.parts)))
        return list(islice(every, 0, None, max(1, len(every) // _MOST_EXAMPLES)))

    def show(self, value: Tuple) -> str:
        return "(" + ", ".join(part.show(x) for part, x in zip(self.parts, value, strict=True)) + ")"


class Lexicographic(Lattice[tuple[Hashable, Hashable]]):
    """Pairs in lexicographic order: the second component matters only if the first ones are equal.

    (a, b) ⊑ (c, d) ⟺ a ⊏ c, or a = c and b ⊑ d. With booleans: (0, 0) ⊑ (0, 1) ⊑ (1, 0) ⊑ (1, 1). The second lattice
    needs a `bottom`, which is the second component of joins of pairs whose first components are incomparable.
    """

    def __init__(self, first: Lattice[Any], second: Lattice[Any]) -> None:
        if not hasattr(second, "bottom"):
            raise ValueError("the second lattice of a lexicographic one needs a bottom")
        self.first, self.second = first, second
        if hasattr(first, "bottom"):
            self.bottom = (first.bottom, second.bottom)
        if hasattr(second, "top"):
            if hasattr(first, "top"):
                self.top = (first.top, second.top)
            if hasattr(first, "meet") and hasattr(second, "meet"):
                self.meet = self._meet

    def join(self, a: tuple[Any, Any], b: tuple[Any, Any]) -> tuple[Any, Any]:
        if a[0] == b[0]:
            return a[0], self.second.join(a[1], b[1])
        if below(self.first, a[0], b[0]):
            return b
        if below(self.first, b[0], a[0]):
            return a
        return self.first.join(a[0], b[0]), self.second.bottom

    def _meet(self, a: tuple[Any, Any], b: tuple[Any, Any]) -> tuple[Any, Any]:
        """The greatest value below both."""
        if a[0] == b[0]:
            return a[0], self.second.meet(a[1], b[1])  # type: ignore[attr-defined]
        if below(self.first, a[0], b[0]):
            return a
        if below(self.first, b[0], a[0]):
            return b
        return self.first.meet(a[0], b[0]), self.second.top  # type: ignore[attr-defined]

    def leq(self, a: tuple[Any, Any], b: tuple[Any, Any]) -> bool:
        return below(self.second, a[1], b[1]) if a[0] == b[0] else below(self.first, a[0], b[0])

    def shape(self) -> Shape | None:
        """The shape of pairs in lexicographic order."""
        first, second = shape_of(self.first), shape_of(self.second)
        if first is None or second is None:
            return None
        return Priority(first, second, self.second.bottom, getattr(self.second, "top", None))

    def values(self) -> SearchStrategy[tuple[Any, Any]]:
        from hypothesis import strategies as st

        return st.tuples(self.first.values(), self.second.values())

    def examples(self) -> Sequence[tuple[Any, Any]]:
        every = list(combinations(self.first.examples(), self.second.examples()))
        return list(islice(every, 0, None, max(1, len(every) // _MOST_EXAMPLES)))

    def show(self, value: tuple[Any, Any]) -> str:
        return f"({self.first.show(value[0])}, {self.second.show(value[1])})"


class Pointwise(Lattice[Entries]):
    """Maps from keys to values of a lattice with a `bottom`, which is the value of absent keys.

    f ⊑ g  ⟺  f(k) ⊑ g(k) for every key k. A value is the frozen set of its pairs (key, value), none with bottom.
    """

    bottom: Entries = frozenset()

    def __init__(self, of: Lattice[Any]) -> None:
        if not hasattr(of, "bottom"):
            raise ValueError("the lattice of a map's values needs a bottom")
        self.of = of
        if hasattr(of, "meet"):
            self.meet = self._meet
        if hasattr(of, "widen"):
            self.widen = self._widen

    def join(self, a: Entries, b: Entries) -> Entries:
        return self._merged(dict(a), dict(b), self.of.join)

    def _widen(self, a: Entries, b: Entries) -> Entries:
        """The map with the values of each key widened."""
        return self._merged(dict(a), dict(b), self.of.widen)  # type: ignore[attr-defined]

    def _meet(self, a: Entries, b: Entries) -> Entries:
        """The greatest map below both."""
        left, right = dict(a), dict(b)
        meet = self.of.meet  # type: ignore[attr-defined]
        return self.entries({key: meet(left[key], right[key]) for key in left.keys() & right.keys()})

    def _merged(self, left: Mapping[Any, Any], right: Mapping[Any, Any], join: Any) -> Entries:
        both = {key: join(left[key], right[key]) for key in left.keys() & right.keys()}
        return self.entries({**left, **right, **both})

    def entries(self, values: Mapping[Any, Any]) -> Entries:
        """The lattice value of a mapping."""
        return frozenset((key, value) for key, value in values.items() if value != self.of.bottom)

    def leq(self, a: Entries, b: Entries) -> bool:
        right = dict(b)
        return all(key in right and below(self.of, value, right[key]) for key, value in a)

    def shape(self) -> Shape | None:
        """The shape of maps that are joined key by key."""
        of = shape_of(self.of)
        return None if of is None else Maps(of, self.of.bottom)

    def widened_shape(self) -> Shape | None:
        """The shape of maps that are widened key by key."""
        of = widened_shape_of(self.of)
        return None if of is None else Maps(of, self.of.bottom)

    def values(self) -> SearchStrategy[Entries]:
        from hypothesis import strategies as st

        return st.dictionaries(st.sampled_from("xyz"), self.of.values(), max_size=3).map(self.entries)

    def examples(self) -> Sequence[Entries]:
        some = list(self.of.examples())[:6]
        return list(dict.fromkeys(self.entries({"x": v, "y": w}) for v in some for w in some))

    def show(self, value: Entries) -> str:
        pairs = sorted((text_of(key), self.of.show(shown)) for key, shown in value)
        return "{" + ", ".join(f"{key}: {shown}" for key, shown in pairs) + "}"


def product(*parts: Lattice[Any]) -> Product:
    """The product lattice of several lattices."""
    return Product(*parts)


def lexicographic(first: Lattice[Any], second: Lattice[Any]) -> Lexicographic:
    """The lattice of pairs in lexicographic order."""
    return Lexicographic(first, second)


def pointwise(of: Lattice[Any]) -> Pointwise:
    """The lattice of maps to values of a lattice."""
    return Pointwise(of)


def components(*values: Hashable) -> Tuple:
    """The value of a product with these components; a functor."""
    return values


def component(value: Tuple, position: int) -> Hashable:
    """The component at a position, counted from 0, of a value of a product or lexicographic pair."""
    return value[position]


def entry(key: Hashable, value: Hashable) -> Entries:
    """The map with one key."""
    return frozenset(((key, value),))


def lookup(value: Entries, key: Hashable) -> Iterator[Hashable]:
    """The value of a key in a map; no result if the key is absent. Declare the functor with `several`."""
    for known, found in value:
        if known == key:
            yield found


def keys(value: Entries) -> Iterator[Hashable]:
    """The keys of a map, sorted. Declare the functor with `several`."""
    return iter(sorted((key for key, _ in value), key=lambda key: (type(key).__name__, key)))
