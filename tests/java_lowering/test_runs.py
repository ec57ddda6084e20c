"""Methods executed by their facts return what Java returned: `java runs/Runs.java | sort > runs/Runs.expected`."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.frontends.java.facts import facts_of

from .interpreter import Interpreter

RUNS = Path(__file__).parent / "runs"
EXPECTED = dict(line.split() for line in (RUNS / "Runs.expected").read_text().splitlines())
INTERPRETER = Interpreter(facts_of((RUNS / "Runs.java").read_bytes()))


@pytest.mark.parametrize("method", EXPECTED)
def test_facts_do_what_java_does(method: str) -> None:
    results = set(map(str, INTERPRETER.results(f"Runs.{method}()")))
    assert EXPECTED[method] in results
    # Only a `finally` part, which is shared by all that leave through it, leaves a choice.
    assert len(results) == 1 or "inally" in method or method == "overrides"
