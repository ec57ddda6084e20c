"""What a build that checks addresses, and pages that must not be touched, find: bugs are planted, and each is seen."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ladder.engine.local import mapped
from ladder.engine.local.kernels import granted
from ladder.engine.local.kernels.storage import _cell_table, _entries
from ladder.engine.local.store import Store

ROOT = Path(__file__).parents[2]
PLANTED = ("nothing", "one too many", "stale", "forgotten", "unwritten")


@pytest.fixture
def noting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays are noted as in a build that checks addresses."""
    monkeypatch.setattr(mapped, "CHECKED", True)


def primary_entries(store: Store) -> Any:
    """The entries of the first relation's primary index, as a kernel makes them of its record."""
    index = store.indexes[int(store.relations[0].primary_index)]
    return _entries(index.entries, index.entry_capacity)


@pytest.mark.usefixtures("noting")
def test_what_was_granted_may_be_used() -> None:
    store = Store([2], [0])
    for _ in range(3):
        store.reserve_entries(0, 4 * int(store.indexes[0].entry_capacity))
        assert len(primary_entries(store)) == store.indexes[0].entry_capacity
    record = store.relations[0]
    assert _cell_table(record.rows, record.row_capacity, 2).shape == (record.row_capacity, 2)


@pytest.mark.usefixtures("noting")
def test_one_more_than_was_granted_is_refused() -> None:
    store = Store([2], [0])
    store.indexes[0].entry_capacity += 1
    with pytest.raises(IndexError, match="not granted"):
        primary_entries(store)
    store.indexes[0].entry_capacity -= 1
    store.indexes[0].entries -= 8
    with pytest.raises(IndexError, match="not granted"):
        primary_entries(store)


@pytest.mark.slow
@pytest.mark.usefixtures("noting")
def test_an_address_from_before_an_array_grew_is_refused() -> None:
    store = Store([2], [0])
    before, capacity = int(store.indexes[0].entries), int(store.indexes[0].entry_capacity)
    assert granted.is_granted(before, 8 * capacity)
    store.reserve_entries(0, 50 * capacity)
    gc.collect()
    now = int(store.indexes[0].entries)
    assert now != before and not granted.is_granted(before, 8 * capacity)
    store.forget("index", 0)
    gc.collect()
    assert not granted.is_granted(now, 8)


def test_the_table_knows_arrays_within_arrays() -> None:
    """Of arrays over the same memory each counts, until the last of them goes."""
    whole = np.zeros(100, np.int64)
    start, part = whole.__array_interface__["data"][0], whole[10:20]
    granted.note(part)
    assert (
        granted.is_granted(start + 80, 80)
        and not granted.is_granted(start + 80, 81)
        and not granted.is_granted(start + 72, 8)
    )
    granted.note(whole)
    granted.note(whole)
    assert granted.is_granted(start, 800) and granted.is_granted(start + 88, 700) and not granted.is_granted(start, 801)
    del part
    gc.collect()
    assert granted.is_granted(start + 80, 80) and granted.is_granted(start + 3, 0) and not granted.is_granted(start, -8)
    del whole
    gc.collect()
    assert not granted.is_granted(start, 8)


def planted(bug: str, **environment: str) -> subprocess.CompletedProcess[str]:
    code = f"from tests.engine.planting import plant; plant({bug!r})"
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_who_touches_a_guarded_page_is_named() -> None:
    """A kernel that is killed is in what is told of the crash, by its name."""
    code = (
        "import numpy as np\n"
        "from tests.engine.hostile_memory import GuardedPlaces\n"
        "from tests.engine import hostile_memory\n"
        "from ladder.engine.local.kernels.texts import rehash\n"
        "hostile_memory.GUARDED = 2\n"
        "slots = np.frombuffer(GuardedPlaces(0).place(64), np.int64)\n"
        "slots[:] = np.arange(8) << 32\n"
        "rehash(np.frombuffer((__import__('ctypes').c_char * 128).from_address(slots.ctypes.data), np.int64), "
        "np.full(64, -1, np.int64))\n"
    )
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == -11 and "Segmentation fault" in done.stderr, (done.returncode, done.stderr[-2000:])
    assert re.search(r"texts\.py.* in kernel rehash", done.stderr), done.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("bug", PLANTED)
def test_planted_bugs_are_found(bug: str) -> None:
    """In a build that checks addresses and indices: another set of kernels is compiled for it."""
    done = planted(bug, NUMBA_BOUNDSCHECK="1")
    if bug == "nothing":
        assert "nothing was found" in done.stdout, done.stderr[-2000:]
    else:
        assert "nothing was found" not in done.stdout and "IndexError" in done.stderr, done.stderr[-2000:]


@pytest.mark.nightly
def test_engine_with_addresses_checked() -> None:
    """All default tests of the engine, in a build that checks addresses and indices."""
    folder = Path(__file__).parent
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--tb=short",
            "-p",
            "no:cacheprovider",
            str(folder),
            "-m",
            "not nightly",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
    )
    assert done.returncode == 0, done.stdout[-4000:]
