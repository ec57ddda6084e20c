"""Rules → plans: where a rule's evaluation starts, and its steps in join order.

    bootstrap, iteration 1     one plan, from the cheapest start
    bootstrap, later           one plan for each body atom of the component: that atom on the delta, atoms before it (in
                               the text) on older rows, atoms after it on both, so that every instantiation is met once
    update                     one plan for each relational literal, from its changed rows; one from rows of the head

Where the first look-up may be long, several plans differ in it and every row takes the shortest; a `.plan` leaves no
choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ladder.language.core import (
    Atom,
    Compare,
    Compute,
    Const,
    Generate,
    Literal,
    Not,
    Pack,
    Rule,
    Term,
    Unpack,
    Var,
    variables,
)
from ladder.language.limits import LIMITS
from ladder.plan.components import UNIT
from ladder.plan.directions import directed, may_solve
from ladder.plan.order import Costs, Origin, Statistics, bound_columns, next_atom, origins_in, variables_of
from ladder.plan.steps import Choice, Find, Member, Plan, Probe, Role, Scan, Step, Window, checked, equal
from ladder.support.tuning import DEFAULT, Planning

Indexed = Callable[[str, Sequence[int]], bool]


def relational_literals(rule: Rule) -> tuple[Atom | Not, ...]:
    """Body atoms and negated atoms in the order of the text: a rule's literals are numbered so."""
    return rule.relational


def atom_of(literal: Atom | Not) -> Atom:
    return literal.atom if isinstance(literal, Not) else literal


@dataclass
class _Builder:
    """Collects the steps of one plan. `known`: variables that have a value; `origins`: the columns that variables come
    from; `costs`: where variables that joins bind have an origin, too.

    They have none in a bootstrap: its joins favour frequent values, so that statistics of a column do not describe
    them. An update looks up few values, and most of these are not frequent (measured: points-to of Ant looks at a third
    fewer entries).
    """

    rule: Rule
    window: Callable[[int], Window]
    known: set[Var] = field(default_factory=set)
    origins: dict[Var, Origin] = field(default_factory=dict)
    costs: Costs | None = None
    steps: list[Step] = field(default_factory=list)
    fresh: int = 0

    def start(self, relation: str, terms: Sequence[Term | None], literal: int | None, window: Window) -> None:
        columns, filters = self._bind(terms, range(len(terms)))
        self.steps.append(Scan(relation, columns, literal, window))
        self.steps += filters

    def _bind(
        self, terms: Sequence[Term | None], columns: Sequence[int]
    ) -> tuple[tuple[tuple[int, Var], ...], list[Step]]:
        """Bind the terms of columns: new variables directly; known variables and constants by a fresh variable and a
        filter."""
        bound: list[tuple[int, Var]] = []
        filters: list[Step] = []
        for column in columns:
            term = terms[column]
            if term is None:
                continue
            variable = self._target(term, filters)
            bound.append((column, variable))
        return tuple(bound), filters

    def _target(self, term: Term, filters: list[Step]) -> Var:
        if isinstance(term, Var) and term not in self.known:
            self.known.add(term)
            return term
        self.fresh += 1
        variable = Var(f"{term if isinstance(term, Var) else 'constant'}'{self.fresh}")
        self.known.add(variable)
        filters.append(equal(variable, term))
        return variable

    def join(self, atom: Atom, literal: int) -> None:
        columns = bound_columns(atom, self.known)
        if len(columns) == len(atom.terms):
            self.steps.append(Member(atom, literal, window=self.window(literal)))
            return
        keys = tuple((c, term) for c in columns if (term := atom.terms[c]) is not None)
        rest = [c for c in range(len(atom.terms)) if c not in columns]
        if self.costs is not None:
            self.origins = {**self.costs.origins(literal, atom), **self.origins}
        bound, filters = self._bind(atom.terms, rest)
        self.steps.append(Probe(atom.relation, keys, bound, literal, self.window(literal)))
        self.steps += filters

    def evaluate(self, literal: Literal, position: int | None) -> None:
        """Add the steps of a literal that is no positive atom, in a direction for which enough variables are known."""
        filters: list[Step] = []
        match directed(literal, self.known, may_solve(self.rule.body)):
            case Not(atom):
                assert position is not None
                self.steps.append(Member(atom, position, negated=True))
            case Compare() as step:
                self.steps.append(step)
            case Compute(result) | Generate(result) | Pack(result) as step:
                self.steps.append(replace(step, result=self._target(result, filters)))
            case Find(record) as step:
                self.steps.append(replace(step, record=self._target(record, filters)))
            case Unpack(_, fields) as step:
                self.steps.append(
                    replace(step, fields=tuple(None if f is None else self._target(f, filters) for f in fields))
                )
        self.steps += filters


