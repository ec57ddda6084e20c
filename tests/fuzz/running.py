"""Commands in this process, in a folder of their own."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

from ladder.cli import failures
from ladder.cli.commands import ladder
from ladder.cli.failures import TRACEBACK, exit_code_of


def ran(arguments: Sequence[str], here: Path) -> tuple[int, str, str]:
    """Exit code, output and complaints of `ladder` with these arguments."""
    out, complaints = io.StringIO(), io.StringIO()
    old, environment = Path.cwd(), dict(os.environ)
    os.environ.update({"LADDER_STATE_DIR": str(here / "states"), "HOME": str(here)})
    os.environ.pop(TRACEBACK, None)
    os.chdir(here)
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(complaints),
            patch.object(failures, "end_at_once"),
        ):
            code = exit_code_of(lambda: ladder.main(list(arguments), prog_name="ladder", standalone_mode=False))
    finally:
        os.chdir(old)
        os.environ.clear()
        os.environ.update(environment)
    return code, out.getvalue(), complaints.getvalue()
