"""What a profile says adds up to what was derived, whatever kernels stop for; what is printed names rules as they are
written."""

from __future__ import annotations

import html.parser
from pathlib import Path
from typing import Any

import pytest

from ladder import cli
from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.local.update_plans import update_sources
from ladder.engine.reference import evaluate as naive
from ladder.language.core import Relation, helper
from ladder.language.roles import Part, Role
from ladder.report.profiles import as_text, lines_of, readable, source_text, write_page
from ladder.support.tuning import Evaluating, Tuning

from ..engine.comparison import difference, state_of

TEXT = """// paths and how many there are
.decl e(a: number, b: number)
.input e
.decl p(a: number, b: number)
p(a, b) :- e(a, b).
p(a, c) :-      // two lines
    p(a, b), e(b, c).
.decl far(a: number, n: number)
far(a, n) :- e(a, _), n = count : { p(a, _) }.
"""
EDGES = [(i, i + 1) for i in range(60)]


@pytest.fixture(params=[(1, 2), (1 << 14, 2048)], ids=["pauses", "no pauses"])
def profiled(request: pytest.FixtureRequest) -> Database:
    budget = request.param[0]
    tuning = Tuning(evaluating=Evaluating(first_budget=budget, least_budget=budget, most_budget=budget))
    db = Database(Program.parse(TEXT), profile=True, jobs=2, switch=None, tuning=tuning)
    db.bootstrap({"e": EDGES})
    return db


def costs(db: Database, work: str) -> dict[str, Any]:
    assert db.profile is not None
    return {line.what: line for line in lines_of(db.profile, db.program) if line.work == work}


def test_plans_say_what_was_expected_and_met(profiled: Database) -> None:
    step = costs(profiled, "bootstrap")["p(a, c) :- p(a, b), e(b, c)."]
    later = next(plan for plan in step.plans if plan.starts == "new rows")
    assert later.order == "p → e" and later.costs.started == len(profiled["p"])
    assert sum(plan.costs.cost.matches for plan in step.plans) == step.cost.matches
    assert later.costs.expected is not None and later.met == later.costs.cost.matches / later.costs.started
    assert profiled.profile is not None
    assert "join order" in as_text(profiled.profile, profiled.program) or step.cost.seconds < 0.01


def test_a_plan_is_set_beside_the_best_other_order() -> None:
    text = """.decl big(a: number, b: number)
    .decl one(a: number)
    .decl both(a: number, b: number)
    .input big
    .input one
    both(a, b) :- both(b, a), big(a, b), one(a).
    both(a, b) :- big(a, b), a < 2.
    """
    db = Database(Program.parse(text), profile=True)
    db.bootstrap({"big": [(i % 9, i % 7) for i in range(60)], "one": [(i,) for i in range(9)]})
    assert db.profile is not None
    lines = lines_of(db.profile, db.program)
    plans = [plan for line in lines if "both(b, a)" in line.what for plan in line.plans]
    assert plans and all(plan.other.endswith("expected") for plan in plans)


def test_a_bootstrap(profiled: Database) -> None:
    lines = costs(profiled, "bootstrap")
    base, step = lines["p(a, b) :- e(a, b)."], lines["p(a, c) :- p(a, b), e(b, c)."]
    assert base.cost.new_rows == base.cost.derivations == 60 and base.cost.runs == 1 and base.place == "<text>:5"
    assert base.cost.new_rows + step.cost.new_rows == len(profiled["p"]) == 60 * 61 // 2
    assert (
        step.cost.derivations == 59 * 60 // 2
        and step.cost.matches >= step.cost.derivations
        and step.cost.batches >= step.cost.runs
    )
    assert {n: c.new_rows for n, c in step.iterations.items() if c.new_rows} == {n: 61 - n for n in range(2, 61)}
    assert (
        all(c.seconds >= 0 for line in lines.values() for c in line.iterations.values())
        and sum(line.cost.seconds for line in lines.values()) > 0
    )


def test_an_update(profiled: Database, tmp_path: Path) -> None:
    delta = profiled.update(delete={"e": [(30, 31)]}, insert={"e": [(70, 71)]})
    assert delta.mode == "update"
    step = costs(profiled, "update")["p(a, c) :- p(a, b), e(b, c)."]
    assert step.cost.derivations >= 30 * 29 and step.cost.runs > 0
    facts = {"e": [e for e in EDGES if e != (30, 31)] + [(70, 71)]}
    assert difference(state_of(profiled._ready()), naive.evaluate(profiled.program.core, facts)) == ""
    profiled.save(tmp_path)
    again = Database.open(tmp_path, profiled.program, profile=True, switch=None)
    again.update(insert={"e": [(30, 31)]})
    assert "p(a, c) :- p(a, b), e(b, c)." in costs(again, "update")


