"""Dependencies of Gradle projects, from lock files and Gradle's cache, without Gradle.

A lock file names every artifact that is needed, one a line: `group:name:version=configuration,…`. Of projects without
lock files nothing is known: build files are programs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ladder.project.dependencies.found import Artifact, Found
from ladder.project.dependencies.maven import Repository

LOCK, FOLDER = "gradle.lockfile", "gradle/dependency-locks/"
BUILD = ("build.gradle", "build.gradle.kts")
MOST_LINES = 50_000  # of a lock file
CACHE = Path("caches", "modules-2", "files-2.1")


def add_locked(path: str, data: bytes, cache: Path, repository: Repository, found: Found) -> None:
    """Add the artifacts of a lock file."""
    found.sources.append(path)
    try:
        lines = data.decode().splitlines()
    except UnicodeDecodeError:
        found.problems.append((path, 1, 1, "its dependencies are not known: the file is not UTF-8"))
        return
    if len(lines) > MOST_LINES:
        found.problems.append((path, MOST_LINES, 1, f"lines after the first {MOST_LINES:,} are not looked at"))
    for number, line in enumerate(lines[:MOST_LINES], 1):
        text = line.strip().partition("=")[0]
        if not text or text.startswith("#") or text == "empty":
            continue
        parts = text.split(":")
        artifact = Artifact(*parts) if len(parts) == 3 else None
        if artifact is None or not artifact.is_plain:
            found.problems.append((path, number, 1, f"{text[:100]!r} is no group:name:version"))
        else:
            found.add(next(_jars(artifact, cache, repository), None), artifact)


def _jars(artifact: Artifact, cache: Path, repository: Repository) -> Iterator[Path]:
    """Yield where an artifact lies: in Gradle's cache, below a folder named by a hash, or in Maven's repository."""
    name = f"{artifact.name}-{artifact.version}.jar"
    yield from sorted(cache.joinpath(artifact.group, artifact.name, artifact.version).glob(f"*/{name}"))
    if (jar := repository.file(artifact, "jar")) is not None:
        yield jar


def cache_of_user(home: Path) -> Path:
    """Where Gradle keeps the artifacts of the user."""
    return Path(os.environ.get("GRADLE_USER_HOME") or home / ".gradle") / CACHE
