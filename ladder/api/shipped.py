"""Checks programs of the library when a wheel is built, so that an installation comes with them (`language.stored`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ladder.api.program import checked_program
from ladder.language.options import DEFAULT, LIBRARY
from ladder.language.parsed_files import sharing_files
from ladder.language.stored import ship, ship_union


def ship_programs(folder: Path, names: Sequence[str], together: Sequence[str] = ()) -> None:
    """Write the programs of these names of the library into a folder, and one for all of `together`, as they are when
    they are evaluated as one. Raises `OSError`, `NotKept` (of `support.caches`) and `ProgramError`."""
    folder.mkdir(parents=True, exist_ok=True)
    programs = {}
    with sharing_files():
        for name in dict.fromkeys((*names, *together)):
            path = LIBRARY / f"{name}.dl"
            text = path.read_text(encoding="utf-8")
            programs[name] = checked_program(text, path.name, path.parent, None, DEFAULT)
            ship(folder, programs[name], text, path.name)
    if together:
        parts = [programs[name] for name in together]
        ship_union(
            folder, list(zip(together, (part.core for part in parts), strict=True)), [p.fingerprint for p in parts]
        )
