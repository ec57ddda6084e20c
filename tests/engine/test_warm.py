"""Compiling ahead of the first use: where things go wrong, a run works all the same."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ladder.engine.local import warm
from ladder.engine.local.kernels import object_cache
from ladder.engine.local.kernels.levels import levels
from ladder.errors import OutOfMemory
from ladder.support import limits
from ladder.support.limits import memory_in_use
from ladder.support.private import CACHE_VARIABLE, STATE_VARIABLE


def test_the_cache_keeps_the_directories_used_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(object_cache.KEPT + 3):
        (tmp_path / f"kernels-{number}").mkdir()
        os.utime(tmp_path / f"kernels-{number}", (number, number))
    (tmp_path / "programs").mkdir()
    monkeypatch.setattr(object_cache, "CACHE", tmp_path / "kernels-0")
    object_cache.prune()
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"programs", *(f"kernels-{number}" for number in range(3, object_cache.KEPT + 3))}


@pytest.mark.slow
def test_without_a_place_for_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a service without a home compiles."""
    monkeypatch.setenv(STATE_VARIABLE, "/proc/none")
    compilation = warm.Compilation()  # everything is compiled already
    compilation.wait(lambda _: None)
    assert [process.returncode for process in compilation._processes] == [0, 0]


@pytest.mark.slow
def test_a_damaged_kernel_is_compiled_again(tmp_path: Path) -> None:
    code = (
        "import numpy as np; from ladder.engine.local.kernels.texts import rehash; "
        "from ladder.engine.local.kernels.object_cache import CACHE\n"
        "larger = np.full(8, -1, np.int64); rehash(np.array([-1, 5 << 32, -1, -1]), larger)\n"
        "print(larger[5] >> 32, *CACHE.glob('texts.rehash-*'), sep='\\n')"
    )
    # no kernels are shipped for the processor that is named
    environment = {**os.environ, CACHE_VARIABLE: str(tmp_path), "NUMBA_CPU_NAME": "generic"}

    def kept() -> Path:
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        found, file = done.stdout.split()
        assert found == "5"
        return Path(file)

    file = kept()
    damaged = file.read_bytes()[:-1] + b"x"
    file.write_bytes(damaged)
    assert kept().read_bytes() != damaged, "the damaged file is still there"
    # Only a file that can be used stays as it is.
    made = file.stat().st_mtime_ns
    assert kept().stat().st_mtime_ns == made, "what was compiled again was not used"


@pytest.mark.slow
def test_a_kernel_that_the_installation_came_with_is_not_compiled(tmp_path: Path) -> None:
    """Compiled for a level of processors; where the file is damaged, the kernel is compiled for this processor."""
    level = levels()[0]
    code = (
        "import sys, shutil, numpy as np; from pathlib import Path\n"
        "from ladder.engine.local.kernels import object_cache as kept\n"
        "kept.SHIPPED, kept.LEVELS = Path(sys.argv[1]), tuple(sys.argv[2:])\n"
        "from ladder.engine.local.kernels.texts import rehash\n"
        "larger = np.full(8, -1, np.int64); rehash(np.array([-1, 5 << 32, -1, -1]), larger)\n"
        "assert larger[5] >> 32 == 5\n"
        "print(*kept.CACHE.glob('texts.rehash-*'), sep='\\n')"
    )

    said = list[str]()

    def compiled(cache: str, *arguments: str, **environment: str) -> list[Path]:
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            env={**os.environ, CACHE_VARIABLE: str(tmp_path / cache), **environment},
            capture_output=True,
            text=True,
            check=True,
        )
        said.append(done.stderr)
        return [Path(line) for line in done.stdout.split()]

    [made] = compiled("building", "nowhere", NUMBA_CPU_NAME=level, NUMBA_CPU_FEATURES="")
    shipped = tmp_path / "shipped"
    shutil.copytree(made.parent, shipped)
    assert compiled("first", str(shipped), level) == []
    assert len(compiled("second", str(shipped), "another level")) == 1
    assert not any(said)
    (shipped / made.name).write_bytes(made.read_bytes()[:-1])
    [again] = compiled("third", str(shipped), level)
    assert f"{shipped / made.name} is damaged: what it has is compiled anew" in said[-1]
    kept = again.stat().st_mtime_ns
    assert compiled("third", str(shipped), level) == [again] and again.stat().st_mtime_ns == kept and not said[-1]


