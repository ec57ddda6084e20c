"""Rules that come and go in a database: maintained, told, named in explanations, taken back where something fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ladder import Database, Program
from ladder.api.rows import Delta
from ladder.errors import LadderError, ProgramError, StateError
from ladder.language.normalise.needed import needed

GRAPH = """
.decl edge(x: number, y: number)
.input edge
.decl path(x: number, y: number)
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
.decl far(x: number)
far(x) :- path(0, x), !edge(0, x).
.decl other(x: number)
.input other
.decl twice(x: number)
twice(2 * x) :- other(x).
"""
EDGES = [(0, 1), (1, 2), (2, 3), (7, 8)]


def database(text: str = GRAPH, **facts: list) -> Database:
    db = Database(Program.parse(text), switch=None)
    db.bootstrap({"edge": EDGES, "other": [(1,), (2,)]} if not facts else facts)
    return db


def state(db: Database) -> dict[str, list]:
    return {
        name: sorted(map(tuple, db.state(name).to_pandas().itertuples(index=False)), key=repr)
        for name in db.stored_relations
    }


def same_as_from_scratch(db: Database, text: str, **facts: list) -> None:
    scratch = Database(Program.parse(text), switch=None)
    scratch.bootstrap({"edge": EDGES, "other": [(1,), (2,)]} if not facts else facts)
    assert state(db) == state(scratch)


def rows(delta: Delta) -> tuple[dict[str, set], dict[str, set]]:
    return {n: set(r) for n, r in delta.inserted.items()}, {n: set(r) for n, r in delta.deleted.items()}


def test_a_rule_comes_and_goes_and_nothing_else_is_touched() -> None:
    db = database()
    db.update(insert={"edge": [(8, 9)]})
    db.update(delete={"edge": [(8, 9)]})
    before = state(db)
    came = db.add_rules("path(y, x) :- edge(x, y), x = 7.")
    assert rows(came) == ({"path": {(8, 7), (8, 8)}}, {})
    assert came.mode == "update" and came.reason == "Rules changed: 1 rule added."
    assert db._ready().report.active_components <= 4 and db._ready().report.events < 12
    same_as_from_scratch(db, GRAPH + "path(y, x) :- edge(x, y), x = 7.")
    gone = db.remove_rules("path(y,x) :- edge(x,y), x=7.")
    assert (gone.mode, gone.reason) == ("update", "Rules changed: 1 rule removed.") and rows(gone)[1] == rows(came)[0]
    assert state(db) == before


def test_relations_that_come_to_depend_on_each_other() -> None:
    db = database()
    joined = "edge(x, z) :- far(z), path(x, z), x > 5.\n"
    with pytest.raises(ProgramError):  # through a negation
        db.add_rules(joined)
    more = ".decl back(x: number, y: number)\nback(y, x) :- path(x, y).\npath(x, z) :- back(x, y), path(y, z), x < 2.\n"
    came = db.add_rules(more)
    assert came.mode == "update" and "path" in came.reason and "another way" in came.reason
    same_as_from_scratch(db, GRAPH + more)
    db.update(delete={"edge": [(1, 2)]}, insert={"edge": [(1, 3)]})
    db.update(insert={"edge": [(1, 2)]}, delete={"edge": [(1, 3)]})
    same_as_from_scratch(db, GRAPH + more)
    db.remove_rules("path(x, z) :- back(x, y), path(y, z), x < 2.")
    same_as_from_scratch(db, GRAPH + ".decl back(x: number, y: number)\nback(y, x) :- path(x, y).\n")
    assert not db.update()


def test_program_facts_and_asserted_facts() -> None:
    db = database()
    came = db.add_rules("edge(3, 4). edge(0, 1).")
    assert set(came.inserted["edge"]) == {(3, 4)}
    db.update(delete={"edge": [(3, 4)]})  # a program fact: it stays
    assert (3, 4) in db["edge"]
    gone = db.remove_rules("edge(3, 4). edge(0, 1).")
    assert set(gone.deleted["edge"]) == {(3, 4)} and (0, 1) in db["edge"]
    same_as_from_scratch(db, GRAPH)
    db.add_rules("edge(0, 1).")
    db.update(delete={"edge": [(0, 1)]})
    assert (0, 1) in db["edge"]
    assert set(db.remove_rules("edge(0, 1).").deleted["edge"]) == {(0, 1)}
    db.add_rules("edge(5, 6).")
    db.update(insert={"edge": [(5, 6), (0, 1)]})
    assert not db.remove_rules("edge(5, 6).")
    same_as_from_scratch(db, GRAPH, edge=[*EDGES, (5, 6)], other=[(1,), (2,)])


AGGREGATES = (
    GRAPH
    + """
