"""Splitting of rules that are longer than plans may be: the first literals become a helper relation.

    r(x) :- a(x, y), b(y, z), …, p(z).   →   r$join1(x, z) :- a(x, y), b(y, z), ….   r(x) :- r$join1(x, z), …, p(z).

Atoms are split off first if there are many, then computations. The size of plans is bounded from above: which plans
there will be is not known before there are facts, and a rule that cannot be shortened enough is rejected when the
program is checked, not at the first update.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from graphlib import TopologicalSorter

from ladder.language.check.types import PRIMITIVES
from ladder.language.core import (
    ON_SYMBOLS,
    ORDERED,
    Atom,
    Column,
    Compare,
    Compute,
    Const,
    Generate,
    Kind,
    Literal,
    Not,
    Pack,
    Relation,
    Rule,
    Type,
    Unpack,
    Var,
    binds,
    helper,
    needs,
    terms_read,
    variables,
)
from ladder.language.limits import LIMITS
from ladder.language.normalise.same_records import merged
from ladder.language.normalise.terms import Normalised
from ladder.language.roles import Role


def shorten_rules(
    result: Normalised, relations: Mapping[str, Relation], types: Mapping[str, Type]
) -> list[tuple[Rule, str]]:
    """Replace rules that are too long; returns those that still are, each with the reason (see `refusal`).
    `relations`: those that the rules read, besides helper relations."""
    rules, refused = list(result.rules), list[tuple[Rule, str]]()
    result.rules.clear()
    for rule in rules:
        if not _too_long(rule):  # as nearly all are
            result.rules.append(rule)
            continue
        shortened = _shortened(merged(rule), result, relations, types)
        result.rules += shortened
        refused += [(part, reason) for part in shortened if (reason := refusal(part))]
    return refused


def _shortened(
    rule: Rule, result: Normalised, relations: Mapping[str, Relation], types: Mapping[str, Type]
) -> list[Rule]:
    """The rule, as short as it can be made, after the rules of helper relations that it was split into."""
    joins = []
    while _too_long(rule):
        part = _of_constants(rule)
        if not part:
            part = _atoms(rule) if _too_many_atoms(rule) else []
            part = part if len(part) > 1 else _computations(rule)
            if len(part) < 2:
                break
        if len(part) == len(rule.body):
            break
        join, rule = _cut(rule, part, result, {**relations, **result.helpers}, types)
        joins.append(join)
    return [*joins, rule]


def refusal(rule: Rule) -> str:
    """Why the engine has no plans for a rule that was shortened as far as possible; "" if it has."""
    if (steps := plan_steps(rule)) > LIMITS.steps:
        return f"this rule takes up to {steps} steps, and an engine's plan has at most {LIMITS.steps}"
    if (registers := plan_variables(rule)) > LIMITS.variables:
        return (
            f"this rule has up to {registers} variables, constants and rows, and an engine's plan has at most "
            f"{LIMITS.variables}"
        )
    if (atoms := _relational(rule)) > LIMITS.atoms:
        return f"this rule has {atoms} atoms, and an engine's plan has at most {LIMITS.atoms}"
    return ""


def plan_steps(rule: Rule) -> int:
    """An upper bound of the number of steps of a plan of the rule, whatever it starts from.

    A plan starts from a literal of the body, or from the head in order to derive a row again. Constants need a step to
    load them; those of atoms may also need a comparison, and so does a value that is computed although it is known
    already.
    """
    known = {
        variable for literal in (rule.head, *rule.body) if isinstance(literal, Atom) for variable in variables(literal)
    }
    body = _fills(rule.body) + sum(
        _operations(literal) + len(binds(literal) & known) * (not isinstance(literal, Atom)) for literal in rule.body
    )
    body += sum(map(_constants, rule.body))
    forward = body + _constants(rule.head) + 1
    backward = body + 2 * _constants(rule.head) + _operations(rule.head) + 1
    return max(forward, backward)


def plan_variables(rule: Rule) -> int:
    """An upper bound of the number of registers of a plan of the rule: for variables, constants, rows and intermediate
    values."""
    terms = {term for literal in (rule.head, *rule.body) for term in _filled_or_bound(literal)}
    return (
        len(terms)
        + _relational(rule)
        + 1
        + sum(_constants(literal) + _operations(literal) for literal in (rule.head, *rule.body))
    )


def _fills(body: Iterable[Literal]) -> int:
    body = list(body)
    looked_up = sum(isinstance(literal, Atom | Generate) for literal in body)
    constants = Counter(term for literal in body for term in _filled_or_bound(literal) if not isinstance(term, Var))
    return sum(min(number, looked_up + 1) for number in constants.values())


def _filled_or_bound(literal: Literal) -> Iterator[object]:
    """The variables and constants of a literal, including the constants that pad records and calls of the host."""
    yield from variables(literal)
    yield from (term for term in terms_read(literal) if isinstance(term, Const))
    match literal:
        case Pack(_, _, _, branch):
            yield from ("one", "filler", branch)
        case Compare() if _asks(literal):
            yield "zero"


def _constants(literal: Literal) -> int:
    """The number of constants of an atom."""
    return sum(isinstance(term, Const) for term in terms_read(literal)) if isinstance(literal, Atom) else 0


def _operations(literal: Literal) -> int:
    """The number of steps of a literal without those of constants; a variable that occurs twice in an atom is
    compared."""
    match literal:
        case Atom():
            return 1 + sum(1 for _ in variables(literal)) - len(binds(literal))
        case Pack():
            return 2  # found, and its number computed
        case Unpack():
            return 4  # it may be put together from values that are known, and found
        case Compare():
            return 1 + _asks(literal)
        case Compute(_, _, arguments) | Generate(_, _, arguments):
            return 1 + (len(arguments) > LIMITS.arguments)
    return 1


def _asks(compare: Compare) -> bool:
    """Whether a comparison is evaluated by the host instead of kernels."""
    ordered = compare.operator in ("<", "<=", ">", ">=") and compare.kind in (Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT)
    return compare.operator not in ("=", "!=") and not ordered


def _relational(rule: Rule) -> int:
    return sum(isinstance(literal, Atom | Not) for literal in rule.body)


def _too_long(rule: Rule) -> bool:
    return bool(refusal(rule)) or sum(map(_steps, rule.body)) > LIMITS.body_steps


def _too_many_atoms(rule: Rule) -> bool:
    """Whether a rule has more atoms than plans may have, or atoms that take most of a plan by themselves."""
    atoms = [literal for literal in rule.body if isinstance(literal, Atom)]
    return _relational(rule) > LIMITS.atoms or len(atoms) > 1 and not _fit(atoms)


def _fit(part: Sequence[Literal]) -> bool:
    """Whether these literals are short enough for a part of a rule."""
    rule = Rule(Atom("", ()), tuple(part))
    return plan_steps(rule) <= LIMITS.join_steps and plan_variables(rule) <= LIMITS.join_variables


def _steps(literal: Literal) -> int:
    """The number of steps of a literal: one, and one for each constant of a computation."""
    return 1 + sum(isinstance(a, Const) for a in literal.arguments) if isinstance(literal, Compute) else 1


def _cut(
    rule: Rule, part: list[Literal], result: Normalised, relations: Mapping[str, Relation], types: Mapping[str, Type]
) -> tuple[Rule, Rule]:
    """(a rule of a helper relation for a part of the body, the rule with an atom of it instead of that part)."""
    rest = [literal for literal in rule.body if literal not in part]
    used = {variable for literal in (rule.head, *rest) for variable in variables(literal)}
    live = {v: type_ for literal in part for v, type_ in _types(literal, relations, types, result) if v in used}
    beginning = result.unused(Role.JOIN, rule.head.relation)
    columns = tuple(Column(v.name, t) for v, t in live.items())
    result.helpers[beginning.name] = helper(beginning, columns, place=rule.place)
    join = Atom(beginning.name, tuple(live))
    return Rule(join, tuple(part), rule.place), replace(rule, body=(join, *rest), plan=None)


def _of_constants(rule: Rule) -> list[Literal]:
    """The atom with the most constants, if it has so many that a helper relation for it is better."""
    largest = max((literal for literal in rule.body if isinstance(literal, Atom)), key=_constants, default=None)
    return [largest] if largest is not None and _constants(largest) > LIMITS.constants else []


def _atoms(rule: Rule) -> list[Literal]:
    """Some atoms, each of which shares a variable with an earlier one if possible, and the conditions on them."""
    computed = frozenset[Var]().union(*(binds(literal) for literal in rule.body if not isinstance(literal, Atom)))
    atoms = list(
        dict.fromkeys(literal for literal in rule.body if isinstance(literal, Atom) and not binds(literal) & computed)
    )
    chosen: list[Literal] = [*atoms[:1]]
    rest, bound = atoms[1:], frozenset[Var]().union(*map(binds, chosen))
    while rest and len(chosen) < LIMITS.join_atoms:
        following = next((atom for atom in rest if binds(atom) & bound), rest[0])
        if len(chosen) > 1 and not _fit([*chosen, following]):
            break
        rest.remove(following)
        chosen.append(following)
        bound |= binds(following)
    conditions = [literal for literal in rule.body if isinstance(literal, Compare | Not) and needs(literal) <= bound]
    return [*chosen, *conditions[: LIMITS.atoms - len(chosen)]]


def _computations(rule: Rule) -> list[Literal]:
    """The first literals of a rule: its atoms, then computations whose arguments are known."""
    waiting = [
        p for p in rule.body if not isinstance(p, Atom) and not (isinstance(p, Compute) and p.function in ORDERED)
    ]
    computed = frozenset[Var]().union(*(binds(literal) for literal in rule.body if not isinstance(literal, Atom)))
    part: list[Literal] = [
        literal for literal in rule.body if isinstance(literal, Atom) and not binds(literal) & computed
    ]
    bound = frozenset[Var]().union(*map(binds, part))
    from_atoms = frozenset[Var]().union(*(binds(literal) for literal in rule.body if isinstance(literal, Atom)))
    steps = len(part)
    for literal in _few_values_between(waiting, from_atoms):
        if steps >= LIMITS.computed_steps or len(part) > 1 and not _fit([*part, literal]):
            break
        if needs(literal) <= bound:
            part.append(literal)
            bound |= binds(literal)
            steps += _steps(literal)
    return part


def _few_values_between(literals: Sequence[Literal], known: AbstractSet[Var]) -> Iterator[Literal]:
    """Computations in an order in which few values are needed later, as each is a column where a rule is cut.

    Each comes after those that make its arguments, and among these the deepest first (Sethi and Ullman, The
    Generation of Optimal Code for Arithmetic Expressions, 1970); what asks comes before what only makes values.
    """
    maker = {variable: i for i, literal in enumerate(literals) for variable in binds(literal) - known}
    makers = [{maker[v] for v in needs(literal) if v in maker} - {i} for i, literal in enumerate(literals)]
    depth = [0] * len(literals)
    for i in TopologicalSorter(dict(enumerate(makers))).static_order():
        depth[i] = 1 + max((depth[j] for j in makers[i]), default=0)
    asked_first = sorted(range(len(literals)), key=lambda i: bool(binds(literals[i])))
    done, used = set[int](), set[int]().union(*makers)
    waiting = [i for i in reversed(asked_first) if i not in used]
    while waiting:
        if (i := waiting[-1]) not in done and (missing := makers[i] - done):
            waiting += sorted(missing, key=lambda j: depth[j])
            continue
        waiting.pop()
        if i not in done:
            done.add(i)
            yield literals[i]


def _types(
    literal: Literal, relations: Mapping[str, Relation], types: Mapping[str, Type], program: Normalised
) -> Iterator[tuple[Var, Type]]:
    """The variables that a literal binds, with their types."""
    match literal:
        case Atom(relation, terms):
            for term, column in zip(terms, relations[relation].columns, strict=True):
                if isinstance(term, Var):
                    yield term, column.type
        case Pack(result, _, type_):
            yield result, type_
        case Unpack(_, fields, type_, branch):
            declared = type_.fields if branch is None else dict(type_.branches)[branch]
            for field, (_, name) in zip(fields, declared, strict=True):
                if field is not None:
                    yield field, types[name]
        case Compute(result, function) | Generate(result, function) if function in program.functions:
            yield result, program.functions[function].result
        case Compute(result, function, _, kind) | Generate(result, function, _, kind):
            yield result, PRIMITIVES[_kind(function, kind).value]


def _kind(function: str, kind: Kind) -> Kind:
    """The kind of the result of a built-in function."""
    if function.startswith(("to_", "bits_")):
        name = function.partition("_")[2]
        return Kind.SYMBOL if name == "string" else Kind(name)
    if function in ON_SYMBOLS:
        return Kind.SYMBOL if function in ("cat", "substr") else Kind.NUMBER
    return kind
