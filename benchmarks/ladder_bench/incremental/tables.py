"""The tables of a session: distributions, histograms, how time grows with impact, and what LADDDER tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ladder_bench.incremental.published import SOURCE, Figures
from ladder_bench.report import Check, Section

GB, MB = 1 << 30, 1 << 20
SHARE = 0.1  # of its bootstrap: what no update shall exceed
BAR = 20  # characters of a bar in a histogram
SLOWEST = 5  # updates that are told one by one
APART = 10  # updates with an impact that a line is drawn through, at least


@dataclass(frozen=True)
class Session:
    """What a session yielded, so far as it came."""

    name: str
    lines: Sequence[dict[str, Any]]
    updates: list[dict[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "updates", [line for line in self.lines if "impact" in line])

    def line(self, what: str) -> dict[str, Any]:
        """The line of this kind; empty if the session did not come so far."""
        return next((line for line in self.lines if line["what"] == what), {})

    def milliseconds(self, updates: Sequence[dict[str, Any]] | None = None) -> list[float]:
        return [1e3 * line["cpu"] for line in (self.updates if updates is None else updates)]

    @property
    def bootstrap(self) -> float | None:
        """Processor seconds of the evaluation from scratch, without reading facts."""
        return self.line("bootstrap").get("evaluation")

    @property
    def share(self) -> float | None:
        """The slowest update, in bootstraps."""
        return max(self.milliseconds()) / 1e3 / self.bootstrap if self.updates and self.bootstrap else None


def first_runs(section: Section, sessions: Sequence[Session]) -> None:
    """What was analysed, and what analysing it took and found."""
    found = [name for one in sessions for name in one.line("bootstrap").get("rows", ())]
    names = list(dict.fromkeys(found))
    table = section.table(
        "",
        "files",
        "lines",
        "bootstrap CPU s",
        "first updates CPU s",
        "holds MB",
        "at most MB",
        "after updates MB",
        *(f"`{n}`" for n in names),
    )
    for one in sessions:
        first, last, ready = one.line("bootstrap"), one.line("memory"), one.line("first updates").get("cpu")
        if first:
            memory = first["resident"] // MB, first["peak"] // MB, last.get("resident", 0) // MB or None
            counts = (first["rows"].get(name) for name in names)
            table.add(one.name, first["files"], first["lines"], float(one.bootstrap or 0), ready, *memory, *counts)


def updates(section: Section, sessions: Sequence[Session]) -> None:
    """The distribution of update times, by kind of change."""
    table = section.table(
        "",
        "change",
        "updates",
        "p50 ms",
        "p90 ms",
        "p99 ms",
        "most ms",
        "p99 wall ms",
        "most ÷ bootstrap",
        "bootstraps",
    )
    for one in sessions:
        kinds = list(dict.fromkeys(line["what"] for line in one.updates))
        for kind in [*kinds, "all"] if len(kinds) > 1 else kinds:
            lines = [line for line in one.updates if kind in ("all", line["what"])]
            times = np.percentile(one.milliseconds(lines), [50, 90, 99, 100], method="higher").tolist()
            wall = float(np.percentile([1e3 * line["wall"] for line in lines], 99, method="higher"))
            share = times[-1] / 1e3 / one.bootstrap if one.bootstrap else None
            table.add(one.name, kind, len(lines), *times, wall, share, sum(x["mode"] == "bootstrap" for x in lines))


def bar_of_percentile(section: Section, one: Session, title: str, bar: float) -> None:
    value = float(np.percentile(one.milliseconds(), 99, method="higher")) if one.updates else None
    section.checks.append(Check(f"{title}, p99 of updates: {one.name}", value, bar, " ms"))


def bar_of_share(section: Section, one: Session, title: str) -> None:
    what = f"{title}, slowest update ÷ bootstrap" if title else "a commit, slowest update ÷ bootstrap"
    section.checks.append(Check(f"{what}: {one.name}", one.share, SHARE, "x"))


def impacts(section: Section, sessions: Sequence[Session]) -> None:
    """A histogram of impacts for each session, in the buckets of LADDDER's figure 2, with what updates of each took."""
    for one in sessions:
        if not one.updates:
            continue
        table = section.table(
            "rows that change", "updates", "", "median ms", "most ms", caption=f"{one.name}: how many rows change"
        )
        for low, high in _buckets(max(line["impact"] for line in one.updates)):
            lines = [line for line in one.updates if low <= line["impact"] < high]
            times = one.milliseconds(lines)
            bar = "█" * round(BAR * len(lines) / len(one.updates)) or ("▏" if lines else "")
            label = f"{low:,} … {high - 1:,}" if high - 1 > low else f"{low:,}"
            middle, most = (float(np.median(times)), max(times)) if times else (None, None)
            table.add(label, len(lines), bar, middle, most)


