"""Saved states: what is opened equals what was saved and what from scratch gives; what a save writes follows the
change."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.local import mapped
from ladder.engine.reference import evaluate as naive
from ladder.errors import StateError
from ladder.support.tuning import DEFAULT, Saving, Tuning

from ..engine.comparison import check_structure, difference, state_of
from ..engine.programs import Case, cases, random_case, states
from ..marks import seeds, slow_after
from ..random_programs.whole_language import affordable_cases

CLOSURE = """
.decl e(a: symbol, b: symbol)
.input e
.decl p(a: symbol, b: symbol)
p(a, b) :- e(a, b).
p(a, c) :- p(a, b), e(b, c).
"""


def check(db: Database, facts: dict) -> None:
    engine = db._ready()
    assert difference(state_of(engine), naive.evaluate(db.program.core, facts)) == ""
    check_structure(engine)


def sizes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in folder.iterdir()}


def follow(case: Case, folder: Path, seed: int, saving: Saving = DEFAULT.saving) -> None:
    """The states of a case, saved, opened, lost and updated by turns; `note` says which state was saved last."""
    source, program = random.Random(seed), Program.parse(case.text)
    all_facts, tuning = list(states(case)), Tuning(saving=saving)
    db = Database(program, tuning=tuning)
    db.bootstrap(all_facts[0])
    if source.random() < 0.3:
        db._ready().prepare_updates()
    db.save(folder, "0")
    saved_at = 0
    for number, facts in enumerate(all_facts[1:], 1):
        while saved_at < number:
            if source.random() < 0.4:  # the process is gone; what was not saved is lost
                db = Database.open(folder, program, tuning=tuning)
                assert db.note == str(saved_at)
                check(db, all_facts[saved_at])
                for change in case.changes[saved_at : number - 1]:
                    db.update(**change)
            db.update(**case.changes[number - 1])
            check(db, facts)
            if source.random() < 0.2:
                break
            db.save(folder, str(number))
            saved_at = number
            if source.random() < 0.3:
                db.save(folder, str(number))
    db = Database.open(folder, program)
    assert db.note == str(saved_at)
    check(db, all_facts[saved_at])
    for change, facts in zip(case.changes[saved_at:], all_facts[saved_at + 1 :], strict=True):
        db.update(**change)
        check(db, facts)


@pytest.mark.parametrize(("logs", "share"), [(40, 100.0), (1, 100.0), (40, 0.0)])
@pytest.mark.parametrize("block", slow_after(1, range(6)))
def test_random_programs(tmp_path: Path, block: int, logs: int, share: float) -> None:
    for seed in range(40_000 + 4 * block, 40_000 + 4 * block + 4):
        follow(random_case(seed), tmp_path / str(seed), seed, Saving(logs, share))


@pytest.mark.slow
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases(), seed=st.integers(0, 10**6))
def test_programs_that_hypothesis_can_shrink(tmp_path_factory: pytest.TempPathFactory, case: Case, seed: int) -> None:
    follow(case, tmp_path_factory.mktemp("state"), seed)


@pytest.mark.parametrize("block", slow_after(1, range(2)))
def test_programs_of_the_whole_language(tmp_path: Path, block: int) -> None:
    for seed, case in affordable_cases(range(15_000 + 10 * block, 15_000 + 10 * block + 10)):
        follow(case, tmp_path / str(seed), seed)


@pytest.mark.nightly
def test_many_random_programs(tmp_path: Path) -> None:
    for seed in seeds(range(50_000, 51_500)):
        follow(random_case(seed), tmp_path / str(seed), seed)
    for seed, case in affordable_cases(seeds(range(16_000, 17_500))):
        follow(case, tmp_path / str(seed), seed)


def test_lattice_values_of_all_makes(tmp_path: Path) -> None:
    """Frozen sets, the two extremes, and classes of the program's own Python file."""
    (tmp_path / "mine.py").write_text("""
from dataclasses import dataclass
from ladder.lattices import Lattice

@dataclass(frozen=True)
class Box:
    content: frozenset

class Boxes(Lattice):
    def inject(self, value): return Box(frozenset((value,)))
    def join(self, a, b): return Box(a.content | b.content)
    def examples(self): return [Box(frozenset()), Box(frozenset("a"))]
""")
    (tmp_path / "program.dl").write_text(
        """
.lattice Boxes = "mine.py:Boxes"
.lattice Few = "ladder.lattices:k_set(2)"
.lattice Both = "ladder.lattices:product(k_set(1), sign)"
.decl e(g: symbol, x: symbol)
.input e
.decl n(g: symbol, x: number)
.input n
.decl b(g: symbol, s: Boxes<>)
b(g, lub(x)) :- e(g, x).
.decl f(g: symbol, s: Few<>)
f(g, lub(x)) :- e(g, x).
.lattice Range = "ladder.lattices:interval((-10, 0, 10))"
.decl r(g: symbol, s: Range<>)
r(g, lub(x)) :- n(g, x).
.lattice Const = "ladder.lattices:flat"
.decl c(g: symbol, s: Const<>)
c(g, lub(x)) :- n(g, x).
""".replace('.lattice Both = "ladder.lattices:product(k_set(1), sign)"\n', "")
    )
    program = Program.load(tmp_path / "program.dl")
    facts = {"e": [("g", x) for x in "abc"] + [("h", "a")], "n": [("g", -20), ("g", 20), ("h", 3), ("i", 3), ("i", 4)]}
    db = Database(program)
    db.bootstrap(facts)
    db.save(tmp_path / "state")
    check(Database.open(tmp_path / "state", program), facts)
    db.update(insert={"e": [("h", x) for x in "bcd"], "n": [("h", 4), ("h", 99)]})
    db.save(tmp_path / "state")
    assert "log-1-1" in sizes(tmp_path / "state")
    again = Database.open(tmp_path / "state", program)
    check(again, {"e": facts["e"] + [("h", x) for x in "bcd"], "n": facts["n"] + [("h", 4), ("h", 99)]})
    again.update(delete={"e": [("h", x) for x in "bcd"], "n": [("h", 4), ("h", 99)]})
    check(again, facts)


