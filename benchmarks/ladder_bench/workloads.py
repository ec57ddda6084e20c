"""What is evaluated: programs, and the facts they are given, generated or unpacked."""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder_bench.bench import PROGRAMS, Bench

Numbers = npt.NDArray[np.int64]
Facts = Mapping[str, npt.NDArray[Any]]  # of integers, or of objects
DONE = "complete"  # a file that says that a folder of facts is


@dataclass(frozen=True)
class Workload:
    """A program and its facts: `generator` and `arguments`, or an `archive` of which `lines` of each file are used (0:
    all).

    `rows`: what is expected in the results, where that is known. `large`: how many facts a large change has.
    """

    name: str
    title: str
    program: str
    generator: str = ""
    arguments: tuple[int, ...] = ()
    archive: str = ""
    lines: int = 0
    rows: Mapping[str, int] | None = None
    large: int = 1000

    @property
    def path(self) -> Path:
        return PROGRAMS / f"{self.program}.dl"


def closures(full: bool) -> tuple[Workload, ...]:
    vertices, scale, edges = (2000, 13, 16_384) if full else (400, 10, 2048)
    return (
        Workload(
            "dense",
            f"closure, dense: {vertices:,} vertices, {5 * vertices:,} edges drawn",
            "closure",
            "dense_graph",
            (vertices,),
            rows={"path": 3_958_105} if full else None,
        ),
        Workload(
            "rmat",
            f"closure, RMAT: 2^{scale} vertices, {edges:,} edges drawn",
            "closure",
            "rmat_graph",
            (scale, edges),
            rows={"path": 8_508_169} if full else None,
        ),
    )


def points_to(facts: int, program: str = "pointsto_heap") -> Workload:
    known = {1_000_000: {"vpt": 1_347_567, "hpt": 1_692_205}, 100_000: {"vpt": 128_127, "hpt": 121_126}}
    rows = {name: size for name, size in known.get(facts, {}).items() if name == "vpt" or program != "pointsto"}
    forms = {"pointsto": "r3 as in the figure", "pointsto_heap": "as written", "pointsto_split": "rules split by hand"}
    return Workload(
        f"{program}-{facts}",
        f"points-to {facts:,} facts, {forms[program]}",
        program,
        "points_to_facts",
        (facts,),
        rows=rows or None,
    )


def modules(facts: int) -> Workload:
    """Points-to facts for which no join of two relations of its longest rule is cheap."""
    known = {50_000: {"vpt": 142_613, "hpt": 379_624}, 400_000: {"vpt": 685_405, "hpt": 2_452_317}}
    return Workload(
        f"modules-{facts}",
        f"points-to {facts:,} facts, modules around libraries",
        "pointsto_heap",
        "modules_around_library",
        (facts,),
        rows=known.get(facts),
    )


def texts(names: int) -> Workload:
    known = {1_000_000: {"base": 1_000_000, "code": 1_000_000, "renamed": 1_000_000, "hashed": 1_000_000}}
    return Workload(f"texts-{names}", f"texts: {names:,} names", "texts", "names", (names,), rows=known.get(names))


def published(bench: Bench) -> tuple[Workload, ...]:
    """The data sets of the elastic paper: CRDT and GALEN as they are (or their beginnings), Doop with the
    same schema."""
    full = bench.full
    return (
        Workload(
            "crdt",
            "CRDT" if full else "CRDT, beginning of it",
            "crdt",
            archive="crdt",
            lines=0 if full else 20_000,
            rows={"result": 104_653} if full else None,
            large=100,
        ),
        Workload(
            "galen",
            "Galen" if full else "Galen, beginning of it",
            "galen",
            archive="galen",
            lines=0 if full else 40_000,
            rows={"p": 7_560_179, "q": 16_595_494} if full else None,
            large=100_000 if full else 5_000,
        ),
        Workload(
            "doop",
            "Doop",
            "doop",
            archive="doop",
            rows={
                "VarPointsTo": 511_397,
                "InstanceFieldPointsTo": 354_511,
                "Assign": 31_754,
                "CallGraphEdge": 13_136,
                "ArrayIndexPointsTo": 5_636,
                "Reachable": 2_875,
                "StaticFieldPointsTo": 705,
            },
        ),
    )


