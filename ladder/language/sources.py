"""The files of a program: a text and what it includes, each once, in the order of inclusion."""
from __future__ import annotations

from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from ladder.language.components import instantiate
from ladder.language.errors import Errors
from ladder.language.parser import parse_partly
from ladder.language.syntax import Include, Item


@dataclass
class Sources:
    """`texts`: file as shown in messages → text; `paths`: the same file → where it was read, for those that were."""

    items: list[Item] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    paths: dict[str, Path] = field(default_factory=dict)


def read_program(text: str, file: str, directory: Path, errors: Errors) -> Sources:
    """A program's text with all that it includes, as far as it can be read."""
    sources = Sources()
    own = directory / file
    _read(text, file, directory, sources, errors, {own.resolve()} if own.is_file() else set())
    sources.items = instantiate(sources.items, errors)
    return sources


def library_directory() -> Path:
    """Where `.include <name>` looks: the analyses that are part of the package."""
    return Path(str(resources.files("ladder"))) / "analyses"


def _read(text: str, file: str, directory: Path, sources: Sources, errors: Errors, seen: set[Path]) -> None:
    sources.texts[file] = text
    for item in parse_partly(text, file, errors):
        if isinstance(item, Include):
            _include(item, file, directory, sources, errors, seen)
        else:
            sources.items.append(item)


def _include(item: Include, file: str, directory: Path, sources: Sources, errors: Errors, seen: set[Path]) -> None:
    path = (library_directory() if item.library else directory) / item.path
    resolved = path.resolve()
    if resolved in seen:
        return
    seen.add(resolved)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
        errors.add(item.place, f"cannot read {item.path}: {reason}",
                   None if item.library else "the path is relative to the file that includes it")
        errors.incomplete = True
        return
    shown = f"<{item.path}>" if item.library else str(Path(file).parent / item.path)
    sources.paths[shown] = path
    _read(text, shown, path.parent, sources, errors, seen)
