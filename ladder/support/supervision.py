"""A supervising process that waits for the command: it reports crashes, and ends a command that does not react to an
exceeded limit.

    parent   imports nothing, forks, forwards signals, waits; ends with the exit code, or by the signal, of the child;
             stops with it where a terminal or its shell stops it, and goes on when either is let go on
    child    does the work; writes its limits, and what it is doing, to a page of memory shared with the parent

Only another process survives a wrong memory access, the system's out-of-memory killer, and compiled code that never
returns to the interpreter. All saves are atomic, so that ending the child leaves what was saved before.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple, NoReturn

if TYPE_CHECKING:
    from pathlib import Path

CRASHES = {
    signal.SIGSEGV: "a wrong memory access, or no more memory on the stack",
    signal.SIGBUS: "memory or a mapped file that is not there",
    signal.SIGILL: "an instruction that this processor does not have",
    signal.SIGFPE: "an arithmetic error of compiled code",
    signal.SIGABRT: "compiled code gave up",
    signal.SIGSYS: "a system call that is not allowed here",
    signal.SIGTRAP: "a trap of compiled code",
}
HANDED_ON = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGTSTP,
    signal.SIGUSR1,
    signal.SIGUSR2,
)
STOPS_OF_TERMINALS = (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)  # all but SIGSTOP, which is meant for one process
OWN = (signal.SIGCHLD, signal.SIGCONT)
DEFECT, OUT_OF_MEMORY = 70, 4
PAGE = 4096
HEAD = 40  # bytes of the page before the text: …
FORM = "=Bdqdxxxxxxx"  # ... whether the child is about to end because of a limit, seconds, bytes, when it began
TICK, SHORT_TICK, SHORTEST_TICK = 0.05, 0.01, 0.002  # seconds between two looks, and where half, …
NEARLY = 0.75  # … or this share of the memory allowed is in use: memory can grow by gigabytes in a second
LATE = 0.4  # seconds after which a limit was reached and not heard of
ENDING = 0.7  # seconds after the time is up in which a child that has heard of it ends
ENDING_FOR_MEMORY = 5.0  # the same where it was memory, since it was heard of
TOO_MUCH = 0.05  # share of the memory limit above it, from which nothing is waited for
KEPT = "What was saved before is as it was."
OOM_KILLS = "/proc/vmstat"
FRAMES = 12  # lines of calls that the report of a crash shows


class SharedLimits(NamedTuple):
    """The limits that the child has written to the shared page."""

    ending: bool
    seconds: float  # 0: as long as it takes
    memory: int  # 0: as much as there is
    began: float


class _Shared:
    """The shared page of memory, the file for the stack of a crash, and the file with the folders to remove when the
    child has ended."""

    def __init__(self) -> None:
        import mmap

        self.page = mmap.mmap(-1, PAGE)
        self.calls, self.folders = os.memfd_create("calls"), os.memfd_create("folders")
        self.child = 0

    def write(self, limits: SharedLimits) -> None:
        import struct

        struct.pack_into(FORM, self.page, 0, *limits)

    def read(self) -> SharedLimits:
        import struct

        ending, seconds, memory, began = struct.unpack_from(FORM, self.page, 0)
        return SharedLimits(bool(ending), seconds, memory, began)

    def write_text(self, text: str) -> None:
        data = text.encode("utf-8", "replace")[: PAGE - HEAD - 1]
        self.page[HEAD : HEAD + len(data) + 1] = data + b"\0"

    def read_text(self) -> str:
        return self.page[HEAD:].partition(b"\0")[0].decode("utf-8", "replace")

    def read_folders(self) -> list[str]:
        os.lseek(self.folders, 0, os.SEEK_SET)
        return [os.fsdecode(name) for name in os.read(self.folders, 1 << 20).split(b"\0") if name]


_shared: _Shared | None = None


def supervise() -> None:
    """Fork, and continue in the child, while this process waits for it and never returns; where that is not possible,
    continue in this process."""
    global _shared
    if not _possible():
        return
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    try:
        shared = _Shared()
    except OSError:  # a system that forbids it: then without
        return
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, {*HANDED_ON, *OWN})
    kills, parent = _oom_kills(), os.getpid()
    try:
        pid = os.fork()
    except OSError:  # no more processes: then without
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
        return
    if pid:
        _leave(*_wait(pid, shared), shared, kills)
    import faulthandler

    from ladder.support.children import end_with_parent

    _shared, shared.child = shared, os.getpid()
    end_with_parent(parent)
    signal.signal(signal.SIGCONT, _wake_parent)
    faulthandler.enable(shared.calls)
    signal.pthread_sigmask(signal.SIG_SETMASK, usual)


def _possible() -> bool:
    """Whether this is Linux, and this process has no other threads and no debugger."""
    threads = sys.modules.get("threading")
    alone = threads is None or (threads.active_count() == 1 and threads.current_thread() is threads.main_thread())
    return (
        sys.platform.startswith("linux")
        and alone
        and _shared is None
        and sys.gettrace() is None
        and sys.getprofile() is None
    )


# ---- what the child says


def _wake_parent(_number: int, _frame: object) -> None:
    """Let the parent go on, too, which has stopped with this process: whoever lets a process go on may know of it
    alone."""
    if _mine() is not None:
        os.kill(os.getppid(), signal.SIGCONT)


def _mine() -> _Shared | None:
    return _shared if _shared is not None and _shared.child == os.getpid() else None


@contextmanager
def limited(seconds: float | None, memory: int | None, began: float) -> Iterator[None]:
    """A block with limits, counted from a time of `time.perf_counter`, which the parent enforces if this process does
    not; in a block in another one, the tighter ones of both."""
    shared = _mine()
    if shared is None:
        yield
        return
    around = shared.read()
    shared.write(_tighter(around, SharedLimits(False, seconds or 0.0, memory or 0, began)))
    os.kill(os.getppid(), signal.SIGCONT)  # it need not look before
    try:
        yield
    finally:
        shared.write(around._replace(ending=shared.read().ending and bool(around.seconds or around.memory)))


def _tighter(one: SharedLimits, other: SharedLimits) -> SharedLimits:
    """The time that is up first, and the smaller size."""
    first = min(
        (limits for limits in (one, other) if limits.seconds), key=lambda it: it.began + it.seconds, default=one
    )
    return first._replace(memory=min(filter(None, (one.memory, other.memory)), default=0))


def ending() -> None:
    """Tell the parent that this process has noticed a limit and is about to end."""
    if (shared := _mine()) is not None:
        shared.write(shared.read()._replace(ending=True))


def end_at_once(code: int) -> None:
    """Exit at once if a parent supervises this process: freeing large memory in an orderly way would take seconds.
    Otherwise return."""
    if _mine() is not None:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)


def leave(code: int) -> NoReturn:
    """End this process: in an orderly way, but for what would free the interpreter, if a parent supervises it.

    Threads of libraries may go on to the end; one that waits for an interpreter that is being freed is made to end
    there, and the process aborts if C++ code has called it.
    """
    if _mine() is not None:
        import atexit
        import threading

        from ladder.support.interrupts import end_silently_at_interrupts

        end_silently_at_interrupts()
        threading._shutdown()  # type: ignore[attr-defined]  # as processes of multiprocessing end
        atexit._run_exitfuncs()
        end_at_once(code)
    sys.exit(code)


def doing(what: str) -> None:
    """Note what this process is doing, for the report of a crash."""
    if (shared := _mine()) is not None:
        shared.write_text(what)


def temporary_folder(prefix: str) -> str:
    """A new temporary folder. The caller removes it; the parent does if this process is ended before.

    If both are ended, or without a supervising parent, the next process that makes such a folder removes it.
    """
    from ladder.support.temporary import make_temporary

    folder = str(make_temporary(prefix))
    if (shared := _mine()) is not None:
        os.write(shared.folders, os.fsencode(folder) + b"\0")
    return folder


@contextmanager
def in_temporary_folder(prefix: str) -> Iterator[Path]:
    """A block that has a new temporary folder, which is removed at its end, or as that of `temporary_folder`."""
    import shutil
    from pathlib import Path

    folder = Path(temporary_folder(prefix))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# ---- what the parent does


def _wait(pid: int, shared: _Shared) -> tuple[int, str]:
    """Wait for the child → (its status, the limit for which it was ended or "")."""
    limit, since, pause = "", 0.0, TICK
    while True:
        limits = shared.read()
        watched = not limit and (limits.seconds or limits.memory)
        info = signal.sigtimedwait({*HANDED_ON, *OWN}, pause if watched else 3600)
        # not of the terminal: it told the child, too
        if info is not None and info.si_signo in HANDED_ON and info.si_code <= 0 and info.si_pid != pid:
            with suppress(OSError):
                os.kill(pid, info.si_signo)
        ended, status = os.waitpid(pid, os.WNOHANG | os.WUNTRACED)
        if ended and os.WIFSTOPPED(status):
            if os.WSTOPSIG(status) in STOPS_OF_TERMINALS:
                os.kill(os.getpid(), signal.SIGSTOP)  # so that a shell sees it
                with suppress(OSError):
                    os.kill(pid, signal.SIGCONT)
        elif ended:
            return status, limit
        if watched:
            limit, since, pause = _look(pid, limits, since)
            if limit:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)


def _look(pid: int, limits: SharedLimits, since: float) -> tuple[str, float, float]:
    """Check whether a limit is exceeded by so much that the child must be ended → (the limit or "", since when the
    child is ending, seconds to the next check)."""
    now = time.perf_counter()
    if limits.ending:
        since = since or now
    if limits.seconds and now - limits.began > limits.seconds + (ENDING if limits.ending else LATE):
        return "time", since, TICK
    if not limits.memory:
        return "", since, TICK
    used = _memory(pid)
    if used > limits.memory * (1 + TOO_MUCH) or (since and now - since > ENDING_FOR_MEMORY and used > limits.memory):
        return "memory", since, TICK
    pause = SHORTEST_TICK if used > limits.memory * NEARLY else SHORT_TICK if used * 2 > limits.memory else TICK
    return "", since, pause


def _memory(pid: int) -> int:
    """Bytes of the child's memory, as `ladder.support.limits.memory_of` returns, without its imports."""
    total = 0
    with suppress(OSError), open(f"/proc/{pid}/status", "rb") as file:
        for line in file:
            if line.startswith((b"RssAnon:", b"RssShmem:")):
                total += int(line.split()[1]) << 10
    return total


