"""Parities, and intervals moved up by one."""

from __future__ import annotations

from ladder.lattices import shifted

Parity = tuple[str]


def join(a: Parity, b: Parity) -> Parity:
    """Either of them."""
    if a == b or b == ("Neither",):
        return a
    return b if a == ("Neither",) else ("Either",)


def meet(a: Parity, b: Parity) -> Parity:
    """Both of them."""
    if a == b or b == ("Either",):
        return a
    return b if a == ("Either",) else ("Neither",)


def swapped(a: Parity) -> Parity:
    """Of the number before or after."""
    return {"Even": ("Odd",), "Odd": ("Even",)}.get(a[0], a)


def only(n: int) -> tuple[int, int]:
    """The interval of one number."""
    return n, n


def up(r: tuple[int, int]) -> tuple[int, int]:
    """All numbers plus one, up to 100."""
    low, high = shifted(r, 1)
    return min(low, 100), min(high, 100)
