"""A driver process for tests that make faults, seen from the test (see `driver`)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


class DriverEnded(Exception):
    """The driver's process has ended; the message has the end of what it wrote to stderr."""


class Driver:
    """A running driver process."""

    def __init__(self, process: subprocess.Popen[str], errors: Path) -> None:
        self.process, self.errors = process, errors
        self.application = str(self._read()["application"])

    def run(
        self,
        program: str,
        facts: Mapping[str, Any],
        at: Callable[[], object] | None = None,
        stop_at: tuple[tuple[int, int], ...] = (),
        **options: Any,
    ) -> dict[str, Any]:
        """What the driver answers; `at`: called at each place (stage, iteration) of `stop_at`, after its cut, while the
        driver waits."""
        self._write({"program": program, "facts": facts, "stop_at": stop_at, **options})
        while "at" in (answer := self._read()):
            if at is not None:
                at()
            self._write({})
        return answer

    def kill(self) -> None:
        """Kill it with its JVM's own means of noticing: the pipe that both share."""
        self.process.kill()
        self.process.wait()

    def _write(self, what: Mapping[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            self.process.wait(30)
            raise DriverEnded(self.errors.read_text(errors="replace")[-3000:])
        found: dict[str, Any] = json.loads(line)
        return found


@contextmanager
def driver(
    master: str,
    memory: int | None = None,
    conf: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Driver]:
    """A driver with a session on a master, ended with the block; `memory`: bytes of each of its JVMs."""
    with tempfile.TemporaryDirectory() as folder:
        errors = Path(folder, "stderr")
        wanted = json.dumps({"master": master, "memory": memory, "conf": dict(conf or {})})
        with errors.open("wb") as target:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.spark.driver", wanted],
                cwd=ROOT,
                text=True,
                stderr=target,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
            )
        try:
            yield Driver(process, errors)
        finally:
            assert process.stdin is not None and process.stdout is not None
            with suppress(BrokenPipeError):
                process.stdin.close()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            process.stdout.close()
