"""Programs that people use, with facts: the analyses, the programs of the benchmarks, the documentation, the result
cases.

What is expected of each is what the local engine finds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from itertools import takewhile
from pathlib import Path

import ladder.analyses
import ladder_bench
from ladder.api.database import Database
from ladder.api.program import Program
from ladder.cli.cases import cases_below
from ladder.engine.local.engine import Cells, LocalEngine
from ladder.facts.files import read_facts
from ladder.language.core import Kind, Type
from ladder.language.errors import ProgramError

from ..analyses.annotated import case_project, models
from ..engine.comparison import state_of
from ..engine.programs import Row, Rows
from ..language.documentation import ALL, row_of, rows_of
from .comparison import Example

ANALYSES = {
    "linking": "linking",
    "pointsto": "pointsto",
    "kupdate": "pointsto",
    "kupdate1": "pointsto",
    "kupdate5": "pointsto",
    "constprop": "values",
    "interval": "values",
}  # analysis → the Java files that it is run on
BENCHMARKS = sorted(path.stem for path in (Path(ladder_bench.__file__).parent / "programs").glob("*.dl"))
RESULTS = Path(__file__).parents[1] / "cases/results"
EXTENDING = "extending.md"

Given = tuple[str, Program, Callable[[Database], object]]  # a name, a program, what loads its facts into a database


def example(name: str, program: Program, facts: Callable[[Database], object]) -> Example:
    """An example with the facts that are loaded into a database of its program; the local engine says what
    is expected."""
    db = Database(program)
    facts(db)
    engine = db._ready()
    given = {}
    for relation in db.relations:
        if not program.core.relations[relation].keys:
            cells, outside = engine.asserted_facts(relation)
            given[relation] = decoded(engine, relation, cells[outside])
    return Example(name, program.core, given, state_of(engine))


def decoded(engine: LocalEngine, relation: str, cells: Cells) -> list[Row]:
    """Stored rows of a relation of the program as tuples of Python values."""
    types, filler = engine.column_types(relation), int(engine.has_filler(relation))
    return [
        tuple(engine.values.decode(cell, type_) for cell, type_ in zip(row[filler:], types, strict=True))
        for row in cells.tolist()
    ]


def analysis(name: str) -> Given:
    program = Program.load(Path(ladder.analyses.__file__).parent / f"{name}.dl")
    known = {
        **case_project(ANALYSES[name]).facts,
        **models(),
        "EntryPolicy": [("main",)],
        "ReflectionPolicy": [("strings",)],
    }
    return given(name, program, {relation: known[relation] for relation in program.inputs if relation in known})


def benchmark(name: str) -> Given:
    program = Program.load(Path(ladder_bench.__file__).parent / f"programs/{name}.dl")
    return given(name, program, random_facts(program, 0, rows=40, values=12))


def random_facts(program: Program, seed: int, rows: int, values: int) -> Rows:
    """So many rows for every input, of so many values for each type."""
    source = random.Random(seed)

    def value(type_: Type) -> Hashable:
        number = source.randrange(values)
        match type_.kind:
            case Kind.SYMBOL:
                return f"{type_.name}{number}"
            case Kind.FLOAT:
                return number / 2
            case Kind.NUMBER | Kind.UNSIGNED:
                return number
        raise ValueError(f"no random values of type {type_.name}")

    return {
        name: sorted(
            {tuple(value(column.type) for column in program.core.relations[name].columns) for _ in range(rows)},
            key=repr,
        )
        for name in program.inputs
    }


def documentation(folder: Path) -> Iterator[Given]:
    """The programs of the documentation that are accepted, with the facts that follow them; their files are written
    below a folder.

    Those about extending Ladder need what their page adds, and are run by its own tests; those that include an analysis
    of the library have no facts of their own, and analyses are examples themselves.
    """
    for place, section in enumerate(section for section in ALL if section.page != EXTENDING):
        files = folder / str(place)
        files.mkdir()
        for number, block in enumerate(section.blocks):
            if block.file is not None and block.kind in ("datalog", "python", "text"):
                _write(files / block.file, block.text)
            if block.kind == "datalog" and ".include <" not in block.text:
                following = list(takewhile(lambda other: other.kind != "datalog", section.blocks[number + 1 :]))
                for other in following:
                    if other.kind == "text" and other.file is not None:
                        _write(files / other.file, other.text)
                path = files / (block.file or "program.dl")
                _write(path, block.text)
                try:
                    program = Program.load(path)
                except ProgramError:
                    continue
                yield (
                    f"{section.page}: {section.title}, block {number}",
                    program,
                    partial(load_documented, files, [other.text for other in following if other.kind == "facts"]),
                )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def load_documented(files: Path, texts: list[str], db: Database) -> None:
    """What stands in fact files of a section, and what is given after a program."""
    load_folder(files, db)
    load_facts(texts, db)


def load_facts(texts: list[str], db: Database) -> None:
    for text in texts:
        for relation, row in rows_of(text):
            db.load_rows(relation, [row_of(db, relation, row)])


def result_cases() -> Iterator[Given]:
    for case in cases_below(RESULTS):
        yield case.name, Program.load(case.program), partial(load_folder, case.facts)


def load_folder(folder: Path, db: Database) -> None:
    for relation, rows in read_facts(db.program.core, folder, missing_is_empty=True):
        db.load_rows(relation, rows)


def given(name: str, program: Program, facts: Rows) -> Given:
    return name, program, lambda db: db.bootstrap(facts)
