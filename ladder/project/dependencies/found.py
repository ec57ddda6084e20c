"""Coordinates of artifacts, and what was found of those that a project depends on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_PART = re.compile(r"[A-Za-z0-9_+][A-Za-z0-9_.+-]*")

Place = tuple[str, int, int, str]
"""A diagnostic: path, line, column, message."""


@dataclass(frozen=True, order=True)
class Artifact:
    """Group, name and version of an artifact, and its classifier, "" for none."""

    group: str
    name: str
    version: str
    classifier: str = ""

    def __str__(self) -> str:
        return ":".join((self.group, self.name, self.version or "?", *filter(None, (self.classifier,))))

    @property
    def is_plain(self) -> bool:
        """Whether all parts are names, of which no path leads elsewhere."""
        parts = (self.group, self.name, self.version, *filter(None, (self.classifier,)))
        return all(_PART.fullmatch(part) is not None and ".." not in part for part in parts)

    @property
    def key(self) -> tuple[str, str, str]:
        """What one version is chosen of."""
        return self.group, self.name, self.classifier


@dataclass
class Found:
    """What there is of what a project depends on.

    `jars`: archives and folders, in the order of the class path; `missing`: artifacts that are not on this machine;
    `problems`: what of the build files was not understood; `sources`: the build files that said something; `unknown`:
    why it is not known what the project depends on.
    """

    jars: list[Path] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    problems: list[Place] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    unknown: str = ""
    _known: set[Path | Artifact] = field(default_factory=set, repr=False, compare=False)

    def add(self, jar: Path | None, artifact: Artifact) -> None:
        """Note an artifact, and where it lies, None for nowhere."""
        if (jar or artifact) in self._known:
            return
        self._known.add(jar or artifact)
        if jar is None:
            self.missing.append(str(artifact))
        else:
            self.jars.append(jar)
