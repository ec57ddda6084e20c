"""Random edits are the same for the same seed, can be undone, and leave text that parses and mostly compiles."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import mutate
import pytest


@pytest.fixture
def tree(sample: Path, tmp_path: Path) -> Path:
    shutil.copytree(sample / "src", tmp_path / "src")
    return tmp_path / "src"


def contents(tree: Path) -> dict[str, bytes]:
    return {str(path.relative_to(tree)): path.read_bytes() for path in tree.rglob("*.java")}


@pytest.mark.parametrize("kind", list(mutate.MUTATIONS))
def test_each_kind_finds_a_place_and_can_be_undone(tree: Path, kind: str) -> None:
    before = contents(tree)
    edits = mutate.mutate(tree, seed=3, edits=3, kinds=[kind])
    assert [edit.kind for edit in edits] == [kind] * 3
    assert all(mutate.read(tree, edit.path) is not None for edit in edits), "a syntax error"
    assert contents(tree) != before
    for edit in reversed(edits):
        edit.undo(tree)
    assert contents(tree) == before


def test_equal_seeds_make_equal_edits(tree: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(tree, other)
    assert mutate.mutate(tree, seed=5, edits=12) == mutate.mutate(other, seed=5, edits=12)
    assert contents(tree) == contents(other)
    assert mutate.mutate(tree, seed=6, edits=12) != mutate.mutate(other, seed=7, edits=12)


def test_what_claims_to_change_no_fact_changes_no_token(tree: Path) -> None:
    edits = mutate.mutate(tree, seed=2, edits=8, kinds=["add-comment", "change-whitespace"])
    for edit in edits:
        assert edit.before is not None
        kept = [
            line.strip()
            for line in edit.after.decode().splitlines()
            if line.strip() and not line.startswith("// comment")
        ]
        old = [
            line.strip()
            for line in edit.before.decode().splitlines()
            if line.strip() and not line.startswith("// comment")
        ]
        assert kept == old


def test_renaming_leaves_fields_and_methods_alone(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text(
        "class A { int x; A o; int f() { int x = 1; this.x = x; x(); o.x = x + o.x(); return x; } "
        "int x() { return x; } }\n"
    )
    mutate.mutate(tmp_path, seed=1, kinds=["rename-local"])
    assert (tmp_path / "A.java").read_text() == (
        "class A { int x; A o; int f() { int x1000 = 1; this.x = x1000; x(); o.x = x1000 + o.x(); return x1000; } "
        "int x() { return x; } }\n"
    )


def test_what_is_impossible_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no place"):
        mutate.mutate(tmp_path, seed=1)
    with pytest.raises(ValueError, match="unknown kinds nonsense; there are insert-call"):
        mutate.mutate(tmp_path, seed=1, kinds=["nonsense"])
    (tmp_path / "A.java").write_text("class A { void f( }\n")
    with pytest.raises(ValueError, match="no place"):
        mutate.mutate(tmp_path, seed=1, kinds=["add-method"])


@pytest.mark.slow
def test_most_edits_compile(tree: Path, jdk: None) -> None:
    """Each edit alone may break a rule of the language (an unreachable statement, an unset variable), but few do."""
    kinds = [
        kind
        for kind in mutate.MUTATIONS
        if kind not in ("delete-statement", "change-number", "add-comment", "change-whitespace")
    ]
    mutate.mutate(tree, seed=11, edits=40, kinds=kinds)
    compiled = subprocess.run(
        ["javac", "-proc:none", "-XDshould-stop.ifNoError=FLOW", *map(str, tree.rglob("*.java"))],
        text=True,
        capture_output=True,
        check=False,
    )
    assert compiled.stderr.count(" error: ") <= 4, compiled.stderr
