"""Where this user's caches live: parser tables, checked programs."""
from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path


@cache
def cache_directory() -> Path | None:
    """A writable directory of this user's own (`LADDER_CACHE_DIR`, else under the user's cache home), or None."""
    chosen = os.environ.get("LADDER_CACHE_DIR")
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    directory = Path(chosen) if chosen else Path(home) / "ladder"
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if directory.stat().st_uid == os.getuid() and os.access(directory, os.W_OK):
            return directory
    except (OSError, AttributeError):
        pass
    return None


def write_atomically(path: Path, content: bytes) -> None:
    """Replaces the file as a whole, so that no reader ever sees a half of it; raises OSError."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
