"""Compiling ahead of the first use: where things go wrong, a run works all the same."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ladder.engine.local import warm
from ladder.engine.local.kernels import keeping


def test_the_cache_keeps_the_directories_used_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(keeping.KEPT + 3):
        (tmp_path / f"kernels-{number}").mkdir()
        os.utime(tmp_path / f"kernels-{number}", (number, number))
    (tmp_path / "programs").mkdir()
    monkeypatch.setattr(keeping, "CACHE", tmp_path / "kernels-0")
    keeping.prune()
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"programs", *(f"kernels-{number}" for number in range(3, keeping.KEPT + 3))}


def test_a_damaged_kernel_is_compiled_again(tmp_path: Path) -> None:
    code = ("import numpy as np; from ladder.engine.local.kernels.texts import rehash; from ladder.engine.local.kernels.keeping import CACHE\n"
            "larger = np.full(8, -1, np.int64); rehash(np.array([-1, 5 << 32, -1, -1]), larger)\n"
            "print(larger[5] >> 32, *CACHE.glob('texts.rehash-*'), sep='\\n')")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    kept = []
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        found, file = done.stdout.split()
        assert found == "5"
        kept.append(Path(file).read_bytes())
        Path(file).write_bytes(kept[0][:-1] + b"x")
    assert len(kept[1]) == len(kept[0]) and kept[1][-1:] != b"x"


def test_a_process_that_dies_is_no_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(warm, "PARTS", ("nothing of that name", "nothing else"))
    compilation = warm.Compilation()
    for process in compilation._processes:
        process.send_signal(signal.SIGKILL)
    compilation.show()
    assert warm.DOING in capsys.readouterr().err
    assert all(process.poll() is not None for process in compilation._processes)
