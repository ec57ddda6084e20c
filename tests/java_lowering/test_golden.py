"""Each case is a Java file and the three-address form it must have."""

from pathlib import Path

import pytest

from ladder.frontends.java import printer, verifier
from ladder.frontends.java.lower import lower
from ladder.frontends.java.parse import parse

CASES = sorted((Path(__file__).parent / "cases").glob("*.java"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_three_address_form(path: Path) -> None:
    unit = lower(parse(path.read_bytes()).unit)
    assert verifier.verify(unit) == []
    assert printer.show_unit(unit).splitlines() == path.with_suffix(".ir").read_text().splitlines()