def _complete(
    builder: _Builder,
    pending: dict[int, Atom],
    others: list[tuple[Literal, int | None]],
    costs: Costs,
    first: int | None = None,
    fixed: Sequence[int] | None = None,
    ahead: bool = False,
) -> None:
    """Add all literals not yet evaluated: repeatedly those that can be evaluated at once, then the cheapest atom.

    `first`: the atom to join first; `fixed`: the whole join order. `ahead`: the cheapest atom is the one after which
    the whole order makes the fewest rows, instead of the one that makes the fewest rows itself.
    """
    queue = [*([first] if first is not None else []), *(fixed or ())]
    solve = may_solve(builder.rule.body)
    while pending or others:
        ready = [entry for entry in others if directed(entry[0], builder.known, solve) is not None]
        prompt = [entry for entry in ready if not pending or not _may_wait(entry[0], builder, [o for o, _ in others])]
        if prompt:
            # Filters before functions, and what yields several results last of all.
            entry = min(
                prompt, key=lambda e: (isinstance(e[0], Generate), not isinstance(e[0], Compare | Not), prompt.index(e))
            )
            others.remove(entry)
            builder.evaluate(*entry)
            continue
        members = [p for p, atom in pending.items() if len(bound_columns(atom, builder.known)) == len(atom.terms)]
        if members:
            position = members[0]
        elif (generating := [e for e in ready if isinstance(e[0], Generate)]) and not _connected(
            pending, builder.known
        ):
            entry = generating[0]
            others.remove(entry)
            builder.evaluate(*entry)
            continue
        else:
            queue = [p for p in queue if p in pending]
            position = queue[0] if queue else next_atom(pending, builder.known, costs, builder.origins)
            if ahead and not queue and len(pending) > 1:
                position = _cheapest_next(position, pending, builder, [literal for literal, _ in others], costs)
        builder.join(pending.pop(position), position)


def _cheapest_next(
    greedy: int, pending: Mapping[int, Atom], builder: _Builder, others: Sequence[Literal], costs: Costs
) -> int:
    """The position of the atom after which the greedy order makes the fewest rows; the greedy choice itself if it finds
    few rows."""
    known, origins = builder.known, builder.origins
    if costs.matches(greedy, pending[greedy], known, origins) <= costs.tuning.one_match:
        return greedy
    candidates = [p for p, atom in pending.items() if bound_columns(atom, known)]
    return min(
        candidates, default=greedy, key=lambda p: (_rows_made(p, pending, known, others, costs, origins), p != greedy)
    )


def _rows_made(
    first: int,
    atoms: Mapping[int, Atom],
    known: set[Var],
    others: Sequence[Literal],
    costs: Costs,
    origins: Mapping[Var, Origin],
) -> float:
    """How many rows all joins make together, per start row, when `first` is joined next, followed by the greedy
    order."""
    rest, position = dict(atoms), first
    rows, made = 1.0, 0.0
    while True:
        matches = costs.matches(position, rest[position], known, origins)
        rows *= matches
        made += rows
        origins = {**costs.origins(position, rest[position]), **origins}
        known = computed(known | variables_of(rest.pop(position).terms), others)
        if not rest:
            return made
        position = next_atom(rest, known, costs, origins)


def _may_wait(literal: Literal, builder: _Builder, others: Sequence[Literal]) -> bool:
    """Whether a literal is better evaluated after all joins: it has several results, or makes a record that only the
    head uses."""
    if isinstance(literal, Pack) and literal.result not in builder.known:
        return not any(literal.result in variables(other) for other in others if other is not literal)
    return isinstance(literal, Generate)


def _connected(pending: Mapping[int, Atom], known: set[Var]) -> bool:
    return any(bound_columns(atom, known) for atom in pending.values())


