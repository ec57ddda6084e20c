"""Exclusive locks between processes, on a file that says who holds the lock.

The system holds the lock (`flock`) and releases it however the process ends, so that a leftover file is harmless. A
thread that has the lock may take it again.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TextIO

from ladder.errors import StateError
from ladder.support.json_text import read_json
from ladder.support.private import open_own
from ladder.support.tuning import DEFAULT

MOST_READ = 4096  # characters of a lock's file that are read
HINT = "Wait for it to end, or use another folder (--state)."
_holders: dict[Path, int] = {}  # file → the thread of this process that holds its lock


@contextmanager
def locked(
    file: Path,
    what: str,
    say: Callable[[str], None] = lambda message: None,
    patience: float = DEFAULT.saving.patience,
    hint: str = HINT,
    trusted: bool = False,
) -> Iterator[None]:
    """A block that holds the lock on `file`, which is made if needed; `StateError` if another process holds it for
    longer than `patience` seconds.

    `what`: what is locked, for messages; `say`: called with a message before waiting. The holder of the lock may remove
    the file. The file is written only if it is a regular file of this user (`trusted`: or of another), never through a
    link.
    """
    path = file.parent.resolve() / file.name
    if _holders.get(path) == threading.get_ident():
        yield
        return
    with _flocked(file, what, say, patience, hint, trusted):
        _holders[path] = threading.get_ident()
        try:
            yield
        finally:
            del _holders[path]


@contextmanager
def _flocked(
    file: Path, what: str, say: Callable[[str], None], patience: float, hint: str, trusted: bool
) -> Iterator[None]:
    lock = _taken(file, what, say, patience, hint, trusted)
    try:
        lock.truncate(0)
        lock.write(
            json.dumps(
                {
                    "pid": os.getpid(),
                    "host": socket.gethostname(),
                    "since": datetime.now().isoformat(" ", "seconds"),
                    "command": " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])[:400],
                }
            )
            + "\n"
        )
        lock.flush()
        yield
    finally:
        with lock, suppress(OSError):
            lock.truncate(0)


def _taken(file: Path, what: str, say: Callable[[str], None], patience: float, hint: str, trusted: bool) -> TextIO:
    """The open and locked file."""
    waited = 0.0
    while True:
        lock = os.fdopen(
            open_own(file, os.O_RDWR | os.O_CREAT, 0o666 if trusted else 0o600, trusted),
            "r+",
            encoding="utf-8",
            errors="replace",
        )
        with ExitStack() as closing:  # also where memory is lacking: an exception that is kept would keep the lock, too
            closing.enter_context(lock)
            if _try(lock.fileno()) and _is(file, lock.fileno()):
                closing.pop_all()
                return lock
            content = lock.read(MOST_READ)
        if waited == 0.0 and patience:
            say(f"Waiting for {_holder(content)}, which uses {what[:1].lower()}{what[1:]}.")
        if waited >= patience:
            raise StateError(f"{what} is in use by {_holder(content)}.", hint)
        time.sleep(0.1)
        waited += 0.1


def _is(file: Path, descriptor: int) -> bool:
    """Whether a path is still that of the opened file, which its holder may have removed."""
    try:
        return os.path.samestat(file.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _holder(text: str) -> str:
    """The holder of a lock, as far as its file says."""
    try:
        holder = read_json(text)
        return f"process {holder['pid']} on {holder['host']} (since {holder['since']}: {holder['command']})"
    except (ValueError, KeyError, TypeError):
        return "another process"


def _try(descriptor: int) -> bool:
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
