"""Private folders, files that are no links, and codes that only the user's key makes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ladder.errors import StateError
from ladder.support import private


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(private.STATE_VARIABLE, str(tmp_path / "state"))
    monkeypatch.delenv(private.KEY_VARIABLE, raising=False)


def test_a_code_is_of_its_parts_purpose_and_key(monkeypatch: pytest.MonkeyPatch) -> None:
    code = private.code_of("facts", b"ab", b"c")
    assert private.is_ours(code, "facts", b"ab", b"c")
    for parts in ((b"a", b"bc"), (b"ab", b"c", b""), (b"ab", b"d")):
        assert not private.is_ours(code, "facts", *parts)
    assert not private.is_ours(code, "state", b"ab", b"c")
    monkeypatch.setenv(private.KEY_VARIABLE, "another key, long enough")
    assert not private.is_ours(code, "facts", b"ab", b"c")


def test_the_key_is_made_once_and_readable_by_nobody_else(tmp_path: Path) -> None:
    key = private.user_key()
    file = tmp_path / "state" / "key"
    assert file.read_bytes() == key and file.stat().st_mode & 0o077 == 0 and file.parent.stat().st_mode & 0o077 == 0
    private._key.clear()
    assert private.user_key() == key
    assert [path.name for path in file.parent.iterdir()] == ["key"]


def test_a_damaged_key_a_linked_key_and_a_short_one_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "state" / "key"
    private.make_private(file.parent)
    file.write_bytes(b"short")
    with pytest.raises(StateError, match="damaged"):
        private.user_key()
    file.unlink()
    (tmp_path / "theirs").write_bytes(bytes(32))
    file.symlink_to(tmp_path / "theirs")
    with pytest.raises(StateError, match="symbolic link"):
        private.user_key()
    monkeypatch.setenv(private.KEY_VARIABLE, "short")
    with pytest.raises(StateError, match="shorter"):
        private.user_key()


def test_links_and_foreign_files_are_not_opened(tmp_path: Path) -> None:
    target, link, twin = tmp_path / "target", tmp_path / "link", tmp_path / "twin"
    target.write_bytes(b"kept")
    link.symlink_to(target)
    with pytest.raises(StateError, match="symbolic link"):
        private.open_own(link, os.O_WRONLY | os.O_TRUNC)
    os.link(target, twin)
    with pytest.raises(StateError, match="second name"):
        private.open_own(target, os.O_WRONLY | os.O_TRUNC)
    twin.unlink()
    target.chmod(0o666)
    with pytest.raises(StateError, match="other users"):
        private.read_own(target)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StateError, match="regular file"):
        private.read_own(tmp_path / "pipe")
    assert target.read_bytes() == b"kept"
    target.chmod(0o600)
    assert private.read_own(target) == b"kept"


def test_a_folder_is_private_or_refused(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    private.make_private(folder)
    private.make_private(folder)
    assert folder.stat().st_mode & 0o077 == 0
    folder.chmod(0o777)
    with pytest.raises(StateError, match="other users"):
        private.make_private(folder)
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(StateError, match="symbolic link"):
        private.make_private(tmp_path / "link")


def test_processes_that_start_together_agree_on_the_key(tmp_path: Path) -> None:
    code = "from ladder.support import private; print(private.user_key().hex())"
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(6)]
    assert len({process.communicate()[0] for process in started}) == 1
    assert all(process.returncode == 0 for process in started)
