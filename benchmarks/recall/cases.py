"""Runs small programs and writes what they call into `ran.txt` beside each, which tests compare a call graph with.

    python benchmarks/recall/cases.py tests/analyses/cases/runs/*

Each folder with an `M.java` is a program. A line says `M.java:7 X.hit` of a call on that line that enters the method,
and `* X.hit` of a method that was entered, from wherever; lambdas are called `lambda`. Needs a JDK 17.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parent))

from matching import is_direct
from recorded import Method, Records, RunError, compiled, record


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(folders: Sequence[Path]) -> None:
    for folder in folders:
        if not (folder / "M.java").exists():
            click.echo(f"{folder.name}: there is no M.java, so it does not run")
            continue
        try:
            with tempfile.TemporaryDirectory() as work:
                classes = Path(work) / "classes"
                compiled(folder, classes, sorted(folder.glob("*.java")))
                lines = sorted(set(_lines(record(classes, "M", (), "", Path(work), 60, may_fail=True))))
        except RunError as error:
            raise click.ClickException(f"{folder.name}: {error}") from error
        (folder / "ran.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        click.echo(f"{folder.name}: {len(lines)} lines")


def _lines(records: Records) -> Iterator[str]:
    classes = {method.class_ for method in records.methods}
    for site, method in records.edges:
        if method.name != "<clinit>":
            yield f"* {_shown(method)}"
        if site is not None and is_direct(site, method, classes):
            yield f"{site.caller.file}:{site.line} {_shown(method)}"


def _shown(method: Method) -> str:
    name = "lambda" if method.of_lambda else method.name
    return f"{re.split(r'[.$]', method.class_)[-1]}.{name}"


if __name__ == "__main__":
    main()
