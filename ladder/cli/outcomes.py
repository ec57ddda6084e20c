"""Comparison of the result of a test case with what is expected."""

from __future__ import annotations

import enum
import gzip
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ladder.cli.cases import LADDER_ERROR, Case, first_error

GZIP, SQLITE = ".gz.output", ".sqlite.output"


class Status(enum.Enum):
    """How a case ended."""

    PASSED = "passed"
    FAILED = "failed"  # other results, or it should have been refused
    REFUSED = "refused"  # refused with an error, although it should run
    MISPLACED = "misplaced"  # refused as it should be, but the first error is on another line
    TIMED_OUT = "timed out"
    CRASHED = "crashed"  # an unexpected exception, or the process died


@dataclass(frozen=True)
class Outcome:
    """How a case ended, and the reason in one line where it did not pass."""

    case: str
    rejected: bool
    status: Status
    reason: str = ""
    seconds: float = 0.0


def judge(case: Case, code: int, out: str, err: str, written: Path, seconds: float) -> Outcome:
    """Compare exit code, printed texts and the files in folder `written` with what the case expects."""
    status, reason = _judge(case, code, out, err, written)
    return Outcome(case.name, case.rejected, status, reason, seconds)


def _judge(case: Case, code: int, out: str, err: str, written: Path) -> tuple[Status, str]:
    if "Traceback (most recent call last)" in err or code not in (0, 1, 2, 3, 4):
        return Status.CRASHED, _last_line(err) or f"exit code {code}"
    if case.rejected:
        return _judge_refusal(case, code, err)
    if code != 0:
        return Status.REFUSED, _first_line(err)
    try:
        difference = _difference_of_files(case, written) or _difference_of_output(case, out)
    except (OSError, EOFError, UnicodeDecodeError, sqlite3.Error) as error:
        difference = f"a result file cannot be read: {error}"
    return (Status.FAILED, difference) if difference else (Status.PASSED, "")


def _judge_refusal(case: Case, code: int, err: str) -> tuple[Status, str]:
    if code == 0:
        return Status.FAILED, "was not refused"
    file = case.file("err")
    wanted = file.read_text("utf-8", "replace") if file else ""
    if LADDER_ERROR.search(wanted):
        return (
            (Status.PASSED, "")
            if _lines(wanted) == _lines(err)
            else (Status.FAILED, f"other errors: {_first_line(err)}")
        )
    place, found = first_error(wanted), first_error(err)
    if place is None or place == found:
        return Status.PASSED, ""
    return Status.MISPLACED, f"expected the first error at {place[0]}:{place[1]}, was: {_first_line(err)}"


def _difference_of_files(case: Case, written: Path) -> str:
    """How the written files differ from the expected ones, as a sentence; "" if they do not."""
    found = {
        path.name: path.read_text("utf-8", "replace") for form in ("csv", "json") for path in written.glob(f"*.{form}")
    }
    for path in written.glob("*.output"):
        found |= _unpacked(path, case.expected / f"{path.name}.script")
    expected = {path.name: path for path in case.expected.glob("*.csv")}
    missing, unexpected = (
        expected.keys() - found.keys(),
        {name for name in found if name.endswith(".csv")} - expected.keys(),
    )
    if missing or unexpected:
        return "; ".join(
            f"{what} {', '.join(sorted(names))}"
            for what, names in (("missing", missing), ("unexpected", unexpected))
            if names
        )
    for name, file in sorted({**expected, **{path.name: path for path in case.expected.glob("*.json")}}.items()):
        if name not in found:
            return f"missing {name}"
        if difference := _difference(_rows(file.read_text("utf-8", "replace")), _rows(found[name])):
            return f"{name}: {difference}"
    return ""


def _unpacked(file: Path, script: Path) -> dict[str, str]:
    """NAME.csv.gz.output → NAME.csv with its text; NAME.sqlite.output → NAME.csv with the answers to a script's
    queries."""
    if file.name.endswith(GZIP):
        return {file.name.removesuffix(GZIP): gzip.decompress(file.read_bytes()).decode()}
    if not file.name.endswith(SQLITE) or not script.is_file():
        return {}
    lines = []
    with closing(sqlite3.connect(file)) as database:
        for query in script.read_text("utf-8").split(";"):
            lines += ["|".join("" if cell is None else str(cell) for cell in row) for row in database.execute(query)]
    return {f"{file.name.removesuffix(SQLITE)}.csv": "\n".join(lines)}


def _difference_of_output(case: Case, out: str) -> str:
    file = case.file("out")
    difference = _difference(_rows(file.read_text("utf-8", "replace")), _rows(out)) if file else ""
    return f"standard output: {difference}" if difference else ""


def _difference(expected: list[str], found: list[str]) -> str:
    """A few of the missing and the superfluous lines, as a sentence; "" if both texts are the same up to the order of
    lines."""
    if expected == found:
        return ""
    missing, surplus = Counter(expected) - Counter(found), Counter(found) - Counter(expected)
    parts = [
        f"{sum(lines.values())} {what} {_some(lines)}"
        for what, lines in (("missing", missing), ("too many", surplus))
        if lines
    ]
    return f"{len(expected)} lines expected, {len(found)} found; {', '.join(parts)}"


def _some(lines: Counter[str]) -> str:
    shown = [repr(line if len(line) < 60 else line[:57] + "…") for line in sorted(lines)[:2]]
    return " ".join(shown) + (" …" if len(lines) > 2 else "")


def _rows(text: str) -> list[str]:
    """The lines, sorted; a single empty line counts as none."""
    lines = _lines(text)
    return [] if lines == [""] else sorted(part for line in lines for part in _parts(line))


def _parts(line: str) -> Iterator[str]:
    """Yield a line or, if it may be a row of a JSON array, the row and the characters around it, which depend on the
    row's position."""
    text = line.removesuffix(",")
    for start, end in ((0, 0), (1, 0), (0, 1)) if line.startswith(("[", "{")) else ():
        row = text[start : len(text) - end]
        if _is_json(row):
            yield from (row, *"[" * start, *"]" * end, *"," * (line != text))
            return
    yield line


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _lines(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.split("\n")]
    return lines[:-1] if not lines[-1] else lines


def _first_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return next(
        (line for line in lines if "error: " in line or line.startswith("ladder:")), lines[0] if lines else "no message"
    )


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")
