"""The lattice of signs."""

from __future__ import annotations

Sign = tuple[str]
OF = {("Minus",): -1, ("Null",): 0, ("Plus",): 1}


def join(a: Sign, b: Sign) -> Sign:
    """Either of them."""
    if a == b or b == ("Unknown",):
        return a
    return b if a == ("Unknown",) else ("Any",)


def meet(a: Sign, b: Sign) -> Sign:
    """Both of them."""
    if a == b or b == ("Any",):
        return a
    return b if a == ("Any",) else ("Unknown",)


def below(a: Sign, b: Sign) -> int:
    """1 where the second says no more than the first."""
    return int(a == b or a == ("Unknown",) or b == ("Any",))


def times(a: Sign, b: Sign) -> Sign:
    """The sign of a product."""
    if ("Unknown",) in (a, b):
        return ("Unknown",)
    if ("Null",) in (a, b):
        return ("Null",)
    if ("Any",) in (a, b):
        return ("Any",)
    return {number: sign for sign, number in OF.items()}[OF[a] * OF[b]]
