"""A pack: what the types of one jar, directory of classes or runtime image declare, by package.

A pack is a zip file with a JSON member per package, `{name of the type in it: description}` (see `declarations`), and a
member `!`, what could not be read. Equal classes give equal bytes.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from ladder.frontends.bytecode.errors import Malformed
from ladder.frontends.libraries.declarations import declared
from ladder.support.json_text import read_json

PROBLEMS = "!"
OBJECT = ("java.lang", "Object")
MOST = 400_000_000
"""Characters of all descriptions of a pack: those of a JDK have 25,000,000."""
Description = list[Any]
Problem = tuple[str, str]
"""A path in what was packed, and why the file there is left out."""


def packed(classes: Iterable[tuple[str, bytes | str]]) -> bytes:
    """Pack class files, given as path and content, or as path and why there is none.

    for each file: its type, by the name that the file says, which must be that of its path; of several of a name the
        first one; what is malformed is a problem, and what is more than `MOST`
    """
    left = MOST
    packages: dict[str, dict[str, Description]] = defaultdict(dict)
    problems: list[Problem] = []
    for path, data in classes:
        if isinstance(data, str):
            problems.append((path, data))
            continue
        try:
            found = declared(data)
        except Malformed as error:
            problems.append((path, f"it is left out: {error.description}"))
            continue
        if not f"/{path}".endswith(f"/{found.name.replace('.', '/')}.class"):
            problems.append((path, f"it is left out: it declares {found.name}, which is not the name of the file"))
        elif found.description is not None:
            left -= found.size
            if left < 0:
                problems.append((path, f"it and what comes after it are left out: more than {MOST:,} characters"))
                break
            package, _, simple = found.name.rpartition(".")
            packages[package].setdefault(simple, found.description)
    return _zipped(packages, problems)


def _zipped(packages: Mapping[str, Any], problems: list[Problem]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, value in ((PROBLEMS, problems), *sorted(packages.items())):
            entry = zipfile.ZipInfo(f"{name}.json", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, json.dumps(value, separators=(",", ":"), sort_keys=True))
    return content.getvalue()


class Pack:
    """An open pack, whose bytes `packed` has made; packages are read when they are asked for."""

    def __init__(self, data: bytes) -> None:
        self._archive = zipfile.ZipFile(io.BytesIO(data))
        self._packages: dict[str, dict[str, Description]] = {}
        self._members: dict[str, dict[str, list[str]]] = {}

    @cached_property
    def packages(self) -> frozenset[str]:
        """The packages that have types in it."""
        names = (name.removesuffix(".json") for name in self._archive.namelist())
        return frozenset(name for name in names if name != PROBLEMS)

    @property
    def problems(self) -> list[Problem]:
        """What could not be read of what was packed."""
        return [(path, reason) for path, reason in read_json(self._archive.read(f"{PROBLEMS}.json"))]

    @cached_property
    def is_jdk(self) -> bool:
        """Whether it has the class of all objects."""
        return OBJECT[1] in self.package(OBJECT[0])

    def package(self, name: str) -> dict[str, Description]:
        """The types of a package by their names in it, `Outer$Inner`."""
        found = self._packages.get(name)
        if found is None:
            data = self._archive.read(f"{name}.json") if name in self.packages else b"{}"
            found = self._packages[name] = read_json(data)
        return found

    def members(self, package: str, outer: str) -> list[str]:
        """The member types of a type, by their names in the package."""
        if package not in self._members:
            found: dict[str, list[str]] = defaultdict(list)
            for name, description in self.package(package).items():
                if description[2]:
                    found[description[2].rpartition(".")[2]].append(name)
            self._members[package] = found
        return self._members[package].get(outer, [])
