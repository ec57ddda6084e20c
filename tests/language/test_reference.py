"""Every example of the pages in docs/ is run, so that none of them says what is not so.

A fenced block is of the kind that its first word says; a second word names a file in the folder of its section.

    datalog [FILE]    a program (program.dl where no file is named); what follows is about the last one
    facts             asserted facts: `edge(1, "a").`
    output [FILE]     all rows of its `.output` relations, in any order; what the Python before printed; a file that was
                      written
    change            one transaction: `+edge(1, 2)` comes, `-edge(1, 2)` goes
    delta             rows of `.output` relations that came (`+`) and went (`-`) with the change before
    error, warning    all that is told about the program
    python [FILE]     a module where it has a file, else run, with the section's folder as current directory
    text FILE         a file
    console           lines `$ ladder …`, each followed by the lines it prints, in any order

Other blocks (`sh`, `mermaid`, …) are for reading.
"""

from __future__ import annotations

import contextlib
import io
import re
import runpy
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ladder
from ladder.engine.local.strategies import STRATEGIES
from ladder.engine.registry import BACKENDS
from ladder.facts.files.formats import FORMATS
from ladder.facts.tables import FORMATS as TABLES
from ladder.frontends.registry import FRONT_ENDS
from ladder.language.check.warnings import KINDS as KINDS_OF_WARNINGS
from ladder.language.core import Kind, Type
from ladder.language.errors import ProgramError, render
from ladder.language.syntax import nodes as s
from ladder.language.values.functions import FUNCTIONS
from ladder.report.formats import SUMMARIES

from .documentation import ALL, DOCS, Block, Section, row_of, rows_of

REGISTRIES: list[dict[str, Any]] = [STRATEGIES, BACKENDS, FORMATS, TABLES, FRONT_ENDS, SUMMARIES]  # type: ignore[list-item]


