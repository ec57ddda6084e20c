"""A process and all that it started, from /proc: who they are in a Spark application, their CPU time and memory."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

LOOK = 0.2  # seconds between two looks
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
PYTHON, JVM, EXECUTOR, WORKER, DAEMON = "driver Python", "driver JVM", "executor", "Python worker", "cluster daemon"
ROLES = (PYTHON, JVM, EXECUTOR, WORKER, DAEMON)


@dataclass
class Member:
    """One process: CPU seconds so far, bytes resident at most and now (0: it is gone)."""

    role: str
    cpu: float = 0.0
    peak: int = 0
    now: int = 0


@dataclass
class Family:
    """What was seen of the descendants of some processes. `held`: bytes that all held together at most."""

    members: dict[int, Member] = field(default_factory=dict)
    held: int = 0

    @property
    def cpu(self) -> float:
        return sum(member.cpu for member in self.members.values())

    def peaks(self, role: str) -> list[int]:
        """Most bytes resident in each process of a role, largest first."""
        return sorted((member.peak for member in self.members.values() if member.role == role), reverse=True)

    def look(self, roots: Iterable[int]) -> None:
        """Take down what there is of all descendants now."""
        held, present = 0, {pid for root in roots for pid in descendants(root)}
        for pid in self.members.keys() - present:
            self.members[pid].now = 0
        for pid in present:
            resident, cpu = _resident(pid), cpu_seconds(pid)
            if not resident:
                continue
            member = self.members.get(pid)
            if member is None or member.role == PYTHON:  # a child is its parent until it starts a program
                member = self.members[pid] = Member(
                    _role(pid), member.cpu if member else 0.0, member.peak if member else 0
                )
            member.cpu, member.peak, member.now = max(member.cpu, cpu), max(member.peak, resident), resident
            held += resident
        self.held = max(self.held, held)


class Watch:
    """Looks at a family in a thread, until the block is left."""

    def __init__(self, roots: Sequence[int]) -> None:
        self.family, self._roots, self._over = Family(), roots, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Family:
        self.family.look(self._roots)
        self._thread.start()
        return self.family

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self.family.look(self._roots)

    def _watch(self) -> None:
        while not self._over.wait(LOOK):
            self.family.look(self._roots)


def descendants(pid: int) -> Iterator[int]:
    """A process and all that it started, directly or not."""
    yield pid
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return
    for thread in threads:  # children are listed by the thread that started them
        for child in _read(f"/proc/{pid}/task/{thread}/children").split():
            yield from descendants(int(child))


def cpu_seconds(pid: int) -> float:
    """CPU seconds that a process has spent, children not counted; 0 where it is gone."""
    fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS if fields else 0.0


def _resident(pid: int) -> int:
    sizes = _read(f"/proc/{pid}/statm").split()
    return int(sizes[1]) * PAGE if sizes else 0


def _role(pid: int) -> str:
    words = _read(f"/proc/{pid}/cmdline").split("\0")
    names = " ".join(words)
    if "CoarseGrainedExecutorBackend" in names:
        return EXECUTOR
    if "org.apache.spark.deploy.worker" in names or "org.apache.spark.deploy.master" in names:
        return DAEMON
    if "pyspark.daemon" in names or "pyspark.worker" in names:
        return WORKER
    return JVM if Path(words[0]).name == "java" else PYTHON


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:  # the process ended meanwhile
        return ""
