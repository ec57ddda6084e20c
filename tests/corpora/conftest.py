"""Makes the scripts of `corpora/` importable, and says what tests that need a JDK or git do without them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

CORPORA = Path(__file__).resolve().parents[2] / "corpora"
sys.path.insert(0, str(CORPORA))


@pytest.fixture(scope="session")
def jdk() -> None:
    if shutil.which("javac") is None:
        pytest.skip("needs a JDK (javac)")


@pytest.fixture(scope="session")
def git() -> None:
    if shutil.which("git") is None:
        pytest.skip("needs git")


@pytest.fixture
def sample() -> Path:
    return CORPORA / "bookshop"
