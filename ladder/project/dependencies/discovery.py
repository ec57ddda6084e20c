"""The class path of a project, as its build files and folders say.

pom.xml and those of modules     artifacts in the local Maven repository
gradle.lockfile                  artifacts in Gradle's cache, or in that repository
lib/*.jar, libs/*.jar            these
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ladder.project.dependencies import gradle, maven
from ladder.project.dependencies.found import Found
from ladder.project.files import NEVER, TooLarge, read_below

FOLDERS = ("lib", "libs")
DEEPEST = 3  # levels of folders in which lock files are looked for
MOST_FOLDERS = 5_000


def discovered(root: Path, home: Path) -> Found:
    """What the project in a folder depends on, as far as its files say. Nothing outside of the folder is read as a part
    of the project: no link is followed."""
    found = Found()
    repository = maven.Repository(maven.local_repository(home))

    def read(path: str) -> bytes | None:
        try:
            return read_below(str(root), path)
        except TooLarge as error:
            found.problems.append((path, 1, 1, error.message))
        except (OSError, ValueError):
            pass
        return None

    maven.add_dependencies(read, repository, found)
    cache = gradle.cache_of_user(home)
    locked = False
    for folder in _folders(root):
        names = [f"{folder}{gradle.LOCK}", *_listed(root, f"{folder}{gradle.FOLDER}", ".lockfile")]
        for path in names:
            if (data := read(path)) is not None:
                gradle.add_locked(path, data, cache, repository, found)
                locked = True
    if not locked and (build := next((name for name in gradle.BUILD if (root / name).is_file()), "")):
        found.unknown = f"what {build} says is not known without gradle.lockfile (gradle dependencies --write-locks)"
    jars = [path for folder in FOLDERS for path in _listed(root, f"{folder}/", ".jar")]
    known = set(found.jars)
    found.jars += [root / path for path in jars if root / path not in known]
    found.sources += sorted({f"{path.partition('/')[0]}/*.jar" for path in jars})
    return found


def _folders(root: Path) -> Iterator[str]:
    """Yield the folders of a project down to some depth, as "" or a path that ends with a slash; links are left out."""
    level, count = [""], 0
    for _ in range(DEEPEST):
        below: list[str] = []
        for folder in level:
            yield folder
            try:
                with os.scandir(root / folder) as entries:
                    names = sorted(each.name for each in entries if each.is_dir(follow_symlinks=False))
            except OSError:
                continue
            below += [f"{folder}{name}/" for name in names if name not in NEVER]
            count += len(names)
        if count > MOST_FOLDERS:
            return
        level = below


def _listed(root: Path, folder: str, suffix: str) -> list[str]:
    """The regular files with a suffix in a folder of the project that is reached by no link."""
    place = root
    for part in Path(folder).parts:
        place /= part
        if place.is_symlink():
            return []
    try:
        names = sorted(name for name in os.listdir(place) if name.endswith(suffix))
        return [f"{folder}{name}" for name in names if stat.S_ISREG(os.lstat(place / name).st_mode)]
    except OSError:
        return []
