"""A real standalone cluster of two workers on loopback: what it computes, and what becomes of it when parts of it are
killed."""

from __future__ import annotations

import os
import random
import re
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from ladder_bench.bench import PROGRAMS
from ladder_bench.spark.cluster import Cluster, standalone
from ladder_bench.workloads import points_to_facts as points_to
from tests.marks import needs_spark

from .cluster import Driver, driver
from .looping import FACTS
from .looping import PROGRAM as ALL_KINDS

pytestmark = [pytest.mark.spark, needs_spark]

MEGABYTE = 1 << 20
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # JVMs that live for seconds
REACH = """
.decl edge(a: symbol, b: symbol)
.decl start(a: symbol)
.decl reach(a: symbol, b: symbol)
.decl lonely(text: symbol)
reach(a, b) :- start(a), edge(a, b).
reach(a, c) :- reach(a, b), edge(b, c).
lonely(cat("from ", b)) :- edge(_, b), start(a), !reach(a, b).
"""
CHAIN = {"edge": [(f"n{i}", f"n{i + 1}") for i in range(7)] + [("x", "y"), ("n4", "n2")], "start": [("n0",), ("n1",)]}
POINTS_TO = """
.decl new(v: symbol, h: symbol)
.decl assign(to: symbol, from: symbol)
.decl load(to: symbol, base: symbol, field: symbol)
.decl store(base: symbol, field: symbol, from: symbol)
.decl pt(v: symbol, h: symbol)
.decl fpt(h: symbol, field: symbol, g: symbol)
pt(v, h) :- new(v, h).
pt(v, h) :- assign(v, u), pt(u, h).
fpt(h, f, g) :- store(b, f, u), pt(b, h), pt(u, g).
pt(v, g) :- load(v, b, f), pt(b, h), fpt(h, f, g).
"""


