"""Locks are given back, whatever is raised."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.support import locks


def lacking(*_: object) -> bool:
    raise MemoryError("injected")


@pytest.mark.parametrize("where", ["_is", "_try", "json"])
def test_an_error_that_is_kept_keeps_no_lock(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        if where == "json":
            patch.setattr(locks.json, "dumps", lacking)
        else:
            patch.setattr(locks, where, lacking)
        with pytest.raises(MemoryError) as kept, locks.locked(tmp_path / "lock", "this", patience=0):
            pass
    with locks.locked(tmp_path / "lock", "this", patience=0):
        pass
    assert kept.value.__traceback__ is not None
