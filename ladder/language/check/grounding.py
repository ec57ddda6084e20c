"""Groundedness: which variables of a rule are bound, and for those that are not, where they occur and why that is not
enough.

A variable is bound by an atom that is not negated, or by an equality with an expression whose variables are bound.
Variables that are bound outside of an aggregate are bound inside it as well; those that only its body binds are local.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ladder.language.check.environment import Environment
from ladder.language.check.scopes import direct_aggregates, grounded, names
from ladder.language.errors import Errors, did_you_mean
from ladder.language.expressions import aggregated_value, parts, sides, within, written
from ladder.language.syntax import nodes as s
from ladder.language.syntax.branches import TooManyBranches, branches

_HEAD = "in the head"
_HINT = "bind it with an atom that is not negated, or by = with a value"


def check_grounding(clause: s.Clause, environment: Environment, errors: Errors) -> bool:
    """Whether all variables of a clause with one head and a conjunction are bound; unbound ones are added to `errors`.

    Variables of aggregates have names of their own (`ladder.language.check.scopes.scoped`).
    """
    before = errors.noted
    literals = _conjunction(clause.body)
    known: set[str] = set()
    if clause.heads and clause.heads[0].name in environment.inlined:
        known = set(names(clause.heads[0]))  # bound where the atom stands that the rule replaces
    bound = grounded(literals, known)
    _Level(clause.heads, literals, bound, errors).check()
    return errors.noted == before


def check_witnesses(clause: s.Clause, errors: Errors) -> bool:
    """Whether no variable that is used outside is bound inside a count, sum or mean; those that are become errors."""
    before = errors.noted
    roots: tuple[s.Node, ...] = (*clause.heads, *_conjunction(clause.body))
    for root in roots:
        for aggregate in direct_aggregates(root):
            _witnesses(aggregate, roots, grounded(_conjunction(clause.body)), errors)
    return errors.noted == before


def _witnesses(aggregate: s.Aggregate, outside: Sequence[s.Node], bound: frozenset[str], errors: Errors) -> None:
    elsewhere = {name for node in outside for name in names(node, deep=False)}
    inner = _conjunction(aggregate.body)
    target = frozenset() if aggregate.target is None else names(aggregate.target).keys()  # what stands there is local
    inside = grounded(inner, bound - target)
    if aggregate.function not in ("min", "max"):
        for name in sorted((elsewhere & inside) - bound):
            place = next(v.place for literal in inner for v in _variables(literal) if v.name == name)
            errors.add(
                place,
                f"{name} stands outside, but only the body of this {aggregate.function} binds it",
                f"bind it outside, or use another name; only min and max have a row that {name} could come from",
            )
    for literal in inner:
        for nested in direct_aggregates(literal):
            _witnesses(
                nested, [*outside, *inner, *([] if aggregate.target is None else [aggregate.target])], inside, errors
            )


class _Level:
    """A conjunction with its heads: those of the rule, or none inside an aggregate."""

    def __init__(
        self,
        heads: Sequence[s.Call],
        literals: Sequence[s.Body],
        bound: frozenset[str],
        errors: Errors,
        target: s.Expression | None = None,
    ) -> None:
        self.heads, self.literals, self.bound, self.errors, self.target = heads, literals, bound, errors, target

    def check(self) -> None:
        unbound: dict[str, s.Variable] = {}
        where: dict[str, list[str]] = {}
        for variable, words in self._occurrences():
            if variable.name not in self.bound:
                unbound.setdefault(variable.name, variable)
                where.setdefault(variable.name, []).append(words)
        causes = [name for name in unbound if not self._follows(name, set(unbound))] or list(unbound)
        for name in causes:
            places = list(dict.fromkeys(w for w in where[name] if w)) or [f"in {self._equality(name)}"]
            only = " and ".join((", ".join(places[:-1]), places[-1])) if len(places) > 1 else places[0]
            hint = self._like(name) or (
                _HINT if self.literals else f'facts have constants; a symbol is written "{written(name)}"'
            )
            self.errors.add(
                unbound[name].place, f"the variable {written(name)} is not bound: it stands only {only}", hint
            )
        for aggregate in self._aggregates():
            inner = _conjunction(aggregate.body)
            _Level((), inner, grounded(inner, self.bound | set(unbound)), self.errors, aggregate.target).check()

    def _occurrences(self) -> Iterator[tuple[s.Variable, str]]:
        """The variables of this level in textual order, each with words for where it occurs, "" for an occurrence that
        may bind it."""
        for head in self.heads:
            for argument in head.arguments:
                for variable in _plain_variables(aggregated_value(argument) or argument):
                    yield variable, _HEAD
        if self.target is not None:
            for variable in _plain_variables(self.target):
                yield variable, "in the target"
        for literal in self.literals:
            match literal:
                case s.Negation(body=s.AtomLiteral(atom=atom)):
                    words = f"in the negated atom !{written(atom)}"
                case s.Comparison():
                    words = f"in {written(literal.in_program)}"
                case _:
                    words = ""
            for side in sides(literal.body if isinstance(literal, s.Negation) else literal):
                for variable in _plain_variables(side):
                    if isinstance(literal, s.Comparison) and literal.operator == "=" and variable is side:
                        yield variable, ""
                    else:
                        yield variable, words or f"inside {written(side)}"

    def _follows(self, name: str, unbound: set[str]) -> bool:
        """Whether a variable would be bound if the other unbound ones were."""
        for literal in self.literals:
            if isinstance(literal, s.Comparison) and literal.operator == "=":
                for target, value in ((literal.left, literal.right), (literal.right, literal.left)):
                    if isinstance(target, s.Variable) and target.name == name and not isinstance(value, s.Variable):
                        if names(value, deep=False).keys() & unbound - {name}:
                            return True
                    elif (
                        isinstance(value, s.Variable)
                        and isinstance(target, s.Variable)
                        and target.name == name
                        and self._stands_inside(value.name)
                    ):
                        return True
        return False

    def _stands_inside(self, name: str) -> bool:
        return name not in self.bound and any(
            v.name == name and words not in ("", _HEAD) for v, words in self._occurrences()
        )

    def _like(self, name: str) -> str | None:
        """A hint to a bound variable with a similar name, if names are long enough for a misspelling."""
        known = sorted({written(other) for other in self.bound} - {written(name)})
        return did_you_mean(written(name), [n for n in known if len(n) > 2]) if len(written(name)) > 2 else None

    def _equality(self, name: str) -> str:
        return next(
            (
                written(literal)
                for literal in self.literals
                if isinstance(literal, s.Comparison) and name in names(literal, deep=False)
            ),
            "the rule",
        )

    def _aggregates(self) -> Iterator[s.Aggregate]:
        for head in self.heads:
            yield from direct_aggregates(head)
        for literal in self.literals:
            yield from direct_aggregates(literal)


def _conjunction(body: s.Body | None) -> list[s.Body]:
    """The literals of a body, including those of all its alternatives."""
    if body is None:
        return []
    try:
        return [literal for alternative in branches(body) for literal in alternative]
    except TooManyBranches:
        return []


def _plain_variables(expression: s.Expression) -> Iterator[s.Variable]:
    return (part for part in parts(expression) if isinstance(part, s.Variable))


def _variables(literal: s.Body) -> Iterator[s.Variable]:
    for side in sides(literal.body if isinstance(literal, s.Negation) else literal):
        yield from (part for part in within(side) if isinstance(part, s.Variable))
