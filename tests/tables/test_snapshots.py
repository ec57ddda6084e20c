"""The log of snapshots: restored exactly, growing with changes, safe against cuts and damage."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

from ladder.project.files import Snapshot
from ladder.project.snapshots import Snapshots
from ladder.support.tuning import DEFAULT


def snapshot(files: dict[str, str], commit: str | None = None) -> Snapshot:
    return Snapshot(tuple(sorted(files.items())), commit)


def history(steps: int, size: int = 300, seed: int = 1) -> list[Snapshot]:
    chosen = random.Random(seed)
    files = {f"p/C{i}.java": f"{i:040}" for i in range(size)}
    made = []
    for step in range(steps):
        for path in chosen.sample(sorted(files), 2):
            files[path] = f"{step:020}{chosen.randrange(10**19):020}"
        files[f"p/New{step}.java"] = f"{step:040}"
        files.pop(f"p/New{step - 3}.java", None)
        made.append(snapshot(files, f"commit{step}"))
    return made


def test_snapshots_are_restored_exactly_by_this_and_the_next_process(tmp_path: Path) -> None:
    log = Snapshots(tmp_path / "log")
    made = history(10)
    for one in made:
        log.add(one)
    for reader in (log, Snapshots(tmp_path / "log")):
        assert reader.ids == [one.id for one in made]
        for one in made:
            assert reader.files(one.id) == dict(one.files) and reader.commit(one.id) == one.commit
        assert reader.files("unknown") is None and "unknown" not in reader


def test_a_step_appends_in_proportion_to_its_change_and_the_log_stays_small(tmp_path: Path) -> None:
    log, sizes = Snapshots(tmp_path / "log"), []
    made = history(600)
    for one in made:
        log.add(one)
        sizes.append((tmp_path / "log").stat().st_size)
    grown = [after - before for before, after in pairwise(sizes) if after > before]
    assert sorted(grown)[len(grown) // 2] < sizes[0] / 20
    assert max(sizes) < 8 * sizes[0]
    reopened = Snapshots(tmp_path / "log")
    for one in made[-DEFAULT.keeping.snapshots :]:
        assert reopened.files(one.id) == dict(one.files)


def test_old_snapshots_in_use_are_kept(tmp_path: Path) -> None:
    made = history(500)
    log = Snapshots(tmp_path / "log")
    for one in made:
        log.add(one, also=[made[0].id])
    log = Snapshots(tmp_path / "log")
    assert log.files(made[0].id) == dict(made[0].files)
    assert made[0].id in log.kept([made[0].id]) and made[0].id not in log.kept()


def test_going_back_repeats_a_line_and_not_the_files(tmp_path: Path) -> None:
    first, second = history(2)
    log = Snapshots(tmp_path / "log")
    for one in (first, second, first):
        log.add(one)
    before = (tmp_path / "log").stat().st_size
    log.add(first)
    assert (tmp_path / "log").stat().st_size == before
    assert Snapshots(tmp_path / "log").ids == [second.id, first.id]


def test_a_cut_line_is_as_if_never_written(tmp_path: Path) -> None:
    first, second, third = history(3)
    log = Snapshots(tmp_path / "log")
    log.add(first)
    log.add(second)
    data = (tmp_path / "log").read_bytes()
    (tmp_path / "log").write_bytes(data[:-10])
    log = Snapshots(tmp_path / "log")
    assert log.ids == [first.id]
    log.add(third)
    assert Snapshots(tmp_path / "log").ids == [first.id, third.id]


def test_a_damaged_record_is_not_believed(tmp_path: Path) -> None:
    first, second = history(2)
    log = Snapshots(tmp_path / "log")
    log.add(first)
    log.add(second)
    data = (tmp_path / "log").read_bytes()
    (tmp_path / "log").write_bytes(data.replace(b"p/C5.java", b"p/C6.jawa", 1))
    assert first.id not in Snapshots(tmp_path / "log") and second.id not in Snapshots(tmp_path / "log")
