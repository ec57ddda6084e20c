"""Child processes, which import nothing from the current directory and end with the process that started them.

The current directory is often a project that is analysed, and such a project may hold a file named like any module. So
children are started in Python's safe-path mode, in the folder of this package, with a path of modules on which all
entries are absolute.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

from ladder.support.signals import LIMIT_REACHED

if TYPE_CHECKING:
    import subprocess

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOME = os.path.dirname(PACKAGE)  # what has to be on the path of modules for `import ladder`
SETTINGS_OF_NUMBA = ".numba_config.yaml"  # which numba reads from the current directory, wherever that is
PATHS = ("LADDER_CACHE_DIR", "LADDER_STATE_DIR")
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux's prctl
PYTHON_PATH, SAFE_PATH = "PYTHONPATH", "PYTHONSAFEPATH"


def safe_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a child process, in which nothing depends on the current directory."""
    paths = [HOME, *filter(os.path.isabs, os.environ.get(PYTHON_PATH, "").split(os.pathsep))]
    absolute = {name: os.path.abspath(os.environ[name]) for name in PATHS if os.environ.get(name)}
    return {
        **os.environ,
        **absolute,
        PYTHON_PATH: os.pathsep.join(dict.fromkeys(paths)),
        SAFE_PATH: "1",
        **(more or {}),
    }


def python_of(module: str, *arguments: str) -> list[str]:
    """The command that runs a module in a new Python process in safe-path mode; it must be run with `safe_environment`,
    in the folder PACKAGE."""
    return [sys.executable, "-P", "-m", module, *arguments]


def start_python(
    module: str, *arguments: str, environment: Mapping[str, str] | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Run a module of Ladder in a new Python process; `options` are those of `subprocess.Popen`.

    Neither Ctrl-C in a terminal nor signals of `ladder.support.limits` reach it: the process that started it ends it.
    """
    import subprocess

    command = python_of(module, *arguments)
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, LIMIT_REACHED})
    try:
        return subprocess.Popen(command, cwd=PACKAGE, env=safe_environment(environment), **options)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)


def leave_current_directory() -> None:
    """Let this process import nothing from the current directory any more: neither modules nor settings of numba.

    Such entries of `sys.path` come from `python -c` and from a PYTHONPATH with empty or relative parts. The folder of
    Ladder itself stays.
    """
    given = os.environ.get(PYTHON_PATH, "")
    relative = (
        {os.path.abspath(entry) for entry in given.split(os.pathsep) if not os.path.isabs(entry)} if given else set()
    )
    needed = HOME in map(os.path.abspath, sys.path)
    sys.path[:] = [entry for entry in sys.path if os.path.isabs(entry) and entry not in relative]
    if needed and HOME not in sys.path:
        sys.path.append(HOME)
    if os.path.lexists(SETTINGS_OF_NUMBA):
        _import_numba_elsewhere()


def _import_numba_elsewhere() -> None:
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(PACKAGE)
        import numba  # noqa: F401
    finally:
        os.fchdir(here)
        os.close(here)


def end_with_parent(parent: int) -> None:
    """Let this process end as soon as its parent, the process with this id, has ended: by the system if it supports
    that, else by a thread that polls."""
    if not at_parents_end(signal.SIGKILL)() or os.getppid() != parent:
        import threading

        threading.Thread(target=_look_after, args=(parent,), name="parent", daemon=True).start()


def succeeds_apart(work: Callable[[], bool], seconds: int, memory: int) -> bool:
    """Return whether `work` returns True in a copy of this process, which ends after `seconds` of processor time, and
    has `memory` bytes beyond what this process has; nothing else of it is kept. Where processes have no copies, it runs
    in this one.

    For code of libraries that may take any amount of memory where it cannot be interrupted.
    """
    if not hasattr(os, "fork"):
        return work()
    parent = os.getpid()
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, LIMIT_REACHED})
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads, of which the copy needs none
            pid = os.fork()
        if not pid:
            _end_apart(work, seconds, memory, parent)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
    try:
        return os.waitpid(pid, 0)[1] == 0
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise


def _end_apart(work: Callable[[], bool], seconds: int, memory: int, parent: int) -> NoReturn:
    code = 1
    try:
        import resource

        end_with_parent(parent)
        for stream in (1, 2):  # where allocation fails, C libraries say so, and end the process
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        _lower(resource.RLIMIT_CORE, 0)
        _lower(resource.RLIMIT_CPU, seconds)
        if sys.platform.startswith("linux"):
            limit_memory(memory)
        code = 0 if work() else 1
    finally:
        os._exit(code)


def limit_memory(more: int) -> None:
    """Limit the address space of this process to so many bytes beyond what it has, if the system has such limits."""
    try:
        import resource

        _lower(resource.RLIMIT_AS, _address_space() + more)
    except (ImportError, ValueError, OSError):
        return


def _address_space() -> int:
    """Bytes of this process's address space; 0 if the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as sizes:
            return int(sizes.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _lower(limit: int, value: int) -> None:
    """Lower a limit of this process, as far as it may be higher."""
    import resource

    most = resource.getrlimit(limit)[1]
    resource.setrlimit(limit, (value if most == resource.RLIM_INFINITY else min(value, most), most))


def at_parents_end(number: int) -> Callable[[], bool]:
    """A function that asks the system to send the calling process a signal when its parent has ended, and returns
    whether the system can do that.

    Everything it needs is made in advance, so that it can be called between fork and exec. For the system, the parent
    is the thread that started the process.
    """
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):
            import ctypes

            prctl = ctypes.CDLL(None).prctl
            return lambda: bool(prctl(DIE_WITH_PARENT, number, 0, 0, 0) == 0)
    return lambda: False


def _look_after(parent: int) -> None:
    import time

    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def kill_all(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """Kill processes that still run, and wait until they are gone."""
    for process in processes:
        with suppress(OSError):
            process.kill()
    for process in processes:
        process.wait()
