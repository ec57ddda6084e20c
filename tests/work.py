"""How much work a call is, counted instead of timed: what a machine does beside it changes times, and no counts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def calls_in(function: Callable[[], object]) -> int:
    """How many functions are called while this one runs, those that are not written in Python included."""
    count, before = [0], sys.getprofile()

    def called(_frame: Any, event: str, _argument: Any) -> None:
        count[0] += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count[0]


def lines_in(function: Callable[[], object]) -> int:
    """How many lines of Python are run while this function runs: loops that call nothing count as well."""
    count, before = [0], sys.gettrace()

    def traced(_frame: Any, event: str, _argument: Any) -> Any:
        count[0] += event == "line"
        return traced

    sys.settrace(traced)
    try:
        function()
    finally:
        sys.settrace(before)
    return count[0]
