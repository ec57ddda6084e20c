"""`ladder bench spark` measures what it says: rows are compared, figures are those of all processes, sums are right."""

from __future__ import annotations

import importlib
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import xxhash

from ladder.cli.bench import SPARK_CASES
from ladder_bench.bench import Bench, Measured
from ladder_bench.processes import Outcome
from ladder_bench.report import Section
from ladder_bench.spark import cases
from ladder_bench.spark.cases.folds import LARGE, LATTICES, joins
from ladder_bench.spark.checksums import checksum, row_hashes
from ladder_bench.spark.family import PYTHON, Family, Watch
from ladder_bench.spark.peers import QUERIES, evaluate_duckdb
from ladder_bench.spark.projection import (
    CPU,
    LATENCY,
    Cost,
    Machines,
    break_even_cores,
    capacity,
    fixed_and_variable,
    machines_for,
    project,
)
from ladder_bench.spark.published import FIGURES, NOTE
from ladder_bench.spark.run import Evaluation, SparkBench, add_table, disagreements
from ladder_bench.spark.sides import LOCAL, REACHED, TWO, evaluate_local, evaluate_spark
from ladder_bench.spark.storage import growth
from ladder_bench.workloads import Workload, chains, facts_of, points_to, roads

MEBI = 1 << 20
needs_proc = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux's /proc")
COST = Cost(
    "work",
    rows=1_000_000,
    iterations=50,
    local_seconds=1e-6,
    local_bytes=100.0,
    wall_seconds=2e-5,
    cpu_seconds=4e-5,
    shuffled=30.0,
    stored=60.0,
    latency=0.3,
    planning=0.1,
    stages=2.0,
    per_task=1e-3,
    skew=1.5,
)


@pytest.fixture
def bench(tmp_path: Path) -> SparkBench:
    return SparkBench(tmp_path, full=False, runs=1, souffle=None, data=None)


def evaluation(side: object, **found: object) -> Evaluation:
    outcome = Outcome(1.0, 2.0, 3, "")
    return Evaluation(
        Workload("w", "work", "closure"),
        side,
        Measured([found] if found else [], replace(outcome, failure="" if found else "> 5 s")),
    )  # type: ignore[arg-type]


def test_checksums_are_those_of_xxhash() -> None:
    columns = [np.array([1, -5, 7]), np.array([2, 3, 2**40])]
    expected = []
    for row in zip(*columns, strict=True):
        seed = 42
        for cell in row:
            seed = xxhash.xxh64(int(cell).to_bytes(8, "little", signed=True), seed=seed).intdigest()
        expected.append(seed)
    assert row_hashes(columns).tolist() == expected
    assert checksum(columns) == int(np.bitwise_xor.reduce(np.array(expected, np.uint64)).astype(np.int64))
    assert checksum([column[[2, 0, 1]] for column in columns]) == checksum(columns) != checksum(columns[::-1])
    assert checksum([]) == checksum([np.zeros(0, np.int64)]) == 0


@needs_proc
def test_a_family_is_told_apart_by_roles_and_summed_up() -> None:
    script = "import time; kept = bytearray(60 * 2**20); sum(range(6_000_000)); time.sleep(0.5)"
    process = subprocess.Popen(
        [sys.executable, "-c", f"import subprocess, sys; subprocess.run([sys.executable, '-c', {script!r}])"]
    )
    with Watch([process.pid]) as family:
        process.wait()
    assert len(family.members) == 2
    assert {member.role for member in family.members.values()} == {PYTHON}
    assert family.peaks(PYTHON)[0] > 60 * MEBI > family.peaks(PYTHON)[1]
    assert family.held >= family.peaks(PYTHON)[0]
    assert family.cpu > 0.05


@needs_proc
def test_a_family_of_nobody_is_empty() -> None:
    family = Family()
    family.look([2**22 + 1])
    assert (family.members, family.held, family.cpu) == ({}, 0, 0.0)


