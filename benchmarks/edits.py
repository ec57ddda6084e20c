"""Counts the rows that one edited line of a long method changes: facts of its file, and what follows from them.

    python benchmarks/edits.py                              # ant, 50 edits
    python benchmarks/edits.py commons-lang3 --edits 20 --analysis constprop
    python benchmarks/edits.py ant --json now.json --before earlier.json

A statement is inserted or deleted, a literal changed, a local variable renamed. The edits are the same for the same
code base and seed, whatever version of Ladder counts: `--before` adds the columns of another version's `--json`.
"""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import click

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.frontends.java import FRONT_END, tree
from ladder.frontends.java.facts import facts_of
from ladder.frontends.java.parse import parse
from ladder.frontends.java.visit import walk
from ladder.frontends.protocol import FileFacts
from measure import BenchmarkError, code_base, save, table

STATEMENTS = 25  # of a long method
KINDS = ("insert", "delete", "literal", "rename")
Rows = dict[str, set[tuple[Any, ...]]]
Place = tuple[int, int]


@dataclass(frozen=True)
class Edit:
    """What is done to a file, and its text afterwards."""

    kind: str
    path: str
    line: int
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}"


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("name", default="ant")
@click.option("--analysis", "analyses", multiple=True, default=("pointsto", "constprop"), show_default=True)
@click.option("--edits", type=click.IntRange(min=len(KINDS)), default=50, show_default=True)
@click.option("--under", default="src/main", show_default=True, help="The folder of the code base that is read.")
@click.option("--seed", default=0, show_default=True)
@click.option("--before", type=click.Path(path_type=Path, exists=True), help="What --json wrote with another version.")
@click.option(
    "--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for the single measurements."
)
def main(
    name: str, analyses: Sequence[str], edits: int, under: str, seed: int, before: Path | None, output: Path | None
) -> None:
    try:
        folder = code_base(name) / under
    except BenchmarkError as error:
        raise click.ClickException(str(error)) from error
    files = {
        str(path.relative_to(folder)): path.read_text("utf-8", "replace") for path in sorted(folder.rglob("*.java"))
    }
    measured = measure(files, chosen(files, edits, Random(seed)), analyses)
    save(output, measured)
    earlier = json.loads(before.read_text()) if before else {}
    if earlier and earlier["edits"] != measured["edits"]:
        raise click.ClickException(f"{before} is of other edits")
    click.echo(report(measured, earlier))


def report(measured: Mapping[str, Any], earlier: Mapping[str, Any]) -> str:
    """The table: median and most rows per kind of edit, and what they were before."""
    columns = [key for key in measured if key != "edits"]
    header = ["edit", "how many"]
    for column in columns:
        header += [f"{column}, before"] * bool(earlier) + [column]
    lines = []
    for kind in (*KINDS, "any"):
        at = [i for i, edit in enumerate(measured["edits"]) if kind in ("any", edit.rpartition(" ")[2])]
        cells = []
        for column in columns:
            for found in ([earlier] if earlier else []) + [measured]:
                counts = [found[column][i] for i in at]
                cells.append(f"{statistics.median(counts):,.0f}, at most {max(counts):,}" if counts else "")
        lines.append([kind, len(at), *cells])
    return table(header, lines)


def measure(files: Mapping[str, str], edits: Sequence[Edit], analyses: Sequence[str]) -> dict[str, list[Any]]:
    """What each edit changes: rows that came or went, of facts and of each analysis' results."""
    facts: Rows = defaultdict(set)
    extracted: dict[str, FileFacts] = {}
    declared: set[str] = set()
    for path, text in files.items():
        found = extracted[path] = facts_of(text.encode())
        if not declared & set(found.types):
            declared |= set(found.types)
            for relation, rows in found.relations.items():
                facts[relation] |= set(rows)
    changed = [(extracted[edit.path], facts_of(edit.after.encode())) for edit in edits]
    measured: dict[str, list[Any]] = {
        "edits": list(map(str, edits)),
        "facts": [sum(len(rows) for side in difference(*pair) for rows in side.values()) for pair in changed],
    }
    for analysis in analyses:
        measured[analysis] = list(derived(analysis, facts, changed))
    return measured


def difference(old: FileFacts, new: FileFacts) -> tuple[Rows, Rows]:
    """The rows that came and went; not positions, which no rule reads."""
    names = (old.relations.keys() | new.relations.keys()) - {"Position"}
    was, now = ({name: set(facts.relations.get(name, ())) for name in names} for facts in (old, new))
    return {name: now[name] - was[name] for name in names}, {name: was[name] - now[name] for name in names}


