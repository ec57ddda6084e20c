"""Programs on data drawn at random, beside compiled Soufflé: time, memory, rows; single changed facts; all rows of
small versions."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ladder.lattices import flat
from ladder.support.children import PACKAGE, python_of, safe_environment
from ladder_bench import live
from ladder_bench.bench import Bench, Measured
from ladder_bench.cases.scratch import evaluate
from ladder_bench.processes import Outcome, run_process
from ladder_bench.report import Check, Section, Table
from ladder_bench.robustness.families import FULL, SMALL, TINY, Case, Family, case_of, larger
from ladder_bench.souffle import sizes

TITLE = "From scratch, beside compiled Soufflé"
UPDATES = "Single changed facts"
ROWS = "All rows of small versions, compared"
LIMIT, PEER_LIMIT = 300.0, 300.0
LEAST = 0.5  # CPU seconds that Soufflé takes for a case that says more than what starting to evaluate costs
GROWTH, STEPS = 4, 5  # how much larger a case is made that takes less, and how often at most
MEAN_BAR, WORST_BAR = 0.3, 0.8
TOP, SEVERAL = str(flat.top), "-1"  # how files say that several constants reach a variable: ours, Soufflé's
CHANGES = 100  # facts that go and come back
MB = 1 << 20


@dataclass
class RobustBench(Bench):
    """A run over these families, each drawn by these seeds; `wrong`: what differed from Soufflé's rows."""

    families: Sequence[Family] = ()
    seeds: Sequence[int] = (1,)
    wrong: list[str] = field(default_factory=list)

    def cases(self, size: int | None = None) -> Iterator[Case]:
        """The cases, family by family, of a size: by default that of the run."""
        for family in self.families:
            for seed in self.seeds:
                yield case_of(self, family, seed, self.size(SMALL, FULL) if size is None else size)

    def differ(self, section: Section, what: str) -> None:
        """Note rows that differ; the command fails at the end."""
        self.wrong.append(what)
        section.notes.append(f"**WRONG ROWS** in {what}")


@dataclass
class Pair:
    """A case on both sides; `kept`: with the state that updates need."""

    case: Case
    ours: Measured
    kept: Measured
    peer: Outcome | None = None

    @property
    def ratio(self) -> float | None:
        """CPU seconds over Soufflé's; where Soufflé was stopped, at most so much."""
        cpu, peer = self.ours.last.get("cpu"), self.peer
        if not cpu or peer is None or (peer.failure and not peer.failure.startswith(">")):
            return None
        return float(cpu / peer.cpu)


def from_scratch(bench: RobustBench, section: Section) -> None:
    """Measure all cases from scratch, here and by Soufflé where there is one."""
    section.notes.append(
        "CPU seconds for reading facts and evaluating; Soufflé compiled, with one thread. *With state*: what updates "
        "need is kept, and made. Memory is peak resident memory of the process. Sizes of results must be equal. A case "
        f"for which Soufflé takes less than {LEAST} s is made {GROWTH} times as large, up to {STEPS} times."
    )
    table = section.table(
        "case",
        "seed",
        "result rows",
        "Soufflé CPU s",
        "Ladder CPU s",
        "ratio",
        "with state",
        "Soufflé MB",
        "Ladder MB",
        "with state MB",
        "drawn",
    )
    pairs: list[Pair] = []
    for drawn in bench.cases():
        case, peer = _large_enough(bench, drawn)
        ours, kept = (
            bench.median(evaluate, "cpu", LIMIT, program=str(case.program), facts=str(case.facts), strategy=strategy)
            for strategy in ("recompute", "elastic")
        )
        pair = Pair(case, ours, kept, peer)
        pairs.append(pair)
        _compare_sizes(bench, section, pair)
        _fill(section, table, pairs)
        ratio = f"{pair.ratio:.2f}x" if pair.ratio else "no ratio"
        bench.tell(f"    {case.family.title}, seed {case.seed}: {ratio}")


def _large_enough(bench: RobustBench, case: Case) -> tuple[Case, Outcome | None]:
    """(the case, larger where it takes Soufflé a moment only, what Soufflé did); the case as it is without Soufflé, or
    where a larger one does not end."""
    if bench.souffle is None:
        return case, None
    binary = bench.souffle.compile(case.peer)
    if binary.failure:
        return case, Outcome(0.0, 0.0, 0, "", binary.failure)
    peer = bench.souffle.run(binary, case.facts, PEER_LIMIT)
    for _ in range(STEPS):
        if peer.failure or peer.cpu >= LEAST:
            break
        more = larger(bench, case, GROWTH)
        outcome = bench.souffle.run(binary, more.facts, PEER_LIMIT)
        if outcome.failure:
            break
        case, peer = more, outcome
    return case, peer


def _fill(section: Section, table: Table, pairs: Sequence[Pair]) -> None:
    table.rows[:] = []
    for pair in sorted(pairs, key=lambda p: -(p.ratio or 0)) if all(p.ratio for p in pairs) else pairs:
        rows = pair.ours.last.get("rows") or {}
        peer, ratio = pair.peer, pair.ratio
        table.add(
            pair.case.family.title,
            pair.case.seed,
            sum(rows.values()),
            peer and (peer.failure or peer.cpu),
            pair.ours.failure or pair.ours.last.get("cpu"),
            ratio and f"{'≤ ' if peer and peer.failure else ''}{ratio:.2f}x",
            pair.kept.failure or pair.kept.last.get("cpu"),
            peer.peak // MB if peer else None,
            pair.ours.process.peak // MB,
            pair.kept.process.peak // MB,
            pair.case.shape,
        )
    rated = [(pair.ratio, pair) for pair in pairs if pair.ratio]
    note = "" if rated else "no Soufflé"
    mean = math.exp(sum(math.log(ratio) for ratio, _ in rated) / len(rated)) if rated else None
    worst = max(rated, key=lambda r: r[0]) if rated else None
    section.checks[:] = [
        Check(f"Ladder ÷ Soufflé, geometric mean of {len(rated)} cases", mean, MEAN_BAR, "x", note=note),
        Check(
            f"Ladder ÷ Soufflé, worst of {len(rated)} cases",
            worst and worst[0],
            WORST_BAR,
            "x",
            note=f"{worst[1].case.family.title}, seed {worst[1].case.seed}" if worst else note,
        ),
        Check("cases that were not finished", float(sum(bool(p.ours.failure) for p in pairs)), 0.0),
    ]


