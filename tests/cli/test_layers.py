"""Imports point one way: the contracts of pyproject.toml hold."""

from __future__ import annotations

from pathlib import Path

import pytest

CONFIGURATION = Path(__file__).parents[2] / "pyproject.toml"


def test_imports_keep_the_contracts(capsys: pytest.CaptureFixture[str]) -> None:
    from importlinter.cli import lint_imports

    code = lint_imports(config_filename=str(CONFIGURATION), no_cache=True)
    assert code == 0, capsys.readouterr().out
