"""Functions of the program."""

import math


def half(n: int) -> int:
    return n // 2


def letters(s: str) -> list[str]:
    return list(s)


def pair(n: int, s: str) -> tuple[int, str]:
    return n, s[:1]


def shape(n: int) -> tuple:
    return ("Dot",) if n <= 0 else ("Box", n, n + 1)


def area(s: tuple) -> float:
    return 0.0 if s[0] == "Dot" else s[1] * s[2] / 2


def root(x: float) -> float:
    return math.floor(math.sqrt(x))
