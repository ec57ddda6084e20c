"""What generated code costs: a class with one long method of each kind of statement, at growing lengths.

    python benchmarks/long_methods.py                          # the default command, 250 to 2,000 statements
    python benchmarks/long_methods.py --kind "sums that are tested" --length 1000 --length 4000
    python benchmarks/long_methods.py --analysis ranges --apart

Printed: CPU seconds and most memory of a run of `ladder analyze` that keeps no state, and by which power of the length
both grew since the length before, without what a class with one statement of each costs; with --apart for each kind of
statement, too. `tests/analyses/test_long_methods.py` compares the numbers of rows of all relations.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from measure import BenchmarkError, Run, analyze, save, table

STATEMENTS = {  # parameters of a method, and its statements, with {i} for the number of each
    "sums that are tested": ("int x", "x = x * 7 + {i}; if (x > {i}) x -= {i};"),
    "elements of an array": ("int[] x", "x[{i}] = x[{next}] + {i}; if (x[{i}] > {i}) x[{i}] = 0;"),
    "numbers in a list": ("List<Integer> list", "list.add({i}); if (list.size() == {i}) list.clear();"),
    "a field of the class": ("int[] x", "count = count + {i}; if (count > {i}) count = {i}; x[count] = x[{i}];"),
    "tests of a text": ("String s", 'if (s.equals("k{i}")) System.out.println({i}); else'),
    "tests of a number": ("int n", "if (n == {i}) n = {next}; else"),
    "pieces of a text": ("String s", 'if (s.length() > {i}) s = s + ".{i}"; else s = "{i}." + s;'),
    "a builder": ("StringBuilder b", 'if (b.length() > {i}) b.append("k{i}").append(b.charAt({i}));'),
    "entries of a map": ("Map<String, Object> m", 'm.put("k{i}", new StringBuilder().append({i}).toString());'),
    "streams": (
        "int n",
        'try {{ Reader in = new FileReader("f" + n); n += in.read(); in.close(); }} catch (IOException e) {{ n--; }}',
    ),
    "a stream that is read": ("InputStream in", "if (in.read() == {i}) in.skip({i});"),
    "what may be null": ("Object o", "if (o == null) o = new Object(); o.hashCode(); if (count == {i}) o = null;"),
}
ARGUMENTS = {
    "int x": "args.length",
    "int n": "args.length",
    "int[] x": "new int[args.length]",
    "String s": "args[0]",
    "Object o": "args",
    "InputStream in": 'new FileInputStream("f")',
    "List<Integer> list": "new ArrayList<>()",
    "StringBuilder b": "new StringBuilder(args[0])",
    "Map<String, Object> m": "new HashMap<>()",
}
MEGABYTE = 1 << 20


def program(length: int, kinds: Sequence[str] = tuple(STATEMENTS)) -> str:
    """A class with a method of so many statements of each kind, all of which run."""
    methods, calls = [], []
    for number, kind in enumerate(kinds):
        parameter, statement = STATEMENTS[kind]
        body = "\n".join(statement.format(i=i, next=i + 1) for i in range(length))
        methods.append(f"static void m{number}({parameter}) throws Exception {{\n{body}\nSystem.out.println();\n}}\n")
        calls.append(f"m{number}({ARGUMENTS[parameter]});\n")
    main = f"public static void main(String[] args) throws Exception {{\n{''.join(calls)}}}\n"
    return f"import java.io.*;\nimport java.util.*;\nclass M {{\nstatic int count;\n{''.join(methods)}{main}}}\n"


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.option("--length", "lengths", type=click.IntRange(min=2), multiple=True, default=(250, 500, 1000, 2000))
@click.option("--kind", "kinds", type=click.Choice(list(STATEMENTS)), multiple=True, help="Only these. Repeatable.")
@click.option("--analysis", default="", help="An analysis, if not those that look for findings.")
@click.option("--apart", is_flag=True, help="Each kind of statement on its own, too.")
@click.option("--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for the single runs.")
def main(lengths: Sequence[int], kinds: Sequence[str], analysis: str, apart: bool, output: Path | None) -> None:
    chosen = tuple(kinds or STATEMENTS)
    sets = {"all": chosen, **({kind: (kind,) for kind in chosen} if apart else {})}
    try:
        measured = {
            name: {length: measure(program(length, some), analysis) for length in (1, *sorted(lengths))}
            for name, some in sets.items()
        }
    except BenchmarkError as error:
        raise click.ClickException(str(error)) from error
    header = ("statements", "each", "CPU s", "MB", "power of CPU", "power of memory")
    click.echo(table(header, [row for name, runs in measured.items() for row in _rows(name, runs)]))
    save(output, {name: {n: [run.cpu, run.peak] for n, run in runs.items()} for name, runs in measured.items()})


def measure(text: str, analysis: str) -> Run:
    """A run over a project of this one file, with nothing kept."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "M.java").write_text(text, encoding="utf-8")
        return analyze(Path(folder), analysis, "--no-state")


def _rows(name: str, runs: dict[int, Run]) -> list[tuple[object, ...]]:
    """A row for each length after the first, which is what all others are compared without."""
    (_, least), *others = runs.items()
    found: list[tuple[object, ...]] = []
    for place, (length, run) in enumerate(others):
        powers: tuple[object, ...] = ("", "")
        if place:
            before, shorter = others[place - 1]
            grown = math.log(length / before)
            powers = (
                _power(run.cpu - least.cpu, shorter.cpu - least.cpu, grown),
                _power(run.peak - least.peak, shorter.peak - least.peak, grown),
            )
        found.append((name, length, run.cpu, run.peak // MEGABYTE, *powers))
    return found


def _power(now: float, before: float, grown: float) -> object:
    """By which power of the length something grew; nothing where there was none before."""
    return math.log(now / before) / grown if min(now, before) > 0 else ""


if __name__ == "__main__":
    main()