.decl reach(x: number, n: number)
reach(x, n) :- path(x, _), n = count : { path(x, _) }.
.decl most(n: number)
most(max(n)) :- reach(_, n).
.lattice Few = "ladder.lattices:k_set(3)"
.decl ends(x: number, s: Few<>)
ends(x, lub(to_string(y))) :- path(x, y).
"""
)


def test_aggregates_and_lattices() -> None:
    db = database(AGGREGATES)
    before = state(db)
    text = (
        "reach(x, n) :- edge(x, _), n = count : { edge(x, _) }.\nends(y, lub(to_string(x))) :- edge(x, y), y < "
        "3.\nmost(max(77)).\n"
    )
    came = db.add_rules(text)
    assert came.mode == "update" and set(came.inserted["most"]) == {(77,)}
    same_as_from_scratch(db, AGGREGATES + text)
    db.update(insert={"edge": [(3, 0)]})
    same_as_from_scratch(db, AGGREGATES + text, edge=[*EDGES, (3, 0)], other=[(1,), (2,)])
    db.update(delete={"edge": [(3, 0)]})
    db.remove_rules(text)
    assert state(db) == before
    recursive = "ends(x, lub(s)) :- ends(y, t), edge(x, y), s = to_string(x).\n"
    assert db.add_rules(recursive).mode == "update"
    same_as_from_scratch(db, AGGREGATES + recursive)


def test_helper_relations_are_told_by_what_they_say() -> None:
    """The first of two aggregates goes: the second keeps its relation, and nothing of it is computed again."""
    first, second = (
        "sizes(x, n) :- other(x), n = count : { edge(_, _) }.\n",
        "sizes(x, n) :- other(x), n = count : { path(x, _) }.\n",
    )
    text = GRAPH + ".decl sizes(x: number, n: number)\n" + first + second
    db = database(text)
    db.remove_rules(first)
    events = db._ready().report.events
    assert db._ready().report.active_components <= 4 and events <= 12
    assert set(db["sizes"]) == {(1, 2), (2, 1)}
    db.update(delete={"edge": [(2, 3)]})
    assert set(db["sizes"]) == {(1, 1), (2, 0)}


def test_explanations_name_the_rules_of_now() -> None:
    db = database()
    db.add_rules("path(x, y) :- other(x), other(y), x > y.")
    assert "path(x, y) :- other(x), other(y)" in str(db.explain("path", (2, 1)))
    db.add_rules(".decl pair(x: number, y: number)\npair(x, y) :- other(x), other(y), x < y.")
    assert "pair(x, y) :- other(x), other(y)" in str(db.explain("pair", (1, 2)))
    db.remove_rules("pair(x, y) :- other(x), other(y), x < y.")
    with pytest.raises(LadderError):
        db.explain("pair", (1, 2))


FUNCTORS = """
def checked(n: int) -> int:
    if n == 13:
        raise ValueError("unlucky")
    if n == 66:
        raise KeyboardInterrupt
    return n
