"""Facts and small files of a state that somebody else wrote, or changed: as if they were not there, and said so;
`--verify` believes bytes alone."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ladder.facts.packs.pack import Damaged, read_index
from ladder.facts.packs.store import FactTables
from ladder.frontends.java import FRONT_END
from ladder.project.extraction import batch
from ladder.project.extraction.batch import Job
from ladder.project.files import Project, Snapshot, blob_id
from ladder.project.snapshots import PURPOSE as SNAPSHOTS
from ladder.project.snapshots import Snapshots
from ladder.project.stat_cache import PURPOSE as LOOKS
from ladder.session import workspace
from ladder.session.facts import Facts
from ladder.support.console import Console
from ladder.support.seals import Seal
from tests.security.hostile.world import Commands, World

THEIRS = Seal(b"the key of somebody else, 32 byte")
LIE = b"package p;\nclass B {\n  static void done() { new A().run(); }\n}\n"


def forge(world: World, seal: Seal, place: Path) -> None:
    """Put the facts of other bytes under the name of B's."""
    blob = dict(Project(world.evil).snapshot().files)["src/p/B.java"]

    class Liar(Job):
        def row(self, path: str, hash_: str) -> Any:
            return super().row(path, blob_id(LIE)).__class__(**{**vars(super().row(path, blob_id(LIE))), "hash": hash_})

    lies = world.root / "state/lies"
    lies.mkdir(parents=True, exist_ok=True)
    (lies / "B.java").write_bytes(LIE)
    folder = place / "facts" / batch.front_end_version(FRONT_END)
    folder.mkdir(parents=True, exist_ok=True)
    Liar(Project(lies).source, str(folder), FRONT_END, batch.layout(FRONT_END), seal).run([("B.java", blob)])
    shutil.rmtree(lies)


def removed_facts(world: World, run: Commands) -> Path:
    """The state of a run, without its facts and engine states."""
    assert run.analyze().code == 0
    place = workspace.kept_for(world.evil)
    for part in ("facts", "states"):
        shutil.rmtree(place / part)
    return place


def test_facts_of_other_bytes_are_not_taken_for_ours(world: World, run: Commands) -> None:
    place = removed_facts(world, run)
    forge(world, THEIRS, place)
    ended = run.analyze("--verify")
    assert (
        ended.code == 0 and "it is not as this user's Ladder wrote it" in ended.err and "extracted again" in ended.err
    )
    assert ended.err.count("not as this user") == 1 and "equal to a run from scratch" in ended.out
    assert "Ladder wrote it" not in run.analyze().err


def test_verify_extracts_again_and_finds_facts_of_other_bytes(world: World, run: Commands) -> None:
    place = removed_facts(world, run)
    forge(world, Seal(), place)
    assert "Reaches" in run.analyze().out
    ended = run.analyze("--verify")
    assert ended.code == 2 and "The facts that are kept differ from those extracted again" in ended.err


def test_trusted_facts_of_others_are_used(world: World, run: Commands) -> None:
    assert run.analyze("--state", world.state / "team").code == 0
    for index in (world.state / "team").rglob("*.index"):
        index.write_bytes(THEIRS.sealed("facts", index.read_bytes().partition(b"\n")[2]))
    marker = world.state / "team/FORMAT"
    marker.write_bytes(THEIRS.sealed("format", workspace.FORMAT))
    assert run.analyze("--state", world.state / "team").code == 2
    ended = run.analyze("--state", world.state / "team", "--trust-state")
    assert ended.code == 0 and "extracted: 0 files" in ended.out


@pytest.mark.parametrize("exchanged", ["group", "footer", "other pack", "index", "entry"])
def test_a_pack_is_what_was_written_or_missing(tmp_path: Path, exchanged: str) -> None:
    project = Project(Path(__file__).parents[3] / "corpora/bookshop")
    tables = FactTables(tmp_path, batch.layout(FRONT_END))
    files = project.snapshot().files[:4]
    for part in (files[:2], files[2:]):
        tables.note(Job(project.source, str(tables.folder), FRONT_END, batch.layout(FRONT_END)).run(part))
    first, second = (tables.entries[files[i][1]].pack for i in (0, 2))
    stored, index = tables.folder / f"{first}.parquet", tables.folder / f"{first}.index"
    data = stored.read_bytes()
    if exchanged == "group":
        stored.write_bytes(data[:100] + bytes([data[100] ^ 1]) + data[101:])
    elif exchanged == "footer":
        stored.write_bytes(data[:-50] + bytes([data[-50] ^ 1]) + data[-49:])
    elif exchanged == "other pack":
        shutil.copy(tables.folder / f"{second}.parquet", stored)
    elif exchanged == "index":
        shutil.copy(tables.folder / f"{second}.index", index)
    else:
        listed = json.loads(index.read_bytes().partition(b"\n")[2])
        listed["files"][0][0], listed["files"][1][0] = listed["files"][1][0], listed["files"][0][0]
        index.write_bytes(index.read_bytes().partition(b"\n")[0] + b"\n" + json.dumps(listed).encode())
    again = FactTables(tmp_path, batch.layout(FRONT_END))
    hashes = [hash_ for _, hash_ in files[:2]]
    if not again.missing(hashes):
        with pytest.raises(Damaged):
            again.read(hashes, ["Method"])
    assert not again.missing([files[2][1]]) and again.read([files[2][1]], ["Unit"])


