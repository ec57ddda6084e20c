"""Small lattices of the possible signs of a number and of its parity."""

from __future__ import annotations

from collections.abc import Sequence

from ladder.lattices.base import Lattice

_SIGNS = "-0+"


class Sign(Lattice[str]):
    """Sets of possible signs, as the symbols "", "-", "0", "+", "-0", "-+", "0+" and "-0+".

              -0+
           /   |   \\
         -0   -+   0+
          | \\ / \\ / |
          | / \\ / \\ |
          -    0    +
           \\   |   /
               ""
    """

    carrier = "symbol"
    bottom, top = "", _SIGNS
    elements = ("", "-", "0", "+", "-0", "-+", "0+", "-0+")

    def join(self, a: str, b: str) -> str:
        return "".join(sign for sign in _SIGNS if sign in a or sign in b)

    def meet(self, a: str, b: str) -> str:
        return "".join(sign for sign in _SIGNS if sign in a and sign in b)

    def leq(self, a: str, b: str) -> bool:
        return all(sign in b for sign in a)

    def inject(self, value: int) -> str:
        """The sign of a number."""
        return "-" if value < 0 else "+" if value > 0 else "0"

    def examples(self) -> Sequence[str]:
        return self.elements


class Parity(Lattice[str]):
    """Parities, as the symbols "none", "even", "odd" and "any".

            any
           /   \\
        even   odd
           \\   /
            none
    """

    carrier = "symbol"
    bottom, top = "none", "any"
    elements = ("none", "even", "odd", "any")

    def join(self, a: str, b: str) -> str:
        if a == b or b == self.bottom:
            return a
        return b if a == self.bottom else self.top

    def meet(self, a: str, b: str) -> str:
        if a == b or b == self.top:
            return a
        return b if a == self.top else self.bottom

    def inject(self, value: int) -> str:
        """The parity of a number."""
        return "odd" if value % 2 else "even"

    def examples(self) -> Sequence[str]:
        return self.elements


sign, parity = Sign(), Parity()
