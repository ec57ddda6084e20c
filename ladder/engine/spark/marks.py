"""Which function of a program a Python worker is in, left where Spark finds it when the worker ends in the middle of
its work.

Spark's fault handler (spark.sql.execution.pyspark.udf.faulthandler.enabled) has a file for each worker, named by its
process id. When a worker is gone, killed ones included, Spark sends what is in that file along with its error:

    ladder-call: {"what": "f", "place": "p.dl:6:1"} 3       the call that the worker is in, ended by blanks (`ROOM`
                                                            bytes in all)
    Fatal Python error: Segmentation fault …                what the fault handler adds, where the process has come to
                                                            that
"""

from __future__ import annotations

import faulthandler
import json
import mmap
import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

MARK = "ladder-call: "
ROOM = 1024  # bytes
FOLDER = "PYTHON_FAULTHANDLER_DIR"  # a variable of the environment that Spark sets for its workers
_MOST_SHOWN = 80  # characters of a symbol, and elements of a tuple
_FATAL = re.compile(r"Fatal Python error: ([^\n]+)")
_BLANK = b" " * (ROOM - 1) + b"\n"


@dataclass(frozen=True)
class Call:
    """A function of the program, and where the program asks for it: `what`: its name; `place`: file:line:column, ""
    where that is unknown."""

    what: str
    place: str = ""


@dataclass(frozen=True)
class Interrupted:
    """The call that a worker ended in.

    `arguments`: as text, "" where they were not noted; `fault`: what the system called it, if anything.
    """

    call: Call
    arguments: str = ""
    fault: str = ""


def mark(call: Call, arguments: Sequence[Any] | None = None) -> None:
    """Leave word that this worker is in a call from now on."""
    file = _file(os.getpid())
    if file is not None:
        noted = "" if arguments is None else f"({', '.join(map(shown, arguments))})"
        line = _started(call) + noted.encode("ascii", "backslashreplace")
        file[:] = line[: ROOM - 1].ljust(ROOM - 1) + b"\n"


def unmark() -> None:
    """The call is over."""
    file = _file(os.getpid())
    if file is not None:
        file[:] = _BLANK


def interrupted(text: str) -> Interrupted | None:
    """The call that Spark's report of a worker's end tells of; None where it tells of none."""
    _, marked, rest = text.partition(MARK)
    if not marked:
        return None
    try:
        found, end = json.JSONDecoder().raw_decode(rest)
        fault = _FATAL.search(rest)
        return Interrupted(Call(**found), rest[end:].partition("\n")[0].strip(), fault[1].strip() if fault else "")
    except (ValueError, TypeError):
        return None


def shown(value: Any) -> str:
    """A value in a message, at a cost that does not grow with it."""
    if isinstance(value, str):
        return repr(value) if len(value) <= _MOST_SHOWN else f"{value[:_MOST_SHOWN]!r}…"
    if isinstance(value, tuple) and len(value) <= _MOST_SHOWN:
        return f"({', '.join(map(shown, value))}{',' if len(value) == 1 else ''})"
    return repr(value) if value is None or isinstance(value, int | float) else f"<{type(value).__name__}>"


@cache
def _started(call: Call) -> bytes:
    return f"{MARK}{json.dumps(asdict(call))}".encode("ascii")


@cache
def _file(process: int) -> mmap.mmap | None:
    """This worker's file, in which the fault handler writes behind our place; None where Spark asks for none."""
    folder = os.environ.get(FOLDER)
    if not folder:
        return None
    try:
        descriptor = os.open(os.path.join(folder, str(process)), os.O_RDWR)
        os.write(descriptor, _BLANK)  # room that is there: a mapped file on a full disk would end the process
        found = mmap.mmap(descriptor, ROOM)
        faulthandler.enable(descriptor)
        return found
    except (OSError, ValueError):
        return None
