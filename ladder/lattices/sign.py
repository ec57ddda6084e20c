"""Which signs a number may have: negative, zero, positive, or several of them."""
from __future__ import annotations

from collections.abc import Sequence

from ladder.lattices.base import Lattice

_SIGNS = "-0+"


class Sign(Lattice[str]):
    """Values are the symbols "", "-", "0", "+", "-0", "-+", "0+" and "-0+": the signs that are possible."""

    carrier = "symbol"
    bottom, top = "", _SIGNS

    def join(self, a: str, b: str) -> str:
        return "".join(sign for sign in _SIGNS if sign in a or sign in b)

    def meet(self, a: str, b: str) -> str:
        return "".join(sign for sign in _SIGNS if sign in a and sign in b)

    def leq(self, a: str, b: str) -> bool:
        return all(sign in b for sign in a)

    def inject(self, value: int) -> str:
        return "-" if value < 0 else "+" if value > 0 else "0"

    def examples(self) -> Sequence[str]:
        return ("", "-", "0", "+", "-0", "-+", "0+", "-0+")


sign = Sign()
