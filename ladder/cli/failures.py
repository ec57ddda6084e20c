"""Conversion of exceptions to a message for the user and an exit code."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import click

from ladder.errors import LadderError, LadderWarning, OutOfMemory, ProgramError, TimedOut
from ladder.support.interrupts import INTERRUPTED, MESSAGE, end_silently_at_interrupts, raise_at_interrupts
from ladder.support.supervision import end_at_once
from ladder.support.terminal import safely

FAILED, OUT_OF_MEMORY, DEFECT = 2, 4, 70
SHORTLY = 0.02  # seconds after which an interrupt comes again
USED_UP = "the memory is used up. Give the process more, or analyse less at once; what was saved before is as it was."
TRACEBACK = "LADDER_TRACEBACK"  # a variable of the environment: if it is set, defects are shown with all their calls


def exit_code_of(command: Callable[[], object]) -> int:
    """Run a command. Returns its exit code, or that of its error, which is printed to stderr; control characters in all
    output are escaped on terminals."""
    try:
        with safely():
            return _exit_code_of(command)
    except KeyboardInterrupt:  # once more, while the first one was told
        return INTERRUPTED


def _exit_code_of(command: Callable[[], object]) -> int:
    warnings.showwarning, sys.unraisablehook = _show_warning, _unraisable
    try:
        raise_at_interrupts()
        result = command()
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        error.show()
        return FAILED
    except (KeyboardInterrupt, click.Abort):
        end_silently_at_interrupts()
        # An object whose making was interrupted may fail once more when it is deleted, which nobody needs to read.
        sys.unraisablehook = lambda _: None
        return _say(MESSAGE, INTERRUPTED)
    except ProgramError as error:
        print(error, file=sys.stderr, flush=True)
        return error.exit_code
    except LadderError as error:
        if error.place:
            print(error, file=sys.stderr, flush=True)
        else:
            _say(str(error), error.exit_code)
        if isinstance(error, TimedOut | OutOfMemory):
            end_at_once(error.exit_code)
        return error.exit_code
    except MemoryError:
        return _say(USED_UP, OUT_OF_MEMORY)
    except BrokenPipeError:
        return _unread()
    except SystemExit:
        if "PacifyFlushWrapper" in type(sys.stdout).__name__:  # how click ends there, with the exit code of findings
            return _unread()
        raise
    except OSError as error:
        if error.errno == errno.ENOMEM:
            return _say(USED_UP, OUT_OF_MEMORY)
        return _say(_system(error), FAILED)
    except Exception as error:
        if TRACEBACK in os.environ:
            raise
        return _say(_defect(error), DEFECT)


def _unraisable(lost: sys.UnraisableHookArgs) -> None:
    """An interrupt that came where no exception can be raised, such as in a callback of the import system, comes again
    a moment later: it would be lost. Others are shown."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        main = threading.main_thread().ident or 0
        again = threading.Timer(SHORTLY, signal.pthread_kill, (main, signal.SIGINT))
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(lost)


def _unread() -> int:
    """The exit code when the reader of the output has closed it, which is no error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def _say(message: str, code: int) -> int:
    # no line of a name looks like one of ours
    print("ladder: " + message.replace("\n", "\n    "), file=sys.stderr, flush=True)
    return code


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Show warnings about facts and programs as one sentence, and warnings about code as Python does."""
    if issubclass(category, LadderWarning):
        print(f"ladder: warning: {message}.", file=sys.stderr, flush=True)
    else:
        print(warnings.formatwarning(message, category, filename, lineno, line), file=file or sys.stderr, end="")


def _defect(error: Exception) -> str:
    """The message about a bug of Ladder."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"this is a defect of Ladder: {type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno}). "
        f"Please report it with the program; {TRACEBACK}=1 in the environment shows where it comes from."
    )


def _system(error: OSError) -> str:
    where = f" ({error.filename})" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk is full{where}. Free some space and run again; what was saved before is as it was."
    if error.errno == errno.EFBIG:
        return (
            f"a file would become larger than it may{where}. Raise the limit of `ulimit -f`; "
            "what was saved before is as it was."
        )
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return f"more files would be open than may be{where}. Raise the limit of `ulimit -n`."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"access is denied{where}: {error.strerror}. Look at the permissions, or name another directory."
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        return f"what should be a directory is none{where}. Name a directory."
    if error.errno == errno.EISDIR:
        return f"what should be a file is a directory{where}. Name a file."
    if error.errno == errno.ENOENT:
        return f"there is no such file or directory{where}. Look at the name, and whether its directory is there."
    return f"{error.strerror or error}{where}."
