"""The formats of a summary, `name → "module:function"`; the function turns a `Report` into text.

The formats of complete tables are in `ladder.facts.tables`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ladder.report.summary import Report

SUMMARIES = {
    "table": "ladder.report.summary:as_text",
    "json": "ladder.report.summary:as_json",
    "sarif": "ladder.report.sarif:as_sarif",
}


def summary_of(name: str) -> Callable[[Report], str]:
    """The function that writes a summary in a format; the one for people if there is no format with this name."""
    module, _, function = SUMMARIES.get(name, SUMMARIES["table"]).partition(":")
    found: Callable[[Report], str] = getattr(import_module(module), function)
    return found
