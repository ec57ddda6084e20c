"""`ladder state`: what is kept between runs of `analyze`, and how to remove it."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ladder.cli.front_end_option import front_end_option
from ladder.errors import LadderError, StateError
from ladder.frontends.protocol import FrontEnd
from ladder.support.counts import counted

PATH = click.Path(path_type=Path)


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
        folders = sorted(workspace.projects().iterdir()) if workspace.projects().is_dir() else []
        for folder in folders:
            print(_line(folder, workspace.project_of(folder) or "unknown"))
        print(f"{counted(len(folders), 'project')} below {workspace.projects()}")
        return
    root = (project or Path()).resolve()
    folder = state or workspace.kept_for(root, front_end or chosen(root))
    if not os.path.lexists(folder):
        raise LadderError(f"Nothing is kept of {project or state}.", "`ladder state` lists what is kept.")
    print(_line(folder, str(project or "")))
    if remove:
        left = workspace.remove(folder)
        if left:
            raise StateError(f"{folder} holds {left[0]}, which Ladder did not write.", "Everything else is removed.")
        print("removed")


def _line(folder: Path, project: str) -> str:
    from ladder.support.exceeded import size_text

    size = sum(file.lstat().st_size for file in folder.rglob("*") if not file.is_dir())
    return f"{folder}  {size_text(size)}  {project}".rstrip()
