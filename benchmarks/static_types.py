"""Rows of points-to that the static types of variables contradict: what no run can have.

    python benchmarks/static_types.py                        # the sample
    python benchmarks/static_types.py path/to/project ant    # a folder, or a fetched code base
    python benchmarks/static_types.py path/to/project --limit 40

A variable that is a number holds no object but one that it is unboxed from; a string, and a variable of a class of the
project, hold objects of classes below theirs. Looked at are objects of classes of the project, strings and numbers
that the program makes; opaque objects and proxies stand for others, and are left out. Where a filter lacks, one such
row becomes thousands: told are the variables that hold most, with one of the objects. (Some are no fault of points-to:
an expression that may have several types, such as a `switch` or the parameter of a `catch` of two, has one of them.)
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
import pyarrow.parquet as pq

from ladder.analyses.java_types import BOXES, STRING, erasure
from measure import BenchmarkError, code_base, table

RELATIONS = ("VarPointsTo", "HeapClass", "linking.ExpressionType", "Subtype", "ProjectType")
Row = tuple[str, ...]


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("names", nargs=-1)
@click.option("--entry", default="auto", show_default=True, help="As for analyze.")
@click.option("--limit", default=10, show_default=True, help="Variables told of each.")
def main(names: tuple[str, ...], entry: str, limit: int) -> None:
    measured, told = [], []
    for name in names or ("bookshop",):
        try:
            rows, held = contradicted(Path(name) if Path(name).is_dir() else code_base(name), entry)
        except BenchmarkError as error:
            raise click.ClickException(str(error)) from error
        count = sum(map(len, held.values()))
        measured.append((name, rows, count, len(held), 1000 * count / max(rows, 1)))
        most = sorted(held.items(), key=lambda item: (-len(item[1]), item[0]))
        told += [(name, len(heaps), var, min(heaps)) for var, heaps in most[:limit]]
    click.echo(table(("code base", "rows", "contradicted", "variables", "of 1,000"), measured))
    if told:
        click.echo("\n" + table(("code base", "objects", "variable", "such as"), told))


def contradicted(project: Path, entry: str) -> tuple[int, dict[str, set[str]]]:
    """(rows of VarPointsTo, variable → the objects in it that its type forbids)."""
    with tempfile.TemporaryDirectory() as folder:
        chosen = ("--analysis", "pointsto", "--entry", entry, "--state", f"{folder}/state")
        wanted = [part for name in RELATIONS for part in ("--relation", name)]
        _run("analyze", str(project), *chosen, "--quiet")
        _run("tables", str(project), *chosen, "--export", f"{folder}/out", *wanted)
        below = set(_rows(folder, "Subtype"))
        known = {name for (name,) in _rows(folder, "ProjectType")} | {STRING}
        classes = {heap: class_ for heap, class_ in _rows(folder, "HeapClass")}
        types = {var: erasure(type_) for var, type_ in _rows(folder, "linking.ExpressionType")}
        rows, held = 0, dict[str, set[str]]()
        for heap, var in _rows(folder, "VarPointsTo"):
            rows += 1
            if not _allows(types.get(var), heap, classes.get(heap), known, below):
                held.setdefault(var, set()).add(heap)
        return rows, held


def _allows(type_: str | None, heap: str, class_: str | None, known: set[str], below: set[Row]) -> bool:
    """Whether a variable of the type may hold the object of the class."""
    if type_ is None or class_ is None or type_ == class_ or heap.startswith("opaque ") or "/proxy" in heap:
        return True
    if type_ in BOXES:
        return class_ == BOXES[type_]
    return type_ not in known or class_ not in known or (class_, type_) in below


def _rows(folder: str, relation: str) -> Iterator[Row]:
    columns = pq.read_table(f"{folder}/out/{relation.replace('.', '_')}.parquet").columns
    yield from zip(*(column.to_pylist() for column in columns), strict=True)


def _run(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", "ladder", *arguments], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchmarkError(f"ladder {arguments[0]} ended with {done.returncode}:\n{done.stderr[-2000:]}")


if __name__ == "__main__":
    main()
