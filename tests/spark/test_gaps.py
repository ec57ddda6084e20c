"""Every gap is still one: the program is refused, with the place and what to do, and nothing is evaluated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ladder.errors import Unsupported
from ladder.language import parse

from . import corpus, gaps
from .comparison import bootstrapped


@pytest.mark.parametrize("text", gaps.PROGRAMS)
def test_gaps_are_refused(text: str, spark: Any) -> None:
    program = parse(text)
    assert gaps.gap(program) == gaps.PROGRAMS[text]
    with pytest.raises(Unsupported) as refused:
        bootstrapped(spark, program, {})
    gaps.check_refusal(refused.value, program)


def test_no_program_that_people_use_is_a_gap(tmp_path: Path) -> None:
    cases = [*corpus.documentation(tmp_path), *corpus.result_cases(), *map(corpus.benchmark, corpus.BENCHMARKS)]
    assert [name for name, program, _ in cases if gaps.gap(program.core)] == []
