"""Errors and warnings about a program, reported all at once, each with its source line, a caret, and a hint if there is
one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from ladder.errors import ProgramError as RefusedProgram
from ladder.language.core import Place
from ladder.support.terminal import as_json, visible

WIDEST = 240  # characters of a line that are shown whole
_WORD = re.compile(r'"(?:[^"\\\n]|\\.)*"|[0-9]+(?:\.[0-9]+)*\w*|[.@$]?[_?\w]+|:-|[<>!]=|\S')


@dataclass(frozen=True)
class Error:
    """One error: `file:line:column: error: message`; `hint` says what to write instead, where that is known."""

    place: Place
    message: str
    hint: str | None = None


@dataclass(frozen=True)
class Warning(Error):
    """A warning; `kind` is its name, by which it can be switched off, `relation` the relation it is about, if any."""

    kind: str = ""
    relation: str | None = None


class ProgramError(RefusedProgram):
    """Raised for a program with errors; `errors`: all that were found, in textual order."""

    def __init__(self, errors: Iterable[Error], sources: Mapping[str, str] | None = None) -> None:
        self.errors = tuple(sorted(dict.fromkeys(errors), key=lambda e: (e.place.file, e.place.line, e.place.column)))
        self.sources = dict(sources or {})
        super().__init__(self.render())

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.errors, self.sources)

    def render(self) -> str:
        """All errors as text, as `render` writes each."""
        return "\n".join(render(error, self.sources.get(error.place.file)) for error in self.errors)

    def to_json(self) -> str:
        """All errors as JSON (see `findings_json`)."""
        return findings_json(self.errors)


class Errors:
    """Collects errors, which are raised together.

    Text that could not be parsed may have declared the names that occur in it (`lost`), or any name (`incomplete`);
    that such a name is not declared is no error.
    """

    def __init__(self) -> None:
        self.found: list[Error] = []
        self.warnings: list[Warning] = []
        self.lost: set[str] = set()
        self.incomplete = False
        self._unreported = 0

    def add(self, place: Place, message: str, hint: str | None = None) -> None:
        self.found.append(Error(place, message, hint))

    def warn(self, kind: str, place: Place, message: str, hint: str | None = None, relation: str | None = None) -> None:
        """Add a warning; `kind` is one of `ladder.language.check.warnings.KINDS`."""
        self.warnings.append(Warning(place, message, hint, kind, relation))

    def add_undeclared(self, place: Place, name: str, message: str, hint: str | None = None) -> None:
        """Add an error about an undeclared name, unless its declaration may be in text that could not be parsed."""
        if self.incomplete or name in self.lost:
            self._unreported += 1
        else:
            self.add(place, message, hint)

    def add_unreported(self) -> None:
        """Note that something cannot be used because of an error that was reported already."""
        self._unreported += 1

    @property
    def noted(self) -> int:
        """How many errors were found so far, reported or not."""
        return len(self.found) + self._unreported

    def raise_if_any(self, sources: Mapping[str, str]) -> None:
        if self.found:
            raise ProgramError(self.found, sources)


def findings_json(findings: Iterable[Error], indent: int | None = None) -> str:
    """Errors and warnings as a JSON array of objects: severity, file, line, column, message, mend (the hint), kind.

    `mend` and `kind` (of a warning: the name by which it can be switched off) are null where there is none.
    """
    return as_json(
        [
            {
                "severity": "warning" if isinstance(f, Warning) else "error",
                "file": f.place.file,
                "line": f.place.line,
                "column": f.place.column,
                "message": f.message,
                "mend": f.hint,
                "kind": f.kind if isinstance(f, Warning) else None,
            }
            for f in findings
        ],
        indent=indent,
    )


def render(error: Error, source: str | None) -> str:
    """`file:line:column: error: message`, then the source line with a caret below what is meant, then the hint."""
    place = error.place
    severity = "warning" if isinstance(error, Warning) else "error"
    parts = (f"{visible(str(place), layout=False)}: {severity}: {error.message}", excerpt(place, source), error.hint)
    return "\n    ".join(part for part in parts if part)


def excerpt(place: Place, source: str | None) -> str:
    """The source line of a place and an indented line with a caret below the column; "" where the place is not in the
    source.

    Of a very long line the part around the column is shown.
    """
    lines = source.split("\n") if source is not None else []
    if not 0 < place.line <= len(lines):
        return ""
    line = lines[place.line - 1].rstrip("\r")
    at, before = place.column - 1, ""
    if len(line) > WIDEST:
        start = max(0, at - WIDEST // 2)
        before, line, at = (
            "…" * bool(start),
            line[start : start + WIDEST] + "…" * (len(line) > start + WIDEST),
            at - start,
        )
    word = _WORD.match(line, at)
    marker = "^" + "~" * (len(word.group()) - 1 if word else 0)
    indent = "".join("\t" if c == "\t" else " " for c in before + visible(line[:at]))
    return f"{before}{visible(line)}\n    {indent}{marker}"


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A hint that proposes the closest known name, or None."""
    names = list(known)
    close = [k for k in names if k.lower() == name.lower()] or get_close_matches(name, names, n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else None