def graph(count: int) -> list[tuple[str, str]]:
    """Many short chains."""
    return [(f"node {i}", f"node {i + 1}") for i in range(count) if i % 4]


def test_what_a_save_writes_follows_the_change(tmp_path: Path) -> None:
    db = Database(Program.parse(CLOSURE))
    db.load_rows("e", graph(40_000))
    db.save(tmp_path)
    base = sizes(tmp_path)["base-1"]
    assert base > 1_000_000
    written = []
    for number, size in enumerate((1, 10, 100), 1):
        delta = db.update(insert={"e": [(f"new {number} {i}", f"node {4 * i + 1}") for i in range(size)]})
        assert delta.impact == 5 * size
        db.save(tmp_path, f"after {number}")
        after = sizes(tmp_path)
        assert after["base-1"] == base and set(after) == {
            "base-1",
            "CURRENT",
            "lock",
            *(f"log-1-{n}" for n in range(1, number + 1)),
        }
        written.append(after[f"log-1-{number}"] + after["CURRENT"])
    assert written[0] < 2_400 and written[1] < 4_000 and written[2] < 20_000
    db.update()
    db.save(tmp_path, "nothing")
    assert set(sizes(tmp_path)) == set(after)


def test_logs_are_gathered_into_a_base_once_they_have_grown(tmp_path: Path) -> None:
    program = Program.parse(CLOSURE)
    db = Database(program, tuning=Tuning(saving=Saving(most_logs=5)))
    db.load_rows("e", graph(50))
    db.save(tmp_path)
    facts = set(graph(50))
    seen = set()
    for number in range(14):
        edge = (f"node {number}", f"node {(7 * number) % 50}")
        db.update(insert={"e": [edge]})
        facts.add(edge)
        db.save(tmp_path, str(number))
        names = set(sizes(tmp_path))
        seen |= {name for name in names if name.startswith("base")}
        assert len([name for name in names if name.startswith("base")]) == 1 and len(names) <= 8
        if number % 5 == 0:
            check(Database.open(tmp_path, program), {"e": sorted(facts)})
    assert seen == {"base-1", "base-2", "base-3"}


def test_opening_is_a_map_and_changes_stay_private(tmp_path: Path) -> None:
    program, edges = Program.parse(CLOSURE), graph(4_000)
    db = Database(program)
    db.load_rows("e", edges)
    db.save(tmp_path)
    before = (tmp_path / "base-1").read_bytes()
    opened = Database.open(tmp_path, program)
    assert f"{tmp_path}/base-1" in Path("/proc/self/maps").read_text()
    store = opened._ready().store
    for key, array in store.bulk.items():
        if key[2] in ("rows", "first_iteration", "derivation_count", "entries", "directory"):
            while isinstance(array, np.ndarray) and not isinstance(array, np.memmap) and array.base is not None:
                array = array.base
            assert isinstance(array, np.memmap | __import__("mmap").mmap), key
    opened.update(delete={"e": edges[:100]}, insert={"e": [("x", "y")]})
    assert (tmp_path / "base-1").read_bytes() == before
    check(Database.open(tmp_path, program), {"e": edges})


def test_states_in_several_folders(tmp_path: Path) -> None:
    program = Program.parse(CLOSURE)
    db = Database(program)
    db.load_rows("e", [("a", "b")])
    db.save(tmp_path / "one")
    db.update(insert={"e": [("b", "c")]})
    db.save(tmp_path / "two", "here")
    db.update(insert={"e": [("c", "d")]})
    db.save(tmp_path / "one")
    assert len(Database.open(tmp_path / "one", program)["p"]) == 6
    two = Database.open(tmp_path / "two", program)
    assert (len(two["p"]), two.note) == (3, "here")


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StateError, match="cannot be written"):
        Database(Program.parse(CLOSURE)).save(tmp_path / "file" / "state")


