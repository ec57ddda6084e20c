"""What supplied lattices and functions give on their examples is kept as text: `python -m tests.lattices.test_meaning`
writes it anew.

States are saved with the number `MEANING` of what is supplied, and not with a hash of its sources: it must be raised
when a result changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from ladder import lattices
from ladder.lattices.base import MEANING

from .supplied import CASES

KEPT = Path(__file__).with_name("meaning.txt")
OPERATIONS = {"join": 2, "meet": 2, "leq": 2, "widen": 2, "show": 1, "inject": 1}
FEW = 40  # values that a function is called with, in all pairs
VALUES = (
    0,
    1,
    -1,
    7,
    2**31 - 1,
    -(2**31),
    "",
    "a",
    "b",
    lattices.BOTTOM,
    lattices.TOP,
    frozenset(),
    frozenset("a"),
    (0, 1),
    (1, 2),
    (-5, 5),
    ("a", 0),
    (("a", 0),),
    (("a", 0), ("b", 1)),
)


def lines() -> Iterator[str]:
    """The number; then for each operation of a lattice, and for each function, a hash of its results."""
    yield f"meaning {MEANING}"
    for name, (lattice, _) in CASES.items():
        examples = list(lattice.examples())
        for operation, arguments in OPERATIONS.items():
            if callable(call := getattr(lattice, operation, None)):
                values = examples if operation != "inject" else list(VALUES)
                yield f"{name}.{operation} {digest(call, values, arguments)}"
        for extreme in ("bottom", "top"):
            if hasattr(lattice, extreme):
                yield f"{name}.{extreme} {text(getattr(lattice, extreme))}"
    for name in sorted(lattices.__all__):
        call = getattr(lattices, name)
        if callable(call) and not isinstance(call, type | lattices.Lattice):
            yield f"{name} {digest(call, list(VALUES), 1)} {digest(call, list(VALUES), 2)}"


def digest(call: Callable[..., Any], values: list[Any], arguments: int) -> str:
    found = hashlib.sha256()
    for given in product(values[:FEW], repeat=arguments):
        try:
            result = text(call(*given))
        except Exception as error:  # noqa: BLE001 - which one is part of the result
            result = type(error).__name__
        found.update(f"{text(given)} {result}\n".encode())
    return found.hexdigest()[:16]


def text(value: Any) -> str:
    """A value as text, the same in every process."""
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(text, value))) + "}"
    if isinstance(value, tuple | list | Iterator):
        return "(" + ", ".join(map(text, value)) + ")"
    return type(value).__name__ if hasattr(value, "join") and not isinstance(value, str) else repr(value)


def test_results_are_those_of_the_number() -> None:
    now, kept = list(lines()), KEPT.read_text("utf-8").splitlines()
    assert len(now) > 100
    changed = sorted({*now} ^ {*kept})
    assert now == kept, (
        "Results of supplied lattices or functions are others. "
        "If old states would be wrong now, raise MEANING in ladder/lattices/base.py; "
        f"then, or if only new things came, run `python -m tests.lattices.test_meaning`. Changed: {changed}"
    )


if __name__ == "__main__":
    KEPT.write_text("\n".join(lines()) + "\n", "utf-8")
