"""Notes of the function of a program that a Python worker is calling, kept where Spark finds them when the worker ends
in the middle of the call.

Spark's fault handler (spark.sql.execution.pyspark.udf.faulthandler.enabled) has a file for each worker, named by its
process id. When a worker is gone, killed ones included, Spark sends what is in that file along with its error:

    ladder-call: {"what": "f", "place": "p.dl:6:1"} 3       the call that the worker is in, padded with blanks to
                                                            `NOTE_BYTES` bytes
    Fatal Python error: Segmentation fault …                what the fault handler adds, if the process gets that far
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

PREFIX = "ladder-call: "
NOTE_BYTES = 1024
FOLDER = "PYTHON_FAULTHANDLER_DIR"  # a variable of the environment that Spark sets for its workers
_MOST_SHOWN = 80  # characters of a symbol, and elements of a tuple
_FATAL = re.compile(r"Fatal Python error: ([^\n]+)")
_BLANK = b" " * (NOTE_BYTES - 1) + b"\n"


@dataclass(frozen=True)
class Call:
    """A call of a function of the program: `what` is the function's name, `place` is file:line:column of the call in
    the program, "" where that is unknown."""

    what: str
    place: str = ""


@dataclass(frozen=True)
class InterruptedCall:
    """The call in the middle of which a worker ended.

    `arguments`: as text, "" where they were not noted; `fault`: the name that the system gives to the crash, "" for
    none.
    """

    call: Call
    arguments: str = ""
    fault: str = ""


def note_call(call: Call, arguments: Sequence[Any] | None = None) -> None:
    """Note in the file of this worker that it is in this call from now on; `arguments` are noted as text."""
    file = _file(os.getpid())
    if file is not None:
        noted = "" if arguments is None else f"({', '.join(map(shown, arguments))})"
        line = _started(call) + noted.encode("ascii", "backslashreplace")
        file[:] = line[: NOTE_BYTES - 1].ljust(NOTE_BYTES - 1) + b"\n"


def clear_call() -> None:
    """Note that the call of this worker has returned."""
    file = _file(os.getpid())
    if file is not None:
        file[:] = _BLANK


def interrupted_call(text: str) -> InterruptedCall | None:
    """The call named in the text of Spark's report that a worker has ended; None where it names none."""
    _, noted, rest = text.partition(PREFIX)
    if not noted:
        return None
    try:
        found, end = json.JSONDecoder().raw_decode(rest)
        fault = _FATAL.search(rest)
        return InterruptedCall(Call(**found), rest[end:].partition("\n")[0].strip(), fault[1].strip() if fault else "")
    except (ValueError, TypeError):
        return None


def shown(value: Any) -> str:
    """A value as text for a message: long strings are cut, so that the cost does not grow with the value."""
    if isinstance(value, str):
        return repr(value) if len(value) <= _MOST_SHOWN else f"{value[:_MOST_SHOWN]!r}…"
    if isinstance(value, tuple) and len(value) <= _MOST_SHOWN:
        return f"({', '.join(map(shown, value))}{',' if len(value) == 1 else ''})"
    return repr(value) if value is None or isinstance(value, int | float) else f"<{type(value).__name__}>"


@cache
def _started(call: Call) -> bytes:
    return f"{PREFIX}{json.dumps(asdict(call))}".encode("ascii")


@cache
def _file(process: int) -> mmap.mmap | None:
    """This worker's file, in which the fault handler writes behind our note; None where Spark has set no folder for
    it."""
    folder = os.environ.get(FOLDER)
    if not folder:
        return None
    try:
        descriptor = os.open(os.path.join(folder, str(process)), os.O_RDWR)
        os.write(descriptor, _BLANK)  # allocate the space: a mapped file on a full disk would end the process
        found = mmap.mmap(descriptor, NOTE_BYTES)
        faulthandler.enable(descriptor)
        return found
    except (OSError, ValueError):
        return None
