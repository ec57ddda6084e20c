"""The plans that are chosen beside the best ones: each order of each plan's joins is tried, and the best together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.errors import TimedOut
from ladder.language.core import Atom, Rule
from ladder.plan.build import computed, relational_literals
from ladder.plan.order import bound_columns, variables_of
from ladder.support.limits import Limits
from ladder.support.tuning import DEFAULT, Planning, Tuning
from ladder_bench import live
from ladder_bench.report import Check, Section
from ladder_bench.robustness.cases import RobustBench
from ladder_bench.robustness.families import TINY

TITLE = "Chosen plans beside the best ones, small versions"
BAR = 1.5
LIMIT = 600.0
RUNS = 5  # of which the median counts
PATIENCE = 3.0  # times what the chosen plans take that other orders may take
LEAST = 0.02  # seconds: a bootstrap that takes less is measured as if it took so much
MOST = 150  # orders of one plan

Start = tuple[str, int | None]  # a rule and the literal that a plan starts from; None: iteration 1
Orders = Mapping[Start, Sequence[int]]
NONE: Orders = {}


def run(bench: RobustBench, section: Section) -> None:
    """Measure all cases in their smallest versions."""
    section.notes.append(
        "Each plan of a bootstrap (of each rule: that of iteration 1, and one for each atom of the component) is tried "
        "with all orders of its joins in which every atom has a known column, the others being as chosen. *Best*: all "
        "plans with the orders that were the fastest; or the chosen ones, where those are faster. *Chosen* may have "
        f"intermediates, and several orders between which rows choose. Medians of {RUNS} runs of each side by turns; a "
        f"bootstrap of less than {LEAST} s counts as one of so much."
    )
    table = section.table(
        "case", "seed", "orders tried", "chosen CPU s", "best CPU s", "chosen ÷ best", "better orders"
    )
    found: list[tuple[float, str]] = []
    for case in bench.cases(TINY):
        measured = bench.measure(search, LIMIT, program=str(case.program), facts=str(case.facts))
        last = measured.last
        if measured.failure or not last:
            table.add(case.family.title, case.seed, measured.failure, *[None] * 4)
            continue
        ratio = max(last["chosen"], LEAST) / max(min(last["best"], last["chosen"]), LEAST)
        found.append((ratio, f"{case.family.title}, seed {case.seed}"))
        better = "; ".join(last["better"]) if ratio > 1.1 else ""
        table.add(case.family.title, case.seed, last["tried"], last["chosen"], last["best"], f"{ratio:.2f}x", better)
    if found:
        mean = math.exp(sum(math.log(ratio) for ratio, _ in found) / len(found))
        section.checks += [
            Check(f"chosen ÷ best plans, geometric mean of {len(found)} cases", mean, BAR, "x"),
            Check("chosen ÷ best plans, worst case", max(found)[0], BAR, "x", note=max(found)[1]),
        ]


def search(program: str, facts: str) -> Iterator[dict[str, Any]]:
    """Try all orders of all plans one by one, then the best ones together beside those that are chosen."""
    live.warmed()
    loaded = live.program_of(program)
    chosen = min(evaluated(loaded, facts, {}) or 0.0 for _ in range(3))
    best: dict[Start, tuple[float, Sequence[int]]] = {}
    tried = 0
    for start, orders in orders_of(loaded, facts):
        for order in orders:
            spent = evaluated(loaded, facts, {start: order}, PATIENCE * max(chosen, LEAST))
            tried += 1
            if spent is not None and (start not in best or spent < best[start][0]):
                best[start] = spent, order
    faster = {start: order for start, (spent, order) in best.items() if spent < 0.97 * chosen}
    sides: tuple[list[float], list[float]] = ([], [])
    for _ in range(RUNS):
        for side, these in zip(sides, (NONE, faster), strict=True):
            side.append(evaluated(loaded, facts, these, LIMIT) or LIMIT)
    yield {
        "tried": tried,
        "chosen": sorted(sides[0])[RUNS // 2],
        "best": sorted(sides[1])[RUNS // 2],
        "better": [
            f"{rule} from {'the begin' if number is None else f'literal {number}'}: {list(order)}"
            for (rule, number), order in faster.items()
        ],
    }


def evaluated(program: Program, facts: str, orders: Orders, limit: float | None = None) -> float | None:
    """The CPU seconds of a bootstrap with these join orders; None if it takes longer than `limit`."""
    database = live.loaded(program, facts, strategy="recompute", tuning=asking(orders), limits=Limits(seconds=limit))
    clock = live.Clock()
    try:
        database.bootstrap({})
    except TimedOut:
        return None
    return clock.lap()["cpu"]


@dataclass(frozen=True)
class Asked(Planning):
    """Planning as usual, except for plans whose join orders are asked for."""

    orders: Orders = field(default_factory=dict)

    def order(self, rule: Rule, start: int | None) -> Sequence[int] | None:
        return self.orders.get((str(rule), start))


def asking(orders: Orders) -> Tuning:
    """Tuning with which bootstraps take these join orders."""
    return replace(DEFAULT, planning=Asked(orders=orders))


def orders_of(program: Program, facts: str) -> Iterator[tuple[Start, list[tuple[int, ...]]]]:
    """Yield each plan of a bootstrap whose joins may have several orders, with these."""
    database: Database = live.loaded(program, facts, strategy="recompute")
    expanded = database._ready().expanded
    for component in expanded.components:
        for rule in component.rules:
            atoms = {n: a for n, a in enumerate(relational_literals(rule)) if isinstance(a, Atom)}
            own = [n for n, atom in atoms.items() if atom.relation in component.names]
            for start in (None, *own):
                orders = [order for order in _orders(rule, atoms, start) if start is None or order[0] == start]
                if len(orders) > 1:
                    yield (str(rule), start), orders[:MOST]


def _orders(rule: Rule, atoms: Mapping[int, Atom], start: int | None) -> Iterator[tuple[int, ...]]:
    """Iterate over the orders in which each atom but the first has a known column."""
    others = [literal for literal in rule.body if not isinstance(literal, Atom)]
    for order in permutations(atoms):
        known = computed(variables_of(atoms[order[0]].terms), others)
        for number in order[1:]:
            if not bound_columns(atoms[number], known):
                break
            known = computed(known | variables_of(atoms[number].terms), others)
        else:
            yield order
