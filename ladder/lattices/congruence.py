"""Congruence classes: sets of numbers with the same remainder modulo another number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd
from typing import TYPE_CHECKING

from ladder.lattices.base import BOTTOM, Extreme, Lattice

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Class = tuple[int, int]


class Congruence(Lattice[Class | Extreme]):
    """Values are (modulus, remainder), 0 ≤ remainder < modulus; (0, n) is the single number n; `BOTTOM` is the empty
    set.

               0 mod 1
              /       \\
         0 mod 2     1 mod 2      0 mod 3 …
          /   \\       /   \\
     0 mod 4   …     …    3 mod 4
         |     |     |     |
         4     6     1     3   …
             \\   \\   /   /
               Bottom

    (m, r) ⊑ (n, s) ⟺ n divides m and r - s. Ascending chains are finite, because each modulus divides the one before.
    """

    bottom, top = BOTTOM, (1, 0)

    def join(self, a: Class | Extreme, b: Class | Extreme) -> Class | Extreme:
        if isinstance(b, Extreme) or a == b:
            return a
        return b if isinstance(a, Extreme) else congruent(gcd(a[0], b[0], a[1] - b[1]), a[1])

    def meet(self, a: Class | Extreme, b: Class | Extreme) -> Class | Extreme:
        if isinstance(a, Extreme) or isinstance(b, Extreme):
            return BOTTOM
        (m, r), (n, s) = a, b
        if m == 0 or n == 0:
            (m, r), (n, s) = ((m, r), (n, s)) if m == 0 else ((n, s), (m, r))
            return (m, r) if self.leq((m, r), (n, s)) else BOTTOM
        common = gcd(m, n)
        if (r - s) % common:
            return BOTTOM
        steps = (s - r) // common * pow(m // common, -1, n // common) if n != common else 0
        return congruent(m // common * n, r + m * steps)

    def leq(self, a: Class | Extreme, b: Class | Extreme) -> bool:
        if isinstance(a, Extreme) or isinstance(b, Extreme):
            return isinstance(a, Extreme)
        return a == b if b[0] == 0 else a[0] % b[0] == 0 and (a[1] - b[1]) % b[0] == 0

    def inject(self, value: int) -> Class:
        """The class of a single number."""
        return 0, value

    def values(self) -> SearchStrategy[Class | Extreme]:
        from hypothesis import strategies as st

        return st.just(BOTTOM) | st.builds(congruent, st.integers(0, 60), st.integers(-200, 200))

    def examples(self) -> Sequence[Class | Extreme]:
        return (BOTTOM, self.top, (0, 0), (0, 1), (0, -7), (0, 12), (2, 0), (2, 1), (4, 0), (4, 3), (6, 3), (12, 9))

    def show(self, value: Class | Extreme) -> str:
        if isinstance(value, Extreme):
            return value.value
        return str(value[1]) if value[0] == 0 else f"{value[1]} mod {value[0]}"


congruence = Congruence()


def congruent(modulus: int, remainder: int) -> Class:
    """The class of all numbers with this remainder; with modulus 0, of a single number."""
    return (abs(modulus), remainder % abs(modulus)) if modulus else (0, remainder)


def modulus(value: Class | Extreme) -> Iterator[int]:
    """The modulus of a class, 0 for that of a single number. Declare the functor with `several`."""
    if not isinstance(value, Extreme):
        yield value[0]


def remainder(value: Class | Extreme) -> Iterator[int]:
    """The remainder of a class; for that of a single number, the number. Declare the functor with `several`."""
    if not isinstance(value, Extreme):
        yield value[1]