def test_a_working_tree_uses_the_kernels_of_an_installation_of_the_same_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, installed = tmp_path / "tree", tmp_path / "ladder/engine/local/kernels/compiled/kernels-1"
    monkeypatch.setattr(object_cache, "PACKAGE", tree)
    monkeypatch.setattr("sysconfig.get_path", {"platlib": str(tmp_path)}.__getitem__)
    assert object_cache._shipped("kernels-1") == installed
    (tree / "compiled/kernels-1").mkdir(parents=True)
    assert object_cache._shipped("kernels-1") == tree / "compiled/kernels-1"


def test_a_process_that_dies_is_no_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(warm, "AT_ONCE", (("nothing of that name", "nothing else"),))
    compilation = warm.Compilation()
    for process in compilation._processes:
        process.send_signal(signal.SIGKILL)
    compilation.show()
    printed = capsys.readouterr().err
    assert warm.DOING in printed and "compiling ended early" in printed
    assert all(process.poll() is not None for process in compilation._processes)


def test_kernels_that_cannot_be_kept_are_not_taken_for_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a full disk a mark that all are there takes no space, and they do."""
    marks = list[str]()
    monkeypatch.setattr(warm, "note_complete", lambda: marks.append("complete"))
    monkeypatch.setattr(warm, "prune", lambda: None)
    monkeypatch.setattr(warm, "_compile", lambda wanted: None)
    warm.compile_part("bootstrap")
    assert marks == ["complete"]
    monkeypatch.setattr(warm, "unwritten", [Path("texts.rehash-1")])
    warm.compile_part("bootstrap")
    assert marks == ["complete"]
    monkeypatch.setattr(warm, "compiled", lambda: False)
    monkeypatch.setattr(warm.Compilation, "_start", lambda _: False)
    warm.Compilation().show()
    assert f"could not be kept in {object_cache.CACHE}, so every run compiles them again" in capsys.readouterr().err


def test_compiling_is_refused_where_a_limit_has_no_room_for_a_kernel() -> None:
    with pytest.raises(OutOfMemory, match="for compiling kernels, once per installation: .* are in use and 340M more"):
        warm.Compilation(memory_in_use() + warm.NEEDED_BY_ONE - (1 << 20))


@pytest.mark.parametrize(
    ("room", "at_most"), [(warm.NEEDED_BY_ONE, 1), (warm.NEEDED_AT_ONCE, 2)], ids=["one by one", "at once"]
)
def test_processes_that_compile_count_for_the_limit_and_run_at_once_where_it_has_room(
    room: int, at_most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The processes are stand-ins, which sleep."""
    parts = list[str]()

    def started(_module: str, part: str, *_: str, **_options: object) -> subprocess.Popen[bytes]:
        parts.append(part)
        return subprocess.Popen(["sleep", "0.3"])

    monkeypatch.setattr(warm, "start_python", started)
    compilation = warm.Compilation(memory_in_use() + room + (64 << 20))
    counted = list[int]()
    compilation.wait(lambda _: counted.append(len(limits.counted_too)), every=0.05)
    assert max(counted) == at_most and not limits.counted_too
    assert parts == (["update", "evaluation", "bootstrap"] if at_most == 1 else ["bootstrap", "update"])


def test_what_is_compiled_is_all_that_the_default_needs() -> None:
    """What is missing would be compiled at its first use; where nothing is, nobody imports numba."""
    code = "from ladder.engine.local.warm import use_all_kernels; import sys; use_all_kernels(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "ladder.engine.local.kernels.evaluation" in loaded and "numba" not in loaded
