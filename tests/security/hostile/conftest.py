"""A world for each test, with a state directory and a home in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.engine.local.warm import compile_first
from ladder.support import private
from tests.security.hostile.world import Commands, World


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    compile_first()


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(tmp_path / "world")
    monkeypatch.setenv(private.STATE_VARIABLE, str(made.state))
    monkeypatch.delenv(private.KEY_VARIABLE, raising=False)
    return made


@pytest.fixture
def run(world: World, capfd: pytest.CaptureFixture[str]) -> Commands:
    capfd.readouterr()
    return Commands(world, capfd)
