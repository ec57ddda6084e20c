"""Processes that are measured: CPU time, peak memory, a time limit."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PAUSE = 0.005  # seconds between two looks at a process
# bytes that a process may hold, and the others of the machine still have what they need
MOST_MEMORY = int(0.7 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


@dataclass(frozen=True)
class Outcome:
    """What a process cost and wrote; `cpu`: seconds in user and system mode, `peak`: bytes of memory at most, `wall`:
    seconds."""

    cpu: float
    wall: float
    peak: int
    output: str
    failure: str = ""
    errors: str = ""


def run_process(
    command: Sequence[str], limit: float, environment: Mapping[str, str] | None = None, folder: str | None = None
) -> Outcome:
    """Run a command (in a folder, where one is named); one that takes longer than `limit` seconds, or most of the
    machine's memory, is killed with all its children, and what it wrote is kept."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
            cwd=folder,
            env=None if environment is None else dict(environment),
        )
        try:
            status, usage, peak, exceeded = _wait(process.pid, limit)
        except BaseException:
            _kill(process.pid)
            os.waitpid(process.pid, 0)
            raise
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        output, errors = out.read().decode(errors="replace"), err.read().decode(errors="replace")
    failure = exceeded
    if not exceeded and process.returncode:
        failure = f"failed: {(errors.strip().splitlines() or [f'exit code {process.returncode}'])[-1][:300]}"
    return Outcome(usage.ru_utime + usage.ru_stime, wall, peak or usage.ru_maxrss << 10, output, failure, errors)


def end_with_children() -> None:
    """From now on SIGTERM ends this process like an exception: what `run_process` runs is killed, too."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def _wait(pid: int, limit: float) -> tuple[int, resource.struct_rusage, int, str]:
    """(exit status, resources, peak bytes, what it exceeded, for which it was killed).

    The peak is that of the process or of a child of it, whichever is larger: a command of Ladder is a child of the
    process that waits for it. It is read from /proc while they run: what the kernel tells at the end may be that of the
    parent, which a child shares until it starts its program.
    """
    peak, exceeded, deadline = 0, "", time.perf_counter() + limit
    while True:
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        if ended:
            return status, usage, peak, exceeded
        peak = max(peak, peak_of(pid), *map(peak_of, _children(pid)))
        late, large = time.perf_counter() > deadline, peak > MOST_MEMORY
        if not exceeded and (late or large):
            exceeded = f"> {limit:.0f} s" if late else f"> {MOST_MEMORY >> 30} GB"
            _kill(pid)
        time.sleep(PAUSE)


def _children(pid: int) -> list[str]:
    """The process ids of the children that a process has at this moment; none where the system does not tell."""
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []


def peak_of(pid: int | str) -> int:
    """The most memory that a process has held so far, in bytes; 0 where the system does not tell."""
    return _status(pid, "VmHWM:")


def resident_of(pid: int | str) -> int:
    """The memory that a process holds at this moment, in bytes; 0 where the system does not tell."""
    return _status(pid, "VmRSS:")


def _status(pid: int | str, key: str) -> int:
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith(key)), 0)


def _kill(pid: int) -> None:
    """Kill a process and the children of its session."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