def derived(analysis: str, facts: Rows, changed: Sequence[tuple[FileFacts, FileFacts]]) -> Iterator[int]:
    """How many rows of an analysis' results come or go with each edit, which is undone afterwards."""
    database = Database(Program.load(FRONT_END.analyses / f"{analysis}.dl"))
    inputs, outputs = set(database.program.inputs), set(database.program.outputs)
    known = {**facts, **FRONT_END.models(()).read()[0], "EntryPolicy": [("all",)], "ReflectionPolicy": [("strings",)]}
    database.bootstrap({name: known[name] for name in inputs if name in known})
    for old, new in changed:
        came, went = ({n: r for n, r in side.items() if r and n in inputs} for side in difference(old, new))
        delta = database.update(came, went)
        yield sum(len(side[name]) for side in (delta.inserted, delta.deleted) for name in side if name in outputs)
        database.update(went, came)


def chosen(files: Mapping[str, str], number: int, random: Random, least: int = STATEMENTS) -> list[Edit]:
    """Edits of all kinds in turn, each in another method of the code base with so many statements at least."""
    methods = [
        (path, node)
        for path, text in files.items()
        if text.isascii() and "\r" not in text and "\t" not in text and "\\u" not in text
        for node in walk(parse(text.encode()).unit)
        if isinstance(node, tree.MethodDeclaration) and len(list(_statements(node))) >= least
    ]
    edits: list[Edit] = []
    kinds = cycle(KINDS)
    kind = next(kinds)
    for path, method in random.sample(methods, len(methods)):
        edit = _edit(kind, path, files[path], method, random)
        if edit is not None and facts_of(edit.after.encode()).parser != "none":
            edits.append(edit)
            kind = next(kinds)
        if len(edits) == number:
            return edits
    raise click.ClickException(f"There are only {len(edits)} methods of {least} statements or more to edit.")


def _statements(method: tree.MethodDeclaration) -> Iterator[tree.Node]:
    """The statements of a method's blocks, but not of the classes in it."""
    for node in walk(method):
        if isinstance(node, tree.Block):
            yield from node.statements


def _edit(kind: str, path: str, text: str, method: tree.MethodDeclaration, random: Random) -> Edit | None:
    """An edit of this kind in a method, if there is one."""
    statements = list(_statements(method))
    if kind == "insert":
        at = random.choice(statements).position
        return Edit(kind, path, at[0], _replaced(text, [(at, at, "int x1 = 0; ")]))
    if kind == "delete":
        calls = [node for node in statements if isinstance(node, tree.ExpressionStatement)]
        if not calls:
            return None
        call = random.choice(calls)
        return Edit(kind, path, call.position[0], _replaced(text, [(call.position, call.end, ";")]))
    if kind == "literal":
        literals = [node for node in walk(method) if isinstance(node, tree.Literal) and node.kind in ("int", "string")]
        if not literals:
            return None
        literal = random.choice(literals)
        new = '"changed"' if literal.kind == "string" else "4711"
        return Edit(kind, path, literal.position[0], _replaced(text, [(literal.position, literal.end, new)]))
    return _renamed(path, text, method, random)


def _renamed(path: str, text: str, method: tree.MethodDeclaration, random: Random) -> Edit | None:
    """A local variable whose name the method declares once gets another."""
    inside = list(walk(method))
    declared = [part for node in inside if isinstance(node, tree.LocalVariables) for part in node.declarators]
    names = [part.name for part in declared] + [node.name for node in inside if isinstance(node, tree.Parameter)]
    once = [part for part in declared if names.count(part.name) == 1]
    if not once:
        return None
    variable = random.choice(once)
    places = [variable.position] + [
        node.position for node in inside if isinstance(node, tree.Name) and node.parts[0] == variable.name
    ]
    changes = [(at, (at[0], at[1] + len(variable.name)), "renamed") for at in places]
    return Edit("rename", path, variable.position[0], _replaced(text, changes))


def _replaced(text: str, changes: Sequence[tuple[Place, Place, str]]) -> str:
    """The text with other texts between these places, which are (line, column) from 1."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for start, end, new in sorted(changes, reverse=True):
        first, last = (starts[line - 1] + column - 1 for line, column in (start, end))
        text = text[:first] + new + text[last:]
    return text


if __name__ == "__main__":
    main()
