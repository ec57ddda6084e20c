"""Files of a saved state: arrays are written while they are hashed, and what precedes them comes last."""

from __future__ import annotations

import weakref
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ladder.engine.local.saved.parts import CHUNK, HEAD, START, Laid, Named, Parts, digest_of, laid_out, place_of_header
from ladder.errors import StateError
from ladder.support.files import write_pieces
from ladder.support.tuning import Saving

ARRAYS = {
    "cells": np.arange(30, dtype=np.int32).reshape(-1, 3),
    "nothing": np.zeros(0, np.int64),
    "several chunks": np.arange(CHUNK // 4 + 5, dtype=np.int32),
    "flags": np.ones(7, np.uint8),
}
HEADER = {"what": "a test", "numbers": [1, 2]}
BY_THREADS, ALONE = Saving(hashed_by_threads=0), Saving(hashed_by_threads=1 << 40)


def laid(tuning: Saving) -> Laid:
    return laid_out(HEADER, [(name, array, 0) for name, array in ARRAYS.items()], tuning)


def written(folder: Path, tuning: Saving) -> tuple[Path, Laid]:
    path, file = folder / "file", laid(tuning)
    path.touch()
    write_pieces(path, file.pieces())
    return path, file


def test_what_is_written_is_read(tmp_path: Path) -> None:
    contents = []
    for tuning in (BY_THREADS, ALONE):
        path, file = written(tmp_path, tuning)
        parts = Parts(path, file.digest, trusted=False, tuning=tuning)
        assert {name: parts.header[name] for name in HEADER} == HEADER and parts.size == file.size
        for name, array in ARRAYS.items():
            columns = array.shape[1] if array.ndim > 1 else 1
            assert np.array_equal(parts.used(name, array.dtype, columns), array)
        contents.append(path.read_bytes())
    assert contents[0] == contents[1]
    position, length = place_of_header(contents[0][:HEAD])
    assert position + length == len(contents[0]) and digest_of(contents[0][position:]) == file.digest


def test_the_head_is_written_last(tmp_path: Path) -> None:
    file = laid(BY_THREADS)
    places = [at for at, _ in file.pieces()]
    assert places[-1] == 0 and places[0] == START and places[:-1] == sorted(places[:-1])
    assert len(places) == len(ARRAYS) + 1  # one array is empty


@pytest.mark.parametrize("tuning", [BY_THREADS, ALONE])
def test_arrays_of_one_group_go_before_the_next_is_made(tmp_path: Path, tuning: Saving) -> None:
    alive = list[weakref.ref[Any]]()

    def made(name: str) -> Sequence[Named]:
        array = np.arange(100_000, dtype=np.int64)
        alive.append(weakref.ref(array))
        return [(name, array, 0)]

    def groups() -> Generator[Sequence[Named], None, None]:
        for name in ("one", "two", "three"):
            assert not any(array() is not None for array in alive)
            yield made(name)

    path, file = tmp_path / "file", Laid(lambda: HEADER, groups(), tuning)
    path.touch()
    write_pieces(path, file.pieces())
    assert len(alive) == len(Parts(path, file.digest, trusted=False, tuning=tuning).parts) == 3


@pytest.mark.parametrize("tuning", [BY_THREADS, ALONE])
def test_changed_arrays_are_refused(tmp_path: Path, tuning: Saving) -> None:
    path, file = written(tmp_path, tuning)
    for name, at, *_ in file.table:
        if len(ARRAYS[name]):
            data = bytearray(path.read_bytes())
            data[START + at] ^= 1
            path.write_bytes(data)
            with pytest.raises(StateError, match=f"{name} in file has another digest"):
                Parts(path, file.digest, trusted=False, tuning=tuning)
            data[START + at] ^= 1
            path.write_bytes(data)
    Parts(path, file.digest, trusted=False, tuning=tuning)
