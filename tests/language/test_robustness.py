"""Damaged programs: whatever a text says, it is accepted or refused with located errors."""
from __future__ import annotations

import random
import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.language.compile import compile_program
from ladder.language.errors import ProgramError

CASES = Path(__file__).parents[1] / "conformance"
PROGRAMS = sorted(CASES.glob("*/program.dl"))
TOKEN = re.compile(r'"[^"\n]*"|\s+|[.@$]?\w+|:-|[<>!]=|.', re.DOTALL)


def damaged(tokens: list[str], source: random.Random) -> str:
    """The text of tokens of which a few are left out, doubled, exchanged, or replaced by others of the text."""
    tokens = list(tokens)
    for _ in range(source.randint(1, 4)):
        here, there = source.randrange(len(tokens)), source.randrange(len(tokens))
        match source.randrange(4):
            case 0:
                tokens[here] = " "
            case 1:
                tokens.insert(here, tokens[there])
            case 2:
                tokens[here], tokens[there] = tokens[there], tokens[here]
            case 3:
                tokens[here] = tokens[there]
    return "".join(tokens)


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(PROGRAMS), st.randoms(use_true_random=False))
def test_damaged_programs_are_accepted_or_refused(path: Path, source: random.Random) -> None:
    text = damaged(TOKEN.findall(path.read_text()), source)
    try:
        compile_program(text, path.name, path.parent)
    except ProgramError as refused:
        lines = text.split("\n")
        for error in refused.errors:
            assert 1 <= error.place.line <= len(lines) and 1 <= error.place.column <= len(lines[error.place.line - 1]) + 1
        assert refused.render() and refused.to_json()
