"""Steps that fail on purpose: the k-th call of what goes to the disk, or of any function of ours, one time or from then
on."""

from __future__ import annotations

import errno
import mmap
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import ladder

STEPS = (
    "open",
    "read",
    "pwrite",
    "write",
    "ftruncate",
    "fsync",
    "replace",
    "rename",
    "unlink",
    "mkdir",
    "chmod",
    "listdir",
    "scandir",
    "lstat",
    "fstat",
    "close",
)
ERRORS = {
    "open": (errno.EMFILE, errno.EACCES),
    "pwrite": (errno.ENOSPC, errno.EIO),
    "fsync": (errno.EIO,),
    "mmap": (errno.ENOMEM,),
}
OURS = str(Path(ladder.__file__).parent)


@dataclass
class Count:
    """Steps so far; the one with the number `at` fails, and with `for_ever` all after it. 0: none."""

    at: int = 0
    for_ever: bool = False
    steps: int = 0
    failed: int = 0

    def due(self) -> bool:
        """Whether the step at hand fails."""
        self.steps += 1
        fails = bool(self.at) and (self.steps == self.at or (self.for_ever and self.steps > self.at))
        self.failed += fails
        return fails


@contextmanager
def failing(count: Count, code: int | None, folder: Path, short: bool = False) -> Iterator[Count]:
    """Calls of the system about something below a folder fail; `short`: a write takes half of what it is
    given instead."""
    files: set[int] = set()

    def concerns(arguments: tuple[Any, ...]) -> bool:
        first = arguments[0] if arguments else None
        return (
            first in files
            if isinstance(first, int)
            else isinstance(first, str | os.PathLike) and str(first).startswith(str(folder))
        )

    def wrap(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def step(*arguments: Any, **options: Any) -> Any:
            if not concerns(arguments):
                return function(*arguments, **options)
            if name not in ("close", "lstat", "fstat") and count.due():
                if short and name == "pwrite":
                    return function(
                        arguments[0], memoryview(arguments[1])[: max(1, len(arguments[1]) // 2)], arguments[2]
                    )
                if not short:
                    raise OSError(code or ERRORS.get(name, (errno.EIO,))[0], "injected", str(arguments[0]))
            result = function(*arguments, **options)
            if name == "open":
                files.add(result)
            elif name == "close":
                files.discard(arguments[0])
            return result

        return step

    with pytest.MonkeyPatch.context() as patch:
        for name in STEPS:
            patch.setattr(os, name, wrap(name, getattr(os, name)))
        original = mmap.mmap

        class Map(original):  # type: ignore[misc, valid-type]
            def __new__(cls, descriptor: int, *arguments: Any, **options: Any) -> Any:
                if descriptor >= 0 and count.due() and not short:
                    raise OSError(errno.ENOMEM, "injected")
                return original.__new__(cls, descriptor, *arguments, **options)

        patch.setattr(mmap, "mmap", Map)
        yield count


@contextmanager
def out_of_memory(count: Count, error: type[BaseException] = MemoryError) -> Iterator[Count]:
    """Calls of functions of ours fail, as if what they allocate first could not be had."""

    def called(frame: Any, event: str, _: Any) -> None:
        if (
            event == "call"
            and frame.f_code.co_filename.startswith(OURS)
            and not frame.f_code.co_name.startswith(("<", "__"))
            and count.due()
        ):
            raise error("injected")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        yield count
    finally:
        sys.setprofile(before)