def _others(rule: Rule, skip: int | None = None) -> list[tuple[Literal, int | None]]:
    """The literals that are no positive atoms, each with its number among the relational literals (None for others)."""
    numbers = iter(range(len(rule.body)))
    numbered = [(literal, next(numbers) if isinstance(literal, Atom | Not) else None) for literal in rule.body]
    return [(literal, n) for literal, n in numbered if not isinstance(literal, Atom) and (n is None or n != skip)]


def _atoms(rule: Rule) -> dict[int, Atom]:
    return {n: literal for n, literal in enumerate(relational_literals(rule)) if isinstance(literal, Atom)}


def _fixed(rule: Rule, atoms: Mapping[int, Atom]) -> list[int] | None:
    """The join order of the rule's `.plan` directive, as literal numbers; None where it has none."""
    return None if rule.plan is None else [list(atoms)[p] for p in rule.plan if p < len(atoms)]


def _bootstrap_plan(
    rule: Rule, role: Role, driver: int | None, window: Callable[[int], Window], costs: Costs, first: int | None
) -> Plan:
    builder, atoms = _Builder(rule, window), _atoms(rule)
    fixed = _fixed(rule, atoms) or costs.tuning.order(rule, None if role is Role.ONCE else driver)
    if driver is None:
        builder.start(UNIT, (None,), None, Window.EVERY)
    else:
        start = atoms.pop(driver)
        builder.start(start.relation, start.terms, driver, window(driver))
        builder.origins = costs.origins(driver, start)
    _complete(builder, atoms, _others(rule), costs, first=first, fixed=fixed)
    return checked(Plan(rule, role, driver, tuple(builder.steps)))


def _cheapest_start(rule: Rule, costs: Costs, indexed: Indexed = lambda name, columns: True) -> int | None:
    """The atom from which evaluation starts when all relations are complete: the one with the fewest rows made in all,
    counting the entries of indexes that would have to be built."""
    atoms = _atoms(rule)
    if len(atoms) < 2:
        return next(iter(atoms), None)
    fixed = _fixed(rule, atoms) or costs.tuning.order(rule, None)
    if fixed:
        return fixed[0]

    others = [literal for literal, _ in _others(rule)]

    def cost(start: int) -> tuple[float, int]:
        rest = {p: a for p, a in atoms.items() if p != start}
        known, origins = computed(variables_of(atoms[start].terms), others), costs.origins(start, atoms[start])
        rows, made, entered = 1.0, 0.0, 0.0
        while rest:
            position = next_atom(rest, known, costs, origins)
            columns = bound_columns(rest[position], known)
            if 0 < len(columns) < len(rest[position].terms) and not indexed(rest[position].relation, columns):
                entered += costs.tuning.indexing * costs.rows(position)
            rows *= costs.matches_by(position, rest[position], columns, origins)
            made += rows
            known = computed(known | variables_of(rest.pop(position).terms), others)
        constants = sum(isinstance(t, Const) for t in atoms[start].terms)
        return costs.rows(start) / (1 + costs.tuning.constant * constants) * (1 + made) + entered, start

    return min(atoms, key=cost)


def computed(known: set[Var], literals: Sequence[Literal]) -> set[Var]:
    """The variables that have a value once everything is computed that can be computed from `known`."""
    known, solve = set(known), may_solve(literals)
    while (
        new := {v for literal in literals if directed(literal, known, solve) is not None for v in variables(literal)}
        - known
    ):
        known |= new
    return known


def plans_of_bootstrap(
    rule: Rule,
    own: frozenset[str],
    at_start: Mapping[str, Statistics],
    statistics: Callable[[str], Statistics],
    one_order: frozenset[str] = frozenset(),
    indexed: Indexed = lambda name, columns: True,
    tuning: Planning = DEFAULT.planning,
) -> list[Plan]:
    """A rule's plans of semi-naive evaluation; `own`: relations of the component; `at_start`: statistics of the rows
    that they have before iteration 1.

    `one_order`: relations from whose rows a single plan starts, without a choice per row; `indexed`: whether a relation
    has an index for a look-up by these columns.
    """
    costs = _costs(rule, lambda name: at_start.get(name) or statistics(name), tuning)
    internal = _internal(rule, own)

    def settled(position: int) -> Window:
        return Window.SETTLED if position in internal else Window.EVERY

    start = _cheapest_start(rule, costs, indexed)
    once = _bootstrap_variants(rule, Role.ONCE, start, settled, costs, one_order)
    return once + plans_of_iterations(rule, own, statistics, one_order, tuning)


