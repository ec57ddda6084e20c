"""Tests of the engine run in memory that holds the worst it may, whatever they test."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import pytest

from .hostile_memory import hostile_memory


@pytest.fixture(autouse=True)
def _hostile_memory(request: pytest.FixtureRequest) -> Iterator[None]:
    with hostile_memory(zlib.crc32(request.node.nodeid.encode())):
        yield
