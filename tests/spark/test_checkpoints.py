"""Checkpoints: a run that ends in its middle goes on from the last of them and finds the state that it would have
found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ladder.engine.spark.checkpoints.checkpointing import Checkpointing
from ladder.engine.spark.engine import Options, SparkEngine, SparkState
from ladder.engine.spark.facts.cells import Cells
from ladder.engine.spark.facts.sources import Facts
from ladder.engine.spark.fingerprints import fingerprint_of
from ladder.errors import LadderError, LadderWarning, StateError
from ladder.language.compile import compile_program
from ladder.language.core import Program
from ladder.support.locks import locked

from .comparison import decoded
from .looping import FACTS, PROGRAM

SMALL = """
.decl edge(a: symbol, b: symbol, w: number)
.decl dist(a: symbol, b: symbol, w: number)
.decl named(text: symbol)
dist(a, b, min(w)) :- edge(a, b, w).
dist(a, c, min(v + w)) :- dist(a, b, v), edge(b, c, w).
named(cat("to ", b)) :- dist("n0", b, w), w < 5.
"""


class Killed(BaseException):
    """In the place of a process that ends."""


def program(text: str = PROGRAM) -> Program:
    return compile_program(text).core


def run(
    spark: Any,
    folder: Path | str,
    *,
    kill_at: tuple[int, int] | None = None,
    resume: bool = False,
    every: int | None = 1,
    text: str = SMALL,
    facts: dict[str, list[tuple[Any, ...]]] = FACTS,
    seed: int = 42,
) -> SparkState:
    """Evaluate with checkpoints; killed after an iteration (stage, iteration), before what was cut there is written."""

    def progress(relations: str, stage: int, stages: int, iteration: int, rows: int) -> None:
        if kill_at == (stage, iteration):
            raise Killed

    core = program(text)
    engine = SparkEngine(
        core, spark, Options(seed=seed, progress=progress, checkpoints=Checkpointing(str(folder), resume, every))
    )
    given = Facts(core, spark, seed)
    for name, rows in facts.items():
        given.add(name, rows)
    return engine.bootstrap(given.cells())


def rows_of(state: SparkState) -> dict[str, dict[Any, Any]]:
    return {name: rows for name, rows in decoded(state).items() if not name.startswith("$")}


@pytest.fixture(scope="module")
def expected(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, dict[Any, Any]]]:
    """Program → its rows, evaluated without a stop."""
    folder = tmp_path_factory.mktemp("whole")

    class Rows(dict[str, dict[str, dict[Any, Any]]]):
        def __missing__(self, text: str) -> dict[str, dict[Any, Any]]:
            self[text] = rows_of(run(spark, folder, every=None, text=text))
            return self[text]

    return Rows()


def loops(state: SparkState) -> list[tuple[int, int]]:
    """(stage, iteration) of all that was evaluated."""
    return [
        (stage, iteration.number) for stage, report in enumerate(state.report.stages) for iteration in report.iterations
    ]


@pytest.mark.parametrize(
    ("text", "kill_at", "every"),
    [
        (SMALL, (1, 4), 1),
        (SMALL, (2, 1), 3),
        pytest.param(PROGRAM, (1, 4), 2, marks=pytest.mark.nightly),
        pytest.param(PROGRAM, (4, 1), 3, marks=pytest.mark.nightly),
    ],
)
def test_a_killed_run_goes_on(
    spark: Any,
    tmp_path: Path,
    expected: dict[str, dict[str, dict[Any, Any]]],
    text: str,
    kill_at: tuple[int, int],
    every: int,
) -> None:
    folder = tmp_path / "what [a-b] {x} %20 ä*?"
    with pytest.raises(Killed):
        run(spark, folder, kill_at=kill_at, every=every, text=text)
    reached = json.loads(newest(folder).read_text())
    state = run(spark, folder, resume=True, every=every, text=text)
    assert rows_of(state) == expected[text]
    assert state.report.resumed.startswith(f"checkpoint {reached['number']},")
    first = (reached["stage"], (reached["iteration"] or 0) + 1)
    assert loops(state)[0] >= first > (1, 1)
    state.checkpoints.remove()
    assert not folder.exists()
    state.release()


def newest(folder: Path) -> Path:
    return max(folder.glob("checkpoint-*.json"))


def test_each_row_is_written_once(spark: Any, tmp_path: Path) -> None:
    state = run(spark, tmp_path, every=2)
    manifest = json.loads(newest(tmp_path).read_text())
    assert len(list(tmp_path.glob("checkpoint-*.json"))) == 1
    assert {part["name"] for part in manifest["parts"]} == {folder.name for folder in tmp_path.glob("rows-*")}
    assert sum(part["rows"] for part in manifest["parts"]) == state.report.written
    written = spark.read.parquet(*(str(tmp_path / part["name"]) for part in manifest["parts"]))
    assert written.count() == state.report.written == written.drop("n", "f", "x").distinct().count()
    state.release()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"text": SMALL.replace("w < 5", "w < 4")}, "is of another program"),
        ({"facts": {"edge": FACTS["edge"][1:]}}, "is of other facts"),
        ({"seed": 7}, "is of other facts and another seed"),
    ],
)
def test_a_checkpoint_of_something_else_is_refused(
    spark: Any, tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Killed):
        run(spark, tmp_path, kill_at=(1, 2))
    with pytest.raises(LadderError, match=reason):
        run(spark, tmp_path, resume=True, **change)
    if "text" in change:
        with (
            pytest.warns(LadderWarning, match="another program: the first one of this run will replace it"),
            pytest.raises(Killed),
        ):
            run(spark, tmp_path, kill_at=(1, 1), **change)


def test_another_number_of_partitions_is_resumed(
    spark: Any, tmp_path: Path, expected: dict[str, dict[str, dict[Any, Any]]]
) -> None:
    with pytest.raises(Killed):
        run(spark, tmp_path, kill_at=(1, 3))
    before = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", "3")
    try:
        state = run(spark, tmp_path, resume=True)
        assert rows_of(state) == expected[SMALL] and state.report.resumed
        state.release()
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", before)


HOLD = """
import sys, time
from pathlib import Path
from ladder.support.locks import locked
with locked(Path(sys.argv[1], "lock"), "it"):
    print("held", flush=True)
    time.sleep(600)
