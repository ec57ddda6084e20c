"""Compiles the kernels of the local engine, and the analyses that run by default, while a wheel is built, so that
nothing is compiled where it is installed.

`LADDER_BUILD_LEVELS` says for which levels of processors: their names with commas between (`x86-64-v3,x86-64-v2`),
which the building machine must have, since each kernel is tried; `none`: for none, and the wheel fits every machine.
Without it, that is the best level that this machine has. What an installation does not come with is compiled at its
first use.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE = "LADDER_BUILD_LEVELS"
KERNELS = "ladder/engine/local/kernels"
PROGRAMS = "ladder/language"
SHIP_PROGRAMS = """
import sys
from pathlib import Path
from ladder.api.shipped import ship_programs
from ladder.frontends.registry import front_end
ship_programs(Path(sys.argv[1]), ["pointsto"], sorted(front_end().findings))
"""


class Compiled(BuildHookInterface):  # type: ignore[type-arg]
    """Adds `compiled/` to the packages of the kernels and of the language."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile for each level; an editable installation compiles what its sources are when they are used."""
        self._folder = tempfile.TemporaryDirectory(prefix="ladder-compiled-")
        if version == "editable":
            return
        levels = self._levels()
        programs = Path(self._folder.name, "programs")
        running = self._start(SHIP_PROGRAMS, str(programs))  # beside the kernels
        kernels = self._kernels(levels)
        for path in kernels:
            build_data["force_include"][str(path)] = f"{KERNELS}/compiled/{path.parent.name}/{path.name}"
        build_data["pure_python"], build_data["infer_tag"] = not kernels, bool(kernels)
        if running.wait():
            self.app.display_warning("The analyses were not compiled: they will be at their first use.")
            return
        for path in programs.iterdir():
            build_data["force_include"][str(path)] = f"{PROGRAMS}/compiled/{path.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled: it is in the wheel."""
        self._folder.cleanup()

    def _kernels(self, levels: list[str]) -> list[Path]:
        """The files of the kernels compiled for the levels; none where they cannot be compiled."""
        try:
            for level in levels:
                self._compile(level)
        except (OSError, subprocess.CalledProcessError) as error:
            self._not_compiled(error)
            return []
        return [path for path in Path(self._folder.name).glob("kernels-*/*") if path.suffix != ".lock"]

    def _not_compiled(self, error: Exception) -> None:
        self.app.display_warning(f"The kernels were not compiled ({error}): they will be at their first use.")

    def _levels(self) -> list[str]:
        wanted = os.environ.get(VARIABLE)
        if wanted == "none":
            return []
        try:
            has = self._python("from ladder.engine.local.kernels.levels import levels; print(*levels())").split()
        except (OSError, subprocess.CalledProcessError) as error:
            self._not_compiled(error)
            return []
        if wanted is None:
            return has[:1]
        names = [name.strip() for name in wanted.split(",")]
        if unknown := [name for name in names if name not in has]:
            raise SystemExit(f"{VARIABLE}: this machine has the levels {', '.join(has)}, not {', '.join(unknown)}.")
        return names

    def _compile(self, level: str) -> None:
        self.app.display_waiting(f"Compiling kernels for {level}")
        self._python(
            "from ladder.engine.local.warm import compile_first; compile_first()",
            NUMBA_CPU_NAME=level,
            NUMBA_CPU_FEATURES="",
        )

    def _python(self, code: str, **environment: str) -> str:
        running = self._start(code, stdout=subprocess.PIPE, **environment)
        printed, _ = running.communicate()
        if running.returncode:
            raise subprocess.CalledProcessError(running.returncode, running.args)
        return printed

    def _start(
        self, code: str, *arguments: str, stdout: int | None = None, **environment: str
    ) -> subprocess.Popen[str]:
        path = os.pathsep.join(filter(None, (self.root, os.environ.get("PYTHONPATH"))))  # pip's own folder is there
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            env={**os.environ, **self._private(), "PYTHONPATH": path, **environment},
            stdout=stdout,
            text=True,
        )

    def _private(self) -> dict[str, str]:
        """The folders of caches and states: nothing is left in the home of who builds."""
        folder = self._folder.name
        return {"LADDER_CACHE_DIR": folder, "LADDER_STATE_DIR": os.path.join(folder, "state")}
