"""Programs with their facts and what they must write, print or be refused for, in the form that `ladder test` takes.

`results` was compared with Soufflé's interpreter; `refused` says on which line the first error is.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ladder import cli

from ..marks import slow_after

HERE = Path(__file__).parent


@pytest.mark.parametrize("options", slow_after(1, ["--domain 64", ""]))
def test_cases(options: str, capfd: pytest.CaptureFixture[str]) -> None:
    only = ["--only", "s"] if options else []  # some of them suffice: with 64 bits everything else is the same
    with pytest.raises(SystemExit):
        cli.main(
            [
                "test",
                str(HERE / "results"),
                str(HERE / "refused"),
                "--json",
                "--time-limit",
                "120",
                "-j",
                "2",
                "--options",
                options,
                *only,
            ]
        )
    outcomes = json.loads(capfd.readouterr().out)
    wrong = {outcome["case"]: outcome["reason"] for outcome in outcomes if outcome["status"] != "passed"}
    beyond_32_bits = {"bits", "floats"} if options else set()  # what they expect is the arithmetic of 32
    assert wrong.keys() - beyond_32_bits == set(), wrong
    assert len(outcomes) > 10
