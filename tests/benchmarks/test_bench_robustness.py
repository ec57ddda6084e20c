"""`ladder bench robustness` measures what it says: data follows from seeds, orders are taken, wrong rows are told."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from click.testing import CliRunner

from ladder.cli.bench import ROBUSTNESS_PARTS
from ladder.cli.bench import bench as command
from ladder_bench import live
from ladder_bench.bench import Measured
from ladder_bench.main import robustness_cases
from ladder_bench.processes import Outcome
from ladder_bench.report import Section
from ladder_bench.robustness import cases, plans
from ladder_bench.robustness.cases import Pair, RobustBench
from ladder_bench.robustness.families import FAMILIES, TINY, Family, case_of
from ladder_bench.robustness.shapes import Shape


def family_of(name: str) -> Family:
    return next(family for family in FAMILIES if family.name == name)


@pytest.fixture
def bench(tmp_path: Path) -> RobustBench:
    return RobustBench(tmp_path, full=False, runs=1, souffle=None, data=None)


@pytest.mark.parametrize("family", FAMILIES, ids=[family.name for family in FAMILIES])
def test_facts_follow_from_the_seed(family: Family, bench: RobustBench) -> None:
    """Facts are those that the program reads, the same for one seed and others for another."""
    small = 400
    first, again, other = (
        family.generator(Shape.of(seed, family.name), small if family.name != "objects" else 2000) for seed in (3, 3, 4)
    )
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert any(not np.array_equal(first[name], other[name]) for name in first)
    case = case_of(bench, family, 3, TINY)
    inputs = {d.relation for d in live.program_of(str(case.program)).core.directives if d.kind == "input"}
    assert inputs <= first.keys() and case.peer.exists() and case.shape
    assert {path.stem for path in case.facts.glob("*.facts")} == first.keys()


def test_orders_that_are_asked_for_are_taken(bench: RobustBench) -> None:
    case = case_of(bench, family_of("cliques"), 1, TINY)
    program = live.program_of(str(case.program))
    found = dict(plans.orders_of(program, str(case.facts)))
    triangle = next(start for start in found if start[0].startswith("triangle"))
    assert set(found[triangle]) == {(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)}
    rows = set()
    for order in found[triangle]:
        database = live.loaded(
            program, str(case.facts), strategy="recompute", tuning=plans.asking({triangle: order}), profile=True
        )
        database.bootstrap({})
        rows.add(tuple(live.row_counts(database).values()))
        assert database.profile is not None
        assert any(str(costs.rule) == triangle[0] for costs in database.profile)
    assert len(rows) == 1


def test_changes_are_measured_one_by_one(bench: RobustBench) -> None:
    case = case_of(bench, family_of("tree"), 5, TINY)
    lines = list(cases.changes(str(case.program), str(case.facts), 3))
    assert [line["what"] for line in lines] == ["bootstrap", *["change"] * 6]
    assert all(line["impact"] >= 1 for line in lines[1:])


def test_other_sizes_than_those_of_souffle_are_told(bench: RobustBench) -> None:
    ours = Measured([{"rows": {"path": 3}, "cpu": 1.0}], Outcome(1.0, 1.0, 1, ""))
    pair = Pair(case_of(bench, family_of("tree"), 5, TINY), ours, ours, Outcome(2.0, 2.0, 1, "path\t4\n"))
    section = Section("From scratch")
    cases._compare_sizes(bench, section, pair)
    assert pair.ratio == 0.5 and "WRONG ROWS" in section.notes[0] and bench.wrong
    bench.wrong.clear()
    pair.peer = Outcome(2.0, 2.0, 1, "path\t3\n")
    cases._compare_sizes(bench, section, pair)
    assert not bench.wrong


@pytest.mark.parametrize(
    ("takes", "asked", "told"),
    [((0.6,), 1, 0.6), ((0.1, 0.2, 0.7), 16, 0.7), ((0.1,) * 9, 4**5, 0.1), ((0.1, None), 1, 0.1), ((None,), 1, None)],
    ids=["long enough", "made larger", "never long", "a larger one does not end", "does not end"],
)
def test_cases_of_a_moment_are_made_larger(
    bench: RobustBench, takes: tuple[float | None, ...], asked: int, told: float | None
) -> None:
    """`None`: a run that is stopped."""
    runs = iter(takes)

    def run(*_: Any) -> Outcome:
        cpu = next(runs)
        return Outcome(cpu or 0.0, 0.0, 0, "", "" if cpu else "> 300 s")

    bench.souffle = cast(Any, SimpleNamespace(compile=lambda _: Outcome(1.0, 1.0, 0, ""), run=run))
    small = Family("pairs", "pairs", ("closure_right",), lambda _shape, size: {"edge": np.zeros((size, 2))}, (1, 1, 1))
    case, peer = cases._large_enough(bench, case_of(bench, small, 1, TINY))
    assert case.asked == asked and peer is not None
    assert peer.failure if told is None else peer.cpu == told


def test_a_run_tells_its_seed(tmp_path: Path) -> None:
    arguments = ["robustness", "--only", "updates", "--case", "tree", "--minutes", "0", "--output", str(tmp_path)]
    done = CliRunner().invoke(command, [*arguments, "--seed", "77"])
    assert done.exit_code == 0, done.exception
    assert "Seeds 77" in done.stdout and (tmp_path / "robustness.md").exists()
    done = CliRunner().invoke(command, ["robustness", "--case", "nothing", "--output", str(tmp_path)])
    assert done.exit_code == 2 and "there are modules" in done.output


def test_every_kind_has_a_name_of_its_own() -> None:
    assert len(set(robustness_cases())) == len(FAMILIES) >= 12
    assert ROBUSTNESS_PARTS == ("scratch", "updates", "plans", "rows")
