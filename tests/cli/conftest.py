"""What a command writes is compared: it should not tell that kernels are compiled, as it does at their first use."""

from __future__ import annotations

import pytest

from ladder.engine.local.warm import compile_first


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    compile_first()
