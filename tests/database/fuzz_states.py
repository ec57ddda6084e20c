"""Forged states: real ones whose numbers are changed by chance, with digests and codes that fit; in processes of their
own, so that a crash is seen.

    python -m tests.database.fuzz_states FIRST SECONDS      cases from number FIRST on; what is wrong is told with its
                                                            number

A case is opened as somebody else's state. Either that is refused by a `LadderError`, or its rows are read, explained,
updated and saved, and the state that is saved then opens with the same rows. Nothing else may happen: no other
exception, no signal, no endless loop, no memory beyond a limit.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.errors import LadderError

from ..engine.forging import Forged, current_of, files_of, point, put, somebody_else
from ..engine.programs import random_case
from .all_kinds import ALL, MORE, TEXT, edges

SECONDS = 30  # of a case: more is an endless loop
MEMORY = 6 << 30  # of address space beside what there is
CHOICES = (
    0,
    1,
    -1,
    -2,
    2,
    3,
    7,
    8,
    15,
    16,
    63,
    64,
    255,
    256,
    1 << 16,
    1 << 20,
    (1 << 30) - 1,
    1 << 30,
    (1 << 31) - 1,
    -(1 << 31),
    1 << 32,
    1 << 40,
    -(1 << 40),
    -(1 << 40) - 3,
    -(1 << 40) - 4,
    (1 << 62),
    -(1 << 62),
    (1 << 63) - 1,
    -(1 << 63),
)
COUNTED = (
    ".decl e(a: number, b: number)\n.input e\n.decl p(a: number, b: number)\np(a, b) :- e(a, b).\np(a, c) :- "
    "p(a, b), e(b, c).\n"
)
BAGS = """
.decl e(a: number, b: number, w: number)
.input e
.decl s(a: number, w: number)
s(a, w) :- e(a, _, _), w = sum v : { e(a, _, v) }.
.decl c(a: number, w: number)
c(a, min(w)) :- e(a, _, w).
c(b, min(v)) :- c(a, w), e(a, b, u), v = w + u, v < 40.
.decl n(a: number, n: number)
n(a, k) :- e(a, _, _), k = count : { e(a, _, _) }.
"""


def programs(folder: Path) -> Iterator[tuple[Path, Program, str, dict[str, list[Any]]]]:
    """Saved states, with the program, the strategy and facts for an update."""
    big = edges(5, 60)
    cases: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
        (TEXT, "elastic", ALL, {"e": edges(7, 4)}),
        (TEXT, "elastic", {"e": big}, MORE),
        (COUNTED, "elastic", {"e": [(i, (i * 7 + 1) % 40) for i in range(40)]}, {"e": [(3, 9), (9, 4)]}),
        (
            COUNTED,
            "counting",
            {"e": [(i, (i * 7 + 1) % 20) for i in range(20)] + [(1, 5), (2, 9)]},
            {"e": [(3, 9), (9, 4)]},
        ),
        (COUNTED, "dred", {"e": [(i, (i * 7 + 1) % 20) for i in range(20)]}, {"e": [(3, 9), (9, 4)]}),
        (
            BAGS,
            "elastic",
            {"e": [(i % 5, (i * 7) % 11, (i * i) % 13) for i in range(90)]},
            {"e": [(1, 2, 3), (9, 1, 1)]},
        ),
    ]
    for number, (text, strategy, facts, more) in enumerate(cases):
        program, place = Program.parse(text), folder / str(number)
        with somebody_else():
            db = Database(program, strategy)
            db.bootstrap(facts)
            db.save(place, "base")
            if number % 2 == 0:
                db.update(insert=more)
                db.save(place, "log")
        yield place, program, strategy, more
    for seed in range(42_100, 42_108):
        case = random_case(seed)
        program, place = Program.parse(case.text), folder / str(seed)
        with somebody_else():
            db = Database(program)
            db.bootstrap(case.facts)
            db.save(place)
            for change in case.changes[:1]:
                db.update(**change)
            db.save(place)
        yield place, program, "elastic", case.changes[0]["insert"] if case.changes else {}


# ---- forging


def forge(folder: Path, source: random.Random) -> None:
    """Change something in the files of a state."""
    files = {path: Forged.read(path) for path in files_of(folder)}
    for _ in range(source.choice((1, 1, 1, 2, 4))):
        file = source.choice(list(files.values()))
        kind = source.random()
        if kind < 0.7:
            _change_array(file, source)
        elif kind < 0.93:
            _change_json(file.header, source)
        elif kind < 0.96 and "program" in file.arrays:
            _change_program(file, source)
        else:
            current = current_of(folder)
            _change_json(current, source)
            point(folder, **current)
            return
    put(folder, files)


def _change_array(file: Forged, source: random.Random) -> None:
    names = [name for name in file.arrays if not name.startswith("plans.")]
    groups = sorted({name.split(".")[0] + name.split(".")[-1] for name in names})
    group = source.choice(groups)
    raw = file.arrays[source.choice([name for name in names if name.split(".")[0] + name.split(".")[-1] == group])]
    if source.random() < 0.1:  # another size
        items = len(raw.data) // raw.width
        wanted = max(0, source.choice((items - 1, items + 1, 0, 2 * items, items // 2)))
        raw.data = np.resize(raw.data, wanted * raw.width) if len(raw.data) else np.zeros(wanted * raw.width, np.uint8)
        raw.room = max(0, source.choice((raw.room, wanted, raw.room + 1)))
        return
    if not len(raw.data):
        return
    item = source.choice(
        [np.dtype(t) for t in (np.int32, np.int32, np.int64, np.uint8) if len(raw.data) % np.dtype(t).itemsize == 0]
    )
    data = raw.data.view(item)
    for _ in range(source.choice((1, 1, 1, 2, 5))):
        at = source.randrange(len(data))
        choice = source.random()
        if choice < 0.3:
            value = int(data[source.randrange(len(data))])
        elif choice < 0.5:
            value = int(data[at]) + source.choice((-1, 1, 2, -2, len(data)))
        elif choice < 0.6:
            value = int(data[at]) ^ (1 << source.randrange(8 * item.itemsize))
        else:
            value = source.choice(CHOICES)
        data[at] = np.array(value % (1 << 64), np.uint64).astype(np.int64).astype(item)


def _change_json(value: Any, source: random.Random) -> None:
    """Change a leaf, or a part."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = source.choice(keys)
        if isinstance(value[key], dict | list) and value[key] and source.random() < 0.9:
            value = value[key]
            continue
        break
    kind = source.random()
    if kind < 0.1:
        del value[key]
    elif kind < 0.2:
        value[key] = source.choice(
            (None, "", "x", [], {}, -1, 1.5, True, "../../x", [[[]]], float("inf"), float("nan"), "9" * 400)
        )
    elif isinstance(value[key], int):
        value[key] = source.choice((value[key] + 1, value[key] - 1, *CHOICES))
    elif kind < 0.5 and isinstance(value, list):
        value.append(value[key])
    else:
        other = source.choice(keys)
        value[key], value[other] = value[other], value[key]


