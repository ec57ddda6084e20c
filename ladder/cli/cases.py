"""Folders of test cases: a program, the facts that it reads, and the expected files, output or errors.

    NAME/NAME.dl (or program.dl)     the program
    NAME/facts/                      the facts it reads; without that folder, NAME/ itself
    NAME/*.csv, *.json               result files: each as written, up to the order of lines (in JSON, of rows), and no
                                     other .csv
    NAME/*.sqlite.output.script      the query whose answers a written *.sqlite.output must give, as in *.csv; a written
                                     *.csv.gz.output is compared with *.csv, too
    NAME/NAME.out (or expected.out)  standard output, in the same way
    NAME/NAME.err (or expected.err)  if a line of it is an error, the program must be refused, the first error on that
                                     line; errors written as Ladder writes them must be printed word for word
    NAME/rejected                    its presence: the program must be refused
    NAME/functors.py                 the program's functors
    NAME/options                     further options of `ladder run`
    NAME/NAME.in                     standard input

A folder without a program of its own is searched for cases. Subfolders that hold `NAME.out` or `NAME.err` are cases of
one program, each with its own facts and results. Folders of Soufflé's test-suite have this form.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path

SOUFFLE_ERROR = re.compile(r"^Error\b.*?(?:in file (?P<file>.+?) at line (?P<line>\d+))?$", re.MULTILINE)
LADDER_ERROR = re.compile(r"^(?P<file>[^\n:]+):(?P<line>\d+):\d+: error: ", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """One test case; `rejected`: the program must be refused."""

    name: str
    program: Path
    facts: Path
    expected: Path
    rejected: bool
    options: tuple[str, ...] = ()
    functors: Path | None = None

    def file(self, suffix: str) -> Path | None:
        """The file `NAME.suffix` or `expected.suffix`; None if there is none."""
        names = (f"{self.program.stem}.{suffix}", f"{self.program.parent.name}.{suffix}", f"expected.{suffix}")
        return next((self.expected / name for name in names if (self.expected / name).is_file()), None)


def cases_below(folder: Path, rejected: Container[str] = (), prefix: str = "") -> Iterator[Case]:
    """The cases of a folder in the order of their names; programs of those in `rejected` must be refused."""
    program = next((file for file in (folder / "program.dl", folder / f"{folder.name}.dl") if file.is_file()), None)
    if program is None:
        for inner in sorted(path for path in folder.iterdir() if path.is_dir()):
            yield from cases_below(inner, rejected, f"{prefix}{inner.name}/")
        return
    name = prefix.rstrip("/") or folder.name
    several = sorted(
        path for path in folder.iterdir() if any((path / f"{program.stem}.{kind}").is_file() for kind in ("out", "err"))
    )
    if several:
        yield from (_case(f"{name}/{path.name}", program, path, path, rejected) for path in several)
    else:
        yield _case(name, program, folder / "facts" if (folder / "facts").is_dir() else folder, folder, rejected)


def _case(name: str, program: Path, facts: Path, expected: Path, rejected: Container[str]) -> Case:
    folder = program.parent
    options, functors = folder / "options", folder / "functors.py"
    case = Case(
        name,
        program,
        facts,
        expected,
        False,
        tuple(shlex.split(options.read_text("utf-8"))) if options.is_file() else (),
        functors if functors.is_file() else None,
    )
    refused = (folder / "rejected").is_file() or folder.name in rejected or name in rejected or expects_error(case)
    return Case(**{**vars(case), "rejected": refused})


def expects_error(case: Case) -> bool:
    """Whether the expected errors contain one that is no warning."""
    file = case.file("err")
    text = file.read_text("utf-8", "replace") if file else ""
    return bool(SOUFFLE_ERROR.search(text) or LADDER_ERROR.search(text))


def first_error(text: str) -> tuple[str, int] | None:
    """(file name, line) of the first error of a text that has a place, in Soufflé's form or in Ladder's."""
    for pattern in (LADDER_ERROR, SOUFFLE_ERROR):
        found = pattern.search(text)
        if found and found["line"]:
            return Path(found["file"]).name, int(found["line"])
    return None
