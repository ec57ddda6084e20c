"""Every form of ten programs is what is kept, and what verifiers let through."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ladder.engine.local.bootstrap_plans import bootstrap_plans
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.planning import verify
from ladder.language.core import Invalid

from .golden import HERE, PROGRAMS, kept, program, text


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("form", ["syntax", "core", "plan", "records"])
def test_forms_are_what_is_kept(form: str, name: str) -> None:
    assert text(form, name) == kept(form, name).read_text(encoding="utf-8"), (
        f"python -m tests.forms.golden {form} writes it anew"
    )


@pytest.mark.spark
@pytest.mark.parametrize("name", PROGRAMS)
def test_queries_of_spark_are_what_is_kept(spark: Any, name: str) -> None:
    assert text("sql", name, spark) == kept("sql", name).read_text(encoding="utf-8"), (
        "python -m tests.forms.golden sql writes it anew"
    )


@pytest.mark.slow
def test_the_order_of_hashes_decides_nothing() -> None:
    """Another seed of Python's hashes, the same text."""
    code = "from tests.forms.golden import text; print(text('records', 'components') + text('plan', 'aggregates'))"
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=Path(HERE).parents[1],
            env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


@pytest.mark.parametrize(
    ("field", "value"), [("relation", 99), ("relation", -1), ("index", 99), ("index", 0), ("arguments", -5)]
)
def test_records_that_name_what_is_not_there_are_refused(field: str, value: int) -> None:
    engine = LocalEngine(program("shortest_paths").core)
    plans = [
        bootstrap_plans(engine, position, component, component.rules)
        for position, component in enumerate(engine.expanded.components)
    ]
    whole = next(p for p in plans if len(p.steps) > 3)
    verify(whole, engine.store)
    probing = int(
        np.flatnonzero(whole.steps["argument_count"] > 0)[0]
        if field == "arguments"
        else np.flatnonzero(whole.steps["kind"] == 2)[0]
    )
    if field == "arguments":
        whole.steps[field][probing][0] = value
    else:
        whole.steps[field][probing] = value
    with pytest.raises(Invalid, match="not there"):
        verify(whole, engine.store)
