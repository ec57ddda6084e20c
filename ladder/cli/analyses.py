"""`ladder analyses`: which analyses there are. `ladder new analysis`: the beginning of another one, with a test."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ladder.cli.front_end_option import front_end_option
from ladder.cli.paths import NamedPath

if TYPE_CHECKING:
    from ladder.frontends.protocol import FrontEnd

NAME = re.compile(r"[A-Za-z]\w*")
FILES = ("NAME.dl", "NAME.md", "test_NAME.py", "sample/src/sample/Sample.java")


@click.command()
@front_end_option
def analyses(front_end: FrontEnd | None) -> None:
    """List the analyses that come with Ladder, and what each computes."""
    from ladder.frontends.registry import front_end as default
    from ladder.session.analyze import programs, title
    from ladder.support.columns import aligned

    chosen = front_end or default()
    rows = [(name, title(name, chosen)) for name in programs(chosen)]
    print("\n".join(aligned(rows) if rows else [f"There are none for {chosen.language}."]))


@click.group()
def new() -> None:
    """Begin something of one's own."""


@new.command()
@click.argument("name")
@click.option(
    "--folder",
    type=NamedPath(),
    default=None,
    metavar="DIR",
    help="Where it is written: a new or empty folder; by default one of this name.",
)
def analysis(name: str, folder: Path | None) -> None:
    """Write an analysis of Java called NAME that runs: its program with a finding, the page about its rule, a sample
    and a test."""
    from ladder.errors import LadderError
    from ladder.support.files import FOR_OTHERS, write_atomically

    if not NAME.fullmatch(name):
        raise click.UsageError(f"{name!r} cannot be the name of an analysis: it has letters, digits and _.")
    folder = Path(name) if folder is None else folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise LadderError(f"{folder} is there already.", "Name an empty folder, or a new one, with --folder.")
    skeleton = Path(__file__).parent / "skeleton"
    for file in FILES:
        text = (skeleton / f"{Path(file).name}.txt").read_text(encoding="utf-8").replace("NAME", name)
        target = folder / file.replace("NAME", name)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, text, mode=FOR_OTHERS)
        print(target)
    print(f"analyze PROJECT --analysis {folder / name}.dl    runs it; {folder / f'test_{name}.py'} tests it.")
