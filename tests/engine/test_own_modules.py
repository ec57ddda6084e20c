"""Which modules are the user's own, which Spark's workers are sent."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import ladder
from ladder.engine import classes


def test_what_is_installed_wherever_is_not_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages that `pip install --target` puts into a folder, which PYTHONPATH or a `.pth` file names, are not
    pickled as the modules beside a program are."""
    for name in ("target", "program"):
        (tmp_path / name).mkdir()
        monkeypatch.syspath_prepend(str(tmp_path / name))
    (tmp_path / "target/numpy-2.0.dist-info").mkdir()
    modules = {name: ModuleType(name) for name in ("target", "program")}
    for name, module in modules.items():
        module.__file__ = str(tmp_path / name / "module.py")
    classes._folders.cache_clear()
    try:
        assert classes.is_of_users(modules["program"]) and not classes.is_of_users(modules["target"])
        assert not any(map(classes.is_of_users, (json, np, pytest, ladder, sys)))
    finally:
        classes._folders.cache_clear()