def _leave(status: int, limit: str, shared: _Shared, kills: int) -> NoReturn:
    """Exit as the child did, after its leftovers are removed."""
    if folders := [folder for folder in shared.read_folders() if os.path.isdir(folder)]:
        from shutil import rmtree

        for folder in folders:
            rmtree(folder, ignore_errors=True)
    if os.WIFEXITED(status):
        os._exit(os.WEXITSTATUS(status))
    number = os.WTERMSIG(status)
    if limit:
        from ladder.support import exceeded

        limits = shared.read()
        error = exceeded.timed_out(limits.seconds) if limit == "time" else exceeded.out_of_memory(limits.memory, 0)
        _say(f"{error}{_at(shared)}")
        os._exit(error.exit_code)
    if number in CRASHES:
        _say(_crash(signal.Signals(number), shared))
        os._exit(DEFECT)
    if number == signal.SIGKILL and _oom_kills() > kills:
        _say(
            f"the system ended this process: the machine's memory is used up{_at(shared)}. "
            f"{KEPT} Allow less with --memory-limit, or analyse less at once."
        )
        os._exit(OUT_OF_MEMORY)
    if number == signal.SIGKILL:
        _say(f"this process was killed{_at(shared)}, by somebody or for want of memory. {KEPT}")
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)
    os._exit(128 + number)


