"""Which engine evaluates: the local one for everything that fits this machine, Spark for the rest, always with the reason.

What a program derives is not known before it runs, so a bootstrap is judged by its facts. Measured locally: 40 to 70 bytes per row of two or
three columns with its index, and, in points-to analyses, one to ten rows per fact; a fact takes about 20 bytes of a text file.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ladder.language.core import Program
from ladder.limits import Limits, size_text

Engine = Literal["local", "spark"]
PER_BYTE = 10              # bytes of memory that an evaluation takes for each byte of facts as text; compressed files count for four times their size
COMPRESSED = 4
BYTES_PER_FACT = 20
PER_ROW, PER_CELL = 35, 4  # bytes of memory that a row takes in the local engine, with its entries in indexes
PER_TEXT = 100             # … and a symbol, an object
SHARE = 0.5                # of the machine's memory that a state may take without a limit being named


@dataclass(frozen=True)
class Choice:
    """An engine, and why."""

    engine: Engine
    reason: str


def room(limits: Limits) -> int:
    """Bytes that a local state may take."""
    from ladder.spark.settings import machine_memory

    return limits.memory if limits.memory is not None else int(machine_memory() * SHARE)


def chosen(facts: int, limits: Limits, lacking: str = "") -> Choice:
    """The engine for so many bytes of facts; `lacking`: why Spark cannot run here, as far as known."""
    needed, there = facts * PER_BYTE, room(limits)
    sizes = f"{size_text(facts)} of facts may need {size_text(needed)} of memory"
    if needed <= there:
        return Choice("local", f"{sizes}, and there are {size_text(there)}: evaluated here.")
    if lacking:
        return Choice("local", f"{sizes}, and there are {size_text(there)}, but Spark cannot run: {lacking}")
    return Choice("spark", f"{sizes}, and there are {size_text(there)}: evaluated on Spark.")


def size_of_facts(program: Program, folder: Path) -> int:
    """Bytes of the fact files that the program reads from a folder; what is not a file counts for nothing."""
    from ladder.factfiles.channels import EXTENSIONS, Channel

    total = 0
    for directive in program.directives:
        channel = Channel(program, directive, folder)
        if directive.kind == "input" and channel.io in EXTENSIONS:
            total += _size(channel.input_file())
    return total


def size_of_state(rows: Mapping[str, int], widths: Mapping[str, int], texts: int) -> int:
    """Bytes that a state takes in the local engine: rows and columns of each relation, number of symbols and objects."""
    return sum(count * (PER_ROW + PER_CELL * widths[name]) for name, count in rows.items()) + texts * PER_TEXT


def _size(file: Path) -> int:
    try:
        with file.open("rb") as opened:
            compressed = opened.read(2) == b"\x1f\x8b"
        return file.stat().st_size * (COMPRESSED if compressed else 1)
    except OSError:
        return 0
