"""The points-to analysis with each choice of contexts: what it costs, and how precise it is.

    python benchmarks/contexts.py                                  # jsoup-sized code bases, all contexts
    python benchmarks/contexts.py ant --context ci --context selective
    python benchmarks/contexts.py path/to/project --entry public

Rows are counted without their contexts, so that the counts of all choices can be compared: fewer is more precise. That
a finer choice has no row that a coarser one lacks is checked, and told if it is not so.
"""

from __future__ import annotations

import csv
import resource
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from measure import BenchmarkError, analyze_tables, code_base, save, table

CONTEXTS = ("ci", "selective", "1-call", "2-call", "1-type", "2-type", "1-obj", "2-obj+heap")
FINER = {
    "ci": ("selective", "1-call", "1-type", "1-obj"),
    "1-call": ("2-call",),
    "1-type": ("2-type", "1-obj"),
    "1-obj": ("2-obj+heap",),
    "2-type": ("2-obj+heap",),
}
"""Contexts → those that tell apart all that these do."""
TABLES = ("VarPointsTo", "InstanceFieldPointsTo", "CallGraphEdge", "Reachable")
COMPARED = (*TABLES, "StaticFieldPointsTo", "ArrayIndexPointsTo", "ContentPointsTo")
Rows = frozenset[tuple[str, ...]]


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("names", nargs=-1)
@click.option("--context", "contexts", multiple=True, type=click.Choice(CONTEXTS), help="By default all. Repeatable.")
@click.option("--entry", default="auto", show_default=True, help="As for analyze.")
@click.option(
    "--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for the single measurements."
)
def main(names: tuple[str, ...], contexts: tuple[str, ...], entry: str, output: Path | None) -> None:
    measured, wrong = {}, []
    for name in names or ("bookshop", "antlr", "commons-lang3"):
        try:
            project = Path(name) if Path(name).is_dir() else code_base(name)
            found = dict(each(project, contexts or CONTEXTS, entry))
        except BenchmarkError as error:
            raise click.ClickException(str(error)) from error
        measured[name] = {context: costs for context, (costs, _) in found.items()}
        wrong += [f"{name}: {text}" for text in not_monotone({c: rows for c, (_, rows) in found.items()})]
    header = ("code base", "context", "CPU s", "peak MB", *TABLES, "calls with several targets", "objects per variable")
    click.echo(table(header, [(n, c, *costs) for n, by in measured.items() for c, costs in by.items()]))
    save(output, measured)
    if wrong:
        raise click.ClickException("\n".join(wrong))


def each(
    project: Path, contexts: Iterable[str], entry: str
) -> Iterator[tuple[str, tuple[tuple[object, ...], Mapping[str, Rows]]]]:
    """Yield (context, (what is told of it, rows of each table without contexts))."""
    for context in contexts:
        click.echo(f"{project.name}: {context}", err=True)
        with tempfile.TemporaryDirectory() as folder:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run = analyze_tables(project, "pointsto", Path(folder), "--context", context, "--entry", entry)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            rows = {name: without_contexts(Path(folder) / f"{name}.csv") for name in COMPARED}
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        counts = [len(rows[name]) for name in TABLES]
        yield context, ((seconds, run.peak >> 20, *counts, polymorphic(rows), size(rows)), rows)


def without_contexts(file: Path) -> Rows:
    """The rows of a table without the columns that hold contexts."""
    with file.open(newline="") as lines:
        rows = csv.reader(lines)
        kept = [i for i, column in enumerate(next(rows)) if "context" not in column and column != "callee"]
        return frozenset(tuple(row[i] for i in kept) for row in rows)


def polymorphic(rows: Mapping[str, Rows]) -> int:
    """Calls with more than one target."""
    return sum(count > 1 for count in Counter(call for call, _ in rows["CallGraphEdge"]).values())


def size(rows: Mapping[str, Rows]) -> float:
    """Objects of a variable, on average over those that have any."""
    return len(rows["VarPointsTo"]) / max(1, len({variable for _, variable in rows["VarPointsTo"]}))


def not_monotone(found: Mapping[str, Mapping[str, Rows]]) -> Iterator[str]:
    """Yield where a finer choice of contexts has rows that a coarser one lacks."""
    for coarse, finer in FINER.items():
        for fine in finer:
            if coarse in found and fine in found:
                for name in COMPARED:
                    if more := found[fine][name] - found[coarse][name]:
                        yield f"{fine} has {len(more)} rows of {name} that {coarse} lacks, such as {min(more)}"


if __name__ == "__main__":
    main()
