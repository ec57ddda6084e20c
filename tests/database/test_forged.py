"""States forged by chance (see `fuzz_states`), and by hand what was found so: refused, or a consistent run."""

from __future__ import annotations

import pytest

from .fuzz_states import fuzz


@pytest.mark.nightly
def test_forged_states() -> None:
    counts, wrong = fuzz(500_000, 480)
    print(dict(counts))
    assert not wrong and counts["refused"] > 20 < counts["accepted"]
