"""The commands `ladder` and `analyze`. Exit codes: 0 fine, 1 findings and --error, 2 failure, 3 timed out, 4 out of memory,
70 a defect of Ladder itself, 130 interrupted."""
from __future__ import annotations

import sys
from collections.abc import Sequence

OLDEST_PYTHON = (3, 11)


def main(arguments: Sequence[str] | None = None) -> None:
    """`ladder COMMAND …`; never returns. Without `arguments` it is the command itself, in a process that another one waits for."""
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
        sys.exit(f"ladder: Python {sys.version.split()[0]} is too old. Use Python {wanted} or later to make the virtual environment.")
    from ladder.support.children import leave_current_directory
    leave_current_directory()
    if whole_process:
        from ladder.support.supervision import supervise
        supervise()
