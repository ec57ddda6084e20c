"""Plans that are made anew while a bootstrap runs: only where the statistics that they rest on have changed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.planning import Made
from ladder.engine.local.strategies import base
from ladder.language import parse
from ladder.plan.order import Statistics
from ladder.plan.steps import Role

from .comparison import difference, state_of
from .tuned import tuned

TWO = """
.decl e(x: number, y: number)
.decl t(x: number, y: number)
.decl p(x: number, y: number)
.decl s(x: number, y: number)
p(x, y) :- e(x, y).
p(x, y) :- s(x, y), e(x, _).
p(x, z) :- p(x, y), e(y, z).
s(x, y) :- t(x, y).
s(x, y) :- s(y, x), t(x, y).
s(x, y) :- p(x, y), t(x, y).
"""
FACTS = {"e": [(n, n + 1) for n in range(60)], "t": [(1, 2), (2, 1)]}


def bootstrapped(**options: Any) -> LocalEngine:
    engine = LocalEngine(parse(TWO), tuning=tuned(**options))
    engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in FACTS.items()})
    return engine


def test_rules_whose_relations_stay_keep_their_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, usual = list[dict[str, Made]](), base.replan

    def replan_and_note(engine: Any, position: int, component: Any, plans: Any, *rest: Any) -> int:
        at = usual(engine, position, component, plans, *rest)
        seen.append({str(made.rule): made for made in plans.made.values()})
        assert {id(plan) for made in plans.made.values() for plan in made.plans} == set(plans.encoded)
        assert not any(plan.role is Role.ONCE for plan in plans.sources)
        return int(at)

    monkeypatch.setattr(base, "replan", replan_and_note)
    often = bootstrapped(replanned_rows=1, replanned_growth=1)
    grows, stays = "p(x, z) :- p(x, y), e(y, z).", "s(x, y) :- s(y, x), t(x, y)."
    assert len(seen) > 5
    kept = {
        rule: [one[rule].rests_on is other[rule].rests_on for one, other in pairwise(seen)] for rule in (grows, stays)
    }
    assert all(kept[stays]) and not all(kept[grows])
    assert all(one[stays].plans == other[stays].plans for one, other in pairwise(seen))
    assert difference(state_of(often), state_of(bootstrapped())) == ""


def test_close_statistics() -> None:
    some = Statistics(100.0, (4.0, 1.0))
    assert some.close_to(Statistics(200.0, (2.0, 0.0)), 2.0)
    assert not some.close_to(Statistics(201.0, (4.0, 1.0)), 2.0)
    assert not some.close_to(Statistics(100.0, (4.0, 2.5)), 2.0)
    assert some.close_to(some, 1.0)
