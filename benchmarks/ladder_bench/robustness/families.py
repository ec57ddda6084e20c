"""The programs that are measured, each with what draws its data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ladder_bench.bench import PROGRAMS, Bench
from ladder_bench.robustness import graphs, instructions, ontologies, paths, pointers
from ladder_bench.robustness.shapes import Facts, Shape
from ladder_bench.workloads import DONE


@dataclass(frozen=True)
class Family:
    """A kind of program: one of `programs` is drawn, and its facts by `generator`; `sizes`: what the generator is asked
    for in the smallest version, whose plans are compared with all others, in a small run and in a full one.

    `peer`: the ending of the program that Soufflé is given, where it has other means for the same rows.
    """

    name: str
    title: str
    programs: tuple[str, ...]
    generator: Callable[[Shape, int], Facts]
    sizes: tuple[int, int, int]
    peer: str = ""


FAMILIES = (
    Family(
        "modules",
        "points-to, modules around libraries",
        ("pointsto_heap",),
        pointers.modules,
        (5_000, 200_000, 800_000),
    ),
    Family(
        "assigned_once",
        "points-to, single assignments, five atoms",
        ("pointsto",),
        pointers.assignments_once,
        (2_000, 20_000, 100_000),
    ),
    Family(
        "objects",
        "object-sensitive points-to, contexts as records",
        ("robust/object_sensitive",),
        pointers.objects_with_methods,
        (2_000, 6_000, 20_000),
    ),
    Family(
        "cspa",
        "pointer analysis of C, value flow and aliases",
        ("robust/cspa",),
        pointers.dereferences,
        (1_500, 50_000, 300_000),
    ),
    Family("taint", "taint through fields and calls", ("robust/taint",), pointers.flows, (10_000, 400_000, 2_000_000)),
    Family(
        "tree",
        "closure of a tree",
        ("closure", "robust/closure_right", "robust/closure_double"),
        graphs.tree,
        (50_000, 4_000_000, 20_000_000),
    ),
    Family(
        "grid",
        "closure of a grid",
        ("closure", "robust/closure_right", "robust/closure_double"),
        graphs.grid,
        (20_000, 2_000_000, 10_000_000),
    ),
    Family(
        "power_law",
        "closure, degrees of a power law",
        ("closure", "robust/closure_right", "robust/closure_double"),
        graphs.power_law,
        (100_000, 4_000_000, 20_000_000),
    ),
    Family(
        "dense",
        "closure of a dense graph",
        ("closure", "robust/closure_right", "robust/closure_double"),
        graphs.dense,
        (30_000, 2_000_000, 10_000_000),
    ),
    Family(
        "same_generation",
        "same generation",
        ("robust/same_generation",),
        graphs.generations,
        (50_000, 3_000_000, 15_000_000),
    ),
    Family(
        "paths",
        "enumeration of paths from a source (SSPE)",
        ("robust/paths",),
        graphs.weighted_acyclic,
        (50_000, 2_000_000, 10_000_000),
    ),
    Family(
        "shortest_grid",
        "shortest paths in a grid",
        ("robust/shortest",),
        graphs.roads_in_grid,
        (8_000, 60_000, 300_000),
        ".souffle",
    ),
    Family(
        "shortest_random",
        "shortest paths in a random graph",
        ("robust/shortest",),
        graphs.roads_at_random,
        (8_000, 100_000, 500_000),
        ".souffle",
    ),
    Family(
        "rdfs",
        "RDFS over one relation of triples",
        ("robust/rdfs",),
        ontologies.hierarchies,
        (2_000, 200_000, 1_000_000),
    ),
    Family(
        "owl", "OWL 2 RL over one relation of triples", ("robust/owl",), ontologies.axioms, (1_500, 100_000, 500_000)
    ),
    Family(
        "university",
        "an ontology as unary and binary predicates",
        ("robust/university",),
        ontologies.universities,
        (4_000, 400_000, 2_000_000),
    ),
    Family(
        "constants",
        "constants, flat lattice",
        ("robust/constants",),
        instructions.constants,
        (30_000, 300_000, 2_000_000),
        ".souffle",
    ),
    Family(
        "liveness",
        "liveness with negation",
        ("robust/liveness",),
        instructions.liveness,
        (50_000, 1_000_000, 5_000_000),
    ),
    Family(
        "neighbours",
        "aggregate per pair of neighbours",
        ("robust/neighbours",),
        graphs.neighbourhood,
        (5_000, 200_000, 800_000),
    ),
    Family(
        "triangles",
        "triangles counted per vertex",
        ("robust/triangles",),
        graphs.communities,
        (5_000, 400_000, 2_000_000),
    ),
    Family(
        "cliques", "triangles and cliques of four", ("robust/cliques",), graphs.communities, (5_000, 400_000, 2_000_000)
    ),
    Family(
        "choice",
        "a spanning forest, and numbers given to its vertices, by choice",
        ("robust/choice",),
        graphs.forests,
        (10_000, 1_000_000, 20_000_000),
    ),
    Family(
        "limited",
        "walks of up to forty steps, with a limit of rows",
        ("robust/limited",),
        graphs.walks,
        (5_000, 300_000, 3_000_000),
    ),
    Family("texts", "functions on texts", ("robust/texts",), paths.files, (1_000, 30_000, 150_000)),
)
TINY, SMALL, FULL = range(3)
AT_ONCE = 1 << 18  # rows that are made lines at one go


@dataclass(frozen=True)
class Case:
    """A family with what was drawn by a seed: program, facts in a folder, the shape in words; `asked`: the size that
    the generator was asked for."""

    family: Family
    seed: int
    asked: int
    program: Path
    peer: Path
    facts: Path
    shape: str


def case_of(bench: Bench, family: Family, seed: int, size: int) -> Case:
    """The case of a family by its seed, `size` being TINY, SMALL or FULL; its facts are written unless they are
    there."""
    return _made(bench, family, seed, family.sizes[size])


def larger(bench: Bench, case: Case, factor: int) -> Case:
    """The case with the same shape whose size is so many times that of this one."""
    return _made(bench, case.family, case.seed, factor * case.asked)


def _made(bench: Bench, family: Family, seed: int, asked: int) -> Case:
    shape = Shape.of(seed, family.name)
    name = family.programs[int(shape.source.integers(len(family.programs)))]
    folder = bench.work / "robustness" / f"{family.name}-{seed}-{asked}"
    facts = family.generator(shape, asked)
    if not (folder / DONE).exists():
        folder.mkdir(parents=True, exist_ok=True)
        for relation, rows in facts.items():
            _write(folder / f"{relation}.facts", rows)
        (folder / DONE).touch()
    text = ", ".join(filter(None, (name.rpartition("/")[2] if len(family.programs) > 1 else "", str(shape))))
    return Case(family, seed, asked, PROGRAMS / f"{name}.dl", PROGRAMS / f"{name}{family.peer}.dl", folder, text)


def _write(file: Path, rows: Any) -> None:
    """Write rows of numbers or texts as lines of tab-separated columns."""
    rows = np.asarray(rows)
    with file.open("w") as lines:
        for begin in range(0, len(rows), AT_ONCE):
            lines.writelines("\t".join(map(str, row)) + "\n" for row in rows[begin : begin + AT_ONCE].tolist())


def chosen(names: Sequence[str]) -> Iterator[Family]:
    """The families of these names, all where none is named."""
    return (family for family in FAMILIES if not names or family.name in names)
