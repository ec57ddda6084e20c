"""Malformed facts are refused with their file and line."""
from __future__ import annotations

from pathlib import Path

import pytest

from ladder.errors import LadderError
from ladder.factfiles import read_facts
from ladder.language import parse

PROGRAM = """.decl e(x: number, y: number)
.input e
"""


@pytest.mark.parametrize(("facts", "said"), [("1\t2\n2\tx\n", "e.facts:2:3: 'x' is not a value of type number"),
                                             ("1\t2\n\n2\n", "e.facts:3:2: the row has 1 columns instead of 2")])
def test_the_place_is_told(tmp_path: Path, facts: str, said: str) -> None:
    (tmp_path / "e.facts").write_text(facts)
    with pytest.raises(LadderError) as error:
        list(read_facts(parse(PROGRAM), tmp_path))
    assert said in str(error.value)
