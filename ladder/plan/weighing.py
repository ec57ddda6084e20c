"""Which intermediate a rule should have, by samples of the rows that there are.

Statistics of single columns choose for nothing (`ladder.plan.intermediates.worth_while`), and can be far off where a
rule has more than three atoms. Samples read the relations, so they are taken of rules that have looked at many entries
for each row.
"""

from __future__ import annotations

import math
from collections.abc import Collection

from ladder.language.core import Rule
from ladder.plan.intermediates import Met, may_have_one, part_of, parts_of
from ladder.plan.order import variables_of
from ladder.plan.sampling import Samples
from ladder.support.tuning import DEFAULT, Planning


def due(rule: Rule, met: Met, rows: int, tuning: Planning = DEFAULT.planning) -> bool:
    """Whether it should be asked, by samples, which intermediate a rule should have: its plans have looked at twice as
    much as at the last time, and at many entries for each of the `rows` of the relations of its body, of which there
    are not so many that samples would take much memory."""
    least = max(tuning.intermediate_from, tuning.intermediate_weighed * rows)
    return may_have_one(rule) and rows <= tuning.most_weighed and met.matches - met.weighed >= max(met.weighed, least)


def best_part(
    rule: Rule,
    own: frozenset[str],
    samples: Samples,
    before: float,
    most_rows: float,
    now: frozenset[int] | None = None,
    refused: Collection[frozenset[int]] = (),
    tuning: Planning = DEFAULT.planning,
) -> frozenset[int] | None:
    """The atoms of the part of a rule's join that should be an intermediate; None where plans without one are expected
    to be cheaper.

    Parameters
    ----------
    samples: of the joins of the rule's atoms.
    before: index entries that are looked at without one.
    most_rows: rows that a new intermediate may have.
    now: the part that is one already; another one takes its place where that is expected to be much cheaper.
    refused: parts that have outgrown their use.
    """
    costs: dict[frozenset[int], float] = {}
    for part in parts_of(rule, own, tuning):
        if part not in refused:
            costs[part] = _cost_of_part(rule, part, samples, math.inf if part == now else most_rows, tuning)
    best = min(costs, key=lambda part: (costs[part], sorted(part)), default=None)
    if best is None or costs[best] > tuning.intermediate_share * max(before, 1.0):
        return None
    if now is None or costs[best] <= tuning.intermediate_share * max(costs.get(now, math.inf), 1.0):
        return best
    return now


def cost_without(own: frozenset[str], samples: Samples) -> float:
    """How many index entries the plans of a rule are expected to look at without an intermediate: each begins with an
    atom of the component, and each row is derived by one of them."""
    starts = [n for n in samples.numbers if samples.relation(n) in own]
    found = [samples.join(sample, {*samples.numbers} - {n}).made for n in starts if (sample := samples.of({n}))]
    return sum(found) / max(len(found), 1)


def _cost_of_part(rule: Rule, part: frozenset[int], samples: Samples, most_rows: float, tuning: Planning) -> float:
    """What an intermediate of these atoms is expected to cost, in index entries looked at; infinite for what can be
    none.

    The matches that the atoms of the part have with each other are looked at and entered; then each row of it meets
    the others, and new rows of the others meet each other and it.
    """
    inside, needed = samples.of(part), variables_of(part_of(rule, part, "").inner.head.terms)
    if inside is None or not needed:
        return math.inf
    sample = inside.distinct(needed)
    if sample.rows > most_rows:
        return math.inf
    others = [n for n in samples.numbers if n not in part]
    outside = sum(alone.made for group in samples.groups(others) if (alone := samples.of(group)) is not None)
    meets = samples.join(sample, others).made - sample.made
    return inside.made + tuning.entering * inside.rows + meets + outside
