"""Spark's errors about SQL queries as `LadderError`: a sentence, the place with a caret, and what may have been
meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from ladder.errors import LadderError

PLACE = re.compile(r"\(?line (\d+), ?pos(?:ition)? (\d+)\)?")
CONDITION = re.compile(r"^\[([A-Z][\w.]*)\] ")
ENOUGH = re.compile(
    r"\s*(?:SQLSTATE: \w+.*|;? line \d+ pos \d+;?|Please, refer to .*|Did you mean .*|Verify the spelling .*|on "
    r"search path \[.*\]\.?)$"
)
INSIDE = "INTERNAL_ERROR"
CHANGES = re.compile(
    r"\s*(INSERT|UPDATE|DELETE|MERGE|CREATE|ALTER|DROP|TRUNCATE|REPLACE|LOAD|MSCK|ANALYZE|CACHE|UNCACHE|ADD|SET|RESET|USE)\b",
    re.IGNORECASE,
)
SHOWN = 8  # names


def refuse_changes(query: str) -> None:
    """Raise `LadderError` for an empty query and for a statement that changes tables, because results are only read."""
    text = re.sub(r"\A(?:\s+|--[^\n]*\n|/\*.*?\*/)*", "", query, flags=re.DOTALL)
    if not text.strip("; \n\t"):
        raise LadderError("The query is empty.", "Write a query, like SELECT * FROM a table.")
    if found := CHANGES.match(text):
        raise LadderError(
            f"The tables are only read, and {found[1].upper()} is no query.",
            "Write one that begins with SELECT, WITH, SHOW or DESCRIBE.",
        )


def refusal(error: BaseException, query: str, tables: Mapping[str, Iterable[str]]) -> LadderError:
    """The error for an exception that Spark raised for a query; `tables`: names of tables → names of their columns."""
    text = str(error).strip()
    first = text.splitlines()[0] if text else type(error).__name__
    condition = CONDITION.match(first)
    sentence = first[condition.end() :] if condition else first
    while sentence != (sentence := ENOUGH.sub("", sentence)):
        pass
    if condition is None or condition[1].startswith(INSIDE):
        sentence = "it cannot evaluate it"
    place = _place(error, text, query)
    problem = LadderError(f"Spark refuses the query: {sentence.strip().rstrip('.')}.", _hint(error, tables))
    return problem if place is None else problem.at(*_shown(query, place))


def _place(error: Any, text: str, query: str) -> int | None:
    """The offset in the query of what is wrong; None where Spark does not say."""
    with suppress(Exception):
        return int(error.getQueryContext()[0].startIndex())
    if found := PLACE.search(text):
        lines = query.splitlines(keepends=True)
        line, position = int(found[1]) - 1, int(found[2])
        if line <= len(lines):
            return sum(map(len, lines[:line])) + position
    return None


def _shown(query: str, place: int) -> tuple[str, str]:
    """A place as line and column, and its line with a caret below it."""
    place = min(place, len(query))
    start = query.rfind("\n", 0, place) + 1
    line = query[start:].partition("\n")[0]
    gap = "".join("\t" if character == "\t" else " " for character in line[: place - start])
    return f"--sql:{query.count(chr(10), 0, start) + 1}:{place - start + 1}", f"{line}\n    {gap}^"


def _hint(error: Any, tables: Mapping[str, Iterable[str]]) -> str:
    """A hint at existing names that may have been meant; "" where there are none."""
    parameters: Mapping[str, str] = {}
    with suppress(Exception):
        parameters = error.getMessageParameters() or {}
    if "relationName" in parameters:
        return _near("table", parameters["relationName"], tables)
    if "objectName" in parameters:
        return _near(
            "column", parameters["objectName"], dict.fromkeys(name for names in tables.values() for name in names)
        )
    if "path" in parameters:
        return "Name the whole path, from / on, of a file that is there."
    return ""


def _near(what: str, quoted: str, names: Iterable[str]) -> str:
    wanted, known = quoted.replace("`", "").rpartition(".")[2].lower(), list(names)
    found = difflib.get_close_matches(wanted, [name.lower() for name in known], 3, 0.6)
    near = [name for name in known if name.lower() in found]
    if near:
        return f"Did you mean {' or '.join(near)}?"
    more = ", …" if len(known) > SHOWN else ""
    return f"The {what}s are {', '.join(known[:SHOWN])}{more}." if known else f"There are no {what}s."
