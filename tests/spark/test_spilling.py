"""A state that exceeds what its workers may hold: the program completes by spilling, and finds what the local engine
finds."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ladder_bench.spark.cluster import standalone
from ladder_bench.spark.family import EXECUTOR
from tests.marks import needs_spark

from .cluster import ROOT

pytestmark = [
    pytest.mark.spark,
    pytest.mark.nightly,
    needs_spark,
]

HEAP = 512 << 20  # bytes of each executor; Spark keeps less than a third of it for data
BESIDES = 700 << 20  # what a JVM and its Python workers take beside its heap, at most
NODES = 1500
PROGRAM = """
.decl edge(x: number, y: number)
.input edge
.decl path(x: number, y: number)
.printsize path
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
"""


def measured(function: str, **arguments: Any) -> dict[str, Any]:
    """What a measurement of the benchmark finds, in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "ladder_bench.child",
        f"ladder_bench.spark.sides:{function}",
        json.dumps(arguments),
    ]
    process = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    assert process.returncode == 0, process.stderr[-3000:]
    return dict(
        itertools.chain.from_iterable(
            json.loads(line).items() for line in process.stdout.splitlines() if line.startswith("{")
        )
    )


def test_a_state_larger_than_its_workers_memory(tmp_path: Path) -> None:
    draw = random.Random(5)
    edges = {(draw.randrange(NODES), draw.randrange(NODES)) for _ in range(4 * NODES)} | {
        (i, (i + 1) % NODES) for i in range(NODES)
    }
    (tmp_path / "edge.facts").write_text("".join(f"{x}\t{y}\n" for x, y in sorted(edges)))
    program = tmp_path / "closure.dl"
    program.write_text(PROGRAM)
    local = measured("evaluate_local", program=str(program), facts=str(tmp_path))
    conf = {"spark.driver.memory": "1g", "spark.executor.memory": f"{HEAP >> 20}m", "spark.executor.cores": "1"}
    with standalone(workers=2, cores=1, memory="1g") as cluster:
        found = measured(
            "evaluate_spark",
            program=str(program),
            facts=str(tmp_path),
            master=cluster.url,
            conf=conf,
            daemons=cluster.pids,
        )
    assert found["sums"] == local["sums"] and found["rows"]["path"] == NODES * NODES
    cached = max(memory + disk for _, memory, disk, *_ in found["samples"])
    on_disk = max(disk for _, _, disk, *_ in found["samples"])
    spilled = sum(line["spilled"] for line in found["series"])
    print(
        f"cached {cached >> 20} MB, of it {on_disk >> 20} MB on disk; spilled by shuffles {spilled >> 20} MB; "
        "executors at most "
        f"{[peak >> 20 for peak in found['peaks'][EXECUTOR]]} MB"
    )
    assert cached > 2 * 0.3 * HEAP and on_disk > 0
    assert all(peak < HEAP + BESIDES for peak in found["peaks"][EXECUTOR])
