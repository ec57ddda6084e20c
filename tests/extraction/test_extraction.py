"""Extraction gives the same facts wherever it runs, and no file ends it."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ladder.errors import ExtractionError
from ladder.facts.packs.layout import FileRow
from ladder.facts.packs.pack import Entry
from ladder.facts.packs.store import FactTables
from ladder.frontends.java import FRONT_END
from ladder.frontends.java.parse import parse
from ladder.frontends.protocol import FileFacts
from ladder.project import extraction
from ladder.project.extraction import batch, local, spark
from ladder.project.extraction.batch import Job, balanced, front_end_version, layout
from ladder.project.files import Project, blob_id
from ladder.spark.session import Wanted, one_session
from ladder.support.tuning import DEFAULT, Extracting
from tests.marks import needs_spark

SAMPLE = Path(__file__).parents[2] / "corpora" / "bookshop"


@dataclass(frozen=True)
class Deadly(Job):
    """A job whose process dies at one file."""

    victim: str = ""

    def row(self, path: str, hash_: str) -> FileRow:
        if path == self.victim:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().row(path, hash_)


def project(folder: Path, **files: bytes) -> Project:
    for name, data in files.items():
        (folder / f"{name}.java").write_bytes(data)
    return Project(folder)


def store(tmp_path: Path) -> FactTables:
    return FactTables(tmp_path / "facts", layout(FRONT_END))


def without_place(entries: Sequence[Entry]) -> list[tuple[object, ...]]:
    return sorted((e.hash, e.parser, e.lines, e.unit, e.types, e.facts, e.diagnostics) for e in entries)


def all_facts(tables: FactTables) -> dict[str, list[tuple[object, ...]]]:
    names = list(tables.layout.relations)
    return {
        name: sorted(tuple(row.values()) for row in table.to_pylist())
        for name, table in tables.read(list(tables.entries), names).items()
    }


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, FactTables]:
    """The sample project extracted in this process."""
    if not SAMPLE.is_dir():
        pytest.skip("the sample project is not here")
    found = Project(SAMPLE)
    tables = store(tmp_path_factory.mktemp("sample"))
    tables.note(Job(found.source, str(tables.folder), FRONT_END, layout(FRONT_END)).run(found.snapshot().files))
    return found, tables


def test_the_sample_has_facts_of_every_file(sample: tuple[Project, FactTables]) -> None:
    found, tables = sample
    assert not tables.missing(blob for _, blob in found.snapshot().files)
    assert {entry.parser for entry in tables.entries.values()} == {"javalang"}
    facts = all_facts(tables)
    assert min(len(facts[name]) for name in ("Method", "Invocation", "Position", "AssignHeapAllocation")) > 100


@pytest.mark.slow
def test_processes_extract_what_one_process_does(sample: tuple[Project, FactTables], tmp_path: Path) -> None:
    found, expected = sample
    tables, done = store(tmp_path), []
    result = extraction.extract(
        found.snapshot().files, found.source, FRONT_END, tables.folder, "local", jobs=2, progress=done.append
    )
    tables.note(result.entries)
    assert result.where == "local" and sum(done) == len(result.entries)
    assert without_place(result.entries) == without_place(list(expected.entries.values()))
    assert all_facts(tables) == all_facts(expected)


@pytest.mark.spark
@needs_spark
def test_spark_extracts_what_one_process_does(sample: tuple[Project, FactTables], tmp_path: Path) -> None:
    found, expected = sample
    tables, done = store(tmp_path), []
    result = extraction.extract(
        found.snapshot().files, found.source, FRONT_END, tables.folder, "spark", jobs=2, progress=done.append
    )
    tables.note(result.entries)
    assert result.where == "spark" and not result.remark and sum(done) == len(result.entries)
    assert without_place(result.entries) == without_place(list(expected.entries.values()))
    assert all_facts(tables) == all_facts(expected)
    assert len({entry.pack for entry in result.entries}) == 2 * DEFAULT.extracting.tasks_per_core


@pytest.mark.spark
@needs_spark
def test_a_task_that_dies_on_spark_is_made_up_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(__import__(__name__, fromlist=["Deadly"]))
    found = project(tmp_path, **{f"C{i}": b"class C%d {}" % i for i in range(12)})
    tables = store(tmp_path)
    files = found.snapshot().files
    job = Deadly(found.source, str(tables.folder), FRONT_END, layout(FRONT_END), victim="C7.java")
    entries, failure = spark.extract(job, files, 1, lambda done: None)
    assert failure and {entry.hash for entry in entries} < {blob for _, blob in files}
    monkeypatch.setattr(extraction, "Job", lambda *_, **__: job)
    result = extraction.extract(files, found.source, FRONT_END, tables.folder, "spark", jobs=1)
    assert result.where == "local" and "went on without it" in result.remark
    by_hash = {entry.hash: entry for entry in result.entries}
    assert {path for path, blob in files if by_hash[blob].parser == "none"} == {"C7.java"}


def test_a_file_that_kills_its_reader_costs_only_itself(tmp_path: Path) -> None:
    found = project(tmp_path, **{f"C{i}": b"class C%d {}" % i for i in range(9)})
    tables, files = store(tmp_path), found.snapshot().files
    entries = local.extract(
        Deadly(found.source, str(tables.folder), FRONT_END, layout(FRONT_END), victim="C4.java"),
        files,
        2,
        lambda done: None,
    )
    by_hash = {entry.hash: entry for entry in entries}
    assert set(by_hash) == {blob for _, blob in files}
    lost = by_hash[dict(files)["C4.java"]]
    assert (
        lost.parser == "none" and lost.diagnostics[0][3] == "the process reading it died (SIGKILL)" and not lost.facts
    )
    assert all(entry.parser == "javalang" for entry in entries if entry is not lost)


def test_bad_files_are_diagnosed_and_the_rest_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MOST_BYTES", 100_000)
    found = project(
        tmp_path,
        Good=b"class Good {}",
        Binary=random.Random(1).randbytes(5000),
        Empty=b"",
        Cut=b"class Cut { void m( ",
        Latin='class Latin { String s = "\u00e9"; }'.encode("latin-1"),
        Huge=b"class Huge {" + b" " * 100_000 + b"}",
        Deep=b"class Deep { int x = " + b"(" * 20_000 + b"1" + b")" * 20_000 + b"; }",
    )
    tables, files = store(tmp_path), found.snapshot().files
    result = extraction.extract(files, found.source, FRONT_END, tables.folder)
    assert result.where == "process"
    entries = {path: next(e for e in result.entries if e.hash == blob) for path, blob in files}
    assert entries["Good.java"].types == ("Good",) and entries["Latin.java"].types == ("Latin",)
    for bad in ("Binary", "Cut", "Huge"):
        assert entries[f"{bad}.java"].diagnostics, bad
    assert "not read" in entries["Huge.java"].diagnostics[0][3] and entries["Huge.java"].parser == "none"


def test_a_front_end_that_fails_is_a_diagnostic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(data: bytes) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("ladder.frontends.java.facts.facts_of", fail)
    found = project(tmp_path, A=b"class A {}\n")
    tables = store(tmp_path)
    (entry,) = extraction.extract(found.snapshot().files, found.source, FRONT_END, tables.folder).entries
    assert entry.parser == "none" and "RuntimeError: boom" in entry.diagnostics[0][3]


def test_a_front_end_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(data: bytes) -> None:
        while True:
            pass

    monkeypatch.setattr("ladder.frontends.java.facts.facts_of", hang)
    found = project(tmp_path, A=b"class A {}\n")
    tables = store(tmp_path)
    (entry,) = extraction.extract(
        found.snapshot().files, found.source, FRONT_END, tables.folder, tuning=Extracting(file_seconds=1)
    ).entries
    assert "gave up after 1 seconds" in entry.diagnostics[0][3]


@pytest.mark.parametrize(
    ("error", "expected"),
    [(MemoryError(), "not enough memory"), (TimeoutError("gave up after 300 seconds"), "gave up after 300 seconds")],
)
def test_what_is_of_the_moment_is_in_no_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, expected: str
) -> None:
    def fail(data: bytes, *budget: Any) -> Any:
        if b"Bad" in data:
            raise error
        return parse(data, *budget)

    monkeypatch.setattr("ladder.frontends.java.facts.parse", fail)
    found = project(tmp_path, A=b"class A {}\n", Bad=b"class Bad {}\n")
    tables = store(tmp_path)
    entries = {
        entry.hash: entry
        for entry in extraction.extract(found.snapshot().files, found.source, FRONT_END, tables.folder).entries
    }
    bad = dict(found.snapshot().files)["Bad.java"]
    assert entries[bad].pack == extraction.NOWHERE and expected in entries[bad].diagnostics[0][3]
    assert (
        bad not in FactTables(tables.folder.parent, layout(FRONT_END)).entries
        and len(FactTables(tables.folder.parent, layout(FRONT_END)).entries) == 1
    )


def test_facts_that_break_the_schema_cost_their_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ladder.frontends.java import facts

    original = facts.facts_of

    def wrong(data: bytes) -> FileFacts:
        found = original(data)
        return replace(found, relations={**found.relations, "Method": [("too", "few")]}) if b"Bad" in data else found

    monkeypatch.setattr(facts, "facts_of", wrong)
    found = project(tmp_path, Good=b"class Good {}", Bad=b"class Bad {}")
    tables, files = store(tmp_path), found.snapshot().files
    entries = {e.hash: e for e in extraction.extract(files, found.source, FRONT_END, tables.folder).entries}
    assert entries[dict(files)["Good.java"]].facts > 0
    assert "do not fit the schema" in entries[dict(files)["Bad.java"]].diagnostics[0][3]


def test_few_files_start_neither_a_process_nor_a_jvm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("multiprocessing.get_context", None)
    monkeypatch.setattr("subprocess.Popen", None)
    found = project(tmp_path, **{f"C{i}": b"class C%d {}" % i for i in range(DEFAULT.extracting.in_process)})
    assert (
        extraction.extract(found.snapshot().files, found.source, FRONT_END, store(tmp_path).folder).where == "process"
    )


@pytest.mark.parametrize("named", [None, "local[2]"])
def test_many_files_start_no_jvm_unless_a_cluster_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str | None
) -> None:
    few = Extracting(spark_from=1)
    monkeypatch.delenv("SPARK_MASTER", raising=False)
    monkeypatch.setattr("ladder.spark.session.active", lambda: None)  # that of other tests of this process is local
    found, asked = project(tmp_path, **{f"C{i}": b"class C%d {}" % i for i in range(3)}), list[int]()
    monkeypatch.setattr(
        "ladder.project.extraction.spark.extract",
        lambda job, files, jobs, tell: (asked.append(len(files)) or job.run(files, tell), ""),
    )
    with one_session(Wanted(named)):
        files, folder = found.snapshot().files, store(tmp_path).folder
        assert extraction.extract(files, found.source, FRONT_END, folder, tuning=few).where == "process"
    assert asked == []
    with one_session(Wanted("spark://elsewhere:7077")):
        assert extraction.extract(files, found.source, FRONT_END, folder, tuning=few).where == "spark"
    assert asked == [3]


@pytest.mark.parametrize(
    ("java", "sentence"),
    [
        (None, "no Java runtime was found"),
        ("#!/bin/sh\nexit 1", "does not run"),
        ("#!/bin/sh\necho '    java.specification.version = 1.8' >&2", "is Java 8 and Spark needs 17"),
    ],
)
def test_without_a_fitting_java_one_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, java: str | None, sentence: str
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    (tmp_path / "bin").mkdir()
    if java:
        (tmp_path / "bin" / "java").write_text(java)
        (tmp_path / "bin" / "java").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    few = Extracting(spark_from=1)
    monkeypatch.setenv("SPARK_MASTER", "spark://elsewhere:7077")
    monkeypatch.setattr("ladder.spark.session.active", lambda: None)
    found = project(tmp_path, A=b"class A {}")
    tables = store(tmp_path)
    result = extraction.extract(found.snapshot().files, found.source, FRONT_END, tables.folder, "auto", tuning=few)
    assert result.where == "process" and sentence in result.remark and "apt install" in result.remark
    with pytest.raises(ExtractionError, match=sentence):
        extraction.extract(found.snapshot().files, found.source, FRONT_END, tables.folder, "spark")


def test_batches_are_balanced_and_complete() -> None:
    files = [(f"{i}.java", blob_id(b"%d" % i)) for i in range(100)]
    sizes = [i * i for i in range(100)]
    batches = balanced(files, sizes, 7)
    loads = [sum(sizes[files.index(f)] + 2000 for f in b) for b in batches]
    assert sorted(f for b in batches for f in b) == sorted(files) and max(loads) - min(loads) < max(sizes)
    assert balanced(files[:3], sizes[:3], 8) == [[files[2]], [files[1]], [files[0]]] and balanced([], [], 4) == []


def test_the_version_follows_the_schema_and_the_code() -> None:
    assert front_end_version(FRONT_END) == layout(FRONT_END).version and layout(FRONT_END).schema.field(
        "Method"
    ).type.value_type == pa.struct(
        [
            ("method", pa.string()),
            ("type", pa.string()),
            ("name", pa.string()),
            ("arity", pa.int32()),
            ("use", pa.string()),
        ]
    )
