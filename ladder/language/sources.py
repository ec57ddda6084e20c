"""The files of a program: a text and what it includes, each once, in the order of inclusion."""
from __future__ import annotations

from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from ladder.language.errors import Error, ProgramError
from ladder.language.parse import parse_partly
from ladder.language.syntax import Include, Item


@dataclass
class Sources:
    """`texts`: file as shown in messages → text; `paths`: the same file → where it was read, for those that were."""

    items: list[Item] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    paths: dict[str, Path] = field(default_factory=dict)


def read_program(text: str, file: str, directory: Path) -> Sources:
    """A program's text with all that it includes; raises `ProgramError` with the syntax errors of all files."""
    sources, errors = Sources(), list[Error]()
    own = directory / file
    _read(text, file, directory, sources, errors, {own.resolve()} if own.is_file() else set())
    if errors:
        raise ProgramError(errors, sources.texts)
    return sources


def library_directory() -> Path:
    """Where `.include <name>` looks: the analyses that are part of the package."""
    return Path(str(resources.files("ladder"))) / "analyses"


def _read(text: str, file: str, directory: Path, sources: Sources, errors: list[Error], seen: set[Path]) -> None:
    sources.texts[file] = text
    items, found = parse_partly(text, file)
    errors.extend(found)
    for item in items:
        if isinstance(item, Include):
            _include(item, file, directory, sources, errors, seen)
        else:
            sources.items.append(item)


def _include(item: Include, file: str, directory: Path, sources: Sources, errors: list[Error], seen: set[Path]) -> None:
    path = (library_directory() if item.library else directory) / item.path
    resolved = path.resolve()
    if resolved in seen:
        return
    seen.add(resolved)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
        errors.append(Error(item.place, f"cannot read {item.path}: {reason}",
                            None if item.library else "the path is relative to the file that includes it"))
        return
    shown = f"<{item.path}>" if item.library else str(Path(file).parent / item.path)
    sources.paths[shown] = path
    _read(text, shown, path.parent, sources, errors, seen)