def facts_of(bench: Bench, workload: Workload) -> Path | None:
    """The folder of a workload's fact files, made if it is not there; None where the archive is missing."""
    made = workload.archive or "-".join(map(str, (workload.generator, *workload.arguments)))
    folder = bench.work / "facts" / (made + (f"-{workload.lines}" if workload.lines else ""))
    if (folder / DONE).exists():
        return folder
    if not workload.archive:
        outcome = bench.measure(
            write_generated, 600, name=workload.generator, arguments=list(workload.arguments), folder=str(folder)
        )
    else:
        archive = bench.data / f"{workload.archive}-facts.tar.xz" if bench.data else None
        if archive is None or not archive.exists():
            return None
        outcome = bench.measure(unpack, 600, archive=str(archive), folder=str(folder), lines=workload.lines)
    if outcome.failure:
        raise RuntimeError(f"facts of {workload.name}: {outcome.failure}")
    (folder / DONE).touch()
    return folder


def write_generated(name: str, arguments: list[int], folder: str) -> Iterator[dict[str, Any]]:
    """Write the facts of a generator of this module, by relation, as files of tab-separated columns."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for relation, rows in GENERATORS[name](*arguments).items():
        form = "%s" if rows.dtype == object else "%d"
        np.savetxt(Path(folder) / f"{relation}.facts", rows, fmt=form, delimiter="\t")
        yield {relation: len(rows)}


def unpack(archive: str, folder: str, lines: int) -> Iterator[dict[str, Any]]:
    """Write the files of an archive, without its folders; of each, so many lines, if not 0."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as members:
        for member in members:
            content = members.extractfile(member)
            if content is not None:
                with content, (Path(folder) / Path(member.name).name).open("wb") as file:
                    while block := content.read(1 << 22) if not lines else b"".join(content.readlines()[:lines]):
                        file.write(block)
                yield {"file": member.name}


def dense_graph(vertices: int) -> Facts:
    """A random graph, five edges for each vertex: nearly every vertex reaches every other."""
    edges = np.random.default_rng(3).integers(0, vertices, (5 * vertices, 2))
    return {"edge": np.unique(edges, axis=0)}


