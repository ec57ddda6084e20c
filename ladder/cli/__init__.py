"""The commands `ladder` and `analyze`. Exit codes: 0 fine, 1 findings and --error, 2 failure, 3 timed out, 4 out of
memory, 70 a defect of Ladder itself, 130 interrupted."""

from __future__ import annotations

import sys
from collections.abc import Sequence

TYPE_CHECKING = False  # not from `typing`: nothing is imported that Python has not loaded yet
if TYPE_CHECKING:
    from typing import NoReturn

OLDEST_PYTHON = (3, 11)
FEWEST_FILES = 16  # that must be free to be open at once: a command with its processes needs half as many


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `ladder COMMAND …`; never returns.

    Without `arguments` it takes those of the process, and runs in a child that this process supervises.
    """
    _prepare(arguments is None)
    from ladder.cli.commands import ladder
    from ladder.cli.failures import exit_code_of
    from ladder.support.supervision import leave

    leave(exit_code_of(lambda: ladder.main(arguments, prog_name="ladder", standalone_mode=False)))


def analyze_main(arguments: Sequence[str] | None = None) -> None:
    """Run `analyze PROJECT …` as `main` runs `ladder`; never returns."""
    _prepare(arguments is None)
    from ladder.cli.analyze import analyze
    from ladder.cli.failures import exit_code_of
    from ladder.support.supervision import leave

    leave(exit_code_of(lambda: analyze.main(arguments, prog_name="analyze", standalone_mode=False)))


def _prepare(whole_process: bool) -> None:
    """Prepare the process, before anything else is imported."""
    if whole_process:
        from ladder.support.interrupts import end_at_interrupts

        end_at_interrupts()
    if sys.version_info < OLDEST_PYTHON:
        wanted = ".".join(map(str, OLDEST_PYTHON))
        _refuse(
            f"Python {sys.version.split()[0]} is too old. Use Python {wanted} or later to make the virtual environment."
        )
    _open_standard_streams()
    _refuse_few_files()
    from ladder.support.children import leave_current_directory

    leave_current_directory()
    if whole_process:
        _choose_memory_of_arrow()
        from ladder.support.collection import collect_rarely
        from ladder.support.supervision import supervise

        try:
            supervise()
        except OSError as error:
            _refuse(f"the command cannot be started: {error.strerror}. See what `ulimit -a` allows.")
        collect_rarely()


def _choose_memory_of_arrow() -> None:
    """Let Arrow use the allocator of the system, if the environment names none: its own keeps what its threads have
    freed, of a project's facts a tenth of all memory."""
    import os

    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


def _refuse(message: str) -> NoReturn:
    print(f"ladder: {message}", file=sys.stderr)
    sys.exit(2)


def _open_standard_streams() -> None:
    """Open closed standard streams on the null device: otherwise the next opened file would get their number and the
    printed text."""
    import os

    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def _refuse_few_files() -> None:
    """Fail if too few files can be opened: a module that cannot be opened would be an error that cannot be reported."""
    import os

    opened = []
    try:
        for _ in range(FEWEST_FILES):
            opened.append(os.dup(0))
    except OSError:
        _refuse(
            f"more files would be open than may be: {FEWEST_FILES} are needed beside those that were open before. "
            "Raise the limit of `ulimit -n`."
        )
    finally:
        for number in opened:
            os.close(number)