def test_joins_that_only_the_reader_of_logs_makes(tmp_path: Path) -> None:
    """Logs list the rows of a group in another order than that in which they came, so partial joins differ."""
    program = Program.parse(
        '.lattice Few = "ladder.lattices:k_set(40)"\n.decl e(g: number, x: symbol)\n.input e\n.decl '
        "f(g: number, s: Few<>)\n"
        "f(g, lub(x)) :- e(g, x).\n.decl all(s: Few<>)\nall(lub(s)) :- f(_, s)."
    )
    source = random.Random(3)
    db, present = Database(program), {(0, "a")}
    db.load_rows("e", sorted(present))
    db.save(tmp_path)
    for number in range(25):
        come = {(source.randrange(3), source.choice("abcdefghijklmnop")) for _ in range(4)}
        gone = set(source.sample(sorted(present), min(2, len(present)))) - come
        db.update(insert={"e": list(come)}, delete={"e": sorted(gone)})
        present = present - gone | come
        db.save(tmp_path)
        if number % 3 == 2:
            reader = Database.open(tmp_path, program)
            check(reader, {"e": sorted(present)})
            if number % 2:
                db = reader
    assert len(sizes(tmp_path)) > 2


def test_joins_of_one_name_on_values_of_several_kinds(tmp_path: Path) -> None:
    program = Program.parse("""
        .decl e(n: number, u: unsigned, f: float)
        .input e
        .decl a(m: number)
        .decl b(m: unsigned)
        .decl c(m: float)
        a(m) :- m = min n : { e(n, _, _) }.
        b(m) :- m = min n : { e(_, n, _) }.
        c(m) :- m = min n : { e(_, _, n) }.
    """)
    db = Database(program)
    db.bootstrap({"e": [(3, 3, 0.5), (-1, 2**32 - 1, 2.0)]})
    db.save(tmp_path)
    db = Database.open(tmp_path, program)
    db.update(insert={"e": [(-7, 1, -0.5)]})
    assert [list(db[name]) for name in "abc"] == [[(-7,)], [(1,)], [(-0.5,)]]
    check(db, {"e": [(3, 3, 0.5), (-1, 2**32 - 1, 2.0), (-7, 1, -0.5)]})


SAVED = """.decl e(x: number, y: symbol) .input e
.decl p(x: number, y: number) .decl q(y: symbol, n: number)
p(x, y) :- e(x, s), e(y, s), x < y.
p(x, z) :- p(x, y), p(y, z).
q(s, n) :- e(_, s), n = count : { e(_, s) }.
"""


def test_what_is_idle_holds_nothing_of_the_processs_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks with room to grow were saved as the heap had given them: a file that others get held whatever this process
    had freed."""
    program, files = Program.parse(SAVED), []
    for byte in (0x55, 0xAA):
        monkeypatch.setattr(
            mapped.np, "empty", lambda shape, dtype=float, *rest, byte=byte, **more: _filled(shape, dtype, byte)
        )
        db, source = Database(program), random.Random(1)
        db.bootstrap({"e": [(source.randrange(60), f"s{source.randrange(60)}") for _ in range(150)]})
        for k in range(3):
            db.update(insert={"e": [(100 + k, "s1"), (200 + k, f"t{k}")]}, delete={"e": sorted(db["e"])[k : k + 2]})
        db.save(tmp_path / str(byte))
        files.append((tmp_path / str(byte) / "base-1").read_bytes())
    assert files[0] == files[1]


def _filled(shape: Any, item: Any, byte: int) -> Any:
    """What `np.empty` may give."""
    made = np.zeros(shape, item)
    if made.size and not made.dtype.hasobject:
        made.reshape(-1).view(np.uint8)[:] = byte
    return made


def test_a_state_of_a_program_that_has_lost_a_type(tmp_path: Path) -> None:
    """Records that only the program before had are neither saved nor looked for."""
    kept = ".decl e(x: number, y: number) .input e\n.decl q(x: number)\nq(x) :- e(x, _).\n"
    lost = ".type P = [a: number, b: number]\n.decl p(x: P)\np([x, y]) :- e(x, y).\n"
    before, after = Program.parse(lost + kept), Program.parse(kept)
    db = Database(before)
    db.bootstrap({"e": [(1, 2)]})
    db.save(tmp_path)
    edited = Database.open(tmp_path, after)
    edited.update(insert={"e": [(3, 4)]})
    edited.save(tmp_path)
    edited.update(insert={"e": [(5, 6)]})
    edited.save(tmp_path)  # a log
    again = Database.open(tmp_path, after)
    check(again, {"e": [(1, 2), (3, 4), (5, 6)]})
    assert set(Database.open(tmp_path, before)["p"]) == {((1, 2),), ((3, 4),), ((5, 6),)}
