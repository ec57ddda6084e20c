"""Looking into results that are kept: whoever looks makes nothing anew, and is told what does."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ladder.errors import LadderError, StateError
from ladder.session import inspect
from ladder.support.files import write_atomically
from ladder.support.seals import Seal

from .projects import CALLS, FILES, analyse, state_of, write


def look(root: Path) -> int:
    with inspect.saved(root, CALLS, "auto", None) as found:
        return len(inspect.rows(found, "Call", names=True, match="done")[0])


def test_rows_with_values_of_lattices_are_explained_as_they_are_shown(tmp_path: Path) -> None:
    """Only rows of numbers and symbols could be named."""
    root, program = tmp_path / "project", tmp_path / "sets.dl"
    program.write_text("""
.lattice Objects = "ladder.lattices:k_set(2)"
.decl NormalHeap(heap: symbol, use: symbol)
.input NormalHeap
.decl TypeUseText(use: symbol, text: symbol)
.input TypeUseText
.decl Made(type: symbol, length: number, share: float, heaps: Objects<>)
.output Made
Made(t, strlen(t), 0.5, lub(h)) :- NormalHeap(h, u), TypeUseText(u, t).
.decl None(heaps: Objects<>)
.output None
None(lub(h)) :- NormalHeap(h, "none").
""")
    write(
        root, {"A.java": "class A { Object a = new A(), b = new A(); Object c = new C(), d = new C(), e = new C(); }"}
    )
    analyse(root, analyses=[str(program)], verify=False)
    with inspect.saved(root, str(program), "auto", None) as found:
        shown = inspect.rows(found, "Made", names=False, match=None)[0].to_pylist()
        assert {row["heaps"] for row in shown} == {"{A.<init-block>()/new A, A.<init-block>()/new A: b}", "Top"}
        for row in shown:
            explained = inspect.explanation(found, "Made", [str(cell) for cell in row.values()])
            assert explained.row[0] == row["type"] and "given" in str(explained)
        for relation, cells in (("Made", ["A", "1", "0.5", "{}"]), ("None", ["{}"])):
            with pytest.raises(LadderError, match="is not a row"):
                inspect.explanation(found, relation, cells)


def contents(state: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(state)): path.read_bytes()
        for path in state.rglob("*")
        if path.is_file() and path.name != "lock"
    }


def another_front_end(state: Path) -> None:
    (current,) = state.glob("states/*/CURRENT")
    stored: dict[str, Any] = json.loads(Seal().unsealed("engine state that counts", current.read_bytes()) or b"")
    stored["note"]["facts"] = "another"
    write_atomically(current, Seal().sealed("engine state that counts", json.dumps(stored).encode()))


def another_version(state: Path) -> None:
    write_atomically(state / "FORMAT", Seal().sealed("format", b"another\n"))


def damaged(state: Path) -> None:
    (current,) = state.glob("states/*/*/CURRENT")
    current.write_bytes(b"nothing")


def no_facts(state: Path) -> None:
    shutil.rmtree(state / "facts")


def damaged_index(state: Path) -> None:
    for index in state.glob("facts/*/*.index"):
        index.write_bytes(b"nothing")


def damaged_pack(state: Path) -> None:
    for pack in state.glob("facts/*/*.parquet"):
        pack.write_bytes(b"nothing")


def damaged_rows(state: Path) -> None:
    for pack in state.glob("facts/*/*.parquet"):
        data = pack.read_bytes()
        pack.write_bytes(data[:4] + bytes(len(data) // 2) + data[4 + len(data) // 2 :])


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (another_front_end, "front end changed since the last run"),
        (another_version, "was written by another version of Ladder"),
        (damaged, "The saved state is not used"),
        (no_facts, "are gone"),
        (damaged_index, "are gone"),
        (damaged_pack, "are gone"),
        (damaged_rows, "is damaged"),
    ],
)
def test_a_state_that_does_not_fit(
    tmp_path: Path, change: Callable[[Path], None], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """They were told that everything is computed anew, which is what `analyze` does; and a state of another version was
    emptied."""
    write(tmp_path, FILES)
    analyse(tmp_path, verify=False)
    assert look(tmp_path) == 1
    change(state_of(tmp_path))
    before = contents(state_of(tmp_path))
    with pytest.raises(StateError, match=expected) as error:
        look(tmp_path)
    said = f"{error.value} {capsys.readouterr().err}"
    assert "omputed anew" not in said and "are extracted again" not in said and "`analyze`" in said
    assert contents(state_of(tmp_path)) == before
    analyse(tmp_path)
    assert look(tmp_path) == 1
