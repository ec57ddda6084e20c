"""Packs and snapshots after a crash of the machine: nothing of them is synced, so any file may be as it ever was, cut
off, torn or gone."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ladder.facts.packs.pack import Damaged, write_pack
from ladder.facts.packs.store import FactTables
from ladder.project.files import Snapshot
from ladder.project.snapshots import Snapshots
from ladder.support.tuning import Extracting

from ..database.disks import File
from .packs import LAYOUT, NAMES, facts, file, rows

VERSIONS = [[file(f"C{i}", 3, version if i < 3 * version else 0) for i in range(12)] for version in range(4)]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def snapshot(version: int) -> Snapshot:
    return Snapshot(tuple((f"{i:02}.java", one.hash) for i, one in enumerate(VERSIONS[version])))


def run(folder: Path, version: int) -> None:
    """What an analysis of a version keeps."""
    store = FactTables(folder / "facts", LAYOUT, tuning=Extracting(small_packs=3))
    snapshots = Snapshots(folder / "snapshots")
    missing = set(store.missing(one.hash for one in VERSIONS[version]))
    new = [one for one in VERSIONS[version] if one.hash in missing]
    for start in range(0, len(new), 2):
        store.note(write_pack(store.folder, LAYOUT, new[start : start + 2]))
    snapshots.add(snapshot(version))
    store.collect({hash_ for known in snapshots.ids for hash_ in (snapshots.files(known) or {}).values()})


def crashed(seen: list[dict[str, bytes]], folder: Path, source: random.Random) -> None:
    """A folder in which each file is one of those that were seen at its place, whole or not."""
    for name in sorted({name for one in seen for name in one}):
        data = source.choice([one.get(name) for one in seen])
        if data is not None:
            before = source.choice([one.get(name, b"") for one in seen])
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(
                source.choice([data, data, *File(before, [(0, None), (0, data)]).possible(source)])
            )


def disks(tmp_path: Path, seed: int, number: int) -> Iterator[Path]:
    """Folders after crashes in a run of any version."""
    folder, broken, seen, source = (
        tmp_path / "state",
        tmp_path / "broken",
        list[dict[str, bytes]](),
        random.Random(seed),
    )
    for version in range(len(VERSIONS)):
        run(folder, version)
        seen.append(contents(folder))
    for _ in range(number):
        crashed(seen, broken, source)
        yield broken
        shutil.rmtree(broken)


def check(folder: Path) -> int:
    """Everything that is there is right, and the next run makes what is missing; the number of packs found damaged."""
    store, snapshots = FactTables(folder / "facts", LAYOUT), Snapshots(folder / "snapshots")
    for version in range(len(VERSIONS)):
        assert snapshots.files(snapshot(version).id) in (None, dict(snapshot(version).files))
    damaged = len(store.damaged)
    for one in (one for version in VERSIONS for one in version):
        while one.hash in store.entries:
            try:
                assert rows(store.read([one.hash], NAMES)) == facts([one])
                break
            except Damaged as found:
                store.discard(found.name)
                damaged += 1
    run(folder, 3)
    again = FactTables(folder / "facts", LAYOUT)
    assert rows(again.read([one.hash for one in VERSIONS[3]], NAMES)) == facts(VERSIONS[3])
    assert Snapshots(folder / "snapshots").files(snapshot(3).id) == dict(snapshot(3).files)
    return damaged


@pytest.mark.parametrize(
    ("seed", "number"), [(1, 8), *(pytest.param(seed, 300, marks=pytest.mark.nightly) for seed in range(2, 4))]
)
def test_disks_after_a_crash(tmp_path: Path, seed: int, number: int) -> None:
    assert sum(check(folder) for folder in disks(tmp_path, seed, number)) > number // 4, "nothing was damaged"
