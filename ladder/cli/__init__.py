"""The commands `ladder` and `analyze`. Exit codes: 0 fine, 1 findings and --error, 2 failure, 3 timed out, 4 out of
memory, 70 a defect of Ladder itself, 130 interrupted."""

from __future__ import annotations

import sys
from collections.abc import Sequence

OLDEST_PYTHON = (3, 11)


def main(arguments: Sequence[str] | None = None) -> None:
    """`ladder COMMAND …`; never returns.

    Without `arguments` it is the command itself, in a process that another one waits for.
    """
    _prepare(arguments is None)
    from ladder.cli.commands import ladder
    from ladder.cli.failures import exit_code_of

    sys.exit(exit_code_of(lambda: ladder.main(arguments, prog_name="ladder", standalone_mode=False)))


def analyze_main(arguments: Sequence[str] | None = None) -> None:
    """`analyze PROJECT …`; never returns. As `main`."""
    _prepare(arguments is None)
    from ladder.cli.analyze import analyze
    from ladder.cli.failures import exit_code_of

    sys.exit(exit_code_of(lambda: analyze.main(arguments, prog_name="analyze", standalone_mode=False)))


def _prepare(whole_process: bool) -> None:
    """Before anything else is imported."""
    if sys.version_info < OLDEST_PYTHON:
        wanted = ".".join(map(str, OLDEST_PYTHON))
        sys.exit(
            f"ladder: Python {sys.version.split()[0]} is too old. "
            f"Use Python {wanted} or later to make the virtual environment."
        )
    from ladder.support.children import leave_current_directory

    leave_current_directory()
    _open_standard_streams()
    if whole_process:
        from ladder.support.supervision import supervise

        try:
            supervise()
        except OSError as error:
            print(
                f"ladder: the command cannot be started: {error.strerror}. See what `ulimit -a` allows.",
                file=sys.stderr,
            )
            sys.exit(2)


def _open_standard_streams() -> None:
    """Streams that are closed lead nowhere: else the next file that is opened would have their number, and get what is
    printed."""
    import os

    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