def test_one_update_by_itself(profiled: Database) -> None:
    assert profiled.profile is not None
    profiled.update(insert={"e": [(70, 71)]})
    profiled.profile.clear()
    profiled.update(insert={"e": [(80, 81)]})
    base = costs(profiled, "update")["p(a, b) :- e(a, b)."]
    assert costs(profiled, "bootstrap") == {} and base.cost.derivations == 1


def test_as_text_and_as_a_page(profiled: Database, tmp_path: Path) -> None:
    assert profiled.profile is not None
    text = as_text(profiled.profile, profiled.program, least=0.0)
    assert (
        "<text>:6  p(a, c) :- p(a, b), e(b, c)." in text
        and "indexes, aggregates, events of p" in text
        and "iteration" in text
    )
    assert "$" not in text
    write_page(tmp_path / "deep/page.html", [("first <one>", profiled.profile, profiled.program)])
    page = (tmp_path / "deep/page.html").read_text()
    assert (
        "first &lt;one&gt;" in page
        and "p(a, c) :- p(a, b), e(b, c)." in page
        and page.count("<svg") == page.count("<code>") > 3
    )
    assert "http" not in page
    _Balanced().check(page)


class _Balanced(html.parser.HTMLParser):
    def check(self, page: str) -> None:
        self.opened: list[str] = []
        self.feed(page)
        assert self.opened == ["meta"]

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.opened[-1] == "meta" and tag != "meta":
            self.opened.insert(0, self.opened.pop())
        assert self.opened.pop() == tag


def test_names() -> None:
    counted = Part(Role.AGGREGATE, "far", "count", 1)
    parts = [
        *(Part(role, "far") for role in (Role.AGGREGATE_INPUTS, Role.TOTALS, Role.FACTS)),
        counted,
        Part(Role.AGGREGATE_INPUTS, counted.name),
        Part(Role.GROUPS, "m", number=2),
        Part(Role.JOIN, "m", number=1),
        Part(Role.LATTICE_COLUMN, "m", number=2),
    ]
    relations = {r.name: r for r in (Relation("p", ()), *(helper(part, ()) for part in parts))}
    assert [readable(relation, relations) for relation in relations.values()] == [
        "p",
        "values to join in far",
        "totals of far",
        "facts of far",
        "count 1 in far",
        "values to join in count 1 in far",
        "groups 2 in m",
        "join 1 in m",
        "lattice column 2 of m",
    ]
    program = Program.parse(
        '.decl a(x: float, s: symbol)\na(1.5, "x. y"). a(x, "b") :-\n  a(x, _), // no. 1\n  x = 2.5.\n'
    )
    assert [source_text(program, rule.place) for rule in program.core.rules if rule.place] == [
        'a(x, "b") :- a(x, _), x = 2.5.'
    ]


def test_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.dl").write_text(TEXT + ".output far\n")
    Path("e.facts").write_text("1\t2\n2\t3\n")
    with pytest.raises(SystemExit) as leaving:
        cli.main(["run", "p.dl", "--profile", "--profile-output", "out.html", "--switch", "0.5", "-j", "2"])
    assert not leaving.value.code and "p.dl:6" in capfd.readouterr().err and "p.dl:6" in Path("out.html").read_text()
    assert Path("far.csv").read_text().split() == ["1", "2", "2", "1"]


def test_a_bootstrap_makes_no_plans_of_updates(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("plans of updates")

    monkeypatch.setattr("ladder.engine.local.profile.update_sources", refuse)
    db = Database(Program.parse(TEXT), profile=True, switch=None)  # `e` is a component without rules
    db.bootstrap({"e": EDGES})
    assert costs(db, "bootstrap")


def test_plans_of_updates_after_opening_are_told_by_rule_and_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = Database(Program.parse(TEXT), switch=None)
    db.bootstrap({"e": EDGES})
    db.update(insert={"e": [(100, 101)]})
    db.save(tmp_path / "state")
    calls = []
    monkeypatch.setattr(
        "ladder.engine.local.profile.update_sources", lambda *of: calls.append(1) or update_sources(*of)
    )
    again = Database.open(tmp_path / "state", db.program, switch=None, profile=True)
    for edge in ((101, 102), (102, 103)):
        again.update(insert={"e": [edge]})
    assert len(calls) <= 1 and any("p(a, b) :- e(a, b)." in what for what in costs(again, "update"))


def test_a_program_that_changed_is_profiled_too(profiled: Database, tmp_path: Path) -> None:
    profiled.save(tmp_path / "state")
    more = """.decl near(a: number)
near(a) :- far(a, n), n < 3.
near(b) :- near(a), e(a, b).
e(a, a) :- a = 1.
"""
    db = Database.open(tmp_path / "state", Program.parse(TEXT + more), profile=True)
    assert len(db["near"]) and (1, 1) in set(db["p"])
