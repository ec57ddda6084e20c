"""Whether a lattice keeps the laws that aggregation relies on, checked on given values."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from ladder.lattices.base import Lattice

_MOST_STEPS = 1_000


def violations(lattice: Lattice[Any], values: Iterable[Hashable] | None = None, most: int = 10) -> list[str]:
    """A sentence for each law that is broken, with values that break it; none for a lattice."""
    chosen = list(dict.fromkeys(lattice.examples() if values is None else values))
    found = list(_hashable(lattice, chosen))[:most]
    if found:
        return found
    for law in LAWS:
        for sentence in law(lattice, chosen):
            found.append(sentence)
            if len(found) >= most:
                return found
            break
    return found


def _hashable(lattice: Lattice[Any], values: Sequence[Any]) -> Iterator[str]:
    for a, b in product(values, repeat=2):
        joined = lattice.join(a, b)
        try:
            hash(joined)
        except TypeError:
            yield f"join({a!r}, {b!r}) = {joined!r} is not hashable"
        if lattice.join(a, b) != joined:
            yield f"join({a!r}, {b!r}) is not the same twice"


def _idempotent(lattice: Lattice[Any], values: Sequence[Any]) -> Iterator[str]:
    for a in values:
        if lattice.join(a, a) != a:
            yield f"not idempotent: join({a!r}, {a!r}) = {lattice.join(a, a)!r}"


def _commutative(lattice: Lattice[Any], values: Sequence[Any]) -> Iterator[str]:
    for a, b in product(values, repeat=2):
        left, right = lattice.join(a, b), lattice.join(b, a)
        if left != right:
            yield f"not commutative: join({a!r}, {b!r}) = {left!r}, join({b!r}, {a!r}) = {right!r}"


def _associative(lattice: Lattice[Any], values: Sequence[Any]) -> Iterator[str]:
    for a, b, c in product(values, repeat=3):
        left, right = lattice.join(lattice.join(a, b), c), lattice.join(a, lattice.join(b, c))
        if left != right:
            yield (f"not associative: join(join({a!r}, {b!r}), {c!r}) = {left!r}, "
                   f"join({a!r}, join({b!r}, {c!r})) = {right!r}")


def _partial_order(lattice: Lattice[Any], values: Sequence[Any]) -> Iterator[str]:
    for a in values:
        if not lattice.leq(a, a):
            yield f"not reflexive: leq({a!r}, {a!r}) is false"
    for a, b in product(values, repeat=2):
        if a != b and lattice.leq(a, b) and lattice.leq(b, a):
            yield f"not antisymmetric: {a!r} and {b!r} dominate each other"
    for a, b, c in product(values, repeat=3):
        if lattice.leq(a, b) and lattice.leq(b, c) and not lattice.leq(a, c):
            yield f"not transitive: leq({a!r}, {b!r}) and leq({b!r}, {c!r}), not leq({a!r}, {c!r})"


def _least_upper_bound(lattice: Lattice[Any], values: Sequence[Any]) -> Iterator[str]:
    for a, b in product(values, repeat=2):
        joined = lattice.join(a, b)
        if not (lattice.leq(a, joined) and lattice.leq(b, joined)):
            yield f"join({a!r}, {b!r}) = {joined!r} does not dominate both"
        for c in values:
            if lattice.leq(a, c) and lattice.leq(b, c) and not lattice.leq(joined, c):
                yield f"join({a!r}, {b!r}) = {joined!r} is not the least: {c!r} dominates both and is not above it"


def _extremes(lattice: Lattice[Any], values: Sequence[Any]) -> Iterator[str]:
    for a in values:
        if hasattr(lattice, "bottom") and not lattice.leq(lattice.bottom, a):
            yield f"bottom {lattice.bottom!r} is not below {a!r}"
        if hasattr(lattice, "top") and not lattice.leq(a, lattice.top):
            yield f"top {lattice.top!r} is not above {a!r}"


def _meets(lattice: Lattice[Any], values: Sequence[Any]) -> Iterator[str]:
    meet: Callable[[Any, Any], Any] | None = getattr(lattice, "meet", None)
    if meet is None:
        return
    for a, b in product(values, repeat=2):
        if not (lattice.leq(meet(a, b), a) and lattice.leq(meet(a, b), b)):
            yield f"meet({a!r}, {b!r}) = {meet(a, b)!r} is not below both"


def _stationary(lattice: Lattice[Any], values: Sequence[Any]) -> Iterator[str]:
    """Joining the same values again and again must come to rest."""
    for start in values:
        total, steps, changed = start, 0, True
        while changed and steps < _MOST_STEPS:
            changed = False
            for value in values:
                joined = lattice.join(total, value)
                changed |= joined != total
                total, steps = joined, steps + 1
        if changed:
            yield f"joins from {start!r} do not come to rest after {steps} steps"


def _shown_apart(lattice: Lattice[Any], values: Sequence[Any]) -> Iterator[str]:
    texts: dict[str, Any] = {}
    for value in values:
        text = lattice.show(value)
        if text in texts and texts[text] != value:
            yield f"{value!r} and {texts[text]!r} are both shown as {text!r}"
        texts[text] = value


LAWS = (_idempotent, _commutative, _associative, _partial_order, _least_upper_bound, _extremes, _meets,
        _stationary, _shown_apart)