"""


def test_one_run_at_a_time(spark: Any, tmp_path: Path) -> None:
    """Who writes to a folder is told; nobody does any more once that process is gone, however it ended."""
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True) as other:
        try:
            assert other.stdout is not None and other.stdout.readline() == "held\n"
            for resume in (False, True):
                with pytest.raises(
                    StateError, match=f"checkpoints {tmp_path} is in use by process {other.pid} on .*--checkpoint"
                ):
                    run(spark, tmp_path, resume=resume)
            assert (tmp_path / "lock").exists()
        finally:
            other.kill()
    with pytest.raises(Killed):
        run(spark, tmp_path, kill_at=(1, 2))
    with locked(tmp_path / "lock", "it", patience=0.0):  # a run that has failed holds it no longer
        pass
    state = run(spark, tmp_path, resume=True)
    assert state.report.resumed
    state.checkpoints.remove()
    assert not tmp_path.exists()


def test_damaged_checkpoints_are_refused(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(Killed):
        run(spark, tmp_path, kill_at=(1, 2))
    manifest = newest(tmp_path)
    text = manifest.read_text()
    rows = tmp_path / json.loads(text)["parts"][0]["name"]
    rows.rename(tmp_path / "elsewhere")
    with pytest.raises(LadderError, match=f"lacks {rows.name}"):
        run(spark, tmp_path, resume=True)
    (tmp_path / f".{manifest.name}.crc").unlink()
    manifest.write_text(text[:40])
    with pytest.raises(LadderError, match="cannot be read"):
        run(spark, tmp_path, resume=True)


def test_a_run_that_begins_anew_replaces_a_checkpoint_once_it_has_one(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(Killed):
        run(spark, tmp_path, kill_at=(1, 2))
    first, rows = newest(tmp_path).name, set(tmp_path.glob("rows-*"))
    with pytest.raises(Killed):
        run(spark, tmp_path, kill_at=(1, 1))
    assert newest(tmp_path).name == first  # the second run wrote none
    with pytest.raises(Killed):
        run(spark, tmp_path, kill_at=(1, 3))
    assert newest(tmp_path).name > first
    assert len(list(tmp_path.glob("checkpoint-*.json"))) == 1
    assert rows and not rows & set(tmp_path.glob("rows-*"))
    (tmp_path / "mine.txt").write_text("not Ladder's")
    run(spark, tmp_path, resume=True).checkpoints.remove()
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_without_a_checkpoint_there_is_nothing_to_resume(
    spark: Any, tmp_path: Path, expected: dict[str, dict[str, dict[Any, Any]]]
) -> None:
    state = run(spark, tmp_path / "none", resume=True, every=None)
    assert rows_of(state) == expected[SMALL] and state.report.resumed == ""
    # nothing took long enough to be worth a write
    assert [file.name for file in (tmp_path / "none").iterdir()] == ["lock"]
    state.release()
    assert not (tmp_path / "none").exists()


def test_the_fingerprint_of_facts_knows_no_order(spark: Any) -> None:
    rows = [(i, i * i) for i in range(20)]
    one, two, three = (spark.createDataFrame(r, "c0 LONG, c1 LONG") for r in (rows, rows[::-1], rows[1:]))
    mixed = spark.createDataFrame(
        [(3, *row, None) for row in rows[5:]] + [(4, 1, None, None)], "t INT, c0 LONG, c1 LONG, c2 LONG"
    )

    def of(frames: dict[str, Any], tags: dict[str, int] | None = None) -> str:
        return fingerprint_of(spark, Cells(mixed, tags or {}, {}, frames), [*frames, *(tags or {})])

    assert of({"r": one}) == of({"r": two.repartition(7)}) == of({"r": one.where("c0 < 5")}, {"r": 3})
    assert (
        len(
            {of(f) for f in ({"r": one}, {"r": three}, {"s": one}, {"r": one, "s": one}, {})}
            | {of({}, {"r": 3}), of({}, {"r": 4})}
        )
        == 7
    )
