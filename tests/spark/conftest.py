"""One Spark session for all tests of a process: two cores, a gigabyte."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ladder.spark.java import lacking
from ladder.spark.session import open_session


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    reason = lacking()
    if reason:
        pytest.skip(f"Spark cannot run here: {reason}")
    with open_session(2, memory=1 << 30) as session:
        yield session
