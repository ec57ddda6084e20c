"""Extraction by a process per core.

    pending   batches of files; each worker has one at a time, and reports which file it has begun
    alone     files at which a worker ended: each is tried once more, while nothing else runs
    lost      files at which a worker ended again: they get a diagnostic instead of facts

Workers end when this process does, whether by an interrupt, a limit or a signal that cannot be caught.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Self

from ladder.errors import ExtractionError
from ladder.facts.packs.pack import Entry
from ladder.project.extraction import worker as said
from ladder.project.extraction.batch import Job, balanced, left_out, sizes_of, unread
from ladder.support.children import start_python
from ladder.support.limits import counted_too

Batch = list[tuple[str, str]]


def extract(job: Job, files: Sequence[tuple[str, str]], processes: int, progress: Callable[[int], None]) -> list[Entry]:
    """Extract files, pairs `(path, hash)`, into packs, one per batch. Returns their entries."""
    whole = balanced(files, sizes_of(job.source, files), processes * job.tuning.tasks_per_process)
    held = job.tuning.files_held
    pending = [batch[start : start + held] for batch in whole for start in range(0, len(batch), held)]
    entries: list[Entry] = []
    with _Workers(job) as workers:
        alone, _ = workers.run(pending, min(processes, len(pending)), entries, progress)
        _, lost = workers.run([[file] for file in alone], 1, entries, progress)
    if lost and len(lost) == len(files) > 1:
        raise ExtractionError(
            "No process that reads files stays alive.", "Is there enough memory? `-j 1` reads in one process."
        )
    if lost:
        entries += [
            left_out(unread(hash_, f"the process reading it died{how}", final=False))
            for (_, hash_), how in lost.items()
        ]
        progress(len(lost))
    return entries


@dataclass
class _Worker:
    channel: Connection
    pid: int = 0
    batch: Batch = field(default_factory=list)
    begun: int = 0  # files of the batch that are done
    reported: int = 0  # of them, how many were reported to `progress`
    since: float = 0.0


class _Workers:
    """The parent process of the workers, which has everything loaded, and the workers that it forks."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        self._control, theirs = socket.socketpair()
        with theirs:
            self._template = start_python(
                said.__name__,
                str(theirs.fileno()),
                str(os.getpid()),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )
        with suppress(OSError):  # it is gone: no worker will start, which is reported
            said.send(self._control, self._job)
        self._ended: dict[int, int] = {}  # worker → exit code
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes; workers first, which would otherwise end a little later by themselves."""
        for one in self._workers:
            self._end(one)
            one.channel.close()
        self._template.kill()
        self._template.wait()
        self._control.close()

    def run(
        self, pending: list[Batch], processes: int, entries: list[Entry], progress: Callable[[int], None]
    ) -> tuple[Batch, dict[tuple[str, str], str]]:
        """Extract batches → (files at which a worker ended, each of them with how it ended)."""
        queue, lost = deque(pending), dict[tuple[str, str], str]()
        while queue or any(one.batch for one in self._workers):
            while len(self._workers) < min(processes, len(queue) + len(self._workers)):
                self._start()
            for one in self._workers[:processes]:  # there may be more, from before
                if queue and one.pid and not one.batch:
                    self._give(one, queue.popleft())
            ready = wait([one.channel for one in self._workers], self._job.tuning.look)
            for one in [one for one in self._workers if one.channel in ready]:
                if not self._hear(one, entries, progress):
                    self._workers.remove(one)
                    how = self._how(one.pid)
                    if one.batch:
                        queue.extend(_rest(one, lost, how))
                    elif not one.pid:
                        raise ExtractionError(
                            f"No process that reads files can be started{how}.", "`-j 1` reads in one process."
                        )
            self._kill_hanging()
        return list(lost), lost

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._control, [b"f"], [theirs.fileno()])
            except OSError:
                pass  # it is gone: the channel ends at once, which is seen as any worker's end
        self._workers.append(_Worker(Connection(ours.detach())))

    def _give(self, one: _Worker, batch: Batch) -> None:
        one.batch, one.begun, one.since = batch, 0, time.monotonic()
        _send(one.channel, batch)

    def _hear(self, one: _Worker, entries: list[Entry], progress: Callable[[int], None]) -> bool:
        """Receive a message of a worker; False where it has ended."""
        try:
            what, value = one.channel.recv()
        except (EOFError, OSError):
            return False
        one.since = time.monotonic()
        match what:
            case said.READY:
                one.pid = value
                counted_too.add(value)
            case said.READING:
                one.begun = value
            case said.DONE:
                entries += value
                progress(len(one.batch))
                one.batch = []
            case said.FAILED:
                raise value
        return True

    def _how(self, pid: int) -> str:
        """How a worker ended, as its parent reports, for a message."""
        counted_too.discard(pid)
        deadline = time.monotonic() + self._job.tuning.end_seconds
        while pid not in self._ended and (left := deadline - time.monotonic()) > 0:
            self._control.settimeout(left)
            try:
                message = self._control.recv(1 << 16)
            except OSError:
                break
            if not message:
                break
            self._ended |= {int(some): int(code) for some, code in (line.split() for line in message.splitlines())}
        code = self._ended.pop(pid, None)
        if code is None or code >= 0:
            return "" if not code else f" (exit code {code})"
        try:
            return f" ({signal.Signals(-code).name})"
        except ValueError:
            return f" (signal {-code})"

    def _kill_hanging(self) -> None:
        most = self._job.tuning.file_seconds + self._job.tuning.grace
        for one in self._workers:
            if one.batch and time.monotonic() - one.since > most:
                self._end(one)

    def _end(self, one: _Worker) -> None:
        counted_too.discard(one.pid)
        if one.pid and one.pid not in self._ended:
            try:
                os.kill(one.pid, signal.SIGKILL)
            except OSError:
                pass  # it has just ended
        one.since = time.monotonic()


def _rest(one: _Worker, lost: dict[tuple[str, str], str], how: str) -> list[Batch]:
    """The remaining batches of a worker that has ended, without the file at which it did; if it had begun none, the
    batch in halves."""
    batch = one.batch
    if one.begun < len(batch):
        lost[batch[one.begun]] = how
        rest = batch[: one.begun] + batch[one.begun + 1 :]
        return [rest] if rest else []
    if len(batch) == 1:
        lost[batch[0]] = how
        return []
    return [batch[::2], batch[1::2]]


def _send(channel: Connection, message: object) -> None:
    try:
        channel.send(message)
    except OSError:
        pass  # it has ended, which is seen when it is listened to
