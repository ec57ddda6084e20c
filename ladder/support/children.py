"""Processes that Ladder starts import nothing from the current directory, and end with whoever started them.

The current directory is often a project that is analysed, and such a project may hold a file named like any module. So
children are started in Python's safe-path mode, in the folder of this package, with a path of modules on which all
entries are absolute.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

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
    """The environment for a child: nothing in it depends on the current directory."""
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
    """The command that runs a module in a Python of its own, in safe-path mode; it wants `safe_environment`, and
    PACKAGE to run in."""
    return [sys.executable, "-P", "-m", module, *arguments]


def start_python(
    module: str, *arguments: str, environment: Mapping[str, str] | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Run a module of Ladder in a Python of its own; `options` are those of `subprocess.Popen`.

    Ctrl-C in a terminal and what `ladder.support.limits` sends never reach it: whoever started it decides what becomes
    of it.
    """
    import subprocess

    command = python_of(module, *arguments)
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, LIMIT_REACHED})
    try:
        return subprocess.Popen(command, cwd=PACKAGE, env=safe_environment(environment), **options)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)


def leave_current_directory() -> None:
    """Have this process import nothing more from the current directory: neither modules nor settings of numba.

    Such entries come from `python -c` and from a PYTHONPATH with empty or relative parts. Where Ladder itself lies
    stays.
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
    """End this process at once when its parent, given by its id, has ended: by the system where it can do that, else by
    a thread that looks."""
    if not at_parents_end(signal.SIGKILL)() or os.getppid() != parent:
        import threading

        threading.Thread(target=_look_after, args=(parent,), name="parent", daemon=True).start()


def at_parents_end(number: int) -> Callable[[], bool]:
    """What asks the system, in the process that calls it, for a signal once its parent has ended → whether the system
    can do that.

    What it takes is made here, so that it can be called between the start of a process and that of its program. By the
    parent, the system means the thread that started the process.
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
