"""Makes a git repository of how the sample project came about: one commit per step of `corpora/history/steps.toml`.

    python corpora/replay.py DIR             # the whole history; its last commit is corpora/bookshop
    python corpora/replay.py DIR --steps 5   # the first five commits only
    python corpora/replay.py --record DIR    # after a history was edited in DIR: write its patches back

Commit ids are the same on every machine. The steps are kept as patches. The first tree is not kept: it is the
checked-in sample without all of them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
SAMPLE = HERE / "bookshop"
HISTORY = HERE / "history"
FIRST_COMMIT = 1_700_000_000  # seconds since 1970
APART = 3_600
MAIN = "main"


class ReplayError(Exception):
    """The history cannot be replayed; the message says why."""


@dataclass(frozen=True)
class Step:
    """One commit: a patch, or the merge of a branch.

    patch: file in `corpora/history`, None for the first commit and for merges. branch: the branch that it is made on;
    one that does not exist yet starts at the present commit of `main`. merge: the branch merged. kind: sort of change.
    """

    kind: str
    message: str
    patch: str | None = None
    branch: str = MAIN
    merge: str | None = None


@dataclass(frozen=True)
class Commit:
    """A step that was replayed, with the id of its commit."""

    step: Step
    id: str


def steps() -> tuple[Step, ...]:
    """All steps, in order."""
    return tuple(Step(**entry) for entry in tomllib.loads((HISTORY / "steps.toml").read_text(encoding="utf-8"))["step"])


def replay(repository: Path, number: int | None = None) -> Iterator[Commit]:
    """Makes the repository and yields every step once its commit is there and checked out.

    A consumer that stops early, or `number`, leaves a repository with the first steps only.
    """
    require_git()
    if repository.exists() and any(repository.iterdir()):
        raise ReplayError(f"{repository} is not empty; name a new folder")
    shutil.copytree(SAMPLE, repository, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".ladder", "*.class"))
    git(repository, "init", "--quiet", f"--initial-branch={MAIN}")
    git(repository, "config", "core.autocrlf", "false")
    planned = steps()
    for step in reversed(planned):
        if step.patch is not None:
            git(repository, "apply", "--reverse", "--whitespace=nowarn", str(HISTORY / step.patch))
    for place, step in enumerate(planned[:number]):
        when = FIRST_COMMIT + place * APART
        if step.merge is not None:
            git(repository, "merge", "--quiet", "--no-ff", "-m", step.message, step.merge, when=when)
        else:
            switch(repository, step.branch)
            if step.patch is not None:
                git(repository, "apply", "--whitespace=nowarn", str(HISTORY / step.patch))
            git(repository, "add", "--all")
            git(repository, "commit", "--quiet", "-m", step.message, when=when)
        yield Commit(step, git(repository, "rev-parse", "HEAD").strip())


def record(repository: Path) -> list[str]:
    """Writes the patches of a replayed and then edited history back; names of those that changed.

    The n-th commit (oldest first, by date) stands for the n-th step; messages and kinds stay as `steps.toml` has them.
    """
    ids = git(repository, "rev-list", "--reverse", "--date-order", MAIN).split()
    planned = steps()
    if len(ids) != len(planned):
        raise ReplayError(
            f"{repository} has {len(ids)} commits, the history {len(planned)} steps; change steps.toml first"
        )
    changed = []
    for step, commit in zip(planned, ids, strict=True):
        if step.patch is None:
            continue
        text = git(repository, "diff", "--find-renames", f"{commit}^", commit)
        path = HISTORY / step.patch
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(step.patch)
    return changed


def switch(repository: Path, branch: str) -> None:
    """Checks a branch out; a new one starts at `main`."""
    present = git(repository, "branch", "--show-current").strip()
    if present == branch:
        return
    exists = branch in git(repository, "branch", "--format=%(refname:short)").split()
    git(repository, "switch", "--quiet", *([branch] if exists else ["--create", branch, MAIN]))


def git(repository: Path, *arguments: str, when: int = FIRST_COMMIT) -> str:
    """Runs git without the user's configuration, so that the same steps give the same ids; its output."""
    person = {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (("NAME", "Bookshop"), ("EMAIL", "bookshop@example.org"), ("DATE", f"{when} +0000"))
    }
    plain = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environment = {**plain, **person, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "LC_ALL": "C"}
    result = subprocess.run(
        ["git", *arguments], cwd=repository, env=environment, text=True, capture_output=True, check=False
    )
    if result.returncode != 0:
        raise ReplayError(f"git {' '.join(arguments)} failed: {(result.stderr or result.stdout).strip()}")
    return result.stdout


def require_git() -> None:
    if shutil.which("git") is None:
        raise ReplayError("git is not on this machine; install it to replay the history")


@click.command(help=__doc__.replace("\n\n    ", "\n\n\b\n    "))
@click.argument("repository", type=click.Path(path_type=Path, file_okay=False))
@click.option("--steps", "number", type=click.IntRange(min=1), help="Stop after so many commits.")
@click.option("--record", "recording", is_flag=True, help="Write the patches of an edited history back.")
def main(repository: Path, number: int | None, recording: bool) -> None:
    try:
        if recording:
            click.echo("\n".join(record(repository)) or "nothing changed")
            return
        for commit in replay(repository, number):
            click.echo(f"{commit.id[:10]}  {commit.step.kind:20} {commit.step.message}")
    except ReplayError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