def test_the_local_side_counts_iterations_and_all_stored_rows(bench: SparkBench) -> None:
    workload = Workload("chains", "closure", "closure", "chains", (3, 20))
    line = list(evaluate_local(str(workload.path), str(facts_of(bench, workload))))[-1]
    assert (line["rows"], line["iterations"], line["stored"]) == ({"path": 3 * 210}, 20, 3 * 210 + 60)
    assert line["ended"]
    first = np.array(
        [[c * 21 + a, c * 21 + b, b - a, 1] for c in range(3) for a in range(21) for b in range(a + 1, 21)]
    )
    assert line["sums"] == {"path": checksum(list(first.T))}


def test_generated_facts() -> None:
    assert chains(3, 2, 2)["start"].tolist() == [[0], [3]]
    assert chains(2, 3)["edge"].tolist() == [[0, 1], [1, 2], [2, 3], [4, 5], [5, 6], [6, 7]]
    made = roads(50, 5)
    assert len(made["source"]) == 5
    assert len({(a, b) for a, b, _ in made["road"].tolist()}) == len(made["road"])


@pytest.mark.parametrize(
    ("program", "workload"),
    [
        ("closure", Workload("c", "c", "closure", "dense_graph", (40,))),
        ("pointsto_heap", points_to(1_000)),
        ("shortest", Workload("r", "r", "shortest", "roads", (60, 4))),
    ],
)
def test_duckdb_finds_the_local_engines_rows(bench: SparkBench, program: str, workload: Workload) -> None:
    pytest.importorskip("duckdb")
    assert program in QUERIES
    facts = str(facts_of(bench, workload))
    ours, theirs = (
        list(evaluate_local(str(workload.path), facts))[-1],
        list(evaluate_duckdb(program, facts, threads=1))[-1],
    )
    assert ours["rows"] == theirs["rows"] != {}


@pytest.mark.parametrize(
    "workload",
    [points_to(1_000), Workload("r", "r", "shortest", "roads", (60, 4))],
    ids=lambda workload: workload.program,
)
def test_spark_and_the_local_engine_agree_by_checksums(bench: SparkBench, spark: object, workload: Workload) -> None:
    facts = str(facts_of(bench, workload))
    local, line = (
        list(lines)[-1]
        for lines in (evaluate_local(str(workload.path), facts), evaluate_spark(str(workload.path), facts, None, {}))
    )
    assert (line["rows"], line["sums"]) == (local["rows"], local["sums"])
    assert line["ended"]
    assert line["iterations"] == len(line["series"]) >= local["iterations"]
    assert all(
        one["jobs"] >= 1 and one["stages"] >= 1 and 0 <= one["planning"] <= one["seconds"] for one in line["series"]
    )
    assert sum(one["shuffle_written"] for one in line["series"]) > 0
    assert line["skew"] >= 1