def _buckets(most: int) -> list[tuple[int, int]]:
    """0, 1 to 9, 10 to 99, …: as many as reach the largest impact."""
    found = [(0, 1)]
    while found[-1][1] <= most:
        low = found[-1][1]
        found.append((low, 10 * low))
    return found


def growth(section: Section, sessions: Sequence[Session]) -> None:
    """The power of the impact with which time grows: the slope of a line through the logarithms of both."""
    table = section.table(
        "",
        "fixed cost, ms",
        "time ~ impact^",
        "time ~ all rows^",
        "time − fixed cost ~ all rows^",
        caption="Time against impact: slopes of lines through the logarithms, of updates that change rows; the fixed "
        "cost is the median of those that change none of the results, or else the least.",
    )
    for one in sessions:
        if one.updates:
            fixed = fixed_cost(one)
            slopes = (exponent(one.updates, key, less) for key, less in (("impact", 0.0), ("all", 0.0), ("all", fixed)))
            table.add(one.name, 1e3 * fixed, *slopes)


def fixed_cost(one: Session) -> float:
    """Seconds that an update takes which changes no results; of the least, where there is none."""
    idle = [line["cpu"] for line in one.updates if not line["impact"]]
    return float(np.median(idle)) if idle else min(line["cpu"] for line in one.updates)


def exponent(lines: Sequence[dict[str, Any]], key: str, less: float) -> float | None:
    """The slope of log(seconds − less) over log(rows), over updates that change rows; None where there are too few."""
    found = np.array([(line[key], line["cpu"] - less) for line in lines if line[key] and line["cpu"] > less])
    if len(found) < APART or len(np.unique(found[:, 0])) < 2:
        return None
    return float(np.polyfit(np.log(found[:, 0]), np.log(found[:, 1]), 1)[0])


def slowest(section: Section, sessions: Sequence[Session]) -> None:
    """The updates that took longest, and at which instruction, or in which commit, the change was."""
    table = section.table("", "ms", "impact", "all rows", "mode", "change", caption="The slowest updates")
    for one in sessions:
        for line in sorted(one.updates, key=lambda line: -line["cpu"])[:SLOWEST]:
            facts = f", {line['files']:,} files, {line['facts']:,} facts" if "facts" in line else ""
            undone = " undone" if line.get("undone") else ""
            change = f"{line['what']}{undone}: {line['place']}{facts}"
            table.add(one.name, 1e3 * line["cpu"], line["impact"], line["all"], line["mode"], change)


def beside(section: Section, sessions: Sequence[Session], published: Figures) -> None:
    """LADDDER's figures, and those of the sessions in the same terms."""
    table = section.table("", "first run, s", "updates, ms", "memory, GB", "time ~ impact^", caption=SOURCE)
    table.add("LADDDER", published.first, published.updates, published.memory, published.exponent)
    for one in sessions:
        if one.updates:
            half, late, most = np.percentile(one.milliseconds(), [50, 99, 100], method="higher").tolist()
            told = f"50 % below {half:.2f}, 99 % below {late:.2f}, at most {most:.1f}"
            memory = float(one.line("bootstrap")["resident"]) / GB
            table.add(f"Ladder, {one.name}", one.bootstrap, told, memory, exponent(one.updates, "impact", 0.0))


def verified(one: Session) -> str:
    """Whether the results of a session were compared with those from scratch; if they had differed, it had failed."""
    done = one.line("verified")
    if not done:
        return f"**{one.name}**: the results were not compared with those from scratch."
    what = f"after each of {done['changes']:,} updates and " if done["changes"] else ""
    return (
        f"{one.name}: {what}in the end, rows, first iterations and derivations of all relations are those of an "
        "evaluation from scratch."
    )