def plans_of_iterations(
    rule: Rule,
    own: frozenset[str],
    statistics: Callable[[str], Statistics],
    one_order: frozenset[str] = frozenset(),
    tuning: Planning = DEFAULT.planning,
) -> list[Plan]:
    """A rule's plans of semi-naive evaluation from iteration 2 on."""
    internal, plans = _internal(rule, own), list[Plan]()
    if not internal:
        return plans
    costs = _costs(rule, statistics, tuning)
    for driver in internal:

        def window(position: int, driver: int = driver) -> Window:
            if position not in internal:
                return Window.EVERY
            return Window.DELTA if position == driver else Window.BEFORE if position < driver else Window.SETTLED

        plans += _bootstrap_variants(rule, Role.ITERATED, driver, window, costs, one_order)
    return plans


def _internal(rule: Rule, own: frozenset[str]) -> list[int]:
    """The numbers of a body's atoms of the component."""
    return [
        n
        for n, literal in enumerate(relational_literals(rule))
        if isinstance(literal, Atom) and literal.relation in own
    ]


def begun_plan(
    rule: Rule, own: frozenset[str], statistics: Callable[[str], Statistics], tuning: Planning = DEFAULT.planning
) -> Plan:
    """The plan that puts into an intermediate what its rule derives from rows older than the last iteration."""
    names = [atom_of(literal).relation for literal in relational_literals(rule)]
    costs = _costs(rule, statistics, tuning)

    def before(position: int) -> Window:
        return Window.BEFORE if names[position] in own else Window.EVERY

    return _bootstrap_plan(rule, Role.BEGUN, _cheapest_start(rule, costs), before, costs, None)


def filling_plans(
    rule: Rule, own: frozenset[str], statistics: Callable[[str], Statistics], tuning: Planning = DEFAULT.planning
) -> list[Plan]:
    """The plans that put into an intermediate what its rule derives in each iteration."""
    return [replace(plan, role=Role.FILLED) for plan in plans_of_iterations(rule, own, statistics, own, tuning)]


def _bootstrap_variants(
    rule: Rule, role: Role, driver: int | None, window: Callable[[int], Window], costs: Costs, one_order: frozenset[str]
) -> list[Plan]:
    def plan(first: int | None) -> Plan:
        return _bootstrap_plan(rule, role, driver, window, costs, first)

    ordered = costs.tuning.order(rule, None if role is Role.ONCE else driver)
    if driver is None or ordered or _atoms(rule)[driver].relation in one_order:
        return [plan(None)]
    return _variants(rule, driver, _atoms(rule)[driver], costs.of[driver], costs, costs.tuning.long_block, plan)


def _costs(rule: Rule, statistics: Callable[[str], Statistics], tuning: Planning) -> Costs:
    """What is known of the relations of a rule's body."""
    return Costs(
        {n: statistics(atom_of(literal).relation) for n, literal in enumerate(relational_literals(rule))}, tuning
    )


def plans_of_update(
    rule: Rule, statistics: Callable[[str], Statistics], tuning: Planning = DEFAULT.planning
) -> list[Plan]:
    """A rule's plans of an update: one from the changed rows of each relational literal, and one from rows of the
    head."""
    costs = _costs(rule, statistics, tuning)
    plans: list[Plan] = []
    for driver, literal in enumerate(relational_literals(rule)):
        plans += _update_variants(rule, Role.FORWARD, driver, atom_of(literal), costs.of[driver], costs)
    return plans + _update_variants(rule, Role.BACKWARD, None, rule.head, statistics(rule.head.relation), costs)


def plan_of_switch(rule: Rule, statistics: Callable[[str], Statistics], tuning: Planning = DEFAULT.planning) -> Plan:
    """The plan that finds all instantiations of a rule that is switched: it starts from the row of its first literal,
    the switch."""
    literals, costs = relational_literals(rule), _costs(rule, statistics, tuning)
    rest = replace(rule, body=rule.body[1:])
    start = _cheapest_start(rest, _costs(rest, statistics, tuning))
    return _update_plan(
        rule, Role.FORWARD, 0, atom_of(literals[0]), costs.of[0], costs, None if start is None else start + 1
    )


