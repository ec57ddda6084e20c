"""Files of a repository with bytes exchanged by chance, and what a project makes of them: results or a `ProjectError`,
never anything else.

`python -m tests.security.hostile.mutations FOLDER SEED COUNT [SECONDS]` prints each seed before it is tried, so that a
crash has one; after the seconds none is begun.
"""

from __future__ import annotations

import math
import random
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path

import pygit2

from ladder.errors import ProjectError
from ladder.project import files as projects
from ladder.project.files import Project
from tests.session.projects import WHO


def original(folder: Path) -> None:
    """A repository with history, packed and loose objects, an index, a tag, rules and a linked work tree's
    leftovers."""
    made = pygit2.init_repository(str(folder), initial_head="main")
    for step in range(4):
        for number in range(6):
            file = folder / f"src/p{number % 2}/C{number}.java"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"package p{number % 2}; class C{number} {{ int x{step * (number % 3)}; }}\n" * 5)
        (folder / ".gitignore").write_text("out/\n*.class\n!keep.class\n/src/**/gen/*.java\n")
        made.index.add_all()
        made.index.write()
        parents = [] if made.head_is_unborn else [made.head.target]
        commit = made.create_commit("HEAD", WHO, WHO, f"step {step}", made.index.write_tree(), parents)
        if step == 2:
            made.pack()
            shutil.rmtree(folder / ".git/objects/00", ignore_errors=True)
    made.create_tag("v1", commit, pygit2.enums.ObjectType.COMMIT, WHO, "a tag")
    (folder / ".git/packed-refs").write_text(
        f"# pack-refs with: peeled fully-peeled sorted\n{commit} refs/remotes/origin/main\n"
    )


def mutated(folder: Path, chosen: random.Random) -> None:
    """Exchange some bytes of some files of a repository, or cut, repeat or empty them."""
    files = sorted(
        path
        for path in [*(folder / ".git").rglob("*"), folder / ".gitignore"]
        if path.is_file() and "hooks" not in path.parts
    )
    for file in chosen.sample(files, chosen.choice([1, 1, 1, 2, 5])):
        data = bytearray(file.read_bytes())
        match chosen.randrange(6):
            case 0:
                data = data[: chosen.randrange(len(data) + 1)]
            case 1:
                data[chosen.randrange(len(data) + 1) : 0] = chosen.randbytes(chosen.randrange(1, 64))
            case 2 if data:
                start = chosen.randrange(len(data))
                data[start : start + 4] = chosen.choice(
                    [b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff", b"\x80\0\0\0"]
                )
            case _:
                for _ in range(chosen.choice([1, 3, 20]) if data else 0):
                    data[chosen.randrange(len(data))] = chosen.randrange(256)
        file.chmod(0o644)
        file.write_bytes(data)


def tried(folder: Path) -> str:
    """What became of a project: as many results as there are, or the error."""
    outcomes = []
    for revision in ("", "HEAD", "HEAD~3", "v1", "origin/main"):
        try:
            projects._open.cache_clear()
            project = Project(folder)
            project.describe()
            found = project.revision(revision) if revision else project.snapshot()
            for path, blob in found.files[:3]:
                with suppress(ProjectError):
                    data = projects._stored(str(folder / ".git"), blob)
                    assert data is None or isinstance(data, bytes)
                with suppress(ProjectError):
                    assert projects.blob_id(project.source.read(path, blob)) == blob
            outcomes.append(str(len(found.files)))
        except ProjectError as error:
            assert "\n" not in error.message.strip(), error.message
            outcomes.append("error")
    return " ".join(outcomes)


def main() -> None:
    folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    until = time.monotonic() + float(sys.argv[4]) if len(sys.argv) > 4 else math.inf
    original(folder / "original")
    for seed in range(first, first + count):
        if time.monotonic() > until:
            break
        print(seed, end=" ", flush=True)
        shutil.rmtree(folder / "tried", ignore_errors=True)
        shutil.copytree(folder / "original", folder / "tried")
        mutated(folder / "tried", random.Random(seed))
        print(tried(folder / "tried"), flush=True)


if __name__ == "__main__":
    main()
