"""Looking into results that are kept: whoever looks makes nothing anew, and is told what does."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ladder.errors import StateError
from ladder.session import inspect
from ladder.support.files import write_atomically
from ladder.support.seals import Seal

from .projects import CALLS, FILES, analyse, state_of, write


def look(root: Path) -> int:
    with inspect.saved(root, CALLS, "auto", None) as found:
        return len(inspect.rows(found, "Call", names=True, match="done")[0])


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
