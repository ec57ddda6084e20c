"""The same trees, positions included, from our parser and from tree-sitter: on snippets, the sample and code bases."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.java_parser.differential import NEITHER, ONLY_OURS, SAME, compare

ROOT = Path(__file__).resolve().parents[2]
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
    assert compare(path) == SAME


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