@pytest.fixture
def extended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What an example adds to a registry, and modules that it imports from its folder, are gone after it."""
    monkeypatch.syspath_prepend(tmp_path)
    kept = [dict(registry) for registry in REGISTRIES]
    yield
    for registry, before in zip(REGISTRIES, kept, strict=True):
        registry.clear()
        registry.update(before)
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(f"{tmp_path}/"):
            del sys.modules[name]


def marked(section: Section) -> Any:
    on_spark = any('engine="spark"' in block.text for block in section.blocks if block.kind == "python")
    long = any(".include <" in block.text for block in section.blocks)  # an analysis of the library
    marks = [pytest.mark.spark] * on_spark + [pytest.mark.slow] * long
    return pytest.param(section, id=f"{section.page}: {section.title}", marks=marks)


@pytest.mark.usefixtures("extended")
@pytest.mark.parametrize("section", [marked(section) for section in ALL])
def test_examples(section: Section, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = Run(tmp_path)
    for number, block in enumerate(section.blocks):
        try:
            getattr(run, block.kind)(block)
            if number + 1 == len(section.blocks) or section.blocks[number + 1].kind in ("datalog", "python"):
                run.finish()
        except AssertionError as failed:
            raise AssertionError(f"docs/{section.page}:{block.line}: {failed}") from None


def test_everything_is_named() -> None:
    text = (DOCS / "language.md").read_text("utf-8")
    words = set(re.findall(r"[\w-]+", text))
    assert set(FUNCTIONS) <= words
    assert set(KINDS_OF_WARNINGS) <= words


@dataclass
class Run:
    """The examples of a section, one after another."""

    folder: Path
    path: Path | None = None
    given: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    db: ladder.Database | None = None
    change_reported: ladder.api.database.Delta | None = None
    printed: str | None = None
    refusal_reported: bool = False

    def finish(self) -> None:
        """A program about which nothing more is said is one that is accepted."""
        if self.path is not None and not self.refusal_reported:
            self.ready()

    def ready(self) -> ladder.Database:
        if self.db is None:
            assert self.path is not None
            try:
                self.db = ladder.Database(ladder.Program.load(self.path))
            except ProgramError as refused:
                raise AssertionError(f"the program is refused:\n{refused.render()}") from None
            self.db.bootstrap({name: [row_of(self.db, name, row) for row in rows] for name, rows in self.given.items()})
        return self.db

    def datalog(self, block: Block) -> None:
        self.path = self.folder / (block.file or "program.dl")
        self.path.write_text(block.text, "utf-8")
        self.given, self.db, self.change_reported, self.printed, self.refusal_reported = {}, None, None, None, False

    def facts(self, block: Block) -> None:
        for name, row in rows_of(block.text):
            self.given.setdefault(name, []).append(row)

    def output(self, block: Block) -> None:
        if block.file is not None:
            same([line.rstrip("\n") for line in (self.folder / block.file).open()], block.text.splitlines())
        elif self.printed is not None:
            same(self.printed.splitlines(), block.text.splitlines())
        else:
            db = self.ready()
            found = [shown(db, name, row) for name in db.program.outputs for row in db[name]]
            same(sorted(found), sorted(block.text.splitlines()))

    def change(self, block: Block) -> None:
        db, sides = self.ready(), {"+": {}, "-": {}}  # type: tuple[ladder.Database, dict[str, dict[str, list[Any]]]]
        for line in block.text.splitlines():
            for name, row in rows_of(line[1:].rstrip(".") + "."):
                sides[line[0]].setdefault(name, []).append(row_of(db, name, row))
        self.change_reported = db.update(insert=sides["+"], delete=sides["-"])

    def delta(self, block: Block) -> None:
        assert self.change_reported is not None
        db, change = self.ready(), self.change_reported
        found = [
            sign + shown(db, name, row)
            for sign, side in (("+", change.inserted), ("-", change.deleted))
            for name in db.program.outputs
            for row in side[name]
        ]
        same(sorted(found), sorted(block.text.splitlines()))

    def error(self, block: Block) -> None:
        assert self.path is not None
        with pytest.raises(ProgramError) as refused:
            ladder.Program.load(self.path)
        self.refusal_reported = True
        same(refused.value.render().splitlines(), block.text.splitlines())

    def warning(self, block: Block) -> None:
        program = self.ready().program
        shown = [render(w, program.sources.get(w.place.file)) for w in program.warnings]
        same("\n".join(shown).splitlines(), block.text.splitlines())

    def python(self, block: Block) -> None:
        if block.file is not None:
            (self.folder / block.file).write_text(block.text, "utf-8")
            return
        printed, example = io.StringIO(), self.folder / "example.py"
        example.write_text(block.text, "utf-8")
        with contextlib.redirect_stdout(printed):
            runpy.run_path(str(example))
        self.printed, self.path = printed.getvalue(), None

    def text(self, block: Block) -> None:
        assert block.file is not None
        (self.folder / block.file).parent.mkdir(exist_ok=True)
        (self.folder / block.file).write_text(block.text, "utf-8")

    def console(self, block: Block) -> None:
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, expected = part.split("\n", 1)
            program, *arguments = command.split()
            assert program == "ladder", command
            same(sorted(command_line(arguments).splitlines()), sorted(expected.splitlines()))
        self.path = None


def command_line(arguments: list[str]) -> str:
    """What a command prints, on both streams."""
    from ladder.cli import main

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), contextlib.suppress(SystemExit):
        main(arguments)
    return printed.getvalue()


def same(found: list[str], expected: list[str]) -> None:
    assert found == expected, "found\n" + "\n".join(found)


def shown(db: ladder.Database, relation: str, row: tuple[Any, ...]) -> str:
    """A row as the pages write it."""
    columns = db.program.core.relations[relation].columns
    shown = (shown_value(db, cell, column.type) for cell, column in zip(row, columns, strict=True))
    return f"{relation}({', '.join(shown)})"


def shown_value(db: ladder.Database, cell: Any, type_: Type) -> str:
    types = db.program.core.types
    match type_.kind:
        case Kind.SYMBOL:
            return str(s.String(None, cell))  # type: ignore[arg-type]
        case Kind.FLOAT:
            return str(np.float32(cell))
        case Kind.OBJECT:
            return str(db.program.core.lattices[type_.name].show(cell))
        case Kind.RECORD if type_.branches and cell is not None:
            fields = [
                shown_value(db, c, types[t]) for c, (_, t) in zip(cell[1:], dict(type_.branches)[cell[0]], strict=True)
            ]
            return f"${cell[0]}({', '.join(fields)})" if fields else f"${cell[0]}"
        case Kind.RECORD:
            if cell is None:
                return "nil"
            fields = [shown_value(db, c, types[t]) for c, (_, t) in zip(cell, type_.fields, strict=True)]
            return f"[{', '.join(fields)}]"
    return str(cell)
