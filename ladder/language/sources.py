"""The files of a program: its text and the files that it includes, once for each scope, in the order of inclusion."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from ladder.language.errors import Errors
from ladder.language.normalise.components import check_directives, instantiate
from ladder.language.normalise.delta_relations import with_deltas
from ladder.language.options import DEFAULT, LIBRARY, Options, own_file
from ladder.language.parsed_files import parsed_files
from ladder.language.syntax.nodes import Component, Include, Item
from ladder.language.syntax.origins import Origins
from ladder.language.syntax.parser import parse_partly

_DIRECTIVE_LINE = re.compile(r"^[ \t]*#.*", re.MULTILINE)
_ONCE = re.compile(r"^[ \t]*\.once\b", re.MULTILINE)


@dataclass
class Sources:
    """The files of a program. `texts`: file as named in messages → text; `paths`: the same name → path, for included
    files; `unresolved`: components have errors, so that their content is missing."""

    items: list[Item] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    paths: dict[str, Path] = field(default_factory=dict)
    unresolved: bool = False

    @property
    def library(self) -> frozenset[str]:
        """The included files that come with Ladder, as messages name them: `<pointsto.dl>`."""
        return frozenset(
            file for file, path in self.paths.items() if file.startswith("<") and path.resolve().is_relative_to(LIBRARY)
        )


def read_program(text: str, file: str, directory: Path, errors: Errors, options: Options = DEFAULT) -> Sources:
    """Read a program's text and all that it includes, as far as possible; what fails is added to `errors`."""
    reader = _Reader(options, errors)
    own = directory / file
    reader.sources.items = reader.read(text, file, directory, (own.resolve(),) if own.is_file() else (), set())
    check_directives(reader.sources.items, errors)
    before = errors.noted
    reader.sources.items = with_deltas(instantiate(reader.sources.items, errors), errors)
    reader.sources.unresolved = errors.noted > before
    return reader.sources


class _Reader:
    """Reads the files of a program; `once`: files with the directive `.once`."""

    def __init__(self, options: Options, errors: Errors) -> None:
        self.sources = Sources()
        self.options = options
        self.instead = dict(options.instead)
        self.errors = errors
        self.once: set[Path] = set()
        self.shared: set[tuple[str, str]] = set()

    def read(self, text: str, file: str, directory: Path, opened: tuple[Path, ...], seen: set[Path]) -> list[Item]:
        """The items of a text; `opened`: the files whose inclusion led here; `seen`: those already read in the same
        scope."""
        self.sources.texts[file] = text
        if opened and _ONCE.search(text):
            self.once.add(opened[-1])
        origins = None
        if not self.options.preprocess:
            text = _DIRECTIVE_LINE.sub("", text)
        elif _DIRECTIVE_LINE.search(text) or self.options.macros:
            from ladder.language.syntax.preprocess import preprocess  # few programs need it

            result = preprocess(text, file, directory, self.options, self.locate, self.errors)
            text, origins = result.text, result.origins
            self.sources.texts |= result.texts
            self.sources.paths |= result.paths
        return self._with_includes(self._parsed(text, file, origins), directory, opened, seen)

    def _parsed(self, text: str, file: str, origins: Origins | None) -> list[Item]:
        """The items of a text. What an earlier program parsed is used once in each, since nodes are told apart by their
        identity."""
        key, known, before = (text, file), parsed_files(), self.errors.noted
        if origins is not None or key in self.shared:
            return parse_partly(text, file, self.errors, origins)
        self.shared.add(key)
        if key not in known:
            items = parse_partly(text, file, self.errors)
            if self.errors.noted > before:
                return items
            known[key] = items
        return known[key]

    def locate(self, name: str, library: bool, directory: Path) -> Path | None:
        """The path of the file that is included by a name; None if there is none."""
        places = [LIBRARY] if library else [directory, *self.options.include]
        return next((path for place in places if (path := place / name).is_file()), None)

    def _with_includes(
        self, items: Iterable[Item], directory: Path, opened: tuple[Path, ...], seen: set[Path]
    ) -> list[Item]:
        """The items with inclusions replaced by the items of the files, also in components."""
        found: list[Item] = []
        for item in items:
            if isinstance(item, Include):
                found += self._include(item, directory, opened, seen)
            elif isinstance(item, Component):
                inner = tuple(self._with_includes(item.items, directory, opened, set()))
                found.append(item if inner == item.items else replace(item, items=inner))
            else:
                found.append(item)
        return found

    def _include(self, item: Include, directory: Path, opened: tuple[Path, ...], seen: set[Path]) -> list[Item]:
        file = item.place.file
        if file in self.sources.paths:  # it may stand in a file that the preprocessor included
            directory = self.sources.paths[file].parent
        path = self.locate(item.path, item.library, directory) or directory / item.path
        name = item.path
        if instead := self.instead.get(path.resolve()):
            path, name = instead, str(Path(name).with_name(instead.name))
        resolved = path.resolve()
        if resolved in seen or resolved in opened or resolved in self.once:
            return []
        seen.add(resolved)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            reason = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
            self.errors.add(
                item.place,
                f"cannot read {name}: {reason}",
                None if item.library else "the path is relative to the file that includes it",
            )
            self.errors.incomplete = True
            return []
        shown = self._shown(name, item.library, file, path)
        self.sources.paths[shown] = path
        return self.read(text, shown, path.parent, (*opened, resolved), seen)

    def _shown(self, name: str, library: bool, file: str, path: Path) -> str:
        """What a file that `file` includes is called: its path from the program, in <…> if it is of the library."""
        within = file[1:-1] if file in self.sources.paths and file.startswith("<") else None
        beside = Path(name) if library else Path(file if within is None else within).parent / name
        short = os.path.normpath(beside)
        if Path(os.path.normpath(path)).resolve() != path.resolve():
            short = str(beside)  # `..` after a link leads elsewhere
        return own_file(short) if within is None and not library else f"<{short}>"
