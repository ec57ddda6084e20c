"""Temporary folders of processes that were killed are removed by the next one, and nobody else's."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from ladder.support import temporary
from ladder.support.temporary import make_temporary

MAKE = (
    "import sys, time\nfrom ladder.support.temporary import make_temporary\nprint(make_temporary('ladder-spark-'), "
    "flush=True)\ntime.sleep(600)\n"
)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(temporary, "_held", {})
    return tmp_path


def left(place: Path) -> Path:
    """A folder of a process that was killed."""
    with subprocess.Popen([sys.executable, "-P", "-c", MAKE], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        (folder / "some").mkdir()
        (folder / "some" / "file").write_text("some")
        make_temporary("ladder-spark-")
        assert (folder / "some" / "file").exists(), "its process lives"
        process.send_signal(signal.SIGKILL)
    assert folder.parent == place
    return folder


def test_what_a_killed_process_left_goes(place: Path) -> None:
    folder, outside = left(place), place / "mine"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    (folder / "link").symlink_to(outside)
    copies = {name: place / f"ladder-spark-{name}" for name in ("another0", "ofothers", "linked00")}
    shutil.copytree(folder, copies["another0"], symlinks=True)  # its code is of another name
    shutil.copytree(folder, copies["ofothers"], symlinks=True)
    copies["ofothers"].chmod(0o777)
    copies["linked00"].symlink_to(outside)
    (place / "ladder-spark-").mkdir()
    own = make_temporary("ladder-spark-")
    assert not folder.exists() and own.exists() and (outside / "kept").read_text() == "kept"
    assert all(path.exists() for path in copies.values()) and (place / "ladder-spark-").exists()
    assert len(temporary._held) == 2
    shutil.rmtree(own)
    make_temporary("ladder-other-")
    assert len(temporary._held) == 2, "descriptors of folders that are gone are closed"


@pytest.mark.parametrize("change", ["no owner", "link", "exchanged"])
def test_what_is_not_certainly_ours_stays(place: Path, change: str) -> None:
    folder = left(place)
    owner = folder / temporary.OWNER
    if change == "link":
        owner.rename(place / "owner")
        owner.symlink_to(place / "owner")
    elif change == "exchanged":
        owner.write_bytes(os.urandom(32))
    else:
        owner.unlink()
    make_temporary("ladder-spark-")
    assert (folder / "some" / "file").exists()
