"""Points-to r1 to r3 with (first, count): the bars on seconds and jobs of an iteration."""

from __future__ import annotations

from ladder_bench.plots import plot
from ladder_bench.report import Check, Section
from ladder_bench.spark.run import Evaluation, SparkBench, add_table
from ladder_bench.spark.sides import LOCAL, ONE, TWO, WORKERS, Side
from ladder_bench.workloads import points_to

TITLE = "Points-to: seconds of an iteration"
ALL = (LOCAL, ONE, TWO, WORKERS)
BARS = {100_000: 1.0, 1_000_000: 2.5}  # seconds per iteration on local[2], by facts


def run(bench: SparkBench, section: Section) -> None:
    section.notes.append(
        "Andersen's analysis, fields told apart (rules r1 to r3), on generated facts: short chains of assignments, "
        "loads and stores between near variables."
    )
    for facts, sides in sizes(bench):
        evaluations = bench.evaluate(section, points_to(facts), sides)
        add_table(section, f"**{points_to(facts).title}**", evaluations)
        two = next((e for e in evaluations if e.side == TWO), None)
        if two is not None and facts in BARS:
            section.checks += checks(two, facts, BARS[facts])
        series = {
            e.side.name: [(float(number), line["seconds"]) for number, line in enumerate(e.series, 1)]
            for e in evaluations
            if e.series
        }
        plot(
            section,
            bench.output,
            f"spark_pointsto_{facts}",
            f"Points-to, {facts:,} facts",
            ("iteration", "seconds"),
            series,
            linear=True,
        )
        agreement(section, evaluations, facts)
        bench.written()
    if not bench.full:
        section.checks.append(
            Check(
                "points-to 1,000,000 facts on local[2], per iteration", None, BARS[1_000_000], " s", note="with --full"
            )
        )


def sizes(bench: SparkBench) -> list[tuple[int, tuple[Side, ...]]]:
    """(facts, sides)."""
    if bench.full:
        return [(20_000, ALL), (100_000, ALL), (1_000_000, (LOCAL, TWO, WORKERS))]
    return [(20_000, (LOCAL, TWO)), (100_000, (LOCAL, TWO, WORKERS))]


def checks(two: Evaluation, facts: int, bar: float) -> list[Check]:
    title = f"points-to {facts:,} facts on local[2]"
    jobs = two.mean("jobs")
    return [
        Check(
            f"{title}, per iteration",
            two.per_iteration,
            bar,
            " s",
            note=two.failure or f"{two.iterations} iterations, {two.mean('planning') or 0:.2f} s outside of jobs",
        ),
        Check(f"{title}, jobs per iteration", jobs, 1.0, note=two.failure),
    ]


def agreement(section: Section, evaluations: list[Evaluation], facts: int) -> None:
    """A check that all sides of Spark end in the local engine's state."""
    local = next((e for e in evaluations if e.side == LOCAL), None)
    compared = [e for e in evaluations if e.side.is_spark and "sums" in e.found]
    differing = [
        e
        for e in compared
        if local is None or (e.found["rows"], e.found["sums"]) != (local.found.get("rows"), local.found.get("sums"))
    ]
    section.checks.append(
        Check(
            f"points-to {facts:,} facts: sides whose rows, first or counts differ from the local engine's",
            float(len(differing)) if compared else None,
            0.0,
            note=f"of {len(compared)} compared",
        )
    )