def _compare_sizes(bench: RobustBench, section: Section, pair: Pair) -> None:
    if pair.ours.failure or pair.peer is None or pair.peer.failure:
        return
    found, expected = pair.ours.last["rows"], sizes(pair.peer.output)
    if found != expected or found != (pair.kept.last.get("rows") or found):
        bench.differ(section, f"{pair.case.family.title}, seed {pair.case.seed}: {found}, Soufflé: {expected}")


def updates(bench: RobustBench, section: Section) -> None:
    """Measure single changed facts of all cases."""
    section.notes.append(
        f"{CHANGES} facts drawn at random from all asserted facts go, one after the other, and each comes back at "
        "once: CPU milliseconds of a transaction of `Database.update` as users meet it, with the switch to a bootstrap."
    )
    table = section.table(
        "case", "seed", "bootstrap ms", "p50 ms", "p99 ms", "most ms", "most ÷ bootstrap", "bootstraps instead"
    )
    worst: list[tuple[float, str]] = []
    for case in bench.cases():
        measured = bench.measure(changes, LIMIT, program=str(case.program), facts=str(case.facts), count=CHANGES)
        lines = [line for line in measured.lines if line["what"] == "change"]
        first = next((1e3 * line["cpu"] for line in measured.lines if line["what"] == "bootstrap"), None)
        if not lines or first is None:
            table.add(case.family.title, case.seed, first, measured.failure or "nothing to change", *[None] * 4)
            continue
        spent = [1e3 * line["cpu"] for line in lines]
        switched = sum(line["mode"] == "bootstrap" for line in lines)
        p50, p99, most = np.percentile(spent, [50, 99, 100]).tolist()
        table.add(case.family.title, case.seed, first, p50, p99, most, f"{most / first:.2f}x", switched)
        worst.append((p50 / first, f"{case.family.title}, seed {case.seed}"))
    if worst:
        section.checks.append(
            Check("a single changed fact, p50 ÷ bootstrap, worst case", max(worst)[0], 0.1, "x", note=max(worst)[1])
        )


def changes(program: str, facts: str, count: int) -> Iterator[dict[str, Any]]:
    """A bootstrap, then `count` random facts that go and come back, each in a transaction of its own."""
    database, asserted, took = live.changeable(program, facts)
    yield {"what": "bootstrap", **took}
    for _ in range(min(count, len(asserted))):
        change = asserted.draw(1)
        yield {"what": "change", **live.timed(lambda change=change: database.update(delete=change))}  # type: ignore[misc]
        yield {"what": "change", **live.timed(lambda change=change: database.update(insert=change))}  # type: ignore[misc]


def all_rows(bench: RobustBench, section: Section) -> None:
    """Compare all rows of the smallest versions with those of Soufflé's interpreter."""
    if bench.souffle is None:
        section.notes.append("Skipped: Soufflé is not there.")
        return
    compared = 0
    for case in bench.cases(TINY):
        ours = _written(bench, case, "ours")
        peer = _written(bench, case, "souffle")
        for name in sorted(ours.keys() | peer.keys()):
            compared += len(ours.get(name, ()))
            if ours.get(name) != peer.get(name):
                mine, others = ours.get(name, set()), peer.get(name, set())
                one = min(mine ^ others)
                bench.differ(
                    section,
                    f"{case.family.title}, seed {case.seed}: {name} has {len(mine - others)} rows that Soufflé lacks, "
                    f"and lacks {len(others - mine)}, such as {one}",
                )
    section.notes.append(f"{compared:,} rows of {len(bench.families) * len(bench.seeds)} cases.")


def _written(bench: RobustBench, case: Case, side: str) -> dict[str, set[tuple[str, ...]]]:
    """All rows of a case's results, by relation, as one side writes them."""
    assert bench.souffle is not None
    program = case.peer if side == "souffle" else case.program
    folder = case.facts / side
    folder.mkdir(exist_ok=True)
    text = re.sub(r"^\.printsize", ".output", program.read_text(), flags=re.MULTILINE)
    copy = folder / program.name
    copy.write_text(text)
    arguments = [str(copy), "-F", str(case.facts), "-D", str(folder)]
    if side == "souffle":
        done = run_process([str(bench.souffle.path), "-w", *arguments], PEER_LIMIT)
    else:
        done = run_process(python_of("ladder", "run", *arguments), LIMIT, safe_environment(), PACKAGE)
    if done.failure:
        raise RuntimeError(f"{case.family.title}, seed {case.seed}, {side}: {done.failure}")
    return {path.stem: _rows(path) for path in folder.glob("*.csv")}


def _rows(file: Path) -> set[tuple[str, ...]]:
    """The rows of a file of results; what joins of several constants are is written alike on both sides."""
    with file.open(newline="") as lines:
        rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {tuple(SEVERAL if cell == TOP else cell for cell in row) for row in rows}