def test_a_pack_is_of_one_front_end(tmp_path: Path) -> None:
    project = Project(Path(__file__).parents[3] / "corpora/bookshop")
    job = Job(project.source, str(tmp_path), FRONT_END, replace(batch.layout(FRONT_END), version="another version"))
    pack = job.run(project.snapshot().files[:1])[0].pack
    with pytest.raises(Damaged, match="another version"):
        read_index(tmp_path / f"{pack}.index", batch.layout(FRONT_END))


def test_what_files_looked_like_is_believed_from_us_alone(world: World, run: Commands) -> None:
    assert run.analyze().code == 0
    place, file = workspace.kept_for(world.evil), world.evil / "src/p/B.java"
    status = file.lstat()
    looks = f"{status.st_size},{status.st_mtime_ns},{status.st_ctime_ns},{status.st_ino}"
    line = f"{blob_id(LIE)}\t{looks}\tsrc/p/B.java\n".encode()
    for content in (line, THEIRS.block(LOOKS, line), Seal().block(SNAPSHOTS, line)):
        (place / "stat").write_bytes(content)
        ended = run.analyze("--verify")
        assert ended.code == 0 and "unchanged, equal to a run from scratch" in ended.out
    (place / "stat").write_bytes(Seal().block(LOOKS, line))
    ended = run.analyze()
    assert ended.code == 2 and "src/p/B.java cannot be read: it changed while it was being read" in ended.err


def test_a_lie_about_what_files_looked_like_is_found_by_verify(world: World) -> None:
    with workspace.temporary() as opened:
        facts = Facts(Project(world.evil), opened, Console(quiet=True), "local", 1)
        files = facts.of(facts.now())
        world.write("src/p/B.java", LIE.decode())
        with pytest.raises(Exception, match="are not those that were analysed"), facts.extracted_again(files):
            pass


def test_snapshots_of_others_name_no_files(world: World, tmp_path: Path) -> None:
    secret = world.private / "Secret.java"
    stolen = Snapshot((("../../private/Secret.java", blob_id(secret.read_bytes())),))
    line = (
        json.dumps({"id": stolen.id, "parent": None, "commit": None, "set": dict(stolen.files), "removed": []}).encode()
        + b"\n"
    )
    (tmp_path / "log").write_bytes(THEIRS.block(SNAPSHOTS, line))
    assert not Snapshots(tmp_path / "log").ids
    (tmp_path / "log").write_bytes(Seal().block(SNAPSHOTS, line))
    assert Snapshots(tmp_path / "log").ids == [stolen.id]
    with pytest.raises(Exception, match="its path leads elsewhere"):
        Project(world.evil).source.read(*stolen.files[0])


@pytest.mark.parametrize(
    "record",
    [
        b"[]",
        b"{}",
        b"7",
        b'{"id": 7}',
        b'{"id": "x", "set": 7}',
        b'{"id": "x", "set": {"a": 1}, "removed": []}',
        b'{"id": "x", "set": {}, "removed": [7], "parent": "x"}',
        b'{"id": "x", "set": {}, "removed": [], "parent": "x"}',
    ],
)
def test_records_of_any_form_are_read(tmp_path: Path, record: bytes) -> None:
    (tmp_path / "log").write_bytes(Seal().block(SNAPSHOTS, record + b"\n"))
    assert not Snapshots(tmp_path / "log").ids


def test_which_state_counts_is_believed_from_us_alone(world: World, run: Commands) -> None:
    assert run.analyze().code == 0
    (current,) = workspace.kept_for(world.evil).glob("states/*/CURRENT")
    ours = current.read_bytes().partition(b"\n")[2]
    for content in (ours, THEIRS.sealed("engine state that counts", ours), Seal().sealed("format", ours), b""):
        current.write_bytes(content)
        ended = run.analyze()
        assert ended.code == 0 and "calls: bootstrap" in ended.out
