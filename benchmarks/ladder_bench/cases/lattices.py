"""Constant propagation on a million (node, variable) groups: lattices of each kind beside the same program as plain
rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.api.program import Program
from ladder.engine.local.engine import LocalEngine
from ladder.support.limits import memory_in_use
from ladder_bench import live
from ladder_bench.bench import Bench
from ladder_bench.report import Check, Section

TITLE = "Lattices: constant propagation on 1 M groups"
LIMIT = 120.0
PLAIN = "plain rows"
FORMS = {
    "built-in lattice (flat)": "ladder.lattices:flat",
    "table of joins": "ladder_bench.user_lattices:TableOfConstants(1000)",
    "join compiled by numba": "ladder_bench.user_lattices:compiled_constants",
    "lattice in Python": "ladder_bench.user_lattices:constants",
}
BARS = {"lattice in Python": 1.3}
HELD = 1_000_000  # groups, or rows, whose memory is measured
NODES, VARIABLES, CONSTANTS = 200, 20, 1000  # of a method
GROUPS_OF_A_METHOD = 3950  # of the 4,000 pairs, those that a value reaches
DECLARATIONS = """
.decl edge(n: number, m: number)
.decl assign(n: number, x: number, c: number)
.decl copy(n: number, y: number, x: number)
.decl passes(n: number, x: number)
"""
ONE_EACH = ".decl before(n: number, x: number, v: {type})\nbefore(n, x, {value}) :- assign(n, x, v).\n"
RULES = """.decl before(n: number, x: number, v: {type})
before(m, x, {value}) :- assign(n, x, v), edge(n, m).
before(m, x, {kept}) :- before(n, x, v), passes(n, x), edge(n, m).
before(m, y, {kept}) :- before(n, x, v), copy(n, y, x), edge(n, m).
"""
Facts = dict[str, npt.NDArray[np.int32]]


def run(bench: Bench, section: Section) -> None:
    groups = bench.size(100_000, 1_000_000)
    section.notes.append(
        "Methods of 200 instructions and 20 variables with branches and loops; "
        "a group is a (node, variable) with at least one constant that reaches it. "
        "As plain rows, each constant is a row. CPU seconds of the evaluation alone, facts in memory. "
        "Bytes: what the process holds more after evaluating a "
        "program in which each of a million groups has one aggregate input, or is one plain row, facts not counted."
    )
    table = section.table(
        "form",
        "groups or rows",
        "CPU s",
        "÷ plain rows",
        "joins asked of Python",
        "one fact changed, p50 ms",
        "p99 ms",
        "bytes per group",
        "÷ plain row",
    )
    methods = groups // GROUPS_OF_A_METHOD
    measured = {
        name: bench.median(evaluate, "cpu", LIMIT, lattice=lattice, methods=methods) for name, lattice in _forms()
    }
    held = {name: bench.measure(memory, LIMIT, lattice=lattice, groups=HELD) for name, lattice in _forms()}
    plain, plain_bytes = measured[PLAIN].last.get("cpu"), held[PLAIN].last.get("bytes")
    for name, one in measured.items():
        cpu, size = one.last.get("cpu"), held[name].last.get("bytes")
        ratio, share = cpu / plain if cpu and plain else None, size / plain_bytes if size and plain_bytes else None
        table.add(
            name,
            one.failure or one.last["rows"],
            cpu,
            ratio and f"{ratio:.2f}x",
            one.last.get("asked"),
            one.last.get("p50"),
            one.last.get("p99"),
            size,
            share and f"{share:.2f}x",
        )
        if name != PLAIN:
            section.checks.append(
                Check(f"{groups:,} groups, {name} ÷ plain rows", ratio, BARS.get(name, 1.0), "x", note=one.failure)
            )
            section.checks.append(
                Check(
                    f"bytes of a group of one input ÷ plain row's: {name}",
                    share,
                    1.5,
                    "x",
                    note=held[name].failure,
                )
            )
    sizes = {name: one.last["groups"] for name, one in measured.items() if one.last}
    if len(set(sizes.values())) > 1:
        section.notes.append(f"**WRONG ROWS**: {sizes}")


def _forms() -> tuple[tuple[str, str], ...]:
    return ((PLAIN, ""), *FORMS.items())


def program(rules: str, lattice: str) -> Program:
    """Rules with a lattice column, or with a plain one where no lattice is named."""
    if not lattice:
        return Program.parse(DECLARATIONS + rules.format(type="number", value="v", kept="v"))
    return Program.parse(
        f'.lattice Value = "{lattice}"\n' + DECLARATIONS + rules.format(type="Value<>", value="lub(v)", kept="v")
    )


def facts_of(methods: int) -> Facts:
    """Methods of instructions in a row, with forward branches and loops; half of the instructions assign or copy a
    variable."""
    source = np.random.default_rng(1)
    node = np.arange(methods * NODES)
    place, first = node % NODES, node % NODES == 0

    def jumps(chance: float, low: int, high: int) -> npt.NDArray[np.int64]:
        chosen = node[source.random(len(node)) < chance]
        target = chosen % NODES + source.integers(low, high, len(chosen))
        inside = (target > 0) & (target < NODES)
        return np.stack([chosen, chosen - chosen % NODES + target], 1)[inside]

    along = node[place < NODES - 1]
    kind = np.where(first, 1.0, source.random(len(node)))
    variable, other = source.integers(0, VARIABLES, (2, len(node)))
    constant = source.integers(0, CONSTANTS, len(node))
    assigned, copied = kind < 0.3, (0.3 <= kind) & (kind < 0.5)
    entry = np.stack(
        [
            np.repeat(node[first], VARIABLES),
            np.tile(np.arange(VARIABLES), methods),
            source.integers(0, CONSTANTS, methods * VARIABLES),
        ],
        1,
    )
    passing = np.ones((len(node), VARIABLES), bool)
    passing[node[assigned | copied], variable[assigned | copied]] = passing[node[first]] = False
    facts = {
        "edge": np.concatenate([np.stack([along, along + 1], 1), jumps(0.15, 2, 30), jumps(0.04, -30, -1)]),
        "assign": np.concatenate([np.stack([node, variable, constant], 1)[assigned], entry]),
        "copy": np.stack([node, variable, other], 1)[copied],
        "passes": np.argwhere(passing),
    }
    return {name: np.unique(rows, axis=0).astype(np.int32) for name, rows in facts.items()}


def evaluate(lattice: str, methods: int) -> Iterator[dict[str, Any]]:
    """From scratch, then single facts deleted and inserted again."""
    live.warmed()
    facts, engine = facts_of(methods), LocalEngine(program(RULES, lattice).core)
    clock = live.Clock()
    engine.bootstrap(facts)
    spent = clock.lap()
    before = engine.store.present_cells(engine.numbers["before"])
    groups = len(np.unique(before[:, 0].astype(np.int64) * VARIABLES + before[:, 1]))
    found = {**spent, "rows": len(before), "groups": groups, "asked": engine.functions.calls if lattice else None}
    yield found
    yield {**found, **live.single_changes(engine, facts, ("assign", "edge"), 300)}


def memory(lattice: str, groups: int) -> Iterator[dict[str, Any]]:
    """Bytes that each of so many rows, or groups of one aggregate input, takes beside the facts."""
    live.warmed()
    rows = np.stack(
        [np.arange(groups) // VARIABLES, np.arange(groups) % VARIABLES, np.arange(groups) * 7919 % CONSTANTS], 1
    ).astype(np.int32)
    facts = {"assign": rows}
    # code that is loaded counts for no group
    LocalEngine(program(ONE_EACH, lattice).core).bootstrap({"assign": rows[:100]})
    bare = LocalEngine(Program.parse(DECLARATIONS).core)
    began = memory_in_use()
    bare.bootstrap(facts)
    alone = memory_in_use() - began
    engine = LocalEngine(program(ONE_EACH, lattice).core)
    began = memory_in_use()
    engine.bootstrap(facts)
    yield {
        "bytes": (memory_in_use() - began - alone) / groups,
        "rows": len(engine.store.present_cells(engine.numbers["before"])),
    }