@pytest.mark.parametrize("lattice", LATTICES)
def test_a_fold_and_the_same_join_in_sql_agree(lattice: str, spark: object) -> None:
    found = list(joins(lattice, 20_000 // LARGE.get(lattice, 10), None, {}))[-1]
    assert found["same"] and found["fold"] > 0 and found["sql"] > 0


def test_sides_that_differ_are_told() -> None:
    same = evaluation(LOCAL, rows={"path": 3}, sums={"path": 5}, seconds=1.0)
    assert disagreements([same, evaluation(TWO, rows={"path": 3}, sums={"path": 5})]) == []
    assert "WRONG ROWS" in disagreements([same, evaluation(TWO, rows={"path": 3}, sums={"path": 6})])[0]
    assert "WRONG ROWS" in disagreements([same, evaluation(TWO, rows={"path": 4}, sums={"path": 5})])[0]
    assert disagreements([same, evaluation(TWO)]) == []


def test_a_table_has_figures_of_each_side_and_says_why_others_are_missing() -> None:
    line = {
        "rows": 10,
        "seconds": 0.5,
        "planning": 0.1,
        "jobs": 1,
        "stages": 2,
        "shuffle_written": 4 * MEBI,
        "spilled": 0,
    }
    spark = evaluation(
        TWO,
        seconds=3.0,
        whole=9.0,
        cpu=5.0,
        iterations=2,
        held=700 * MEBI,
        peaks={"driver JVM": [600 * MEBI], "executor": [90 * MEBI, 80 * MEBI], "Python worker": []},
        series=[line, {**line, "jobs": 2}],
        rows={"path": 20},
        sums={},
    )
    local = evaluation(
        LOCAL, seconds=1.5, whole=1.6, cpu=1.5, iterations=2, held=100 * MEBI, peaks={}, rows={"path": 20}, sums={}
    )
    section = Section("Closure")
    add_table(section, "closure", [local, spark, evaluation(TWO)])
    text = section.markdown()
    assert (
        "| Spark local[2] | 9 | 3 | 2 | 1.50 | 0.100 | 20 | 1.50 | 2 | 4 | 8 | 600 | 90, 80 | – | 700 | 5 | 2.0x |"
        in text
    )
    assert "| Spark local[2] | > 5 s |" in text
    assert all(len(row) == len(section.tables[0].columns) for row in section.tables[0].rows)


def test_an_evaluation_that_is_cut_off_says_how_far_it_came() -> None:
    late = Evaluation(
        Workload("w", "work", "closure"),
        TWO,
        Measured([{REACHED: "stage 1 of 2, iteration 7"}], Outcome(1.0, 2.0, 3, "", "> 9 s")),
    )
    assert (late.found, late.failure) == ({}, "> 9 s (stage 1 of 2, iteration 7)")


def test_projection_adds_up_and_names_the_bottleneck() -> None:
    machines = Machines(count=100, cores=10, network=1e9, replicas=2)
    found = project(COST, 1e10, machines, iterations=100)
    assert found.seconds[CPU] == pytest.approx(1e10 * 4e-5 / 1000)
    assert found.seconds["network"] == pytest.approx(1e10 * (30 * 0.99 + 60) / 1e11)
    assert found.seconds["driver starting tasks"] == pytest.approx(100 * 2 * 1000 * 1e-3)
    assert found.total == pytest.approx(sum(found.seconds.values()))
    assert found.bottleneck == CPU
    assert project(COST, 1e6, replace(machines, cores=1), iterations=1000).bottleneck == LATENCY
    assert found.bytes_per_machine == pytest.approx(1e10 * 120 / 100)
    assert found.fits == (found.bytes_per_machine <= machines.memory / 2)


def test_machines_for_a_state() -> None:
    machines = Machines(memory=12_000, share=0.5, replicas=2)
    assert [machines_for(COST, rows, machines) for rows in (1, 50, 51, 1000)] == [1, 1, 2, 20]


def test_break_even_needs_more_cores_than_the_factor_and_may_never_come() -> None:
    large = capacity(COST, 64 << 30)
    cores = break_even_cores(COST, Machines(cores=4), large)
    assert cores is not None
    assert cores > COST.cpu_seconds / COST.local_seconds
    assert project(COST, large, Machines(cores // 4, 4)).total <= large * COST.local_seconds
    assert break_even_cores(COST, Machines(cores=4), 1e6) is None


def test_fixed_and_variable_costs() -> None:
    assert fixed_and_variable([(0, 1.0), (10, 2.0), (20, 3.0)]) == pytest.approx((1.0, 0.1))
    assert fixed_and_variable([(0, 3.0), (10, 2.0), (20, 1.0)]) == (2.0, 0.0)
    assert fixed_and_variable([]) == (0.0, 0.0)


def test_growth_is_a_share_of_the_mean() -> None:
    assert growth([(float(t), 100.0) for t in range(10)]) == 0
    assert growth([(float(t), 95.0 + t) for t in range(11)]) == pytest.approx(0.1)
    assert growth([]) == 0


def test_every_case_can_be_named() -> None:
    modules = {path.stem for path in Path(cases.__file__).parent.glob("*.py")} - {"__init__"}
    assert set(SPARK_CASES) == modules
    assert all(hasattr(importlib.import_module(f"ladder_bench.spark.cases.{name}"), "run") for name in SPARK_CASES)
    assert issubclass(SparkBench, Bench)


def test_published_figures_in_the_documents_are_those_of_the_report() -> None:
    text = (Path(__file__).parents[2] / "docs" / "spark-figures.md").read_text(encoding="utf-8")
    assert NOTE in text
    for figure in FIGURES:
        assert (
            f"{figure.system} | {figure.work} | {figure.data} | {figure.machines} | {figure.seconds} | {figure.source}"
            in text
        )
