"""Strategies of maintaining rows as facts change, siblings over the same plans and relations; one file each.

STRATEGIES                  one line for each: its name, and the module whose STRATEGY is its class
strategy_of(name)(engine)   the strategy of an engine; `Unsupported` where it cannot maintain the engine's program
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ladder.errors import Unsupported

if TYPE_CHECKING:
    from ladder.engine.local.strategies.base import Strategy

STRATEGIES = {
    "elastic": "ladder.engine.local.strategies.elastic",
    "counting": "ladder.engine.local.strategies.counting",
    "dred": "ladder.engine.local.strategies.dred",
    "dredc": "ladder.engine.local.strategies.dredc",
    "bf": "ladder.engine.local.strategies.bf",
    "bfc": "ladder.engine.local.strategies.bfc",
    "recompute": "ladder.engine.local.strategies.recompute",
}


def strategy_of(name: str) -> type[Strategy]:
    """The class of a strategy; its module is imported here and not before, for its kernels."""
    if name not in STRATEGIES:
        raise Unsupported(f"There is no strategy {name!r}.", f"There are {', '.join(STRATEGIES)}.")
    found: type[Strategy] = import_module(STRATEGIES[name]).STRATEGY
    return found