def _change_program(file: Forged, source: random.Random) -> None:
    try:
        nodes = json.loads(file.arrays["program"].data.tobytes())
    except ValueError:  # it has been changed already
        return
    _change_json(nodes, source)
    file.arrays["program"].data = np.frombuffer(json.dumps(nodes).encode(), np.uint8).copy()
    if source.random() < 0.8:
        file.header["version"], file.header["program"] = "0" * 64, source.choice(("0" * 64, file.header["program"]))


# ---- one case


def use(folder: Path, program: Program, strategy: str, more: dict[str, Any]) -> str:
    """Open a state, and do with it what can be done; what became of it."""
    try:
        db = Database.open(folder, program, strategy, trust=True)
    except LadderError:
        return "refused"
    try:
        rows = {name: sorted(map(repr, db[name])) for name in db.relations}
        for name in db.stored_relations:
            db.state(name)
        for name in db.relations:
            for row in list(db[name])[:2]:
                db.explain(name, row)
        db.save(folder, "again")
        again = Database.open(folder, program, strategy)
        assert {name: sorted(map(repr, again[name])) for name in again.relations} == rows, "other rows after a save"
        for one in (again, db):
            one.update(insert=more)
            one.update(delete=more)
            one.update(delete={name: list(one[name])[:3] for name in more})
            for name in one.relations:
                list(map(repr, one[name]))
        again.save(folder, "more")
    except LadderError:
        return "accepted, with an error later"
    return "accepted"


def case(number: int, states: list[tuple[Path, Program, str, dict[str, Any]]], work: Path) -> str:
    """What became of a case, in a process of its own."""
    source = random.Random(number)
    place, program, strategy, more = states[source.randrange(len(states))]
    folder = work / "case"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(place, folder)
    with somebody_else():
        forge(folder, source)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        outcome = "?"
        try:
            signal.alarm(SECONDS)
            size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
            outcome = use(folder, program, strategy, more)
        except BaseException:  # noqa: BLE001 - a limit, too
            outcome = "WRONG " + traceback.format_exc()
        os.write(writer, outcome.encode()[-4000:])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        outcome = pipe.read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"WRONG: signal {os.WTERMSIG(status)}"
    return outcome


def fuzz(first: int, seconds: float, most: int | None = None) -> tuple[Counter[str], list[tuple[int, str]]]:
    """(how often what happened, cases in which it was wrong)."""
    counts, wrong, number, began = Counter[str](), list[tuple[int, str]](), first, time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        states = list(programs(Path(work) / "states"))
        for place, program, strategy, more in states:  # kernels are loaded before processes part
            copied = Path(work) / "copy"
            shutil.copytree(place, copied)
            assert use(copied, program, strategy, more).startswith("accepted"), (place, program.text)
            shutil.rmtree(copied)
        while time.monotonic() - began < seconds and (most is None or number - first < most):
            outcome = case(number, states, Path(work))
            counts[outcome if not outcome.startswith("WRONG") else "WRONG"] += 1
            if outcome.startswith("WRONG"):
                wrong.append((number, outcome))
                print(number, outcome, flush=True)
            number += 1
    return counts, wrong


if __name__ == "__main__":
    found, _ = fuzz(int(sys.argv[1]), float(sys.argv[2]))
    print(f"cases from {sys.argv[1]} on, {sum(found.values())}: {dict(found)}")
