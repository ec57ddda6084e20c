"""How much work a call is, counted instead of timed: what a machine does beside it changes times, and no counts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def calls_in(function: Callable[[], object]) -> int:
    """How many functions are called while this one runs, those that are not written in Python included."""
    return _events_in(function, ("call", "c_call"), sys.getprofile, sys.setprofile)


def lines_in(function: Callable[[], object]) -> int:
    """How many lines of Python are run while this function runs: loops that call nothing count as well."""
    return _events_in(function, ("line",), sys.gettrace, sys.settrace)


def _events_in(
    function: Callable[[], object], events: tuple[str, ...], get: Callable[[], Any], watch: Callable[[Any], None]
) -> int:
    """How often the interpreter tells one of these events, to whom `watch` sets, while the function runs."""
    count, before = [0], get()

    def told(_frame: Any, event: str, _argument: Any) -> Any:
        count[0] += event in events
        return told

    watch(told)
    try:
        function()
    finally:
        watch(before)
    return count[0]