def points_to_facts(variables: int, seed: int = 1) -> dict[str, list[tuple[str, ...]]]:
    draw = random.Random(seed)

    def some() -> str:
        return f"v{draw.randrange(variables)}"

    chain = [(f"v{i + 1}", f"v{i}") for i in range(8)]
    return {
        "new": [("v0", "h0"), *((some(), f"h{i}") for i in range(variables // 3))],
        "assign": [*chain, *((some(), some()) for _ in range(variables))],
        "load": [(some(), some(), f"f{i % 3}") for i in range(variables // 4)],
        "store": [(some(), f"f{i % 3}", some()) for i in range(variables // 4)],
    }


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with standalone(workers=2, cores=2, memory="2g") as running:  # room for two drivers
        yield running


@pytest.fixture(scope="module")
def client(cluster: Cluster) -> Iterator[Driver]:
    with one_core_each(cluster) as running:
        yield running


def one_core_each(cluster: Cluster) -> AbstractContextManager[Driver]:
    """A driver with an executor of one core on each of the two workers."""
    return driver(
        cluster.url,
        600 * MEGABYTE,
        {
            "spark.cores.max": "2",
            "spark.executor.cores": "1",
            "spark.driver.extraJavaOptions": QUICK,
            "spark.executor.extraJavaOptions": QUICK,
        },
    )


def test_an_executor_is_killed_in_the_middle(cluster: Cluster, client: Driver) -> None:
    before = cluster.executors()
    answer = client.run(REACH, CHAIN, cluster.kill_executor, stop_at=((1, 3),))
    assert answer["difference"] == ""
    assert answer["report"]["lost_executors"] == 1
    assert answer["report"]["repeated"] == []  # the other executor had a copy of every row
    assert answer["report"]["losses"].startswith("an executor of Spark was lost during the run: ")
    assert answer["told"] == [answer["report"]["losses"].removesuffix(".")], "it is told, and once"
    assert client.run(REACH, CHAIN)["told"] == []
    assert set(cluster.executors()) != set(before)


def test_all_executors_are_killed_and_the_run_goes_on_from_its_checkpoint(
    cluster: Cluster, client: Driver, tmp_path: Path
) -> None:
    def kill() -> None:
        for pid in cluster.executors():
            os.kill(pid, signal.SIGKILL)

    answer = client.run(REACH, CHAIN, kill, stop_at=((1, 4),), checkpoints=str(tmp_path), every=3)
    assert answer["difference"] == ""
    assert answer["report"]["repeated"] == ["checkpoint 1, stage 1, iteration 3"]
    assert answer["told"][-1].endswith("; the evaluation went on from checkpoint 1, stage 1, iteration 3")


def test_a_worker_is_killed_in_the_middle_of_a_job(cluster: Cluster, client: Driver) -> None:
    answer = _with_a_worker_killed_soon(cluster, client, REACH, CHAIN)
    assert answer["difference"] == ""
    assert answer["report"]["lost_executors"] >= 1 and answer["report"]["repeated"] == []
    assert sum(worker.running for worker in cluster.workers) == 1
    cluster.add_workers(1)


def _with_a_worker_killed_soon(
    cluster: Cluster, client: Driver, program: str, facts: Mapping[str, Any]
) -> dict[str, Any]:
    """The answer of a run during whose third job a worker is killed."""
    killers: list[threading.Timer] = []

    def soon() -> None:
        number = next(i for i, worker in enumerate(cluster.workers) if worker.running)
        killers.append(threading.Timer(0.2, cluster.kill_worker, [number]))
        killers[-1].start()

    try:
        return client.run(program, facts, soon, stop_at=((1, 2),))
    finally:
        for killer in killers:
            killer.join()


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("os.kill(os.getpid(), 9)", r":6:1: error: A Python worker ended in f\(3\), each time it was tried\n"),
        ("raise ValueError('odd')", r":6:1: error: f\(3\) raised ValueError: odd, in functors.py:4 \(f\)\n"),
        ("return len(bytes(1 << 46))", r":6:1: error: f\(3\) has used up the memory of a Python worker of Spark\n"),
    ],
)
def test_a_functor_ends_its_worker(client: Driver, tmp_path: Path, last: str, said: str) -> None:
    """Tried again on another executor, told with its arguments and rule."""
    (tmp_path / "functors.py").write_text(f"import os\ndef f(n):\n    if n == 3:\n        {last}\n    return n\n")
    program = f"""
.functor f(n: number): number = "{tmp_path}/functors.py:f"
.decl a(n: number)
.decl b(n: number)
b(n) :- a(n), n > 9, @f(n) > 0.
b(@f(n)) :- a(n).
"""
    answer = client.run(program, {"a": [(n,) for n in range(5)]})
    assert re.search(said, answer["error"]) and answer["exit_code"] in (2, 4)
    assert client.run(REACH, CHAIN)["difference"] == ""  # the executors are as they were


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("program", "facts"),
    [(ALL_KINDS, FACTS), (POINTS_TO, points_to_facts(40))],
    ids=["all kinds of rules", "points-to"],
)
def test_programs_with_faults(cluster: Cluster, client: Driver, program: str, facts: Mapping[str, Any]) -> None:
    assert client.run(program, facts)["difference"] == ""
    assert client.run(program, facts, cluster.kill_executor, stop_at=((1, 3),))["difference"] == ""
    assert _with_a_worker_killed_soon(cluster, client, program, facts)["difference"] == ""
    cluster.add_workers(1)


@pytest.mark.nightly
def test_tasks_with_too_little_memory_get_fewer_rows_from_the_iteration_that_failed() -> None:
    """At first there is one partition, and memory for a tenth of the tables that its joins build, which do
    not spill."""
    facts = {name: rows.tolist() for name, rows in points_to(20_000).items()}
    with driver(
        "local[1]", 600 * MEGABYTE, {"spark.sql.shuffle.partitions": "1", "spark.memory.fraction": "0.03"}
    ) as running:
        answer = running.run((PROGRAMS / "pointsto_heap.dl").read_text(), facts, large=True)
    assert answer["difference"] == "" and answer["report"]["repeated"] == []
    place, partitions = answer["report"]["finer"][0]
    assert place.startswith("hpt, vpt, iteration ") and partitions == 4
    assert answer["told"][0].startswith("tasks of Spark had too little memory: hpt, vpt goes on from iteration ")


@pytest.mark.nightly
def test_the_master_is_killed_in_the_middle() -> None:
    """Executors that are there go on without it."""
    with standalone(workers=2, cores=1, memory="1g") as cluster, driver(cluster.url, 600 * MEGABYTE) as running:
        answer = running.run(POINTS_TO, points_to_facts(40), cluster.master.process.kill, stop_at=((1, 3),))
    assert answer["difference"] == ""


@pytest.mark.nightly
def test_all_workers_are_killed_and_a_run_with_checkpoints_goes_on_elsewhere(tmp_path: Path) -> None:
    facts = points_to_facts(40)
    with standalone(workers=2, cores=1, memory="1g") as cluster, driver(cluster.url, 600 * MEGABYTE) as running:

        def kill() -> None:
            for number in range(2):
                cluster.kill_worker(number)

        answer = running.run(
            POINTS_TO, facts, kill, stop_at=((1, 4),), checkpoints=str(tmp_path), every=2, patience=5.0
        )
        assert "has had no executor for too long" in answer["error"] and answer["exit_code"] == 2
        assert list(tmp_path.glob("checkpoint-*.json"))
    with driver("local[2]", 600 * MEGABYTE) as here:
        answer = here.run(POINTS_TO, facts, checkpoints=str(tmp_path), resume=True)
    assert answer["difference"] == "" and answer["report"]["resumed"] == "checkpoint 1, stage 1, iteration 2"


@pytest.mark.nightly
def test_a_driver_is_killed_and_another_one_resumes(cluster: Cluster, tmp_path: Path) -> None:
    facts: dict[str, Any] = points_to_facts(40, seed=3)
    with one_core_each(cluster) as first, pytest.raises(BrokenPipeError):
        first.run(POINTS_TO, facts, first.kill, stop_at=((1, 6),), checkpoints=str(tmp_path), every=2)
    assert list(tmp_path.glob("checkpoint-*.json"))
    with one_core_each(cluster) as second:
        answer = second.run(POINTS_TO, facts, checkpoints=str(tmp_path), resume=True)
    assert answer["difference"] == ""
    assert answer["report"]["resumed"] == "checkpoint 2, stage 1, iteration 4"
