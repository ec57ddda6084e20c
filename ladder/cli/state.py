"""`ladder state`: what is kept between runs of `analyze`, and how to remove it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from ladder.cli.front_end_option import front_end_option
from ladder.cli.paths import NamedPath
from ladder.errors import LadderError, StateError
from ladder.frontends.protocol import FrontEnd
from ladder.support.counts import counted
from ladder.support.files import without_links

PATH = NamedPath()


@click.command()
@click.argument("project", type=PATH, required=False)
@click.option(
    "--state", type=PATH, metavar="DIR", help="The state directory, if it is not in the user's state directory."
)
@front_end_option
@click.option("--remove", is_flag=True, help="Delete what is kept of PROJECT.")
def state(project: Path | None, state: Path | None, front_end: FrontEnd | None, remove: bool) -> None:
    """Where facts, states and results of PROJECT are kept, and how much that is; without PROJECT, of all projects."""
    from ladder.project.files import chosen
    from ladder.session import workspace

    if project is None and state is None:
        if remove:
            raise click.UsageError("Name the project whose state is to be removed, or its --state directory.")
        _list()
        return
    root = without_links(project or Path())
    folder = state or workspace.kept_for(root, front_end or chosen(root))
    if not os.path.lexists(folder):
        raise LadderError(f"Nothing is kept of {project or state}.", "`ladder state` lists what is kept.")
    print(_line(folder, str(project or "")))
    if remove:
        left = workspace.remove(folder)
        if left:
            raise StateError(f"{folder} holds {left[0]}, which Ladder did not write.", "Everything else is removed.")
        print("removed")


def _list() -> None:
    """Print a line for each project of which something is kept, and how many there are."""
    from ladder.session import workspace

    below = workspace.projects()
    folders = (
        [Path(entry) for entry in os.scandir(below) if entry.is_dir(follow_symlinks=False)] if below.is_dir() else []
    )
    empty = [folder for folder in folders if workspace.holds_nothing(folder)]
    for folder in sorted(set(folders).difference(empty)):
        print(_line(folder, workspace.project_of(folder) or "unknown"))
    without = (
        f"; {counted(len(empty), 'more folder')} without anything yet, since no run came to an end" if empty else ""
    )
    print(f"{counted(len(folders) - len(empty), 'project')} below {below}{without}")


def _line(folder: Path, project: str) -> str:
    from ladder.support.exceeded import size_text
    from ladder.support.terminal import visible

    size = sum(os.lstat(file).st_size for file in _files(folder))
    return visible(f"{folder}  {size_text(size)}  {project}".rstrip(), layout=False)


def _files(folder: Path) -> Iterator[str]:
    """The paths of all files below a folder; no link is followed."""
    for inner, _, names in os.walk(folder):
        yield from (os.path.join(inner, name) for name in names)