def _crash(number: signal.Signals, shared: _Shared) -> str:
    os.lseek(shared.calls, 0, os.SEEK_SET)
    text = os.read(shared.calls, 1 << 16).decode("utf-8", "replace")
    calls = _calls(text)
    calls_text = "\n".join(["", "The calls it was in, the last one first:", *calls]) if calls else ""
    kernel = _kernel(calls)
    place = f" in the kernel {kernel}" if kernel else ""
    return (
        f"this is a defect of Ladder, or of compiled code that a functor calls: {number.name} "
        f"({CRASHES[number]}){place}{_at(shared)}. {KEPT} "
        f"Please report it with the program and what follows.{calls_text}"
    )


def _calls(text: str) -> list[str]:
    """The calls of the thread that crashed, with their source lines, from the output of faulthandler."""
    import linecache
    import re

    _, _, current = text.partition("Current thread")
    calls = []
    for line in (current or text).split("\n\n")[0].splitlines():
        if match := re.fullmatch(r'\s*File "(.*)", line (\d+) in (.*)', line):
            calls.append(
                f"  {match[1]}:{match[2]} in {match[3]}: {linecache.getline(match[1], int(match[2])).strip()}".rstrip(
                    ": "
                )
            )
    return calls[:FRAMES]


def _kernel(calls: list[str]) -> str:
    """The name of the compiled function that the last of the calls calls, if it is a kernel of the engine; ""
    otherwise."""
    import re

    if not calls or f"{os.sep}engine{os.sep}local{os.sep}" not in calls[0]:
        return ""
    _path, _, source = calls[0].partition(": ")
    folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "engine", "local", "kernels")
    for name in re.findall(r"(\w+)\(", source):
        for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            if file.endswith(".py"):
                with open(os.path.join(folder, file), encoding="utf-8") as text:
                    if re.search(rf"^@entry_point\ndef {name}\(", text.read(), re.MULTILINE):
                        return f"{file[:-3]}.{name}"
    return ""


def _at(shared: _Shared) -> str:
    text = shared.read_text()
    return f", while {text}" if text else ""


def _oom_kills() -> int:
    """How many processes the system has killed for lack of memory since it was started."""
    with suppress(OSError, ValueError), open(OOM_KILLS, "rb") as file:
        for line in file:
            if line.startswith(b"oom_kill "):
                return int(line.split()[1])
    return 0


def _say(message: str) -> None:
    """Write a message to standard error, without control characters."""
    message = "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in message)
    with suppress(OSError):
        os.write(2, f"ladder: {message}\n".encode("utf-8", "replace"))
