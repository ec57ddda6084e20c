"""The same trees, positions included, from our parser and from tree-sitter: on snippets, the sample and code bases."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.java_parser.differential import NEITHER, ONLY_OURS, SAME, compare

ROOT = Path(__file__).resolve().parents[2]
DIFFERENT = {"Java25.java": ONLY_OURS}
"""Small files that tree-sitter's grammar, version 0.23.5, does not know all of: imports of modules, `_` as an unnamed
pattern beside type patterns with `_`, code before a constructor call that is no first statement."""
SMALL = sorted(ROOT.glob("tests/java_parser/snippets/*.java")) + sorted(ROOT.glob("corpora/bookshop/**/*.java"))

CODE_BASES: dict[str, dict[str, str]] = {
    "java.base": {},
    "commons-lang3": {},
    "ant": {"Bad.java": NEITHER},  # a test of what the compiler says
    "antlr": {"T.java": ONLY_OURS},  # an example for a parser, no program
    "cordova-android": {
        "DummyPlugin.java": NEITHER,  # in some versions these hold the path of another file
        "DummyPlugin2.java": NEITHER,
        "FaultyPlugin.java": NEITHER,
    },
}
"""Code bases by the name under which `corpora/fetch.py` fetches them, and the files that are no Java."""


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.name)
def test_small_files(path: Path) -> None:
    assert compare(path) == DIFFERENT.get(path.name, SAME)


@pytest.mark.nightly
@pytest.mark.parametrize("name", CODE_BASES)
def test_code_base(name: str) -> None:
    folder = ROOT / "corpora" / "fetched" / name
    if not folder.is_dir():
        pytest.skip(f"run `python corpora/fetch.py {name}` first")
    paths = sorted(folder.glob("**/*.java"))
    outcomes = {path.name: outcome for path in paths if (outcome := compare(path)) != SAME}
    assert outcomes == CODE_BASES[name]
    assert len(paths) > 100
