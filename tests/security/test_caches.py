"""What is kept because it takes long to make is unpickled, or run: it is read from where only this user may have
written it, or not at all."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from ladder.errors import LadderWarning
from ladder.support import caches, private
from ladder.support.caches import NotKept, folder_of, read_kept, write_kept


class Marked:
    """Whoever unpickles one leaves a mark."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.mark,)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(private.CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize("purpose", ["", "test"])
def test_what_was_kept_is_read(root: Path, purpose: str) -> None:
    file = folder_of("some") / "kept"
    write_kept(file, b"old", purpose)
    write_kept(file, b"what was made", purpose)
    assert read_kept(file, purpose) == b"what was made" and read_kept(file, "another purpose") is None
    assert file.stat().st_mode & 0o777 == 0o600 and root.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in file.parent.iterdir()] == ["kept"]


def test_what_others_may_have_written_is_as_good_as_nothing(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of("some")
    write_kept(folder / "kept", b"what was made")
    assert read_kept(folder / "kept") is not None
    (folder / "link").symlink_to(folder / "kept")
    with pytest.warns(LadderWarning, match="link is not used: it is a symbolic link: what it has is compiled anew"):
        assert read_kept(folder / "link") is None
    (folder / "kept").chmod(0o620)
    assert read_kept(folder / "kept") is None
    (folder / "kept").chmod(0o600)
    os.link(folder / "kept", folder / "second name")
    assert read_kept(folder / "kept") is None
    (folder / "second name").unlink()
    (folder / "kept").write_bytes((folder / "kept").read_bytes()[:-1])
    assert read_kept(folder / "kept") is None
    write_kept(folder / "another", b"something else")
    (folder / "another").rename(folder / "kept")
    assert read_kept(folder / "kept") is None
    write_kept(folder / "kept", b"what was made")
    assert read_kept(folder / "kept") is not None
    monkeypatch.setattr(os, "getuid", lambda: 12345)  # as if another user had written it
    assert read_kept(folder / "kept") is None
    with pytest.raises(NotKept, match="another user"):
        folder_of("some")


def test_a_write_that_fails_leaves_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder_of("some") / "kept"
    monkeypatch.setattr(
        caches, "write_atomically", lambda *_, **__: (_ for _ in ()).throw(OSError(28, "No space left on device"))
    )
    with pytest.raises(NotKept, match="No space"):
        write_kept(file, b"what was made")
    assert list(file.parent.iterdir()) == []


SAYS = (
    "from ladder.engine.local.kernels.object_cache import CACHE, NOT_KEPT; "
    "print(CACHE, CACHE.parent.stat().st_mode & 0o777, NOT_KEPT, sep='\\n')"
)


@pytest.mark.parametrize("given", ["private", "link", "open"])
def test_kernels_go_to_the_folder_that_is_named_or_to_a_new_one(tmp_path: Path, given: str) -> None:
    """Never to one that somebody else can have guessed, and filled; one of the user's own that others may write to is
    closed first."""
    named = tmp_path / "cache"
    mark = tmp_path / "mark"
    if given == "link":
        (tmp_path / "evil").mkdir()
        named.symlink_to(tmp_path / "evil")
    elif given == "open":
        named.mkdir(mode=0o777)
        named.chmod(0o777)
    environment = {**os.environ, private.CACHE_VARIABLE: str(named), "TMPDIR": str(tmp_path)}
    first, mode, reason = subprocess.run(
        [sys.executable, "-c", SAYS], env=environment, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    if given == "link":
        assert "symbolic link" in reason and Path(first).parent.parent == tmp_path and not Path(first).parent.exists()
        # what somebody else would put where the last process had its kernels
        for path in (tmp_path / "evil" / Path(first).name, Path(first)):
            path.mkdir(parents=True)
            (path / "texts.rehash").write_bytes(pickle.dumps(Marked(mark)))
        second = subprocess.run(
            [sys.executable, "-c", SAYS], env=environment, capture_output=True, text=True, check=True
        ).stdout.splitlines()[0]
        assert Path(second).parent not in (named, Path(first).parent) and not mark.exists()
    else:
        assert (
            Path(first).parent == named and reason == "" and int(mode) == 0o700
            if given == "private"
            else int(mode) & 0o022 == 0
        )
