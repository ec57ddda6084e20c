"""Faults at every step of an analysis that keeps its state, and of results that are written: what was there before, or
what is new."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ladder.errors import LadderError
from ladder.support.files import write_atomically

from ..database.failing import Count, failing, out_of_memory
from ..marks import slow_after, slow_but
from .projects import FILES, analyse, state_of, write

CHANGED = FILES["src/p/B.java"].replace("C.done();", "C.done(); new A().run();")


@pytest.mark.parametrize("stride", [150, pytest.param(7, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("kind", slow_after(1, ["once", "for ever", "memory"]))
def test_an_analysis_whose_steps_fail(tmp_path: Path, kind: str, stride: int) -> None:
    """Facts are extracted into packs, snapshots listed, states and results written; any of these calls may fail."""
    root, kept = tmp_path / "project", tmp_path / "kept"
    write(root, FILES)
    analyse(root)
    state = state_of(root)
    shutil.copytree(state, kept, symlinks=True)
    write(root, {"src/p/B.java": CHANGED})
    stride *= 40 if kind == "memory" else 1
    at, failed = 1 + stride // 2 * (stride > 1), 0
    while True:
        shutil.rmtree(state)
        shutil.copytree(kept, state, symlinks=True)
        count = Count(at, kind == "for ever")
        with out_of_memory(count) if kind == "memory" else failing(count, None, state):
            try:
                analyse(root)
            except (LadderError, OSError, MemoryError):
                failed += 1
        report = analyse(root)  # compared with one made from scratch
        assert report.analyses[0].verified is not False
        if not count.failed:
            print(f"analysis, {kind}: {at} steps, {failed} runs failed")
            return
        at += stride


LIMITED = (
    "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2); "
    "from ladder import cli; cli.main(sys.argv[2:])"
)


@pytest.mark.parametrize("limit", slow_but([4096], [0, 4096, 12000]))
@pytest.mark.parametrize("form", [[], ["--parquet"]])
def test_results_for_which_there_is_no_room(tmp_path: Path, form: list[str], limit: int) -> None:
    """A table that cannot be written to its end leaves the one before; the message is one sentence, the exit code 2."""
    (tmp_path / "p.dl").write_text(".decl a(x: number)\n.input a\n.decl b(x: number)\nb(x) :- a(x).\n.output b\n")
    (tmp_path / "a.facts").write_text("".join(f"{i}\n" for i in range(5000)))
    (tmp_path / "b.csv").write_text("before\n")
    done = subprocess.run(
        [
            sys.executable,
            "-B",  # Python would keep what the limit has cut off as compiled code
            "-c",
            LIMITED,
            str(limit),
            "run",
            str(tmp_path / "p.dl"),
            "-F",
            str(tmp_path),
            "-D",
            str(tmp_path),
            *form,
        ],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    written = tmp_path / ("b.parquet" if form else "b.csv")
    if done.returncode:
        assert done.returncode == 2 and done.stderr.count("ladder: ") == 1 and "Traceback" not in done.stderr, (
            done.stderr
        )
        assert not written.exists() if form else written.read_text() == "before\n"
    assert not list(tmp_path.glob(".part-*"))
    assert done.returncode or limit == 12000


def test_a_place_that_cannot_be_written_is_named_and_not_the_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for target in (tmp_path / "none/x.html", tmp_path / "folder"):
        with pytest.raises(OSError) as caught:
            write_atomically(target, "text")
        assert caught.value.filename == str(target) and not list(tmp_path.rglob(".part-*"))
