"""The limit of nested records in ordered components: they are tuples, and Python compares and hashes nested tuples by
recursion, which ends in an error or a crash if they are too deep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ladder.errors import LadderError

DEEPEST = 50_000  # less than half of what a stack of 8 MB has room for
LOOK = 4096  # iterations after which it is looked at how deeply rules have nested their records


def require_shallow(values: Iterable[Any]) -> None:
    """Raise `RecursionError` if one of the values is nested too deeply to be hashed."""
    depths = dict[int, int]()
    for value in values:
        flat = not isinstance(value, tuple) or not any(isinstance(part, tuple) for part in value)
        stack = [] if flat else [value]
        while stack:
            top = stack[-1]
            inner = [part for part in top if isinstance(part, tuple)]
            missing = [part for part in inner if id(part) not in depths]
            if missing:
                stack += missing
                continue
            depths[id(top)] = depth = 1 + max((depths[id(part)] for part in inner), default=0)
            if depth > DEEPEST:
                raise RecursionError
            stack.pop()


@contextmanager
def refused_if_too_deep(name: str) -> Iterator[None]:
    """A block in which a record that is nested too deeply raises an error about the relation `name`."""
    try:
        yield
    except RecursionError as error:
        raise LadderError(
            f"A record of {name} is nested too deeply for rules that keep an order.",
            "Give the rules that nest it relations of their own.",
        ) from error
