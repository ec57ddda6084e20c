"""What the benchmarks measure from outside is what happened inside."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import measure

MEBI = 2**20
needs_proc = pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux's /proc")


def watched(program: str) -> tuple[int, frozenset[str]]:
    process = subprocess.Popen([sys.executable, "-c", program])
    watch = measure.Watch(process.pid)
    assert process.wait() == 0
    return watch.stop()


@needs_proc
def test_peak_memory_is_that_of_the_whole_family_at_one_time() -> None:
    hold = "import time; kept = bytearray(60 * 2**20); time.sleep(0.6)"
    one, _ = watched(hold)
    start = f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {hold!r}])"
    both, _ = watched(f"{start}; {hold}; p.wait()")
    assert 60 * MEBI <= one < 100 * MEBI
    assert 120 * MEBI <= both < 180 * MEBI


@needs_proc
def test_programs_that_ran_are_named() -> None:
    _, commands = watched("import subprocess; subprocess.run(['sleep', '0.4'])")
    assert "sleep" in commands and "java" not in commands


def test_a_code_base_that_is_not_there_says_how_to_fetch_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "FETCHED", tmp_path)
    with pytest.raises(measure.BenchmarkError, match="python corpora/fetch.py ant"):
        measure.code_base("ant")


def test_a_failing_run_is_not_measured(tmp_path: Path) -> None:
    with pytest.raises(measure.BenchmarkError, match="ended with 2"):
        measure.analyze(tmp_path / "nowhere", "pointsto")


def test_tables_are_markdown() -> None:
    assert measure.table(("a", "b"), [("x", 1234), ("y", 0.5)]) == "| a | b |\n|---|---:|\n| x | 1,234 |\n| y | 0.50 |"
