"""A run that is killed, fails or finds damage leaves a state that the next run uses or replaces, never a wrong one."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import ladder.support.files
from ladder.errors import ExtractionError, StateError
from ladder.frontends.java.parse import parse
from ladder.session import workspace
from ladder.support.seals import Seal
from tests.marks import slow_after
from tests.session.projects import CALLS, FILES, analyse, state_of, tables, write

A, B, C = FILES
COMMAND = [sys.executable, "-c", "from ladder.cli import analyze_main; analyze_main()"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    write(folder, FILES)
    return folder


def equals_scratch(root: Path, tmp_path: Path) -> None:
    found = tables(root, tmp_path / "incremental")
    assert found == tables(root, tmp_path / "scratch", keep=False)
    assert len(found["Call"]) > 1
    assert not list(state_of(root).rglob(f"{ladder.support.files.TEMPORARY}*"))
    (folder,) = (state_of(root) / "results").iterdir()
    stored = {tuple(row.values()) for row in pq.read_table(folder / "base/Call.parquet").to_pylist()}
    for delta in sorted(folder.glob("delta-*/Call.parquet")):
        for row in pq.read_table(delta).to_pylist():
            sign, *cells = row.values()
            (stored.add if sign == "+" else stored.discard)(tuple(cells))
    assert {",".join(f'"{cell}"' for cell in row) for row in stored} == set(found["Call"][1:])


def fail_at(monkeypatch: pytest.MonkeyPatch, number: int, error: Callable[[], BaseException]) -> list[str]:
    """Make the `number`-th atomic replacement of a file fail before it happens; the list gets the names of all."""
    original, seen = os.replace, []

    def replace(source: Any, target: Any, **rest: Any) -> None:
        seen.append(Path(target).name)
        if len(seen) == number:
            raise error()
        original(source, target, **rest)

    monkeypatch.setattr(os, "replace", replace)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("prepared", [False, True])
def test_a_run_cut_off_at_any_write_is_made_up_for(root: Path, tmp_path: Path, prepared: bool) -> None:
    step = 0
    while True:
        step += 1
        project = root.parent / f"{root.name}-{step}"
        write(project, FILES)
        if prepared:
            analyse(project, verify=False)
            write(
                project,
                {
                    B: FILES[B].replace("C.done();", "new A().run();"),
                    "src/p/D.java": "package p; class D { void d() { } }",
                },
            )
        with pytest.MonkeyPatch.context() as patch:
            seen = fail_at(patch, step, KeyboardInterrupt)
            try:
                analyse(project, verify=False)
                break
            except KeyboardInterrupt:
                pass
        equals_scratch(project, tmp_path / str(step))
    assert step > 3 and len(seen) < step


def test_a_full_disk_is_an_error_and_the_old_state_stays(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyse(root, verify=False)
    write(root, {B: FILES[B].replace("C.done();", "new A().run();")})
    with monkeypatch.context() as patch:
        fail_at(patch, 1, lambda: OSError(errno.ENOSPC, "No space left on device"))
        with pytest.raises(OSError, match="No space left"):
            analyse(root, verify=False)
    report = analyse(root)
    assert report.analyses[0].mode == "update" and report.analyses[0].verified


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_processes_killed_at_random_times(root: Path, tmp_path: Path) -> None:
    chosen = random.Random(5)
    began = time.monotonic()
    subprocess.run([*COMMAND, str(root), "--analysis", CALLS, "--quiet"], check=True, capture_output=True, timeout=300)
    usual = time.monotonic() - began
    for step in range(4):
        write(
            root,
            {
                B: FILES[B].replace("help", f"hel{step}"),
                f"src/p/N{step}.java": f"package p; class N{step} {{ void n() {{ C.done(); }} }}",
            },
        )
        process = subprocess.Popen(
            [*COMMAND, str(root), "--analysis", CALLS, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(chosen.uniform(0.3, 1.0) * usual)
        process.kill()
        process.wait()
    equals_scratch(root, tmp_path)


@pytest.mark.parametrize("damage", slow_after(2, ["cut", "foreign", "noise", "empty", "current"]))
def test_a_damaged_state_is_recognised_and_rebuilt(root: Path, tmp_path: Path, damage: str) -> None:
    analyse(root, verify=False)
    states = state_of(root) / "states"
    (current,) = states.glob("*/CURRENT")
    files = [
        file for file in sorted(states.rglob("*")) if file.is_file() and file != current and file.stat().st_size > 100
    ]
    assert files
    for file in [current] if damage == "current" else files:
        data = file.read_bytes()
        file.write_bytes(
            {
                "cut": data[: len(data) // 2],
                "noise": random.Random(1).randbytes(len(data)),
                "empty": b"",
                "foreign": b"PAR1" + data[4:],
                "current": b'{"state": 7}',
            }[damage]
        )
    write(root, {B: FILES[B].replace("C.done();", "")})
    messages: list[str] = []
    report = analyse(root, messages=messages)
    assert report.analyses[0].mode == "bootstrap" and report.analyses[0].verified
    assert damage == "current" or any("state" in message and "anew" in message for message in messages)
    equals_scratch(root, tmp_path)


@pytest.mark.parametrize("damage", slow_after(2, ["cut", "gone", "noise"]))
def test_damaged_facts_are_extracted_again(root: Path, tmp_path: Path, damage: str) -> None:
    analyse(root, verify=False)
    (parquet,) = (state_of(root) / "facts").rglob("*.parquet")
    data = parquet.read_bytes()
    if damage == "gone":
        parquet.unlink()
    else:
        parquet.write_bytes(
            data[:-200] if damage == "cut" else data[:4] + bytes(len(data) // 2) + data[4 + len(data) // 2 :]
        )
    write(root, {B: FILES[B].replace("C.done();", "")})
    messages: list[str] = []
    report = analyse(root, messages=messages)
    assert any("is damaged" in message and "extracted again" in message for message in messages)
    assert report.analyses[0].verified and report.extracted_files >= 3
    equals_scratch(root, tmp_path)


def test_a_state_of_another_version_is_rebuilt_and_a_foreign_directory_refused(root: Path, tmp_path: Path) -> None:
    analyse(root, verify=False)
    (state_of(root) / "FORMAT").write_bytes(Seal().sealed("format", b"ladder state 0\n"))
    messages: list[str] = []
    assert analyse(root, messages=messages).analyses[0].mode == "bootstrap"
    assert any("another version" in message for message in messages)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("do not delete")
    with (
        pytest.raises(StateError, match="not a state directory"),
        workspace.opened_at(tmp_path / "mine", messages.append),
    ):
        pass
    assert (tmp_path / "mine/thesis.txt").exists()


def test_only_one_run_at_a_time(root: Path) -> None:
    analyse(root, verify=False)
    messages: list[str] = []
    with workspace.opened_at(state_of(root), messages.append), ThreadPoolExecutor(1) as other:

        def enter() -> None:
            with workspace.opened_at(state_of(root), messages.append, patience=0.4):
                pass

        with pytest.raises(StateError, match=f"in use by process {os.getpid()} on "):
            other.submit(enter).result()
    assert any(f"process {os.getpid()}" in message for message in messages)
    assert analyse(root).analyses[0].mode == "unchanged"


def test_a_run_that_waited_while_the_state_was_removed_makes_a_new_one(root: Path) -> None:
    folder, messages, waiting = state_of(root), list[str](), threading.Event()

    def say(message: str) -> None:
        messages.append(message)
        waiting.set()

    def other_run() -> bool:
        with workspace.opened_at(folder, say) as opened:
            return opened.facts.is_dir() and (folder / "FORMAT").is_file()

    with ThreadPoolExecutor(1) as other:
        with workspace.opened_at(folder, print):
            run = other.submit(other_run)
            assert waiting.wait(30)
            assert workspace.remove(folder) == [] and not folder.exists()
        assert run.result() and messages[0].startswith("Waiting for process ")


def test_the_state_stays_out_of_git(root: Path) -> None:
    analyse(root, verify=False)
    assert (state_of(root) / ".gitignore").read_text() == "*\n"


@pytest.mark.slow
def test_result_tables_add_up(root: Path) -> None:
    """The base and its deltas, replayed, give the complete tables, as long as no line moves."""
    write(root, {f"src/q/C{i}.java": f"package q; class C{i} {{ void m{i}(int a) {{ m{i}(a); }} }}" for i in range(30)})
    analyse(root, verify=False)
    for name in ("x1", "x2", "x3"):
        write(root, {B: FILES[B].replace("help", name)})
        analyse(root, verify=False)
    (folder,) = (state_of(root) / "results").iterdir()
    assert [path.name for path in sorted(folder.iterdir())] == [
        "SNAPSHOT",
        "base",
        "delta-0001",
        "delta-0002",
        "delta-0003",
    ]
    rows = {tuple(row.values()) for row in pq.read_table(folder / "base/Reaches.parquet").to_pylist()}
    for delta in sorted(folder.glob("delta-*")):
        for row in pq.read_table(delta / "Reaches.parquet").to_pylist() if (delta / "Reaches.parquet").exists() else []:
            sign, *cells = row.values()
            (rows.add if sign == "+" else rows.remove)(tuple(cells))
    analyse(root, output=root.parent / "out", format_="parquet")
    assert rows == {tuple(row.values()) for row in pq.read_table(root.parent / "out/Reaches.parquet").to_pylist()}
    assert json.loads((folder / "base/run.json").read_text())["rows"] > 30


@pytest.mark.slow
def test_a_file_that_could_not_be_read_for_want_of_memory_is_read_by_the_next_run(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(data: bytes, *budget: Any) -> Any:
        if data == FILES[B].encode():
            raise MemoryError
        return parse(data, *budget)

    with monkeypatch.context() as patched:
        patched.setattr("ladder.frontends.java.facts.parse", fail)
        assert analyse(root).diagnostics == [(B, 1, 1, "unreadable", "there was not enough memory to read it")]
    assert not analyse(root).diagnostics
    equals_scratch(root, tmp_path)


def test_memory_may_suffice_to_read_a_file_and_not_to_verify_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[bytes] = []

    def fail_again(data: bytes, *budget: Any) -> Any:
        times.append(data)
        if times.count(FILES[B].encode()) > 1:
            raise MemoryError
        return parse(data, *budget)

    with monkeypatch.context() as patched:
        patched.setattr("ladder.frontends.java.facts.parse", fail_again)
        with pytest.raises(ExtractionError, match=r"B\.java cannot be read again: there was not enough memory"):
            analyse(root, verify=True)
    assert analyse(root, verify=True).analyses[0].verified
