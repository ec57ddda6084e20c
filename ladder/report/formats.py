"""The forms of a summary: one line for each, `name → "module:function"`; a function turns a `Report` into a text.

Forms of whole tables are in `ladder.facts.tables`.
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
    """Return what writes a summary in that form; in the form for people where there is none of that name."""
    module, _, function = SUMMARIES.get(name, SUMMARIES["table"]).partition(":")
    found: Callable[[Report], str] = getattr(import_module(module), function)
    return found