def rmat_graph(scale: int, edges: int) -> Facts:
    """A graph of 2^scale vertices with few of high degree: R-MAT (Chakrabarti et al. 2004) with .57, .19, .19, .05."""
    source, ends = np.random.default_rng(5), np.zeros((edges, 2), np.int64)
    for _ in range(scale):
        quarter = source.choice(4, edges, p=(0.57, 0.19, 0.19, 0.05))
        ends = 2 * ends + np.stack([quarter // 2, quarter % 2], 1)
    return {"edge": np.unique(ends, axis=0)}


def points_to_facts(count: int, seed: int = 7) -> Facts:
    """About `count` facts: short chains of assignments, with loads and stores between variables that are near."""
    source = np.random.default_rng(seed)
    variables, fields = max(8, count // 2), 50
    news, assigns, accesses = int(count * 0.3), int(count * 0.4), int(count * 0.15)

    def any_of(size: int) -> Numbers:
        return source.integers(0, variables, size)

    def near(of: Numbers) -> Numbers:
        """A variable a little before or after, of the same block of eight hundred."""
        return of - of % 800 + (of % 800 + source.integers(-40, 41, len(of))) % 800

    targets, loaded, bases = any_of(assigns), any_of(accesses), any_of(accesses)
    facts = {
        "new": np.stack([any_of(news), np.arange(news)], 1),
        "assign": np.stack([targets, near(targets)], 1),
        "load": np.stack([loaded, near(loaded), source.integers(0, fields, accesses)], 1),
        "store": np.stack([bases, source.integers(0, fields, accesses), near(bases)], 1),
    }
    return {name: np.unique(rows, axis=0) for name, rows in facts.items()}


def modules_around_library(count: int, seed: int = 13, module: int = 100, fields: int = 40) -> Facts:
    """About `count` facts: variables in modules, which read and write the fields of the variables of a library module
    that each three hundred of them share; fields have an exponential popularity.

    What fields of library objects hold comes from everywhere, so that `load(t, b, f)`, `vpt(b, g)` and `hpt(g, f, h)`
    form a triangle in which each pair of them joins to far more rows than all three.
    """
    source = np.random.default_rng(seed)
    variables = max(2 * module, int(0.6 * count))
    news, assigns, loads, stores = (int(count * share) for share in (0.3, 0.35, 0.15, 0.15))

    def any_of(size: int) -> Numbers:
        return source.integers(0, variables, size)

    def of_module(of: Numbers) -> Numbers:
        """A variable of the same module, or, one time in a hundred, of the library, the first of its modules."""
        there = np.where(source.random(len(of)) < 0.01, of - of % (300 * module), of - of % module)
        return np.minimum(there + source.integers(0, module, len(of)), variables - 1)

    def field(size: int) -> Numbers:
        return np.minimum(source.exponential(fields / 8, size), fields - 1).astype(np.int64)

    targets, loaded, bases = any_of(assigns), any_of(loads), any_of(stores)
    facts = {
        "new": np.stack([any_of(news), np.arange(news)], 1),
        "assign": np.stack([targets, of_module(targets)], 1),
        "load": np.stack([loaded, of_module(loaded), field(loads)], 1),
        "store": np.stack([of_module(bases), field(stores), bases], 1),
    }
    return {name: np.unique(rows, axis=0) for name, rows in facts.items()}


def names(count: int) -> Facts:
    """Names of methods like those of Java, with the numbers of their classes and a code of six digits each."""
    source = np.random.default_rng(17)
    packages = [
        "org.example.util",
        "com.acme.io.text",
        "org.example.model.parts",
        "net.tools.a",
        "com.acme.web.service",
    ]
    classes = ["InputReader", "Writer", "NameTable", "BufferedReader", "Visitor", "AbstractFactory"]
    methods = ["getName", "setValue", "visit", "accept", "getAll", "toString"]
    parts = (
        *(source.choice(words, count).tolist() for words in (packages, classes)),
        source.integers(0, 3000, count).tolist(),
        source.choice(methods, count).tolist(),
        source.integers(0, 1_000_000, count).tolist(),
    )
    rows = np.empty((count, 2), object)
    rows[:, 0] = range(count)
    rows[:, 1] = [f"{p}.{c}{number}.{m}#{code:06d}" for p, c, number, m, code in zip(*parts, strict=True)]
    return {"name": rows}


def chains(count: int, length: int, started: int = 0) -> Facts:
    """Return `count` chains of `length` edges each; `start`: the first vertices of all of them, or of as many as
    `started` says."""
    first = np.arange(count) * (length + 1)
    source = (first[:, None] + np.arange(length)[None]).ravel()
    return {"edge": np.stack([source, source + 1], 1), "start": first[: started or count, None]}


def roads(places: int, sources: int) -> Facts:
    """A random graph of places, four roads of length 1 to 100 for each, and places to begin at."""
    source = np.random.default_rng(11)
    ends = np.unique(source.integers(0, places, (4 * places, 2)), axis=0)
    return {
        "road": np.column_stack([ends, source.integers(1, 101, len(ends))]),
        "source": source.choice(places, sources, replace=False)[:, None],
    }


GENERATORS: Mapping[str, Callable[..., Facts]] = {
    f.__name__: f for f in (dense_graph, rmat_graph, points_to_facts, modules_around_library, names, chains, roads)
}