"""


@pytest.mark.parametrize(
    "text",
    [
        "path(y, x) :- edge(x, y), x = @checked(y + 6 + y / 7 - y / 8).",
        "path(x, y) :- edge(x, y), y = @checked(66).",
        "path(x, y) :- nowhere(x, y).",
        "path(x) :- edge(x, _).",
        "path(x, y) :- edge(x, y",
        "path(x, y) :- edge(x, _).",
    ],
)
def test_what_fails_leaves_the_old_rules_and_the_old_state(tmp_path: Path, text: str) -> None:
    (tmp_path / "functors.py").write_text(FUNCTORS)
    program = GRAPH + f'.functor checked(n: number): number = "{tmp_path}/functors.py:checked"\n'
    db = database(program)
    before = state(db)
    with pytest.raises((LadderError, KeyboardInterrupt)):
        db.add_rules(
            text
            + "\n.decl more(x: number)\nmore(@checked(x)) :- path(x, _), x = 7.\nmore(@checked(x + 6)) :- path(x, _), "
            "x = 7."
        )
    assert state(db) == before and "more" not in db.relations
    db.update(insert={"edge": [(3, 4)]})
    same_as_from_scratch(db, program, edge=[*EDGES, (3, 4)], other=[(1,), (2,)])
    db.add_rules("path(x, x) :- edge(x, _).")
    same_as_from_scratch(db, program + "path(x, x) :- edge(x, _).", edge=[*EDGES, (3, 4)], other=[(1,), (2,)])


def test_many_changes_leave_nothing_behind() -> None:
    db = database()
    sizes = []
    for number in range(12):
        text = f".decl extra{number}(x: number)\nextra{number}(x) :- path(x, y), other(y), x < {number}.\n"
        db.add_rules(text)
        db.remove_rules(text.splitlines()[1])
        store = db._ready().store
        sizes.append(sum(int(relation["index_count"]) for relation in store.relations))
    assert max(sizes) - min(sizes) < 3 and len(store.indexes) <= len(store.relations) + max(sizes) + 4
    before = state(db)
    for _ in range(5):
        db.add_rules("path(x, z) :- other(x), path(y, z), y < x.")
        db.remove_rules("path(x, z) :- other(x), path(y, z), y < x.")
    assert state(db) == before
    store = db._ready().store
    numbers = len(store.relations), len(store.aggregates)
    for _ in range(5):
        db.add_rules(
            "far(x) :- path(x, _).\n.decl most(n: number)\nmost(max(n)) :- far(n)."
        ) if "most" not in db.relations else db.add_rules("most(max(n)) :- far(n).")
        db.remove_rules("most(max(n)) :- far(n).")
    assert len(db._ready().store.relations) <= numbers[0] + 8 and len(db._ready().store.aggregates) <= numbers[1] + 1


def test_a_database_whose_rules_were_changed_is_saved_and_opened(tmp_path: Path) -> None:
    db = database(AGGREGATES)
    db.add_rules("path(x, y) :- other(x), other(y). edge(0, 1). edge(5, 6).")
    db.remove_rules("most(max(n)) :- reach(_, n).")
    db.save(tmp_path, "note")
    db.update(insert={"edge": [(3, 4)]}, delete={"edge": [(0, 1)]})
    db.save(tmp_path, "later")
    expected = state(db)
    opened = Database.open(tmp_path, Program.parse(AGGREGATES))
    assert state(opened) == expected and opened.note == "later" and opened.opening is None
    assert set(opened.remove_rules("edge(0, 1). edge(5, 6).").deleted["edge"]) == {(0, 1), (5, 6)}
    opened.update(insert={"edge": [(4, 5)]})
    opened.add_rules("most(max(n)) :- reach(_, n).")
    opened.remove_rules("path(x, y) :- other(x), other(y).")
    same_as_from_scratch(opened, AGGREGATES, edge=[*EDGES[1:], (3, 4), (4, 5)], other=[(1,), (2,)])
    opened.save(tmp_path)
    again = Database.open(tmp_path, Program.parse(AGGREGATES))
    assert state(again) == state(opened)


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("path(x, z) :- path(x, y), edge(y, z).", "path(x, z) :- path(x, y), path(y, z)."),
        lambda text: text.replace(".decl far(x: number)\n", "").replace("far(x) :- path(0, x), !edge(0, x).\n", ""),
        lambda text: "edge(8, 9).\n" + text + ".decl new(x: number)\nnew(x) :- twice(x), !far(x).\n.output new\n",
        lambda text: text.replace("k_set(3)", "k_set(3)").replace(
            "ends(x, lub(to_string(y))) :- path(x, y).", "ends(y, lub(to_string(x))) :- path(x, y)."
        ),
        lambda text: text.replace("twice(2 * x)", "twice(3 * x)").replace(
            "most(max(n)) :- reach(_, n).", "most(max(n)) :- twice(n).\nreach(n, 5) :- most(n)."
        ),
    ],
)
def test_a_state_opened_with_an_edited_program(tmp_path: Path, edit) -> None:
    db = database(AGGREGATES)
    db.update(insert={"edge": [(3, 4)]})
    db.add_rules("twice(x) :- other(x).")  # it goes: the edited program stands for itself
    db.save(tmp_path)
    edited = edit(AGGREGATES)
    opened = Database.open(tmp_path, Program.parse(edited), switch=None)
    assert opened.opening is not None and opened.opening.mode == "update" and opened.opening
    facts = {"edge": [*EDGES, (3, 4)], "other": [(1,), (2,)]}
    same_as_from_scratch(opened, edited, **facts)
    opened.save(tmp_path)
    same_as_from_scratch(Database.open(tmp_path, Program.parse(edited)), edited, **facts)
    back = Database.open(tmp_path, Program.parse(AGGREGATES), switch=None)
    same_as_from_scratch(back, AGGREGATES, **facts)


def test_what_an_edit_may_not_change(tmp_path: Path) -> None:
    db = database(AGGREGATES)
    db.save(tmp_path)
    with pytest.raises(StateError, match="lattice Few"):
        Database.open(tmp_path, Program.parse(AGGREGATES.replace("k_set(3)", "k_set(2)")))
    with pytest.raises(StateError, match="columns of edge"):
        Database.open(
            tmp_path,
            Program.parse(
                AGGREGATES.replace(".decl edge(x: number, y: number)", ".decl edge(x: number, y: number, z: number)")
                .replace("edge(x, y)", "edge(x, y, _)")
                .replace("edge(y, z)", "edge(y, z, _)")
                .replace("edge(0, x)", "edge(0, x, _)")
            ),
        )
    derived = AGGREGATES.replace(".decl far(x: number)", ".decl far(x: symbol)").replace(
        "far(x) :- path(0, x)", "far(to_string(x)) :- path(0, x)"
    )
    opened = Database.open(tmp_path, Program.parse(derived), switch=None)
    assert opened.opening is not None and "columns of far" in opened.opening.reason
    same_as_from_scratch(opened, derived)


def test_columns_of_a_type_with_one_value(tmp_path: Path) -> None:
    """Rules are written with them and explained without them; whether columns of facts are stored may not change."""
    text = """
    .type Context = Anywhere {}
    .decl new(h: symbol, c: Context, v: symbol)  .input new
    .decl move(v: symbol, w: symbol)  .input move
    .decl points(h: symbol, v: symbol, c: Context)
    points(h, v, c) :- new(h, c, v).
    """
    moved = "points(h, w, d) :- points(h, v, c), move(v, w), d = c."
    facts = {"new": [("A", "a")], "move": [("a", "b"), ("b", "c")]}
    db = database(text, **facts)
    assert rows(db.add_rules(moved)) == ({"points": {("A", "b"), ("A", "c")}}, {})
    same_as_from_scratch(db, text + moved, **facts)
    assert "by points(h, w) :- points(h, v), move(v, w)." in str(db.explain("points", ("A", "b")))
    assert rows(db.update(delete={"move": [("b", "c")]}))[1]["points"] == {("A", "c")}
    db.remove_rules(moved)
    assert set(db["points"]) == {("A", "a")}
    db.save(tmp_path / "s")
    edited = Database.open(
        tmp_path / "s", Program.parse(text.replace("new(h, c, v).", "new(h, _, v), c = $Anywhere()."))
    )
    assert set(edited["points"]) == {("A", "a")} and edited.opening.inserted == {}
    with pytest.raises(StateError, match="The columns of new, for which facts were asserted, are others than before"):
        Database.open(tmp_path / "s", Program.parse(text.replace("{}", "{} | Somewhere {}")))


def test_edited_functors_are_asked_again(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def made(n: int) -> int:\n    return n + 1\n\n\ndef same(n: int) -> int:\n    return n\n"
    )
    text = (
        GRAPH + '.functor made(n: number): number = "mine.py:made"\n.decl m(x: number, y: number)\nm(x, @made(x)) :- '
        "other(x).\n"
    )
    (tmp_path / "program.dl").write_text(text)
    db = Database(Program.load(tmp_path / "program.dl"))
    db.bootstrap({"other": [(1,), (2,)], "edge": EDGES})
    db.save(tmp_path / "state")
    (tmp_path / "mine.py").write_text("def made(n: int) -> int:\n    return n + 2\n")
    opened = Database.open(tmp_path / "state", Program.load(tmp_path / "program.dl"), switch=None)
    assert (
        opened.opening is not None
        and set(opened.opening.inserted["m"]) == {(1, 3), (2, 4)}
        and "other code" in opened.opening.reason
    )
    opened.update(insert={"other": [(3,)]}, delete={"other": [(1,)]})
    assert set(opened["m"]) == {(2, 4), (3, 5)}


def test_facts_of_what_is_no_input_any_more(tmp_path: Path) -> None:
    db = database()
    db.save(tmp_path)
    opened = Database.open(tmp_path, Program.parse(GRAPH.replace(".input other\n", "")))
    assert (
        opened.opening is not None
        and set(opened.opening.deleted["twice"]) == {(2,), (4,)}
        and len(opened["other"]) == 0
    )


def test_what_is_evaluated_anew_does_not_see_rows_that_just_departed(tmp_path: Path) -> None:
    text = GRAPH + ".decl one(x: number)\none(7).\n"
    db = database(text)
    db.save(tmp_path)
    edited = (
        text.replace("path(x, y) :- edge(x, y).", "path(x, y) :- edge(x, y), x < 7.")
        + ".decl from(x: number, y: number)\nfrom(x, y) :- one(x), path(x, y).\n"
    )
    opened = Database.open(tmp_path, Program.parse(edited), switch=None)
    assert opened.opening is not None and "from is new" in opened.opening.reason and len(opened["from"]) == 0
    same_as_from_scratch(opened, edited)
    back = Database.open(tmp_path, Program.parse(text.replace("edge(x, y).", "edge(x, y), x < 1.")), switch=None)
    assert set(back.opening.deleted["path"]) == {(1, 2), (1, 3), (2, 3), (7, 8)}


SORTED = """
.decl e(s: symbol, n: number)
.input e
.decl unrelated(s: symbol)
.decl first(k: number, n: number) choice-domain k
first(0, n) :- e(_, n).
.decl numbered(i: number, s: symbol)
numbered(autoinc(), s) :- e(s, _).
.decl least(k: number, n: number) choice-domain k
least(0, n) :- m(n, _).
.decl m(n: number, k: number)
.input m
"""
SORTED_FACTS = {"e": [("a", 1), ("b", 2)], "m": [(3, 0), (4, 0)]}


@pytest.mark.parametrize("clause", ['unrelated("b") :- e("b", 2).', 'unrelated("b").'])
def test_a_clause_elsewhere_that_mentions_a_text_first_changes_the_order_of_rows(clause: str, tmp_path: Path) -> None:
    db, before = database(SORTED, **SORTED_FACTS), ({(0, 1)}, {(0, "a"), (1, "b")}, {(0, 3)})

    def found() -> tuple[set, ...]:
        return tuple(set(db[name]) for name in ("first", "numbered", "least"))

    assert found() == before
    came = db.add_rules(clause)
    assert came.mode == "update" and "texts by which rows are sorted are mentioned in another order" in came.reason
    assert found() == ({(0, 2)}, {(0, "b"), (1, "a")}, {(0, 3)}) and set(came.inserted["first"]) == {(0, 2)}
    same_as_from_scratch(db, SORTED + clause, **SORTED_FACTS)
    db.save(tmp_path)
    db = Database.open(tmp_path, db.program, switch=None)
    assert found()[0] == {(0, 2)}
    db.remove_rules(clause)
    assert found() == before
    db.save(tmp_path)
    db = Database.open(tmp_path, Program.parse(clause + SORTED), switch=None)
    assert found() == ({(0, 2)}, {(0, "b"), (1, "a")}, {(0, 3)})
    db.update(insert={"e": [("c", 7)]})
    same_as_from_scratch(db, clause + SORTED, **{**SORTED_FACTS, "e": [*SORTED_FACTS["e"], ("c", 7)]})


def test_what_sorts_numbers_alone_is_not_evaluated_anew_for_texts() -> None:
    text = (
        ".decl n(x: number)\n.input n\n.decl s(x: symbol)\n.decl r(x: number, y: number) choice-domain x\nr(0, x) "
        ":- n(x).\n"
    )
    db = database(text, n=[(2,), (1,)])
    assert db.add_rules('s("a").').reason == "Rules changed: the facts in the program differ."
    assert set(db["r"]) == {(0, 1)}


def test_what_is_left_out_decides_the_order_of_texts_all_the_same() -> None:
    program = Program.parse('.decl other(s: symbol)\nother("b").\n' + SORTED + ".output first\n.output least\n")
    core = needed(program.core)
    db, whole = Database(replace(program, core=core), switch=None), Database(program, switch=None)
    for one in (db, whole):
        one.bootstrap({"e": SORTED_FACTS["e"], "m": SORTED_FACTS["m"]})
    assert "other" not in core.relations and set(db["first"]) == set(whole["first"]) == {(0, 2)}
    assert "numbered" not in db.relations and list(db.relations) == ["e", "first", "least", "m"]
    alone = needed(Program.parse('.decl other(s: symbol)\nother("b").\n' + SORTED + ".output least\n").core)
    assert list(alone.relations) == ["least", "m"]
