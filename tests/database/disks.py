"""What a crash may leave on a disk: what was written is recorded, and every disk is made that the rules allow.

What was not synced may be missing, cut off or torn; names that were made, changed or removed since their folder was
synced may be as they were, each independently of the others. Only what was synced is certain.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

BLOCK = 512
MOST_SUBSETS = 5  # operations on names all of whose subsets are tried


@dataclass
class File:
    """Contents that are certain, and writes since."""

    certain: bytes = b""
    writes: list[tuple[int, bytes | None]] = field(default_factory=list)  # (place, data); None: cut off there

    def after(self, writes: list[tuple[int, bytes | None]]) -> bytes:
        data = bytearray(self.certain)
        for at, piece in writes:
            if piece is None:
                data = data[:at] + bytes(max(0, at - len(data)))
            else:
                data += bytes(max(0, at - len(data)))
                data[at : at + len(piece)] = piece
        return bytes(data)

    def possible(self, source: random.Random) -> Iterator[bytes]:
        """Contents after a crash."""
        whole = self.after(self.writes)
        yield whole
        if self.writes:
            yield self.certain
            yield b""
            yield whole[: len(whole) // 2]
            yield bytes(len(whole))
            yield self.after([write for write in self.writes if source.random() < 0.5])
            torn = bytearray(whole)
            for at in range(0, len(torn), BLOCK):
                if source.random() < 0.5:
                    torn[at : at + BLOCK] = bytes(len(torn[at : at + BLOCK]))
            yield bytes(torn)


@dataclass
class Disk:
    """A folder: names that are certain, and what was done to them since."""

    names: dict[str, File] = field(default_factory=dict)
    pending: list[tuple[str, str, Any]] = field(default_factory=list)

    def now(self, chosen: list[tuple[str, str, Any]] | None = None) -> dict[str, File]:
        names = dict(self.names)
        for kind, name, what in self.pending if chosen is None else chosen:
            if kind == "make":
                names[name] = what
            elif kind == "remove":
                names.pop(name, None)
            elif name in names:
                names[what] = names.pop(name)
        return names

    def crashes(self, source: random.Random, several: int) -> Iterator[dict[str, bytes]]:
        """Folders after a crash: names and contents."""
        pending = self.pending
        if len(pending) <= MOST_SUBSETS:
            subsets = [list(s) for n in range(len(pending) + 1) for s in itertools.combinations(pending, n)]
        else:
            subsets = [
                pending,
                [],
                *([step for step in pending if source.random() < 0.5] for _ in range(1 << MOST_SUBSETS)),
            ]
        for chosen in subsets:
            names = self.now(chosen)
            for _ in range(several):
                yield {name: source.choice(list(file.possible(source))) for name, file in names.items()}
            yield {name: file.after(file.writes) for name, file in names.items()}


@contextmanager
def recording(folder: Path, stopped: Callable[[Disk], None]) -> Iterator[Disk]:
    """Follow what is done to the files of a folder; `stopped` sees the disk after each step."""
    disk = Disk(
        {path.name: File(path.read_bytes()) for path in (folder.iterdir() if folder.is_dir() else ()) if path.is_file()}
    )
    opened: dict[int, File | None] = {}  # None: the folder itself

    def inside(path: Any) -> str | None:
        path = os.fspath(path) if isinstance(path, str | os.PathLike) else ""
        return os.path.basename(path) if path and os.path.dirname(path) == str(folder) else None

    originals = {
        name: getattr(os, name)
        for name in ("open", "close", "pwrite", "ftruncate", "fsync", "replace", "rename", "unlink")
    }

    def open_(path: Any, flags: int, *arguments: Any, **options: Any) -> int:
        name, there = inside(path), os.path.lexists(path)
        descriptor = originals["open"](path, flags, *arguments, **options)
        if name is not None:
            if not there:
                disk.pending.append(("make", name, File()))
            file = disk.now()[name]
            if flags & os.O_TRUNC:
                file.writes.append((0, None))
            opened[descriptor] = file
        elif os.fspath(path) == str(folder):
            opened[descriptor] = None
        stopped(disk)
        return int(descriptor)

    def close(descriptor: int) -> None:
        opened.pop(descriptor, None)
        originals["close"](descriptor)

    def pwrite(descriptor: int, data: Any, at: int) -> int:
        written = int(originals["pwrite"](descriptor, data, at))
        if (file := opened.get(descriptor)) is not None:
            file.writes.append((at, bytes(data[:written])))
            stopped(disk)
        return written

    def ftruncate(descriptor: int, size: int) -> None:
        originals["ftruncate"](descriptor, size)
        if (file := opened.get(descriptor)) is not None:
            file.writes.append((size, None))
            stopped(disk)

    def fsync(descriptor: int) -> None:
        originals["fsync"](descriptor)
        if descriptor in opened:
            file = opened[descriptor]
            if file is None:
                disk.names, disk.pending = disk.now(), []
            else:
                file.certain, file.writes = file.after(file.writes), []
            stopped(disk)

    def replace(source: Any, target: Any) -> None:
        originals["replace"](source, target)
        if (name := inside(source)) is not None:
            disk.pending.append(("rename", name, inside(target)))
            stopped(disk)

    def unlink(path: Any, *arguments: Any, **options: Any) -> None:
        originals["unlink"](path, *arguments, **options)
        if (name := inside(path)) is not None:
            disk.pending.append(("remove", name, None))
            stopped(disk)

    with pytest.MonkeyPatch.context() as patch:
        for name, function in {
            "open": open_,
            "close": close,
            "pwrite": pwrite,
            "ftruncate": ftruncate,
            "fsync": fsync,
            "replace": replace,
            "rename": replace,
            "unlink": unlink,
        }.items():
            patch.setattr(os, name, function)
        yield disk
    assert {name: file.after(file.writes) for name, file in disk.now().items() if name != "lock"} == {
        path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and path.name != "lock"
    }, "something was written that was not seen"
