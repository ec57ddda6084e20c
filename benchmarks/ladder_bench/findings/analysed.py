"""What `analyze` finds in a folder."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def report_of(folder: Path, analyses: Sequence[str], *options: str) -> dict[str, Any]:
    """The report of a run from nothing, in a process of its own; `ValueError` with what it says if it fails."""
    command = [sys.executable, "-m", "ladder", "analyze", str(folder), "--no-state", "--quiet", "--format", "json"]
    for name in analyses:
        command += ["--analysis", name]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"analyze {folder.name} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    report: dict[str, Any] = json.loads(done.stdout)
    return report
