"""Where a program is evaluated: by the local engine if it fits this machine, else on Spark. `chosen` alone decides, and
gives the reason.

How many rows a program derives is not known before it runs, so a bootstrap is judged by the number of its facts.
Measured bytes of memory of the local engine per fact: points-to 330 (1e5 facts) and 275 (1e6), Doop 286 (1.5e6, of 316
bytes of text each), the points-to analysis of a Java project 640 per extracted fact. Programs that derive many more
rows than they have facts take more: shortest paths from 20 places 7,500, closures of graphs of 2,000 to 8,000 vertices
17,000; for such programs, name the engine.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ladder.language.core import Program
from ladder.support.exceeded import size_text
from ladder.support.limits import Limits
from ladder.support.tuning import DEFAULT, Placing


@dataclass(frozen=True)
class Choice:
    """The engine for a bootstrap, with the reason; `doubtful`: the facts may not fit there, and no other engine is
    available."""

    engine: str
    reason: str
    doubtful: bool = False


def available_memory(limits: Limits, tuning: Placing = DEFAULT.placing) -> int:
    """Bytes of memory that a state in the local engine may take."""
    from ladder.spark.settings import machine_memory

    return limits.memory if limits.memory is not None else int(machine_memory() * tuning.share)


def chosen(facts: int, limits: Limits, tuning: Placing = DEFAULT.placing, *, extracted: bool = False) -> Choice:
    """The engine for this number of facts; `extracted`: they are extracted from source code.

    Spark is chosen where the facts may not fit the local engine, but not where the memory limit is too small for Spark
    itself.
    """
    from ladder.spark.settings import AT_LEAST

    needed, there = facts * (tuning.per_extracted if extracted else tuning.per_fact), available_memory(limits, tuning)
    sizes = f"{facts:,} facts may need {size_text(needed)} of memory"
    if needed <= there:
        return Choice("local", f"{sizes}, and there are {size_text(there)}: evaluated here.")
    if (all_ := memory_for_spark(limits)) < AT_LEAST:
        return Choice(
            "local",
            f"{sizes}, and there are {size_text(all_)}, less than the {size_text(AT_LEAST)} that Spark takes by "
            "itself: evaluated here.",
            True,
        )
    from ladder.spark.java import lacking  # here, since most facts fit

    if reason := lacking():
        return Choice("local", f"{sizes}, and there are {size_text(there)}, but Spark cannot run: {reason}", True)
    return Choice("spark", f"{sizes}, and there are {size_text(there)}: evaluated on Spark.")


def state_too_large(needed: int, limits: Limits, tuning: Placing = DEFAULT.placing) -> str:
    """Why a state that needs this many bytes does not fit this machine, as a sentence; "" where it fits."""
    there = available_memory(limits, tuning)
    return (
        ""
        if needed <= there
        else f"The state takes some {size_text(needed)} of memory here, and there are {size_text(there)}."
    )


def saved_state_too_large(size: int, limits: Limits, tuning: Placing = DEFAULT.placing) -> str:
    """Why a saved state of this many bytes on disk does not fit the memory of this machine, as a sentence; "" where it
    fits."""
    there = available_memory(limits, tuning)
    return (
        ""
        if size <= there
        else f"The saved state has {size_text(size)}, more than the {size_text(there)} of memory that it may take here."
    )


def memory_for_spark(limits: Limits) -> int:
    """Bytes of memory that Spark's processes on this machine may take."""
    from ladder.spark.settings import machine_memory

    return limits.memory if limits.memory is not None else machine_memory()


def facts_in(program: Program, folder: Path, tuning: Placing = DEFAULT.placing) -> int:
    """An estimate of the number of facts that the program reads from files in a folder; inputs that are no files are
    not counted."""
    from ladder.facts.files.channels import Channel

    total = 0
    for directive in program.directives:
        channel = Channel(program, directive, folder)
        if directive.kind == "input" and channel.format is not None and channel.format.extensions is not None:
            total += _facts_of(channel.input_file(), channel.format.lines, tuning)
    return total


def _facts_of(file: Path, lines: bool, tuning: Placing) -> int:
    """An estimate of the number of facts in a file, compressed or not, from the mean length of its first lines."""
    try:
        size = file.stat().st_size
        with file.open("rb") as opened:
            read = opened.read(tuning.sample)
    except OSError:
        return 0
    text, share = read, len(read) / max(1, size)
    if read[:2] == b"\x1f\x8b":
        inflating = zlib.decompressobj(wbits=31)
        with suppress(zlib.error):
            text = inflating.decompress(read, tuning.sample)
            share = (len(read) - len(inflating.unconsumed_tail)) / max(1, size)
    found = text.count(b"\n") + (not text.endswith(b"\n")) if lines else len(text) // tuning.bytes_per_fact
    return int(found / share) if text else 0


def size_of_state(
    rows: Mapping[str, int], widths: Mapping[str, int], texts: int, tuning: Placing = DEFAULT.placing
) -> int:
    """Bytes of memory that a state takes in the local engine. `rows`, `widths`: relation → number of rows, of columns;
    `texts`: number of symbols and objects."""
    of_rows = sum(count * (tuning.per_row + tuning.per_cell * widths[name]) for name, count in rows.items())
    return of_rows + texts * tuning.per_text