def plans_of_switched(
    rule: Rule, statistics: Callable[[str], Statistics], tuning: Planning = DEFAULT.planning
) -> list[Plan]:
    """The plans of the update that switches a rule on."""
    others = [plan for plan in plans_of_update(rule, statistics, tuning) if plan.driver != 0]
    return [plan_of_switch(rule, statistics, tuning), *others]


def _update_variants(
    rule: Rule, role: Role, driver: int | None, start: Atom, of_start: Statistics, costs: Costs
) -> list[Plan]:
    def plan(first: int | None) -> Plan:
        return _update_plan(rule, role, driver, start, of_start, costs, first)

    return _variants(rule, driver, start, of_start, costs, costs.tuning.vague_block, plan)


def _variants(
    rule: Rule,
    driver: int | None,
    start: Atom,
    of_start: Statistics,
    costs: Costs,
    least: float,
    plan: Callable[[int | None], Plan],
) -> list[Plan]:
    """One plan; or, where even the best first look-up finds at least `least` rows on average, one plan for each atom
    that can be looked up first.

    Rows then choose among these: a look-up that is worse on average may find nothing for most rows.
    """
    if rule.plan is not None or len(_atoms(rule).keys() - {driver}) < 2:
        return [plan(None)]
    firsts = _possible_firsts(rule, driver, start, of_start, costs)
    if len(firsts) < 2 or min(matches for _, _, matches in firsts) < least:
        return [plan(None)]
    weighed = [
        (position, replace(choice, weight=_weight(position, rule, driver, start, of_start, costs)), matches)
        for position, choice, matches in firsts
    ]
    best = sorted(weighed, key=lambda f: f[1].weight * f[2])[: LIMITS.choices]
    choices = tuple(choice for _, choice, _ in best)
    return [replace(plan(position), choice=number, choices=choices) for number, (position, _, _) in enumerate(best)]


def _possible_firsts(
    rule: Rule, driver: int | None, start: Atom, of_start: Statistics, costs: Costs
) -> list[tuple[int, Choice, float]]:
    """The atoms that can be looked up by columns of the start row alone; none where one of them is a mere membership
    test, which may leave few rows, unless it is one of a row of the head, which rows that were derived pass."""
    origins = origins_in(of_start, start.terms)
    column_of = {t: c for c, t in reversed(list(enumerate(start.terms))) if isinstance(t, Var)}
    found = []
    for position, atom in _atoms(rule).items():
        columns = tuple(c for c, t in enumerate(atom.terms) if isinstance(t, Var) and t in column_of)
        if position == driver or not columns:
            continue
        if driver is None and len(columns) == len(atom.terms):
            continue
        if any(isinstance(t, Const) for t in atom.terms) or len(columns) == len(atom.terms):
            return []
        start_columns = tuple(column_of[t] for c in columns if isinstance(t := atom.terms[c], Var))
        matches = costs.matches(position, atom, set(column_of), origins)
        found.append((position, Choice(atom.relation, columns, start_columns), matches))
    return found


def _weight(first: int, rule: Rule, driver: int | None, start: Atom, of_start: Statistics, costs: Costs) -> float:
    """How many rows a plan is expected to look at for each that its first look-up finds, this one included."""
    rest, others = _atoms(rule), [literal for literal, _ in _others(rule, driver)]
    if driver is not None:
        rest.pop(driver, None)
    origins = {**costs.origins(first, rest[first]), **origins_in(of_start, start.terms)}
    known = computed(variables_of(start.terms) | variables_of(rest.pop(first).terms), others)
    if not rest:
        return 1.0
    return 1.0 + _rows_made(next_atom(rest, known, costs, origins), rest, known, others, costs, origins)


def _update_plan(
    rule: Rule, role: Role, driver: int | None, start: Atom, of_start: Statistics, costs: Costs, first: int | None
) -> Plan:
    builder, atoms = _Builder(rule, lambda _: Window.EVERY, costs=costs), _atoms(rule)
    fixed = _fixed(rule, atoms)
    builder.origins = origins_in(of_start, start.terms)
    builder.start(start.relation, start.terms, driver, Window.EVERY)
    if driver is not None:
        atoms.pop(driver, None)
    _complete(builder, atoms, _others(rule, driver), costs, first=first, fixed=fixed, ahead=True)
    return checked(Plan(rule, role, driver, tuple(builder.steps), 0, ()))
