"""Memory that Arrow owns, for what its threads read.

A thread of Arrow that has read something releases the memory afterwards, perhaps when its reader has long gone on. If
the memory belongs to a Python object, the thread waits for the interpreter to do so; and where the interpreter has
ended by then, the process aborts (a thread that is made to end there must not leave C++ code that way).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa


def allocated(size: int) -> tuple[pa.Buffer, np.ndarray]:
    """Return memory of Arrow for so many bytes, which take none before they are written, and an array to write them."""
    import pyarrow as pa

    buffer = pa.allocate_buffer(size)
    return buffer, np.frombuffer(buffer, np.uint8)


def copied(data: bytes | bytearray | memoryview) -> pa.Buffer:
    """Return a copy in memory of Arrow."""
    buffer, target = allocated(len(data))
    target[:] = np.frombuffer(data, np.uint8)
    return buffer


def give_back() -> None:
    """Give memory that Arrow has freed back to the system, if Arrow is used at all."""
    if (arrow := sys.modules.get("pyarrow")) is not None:
        arrow.default_memory_pool().release_unused()
