"""JSON that somebody else may have written: nested too deeply for Python, or with numbers that are none."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import ladder
from ladder.engine.local.saved.core import unpacked
from ladder.engine.spark.checkpoints.manifests import Manifest
from ladder.errors import StateError
from ladder.facts.packs.pack import PURPOSE as FACTS
from ladder.facts.packs.pack import Damaged, read_index
from ladder.project.snapshots import PURPOSE as SNAPSHOTS
from ladder.project.snapshots import Snapshots
from ladder.session.states import PURPOSE as STATES
from ladder.session.states import Note, StateFolder
from ladder.support.json_text import read_json, read_object
from ladder.support.locks import _holder
from ladder.support.seals import Seal

from ..tables.packs import LAYOUT

DEEP, ENDLESS = "[" * 200_000, '{"state": 1e999, "note": {}, "rows": Infinity}'
# where Ladder reads what it, or a process that it started, has just written, or says on its own what is wrong
ELSEWHERE = {
    "analyses/java_library.py",
    "cli/outcomes.py",
    "engine/spark/facts/sources.py",
    "engine/spark/values/shipping.py",
    "engine/spark/worker_calls.py",
    "facts/files/json_rows.py",
    "support/json_text.py",
}


@pytest.mark.parametrize("text", [DEEP, '{"a":' * 100_000, ENDLESS, "NaN", "[-Infinity]", "-1e400", "{", "", b"\xff"])
def test_it_is_refused(text: str | bytes) -> None:
    with pytest.raises(ValueError):
        read_json(text)


def test_everything_else_is_read() -> None:
    assert read_object('{"a": [1, -2.5e10, null, "x", {}]}') == {"a": [1, -2.5e10, None, "x", {}]}
    with pytest.raises(ValueError, match="no object"):
        read_object("[]")


@pytest.mark.parametrize("text", [DEEP, ENDLESS, "[]", "{}", "1"])
def test_wherever_it_stands(text: str, tmp_path: Path) -> None:
    data, seal = text.encode(), Seal()
    (tmp_path / "pack.index").write_bytes(seal.sealed(FACTS, data))
    (tmp_path / "CURRENT").write_bytes(seal.sealed(STATES, data))
    (tmp_path / "log").write_bytes(seal.block(SNAPSHOTS, data + b"\n"))
    with pytest.raises(Damaged):
        read_index(tmp_path / "pack.index", LAYOUT)
    with pytest.raises(StateError):
        Note.parse(text)
    with pytest.raises(ValueError, match="no core program"):
        unpacked(data, {})
    with pytest.raises((ValueError, KeyError, TypeError)):
        Manifest.of(text)
    assert StateFolder(tmp_path, seal).snapshot() is None
    assert Snapshots(tmp_path / "log").ids == []
    assert _holder(text) == "another process"


def test_nothing_else_reads_json() -> None:
    root = Path(ladder.__file__).parent
    found = {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        if b"json" in (text := path.read_bytes())
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute)
        and node.attr in ("load", "loads", "JSONDecoder")
        and isinstance(node.value, ast.Name)
        and node.value.id == "json"
    }
    assert found == ELSEWHERE
