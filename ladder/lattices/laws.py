"""Tests of the laws of lattices that aggregation relies on, on the values passed or on examples that hypothesis draws.

A law must hold for all tuples of `arity` values. A violation is described by a sentence with the values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, product
from random import Random
from typing import TYPE_CHECKING, Any

from ladder.lattices.base import Lattice
from ladder.support.shown import FAULTS, error_text

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

LONGEST_CHAIN = 250  # steps up after which a chain that still climbs counts as endless
_POOL = 4000
_TRIED = 64  # tuples of values for each law
_RAISED = " raised "


@dataclass(frozen=True)
class Law:
    """A law. `broken(lattice, *values)` is a sentence if the values violate it; `operation`: the name of the operation
    that it is about."""

    operation: str
    arity: int
    broken: Callable[..., str | None]

    def applies(self, lattice: Any) -> bool:
        """Whether the lattice has the operation that the law is about."""
        return hasattr(lattice, self.operation)

    def sentence(self, lattice: Any, *values: Any) -> str | None:
        """A sentence if the values violate the law, None otherwise; an operation that raises an exception violates its
        law."""
        try:
            return self.broken(lattice, *values)
        except FAULTS as error:
            shown = ", ".join(text(lattice, value) for value in values)
            return f"{name_of(lattice, self.operation)}{_RAISED}{error_text(error)}, with {shown}"


def violations(lattice: Any, values: Iterable[Hashable] | None = None, most: int = 10) -> list[str]:
    """A sentence for each law that is violated, with values that violate it; an empty list for a lattice."""
    lattice = completed(lattice)
    chosen = list(dict.fromkeys(lattice.examples() if values is None else values))
    found = []
    for law in LAWS:
        if law.applies(lattice):
            sentences = (law.sentence(lattice, *some) for some in product(chosen, repeat=law.arity))
            found += list(islice(filter(None, sentences), 1))
    if not any("not hashable" in sentence for sentence in found):
        found += islice(_restless(lattice, chosen), 1)
    return found[:most]


def broken_join(lattice: Any, values: Sequence[Hashable], idempotent: bool = True) -> str | None:
    """A sentence about the first law of the join, the order, bottom or top, on which evaluation rests, that some of
    these values violate. Those for which an operation raises an exception say nothing: they may never meet. Of many
    pairs and triples a few are tried, the same ones each time: a join may take long.

    `idempotent`: whether a value is joined once, however often it is there; otherwise the join need only be associative
    and commutative, as sums are.
    """
    lattice = completed(lattice)
    ends = [getattr(lattice, end) for end in ("bottom", "top") if hasattr(lattice, end)]
    chosen = list(dict.fromkeys([*ends, *values]))
    for law in _OF_JOINS if idempotent else _OF_SUMS:
        if law.applies(lattice):
            tuples = list(product(chosen, repeat=law.arity))
            for some in tuples if len(tuples) <= _TRIED else Random(0).sample(tuples, _TRIED):
                sentence = law.sentence(lattice, *some)
                if sentence is not None and _RAISED not in sentence:
                    return sentence
    return None


def _restless(lattice: Any, values: Sequence[Any]) -> Iterator[str]:
    """Test that joining the same values repeatedly reaches a fixpoint; yields a sentence if it does not."""
    join = getattr(lattice, "widen", lattice.join)
    for start in values:
        total, steps, changed = start, 0, True
        while changed and steps < LONGEST_CHAIN * len(values):
            changed = False
            for value in values:
                joined = join(total, value)
                changed |= joined != total
                total, steps = joined, steps + 1
        if changed:
            yield f"joins from {text(lattice, start)} do not come to rest after {steps} steps"


@dataclass(frozen=True)
class Violation:
    """A violated law: the operation that it is about (`join`, `meet`, `leq`, `bottom`, `top`, `widen`, `show`), a
    sentence, and the values."""

    operation: str
    sentence: str
    values: tuple[Any, ...] = ()


def counterexamples(
    lattice: Any, values: SearchStrategy[Any], examples: int = 200, seed: int = 0
) -> Iterator[Violation]:
    """Iterate over the smallest counterexample to each violated law that hypothesis finds with this many examples."""
    lattice = completed(lattice)
    remaining = [law for law in LAWS if law.applies(lattice)]
    intact = True
    while found := smallest([values] * 3, partial(_broken, remaining, lattice), examples, seed):
        law = _broken(remaining, lattice, found)
        assert law is not None
        least = smallest([values] * law.arity, partial(_broken, [law], lattice), examples, seed) or found[: law.arity]
        sentence = law.sentence(lattice, *least) or ""
        yield Violation(law.operation, sentence, least)
        if _RAISED in sentence:
            return  # no law can be tested
        remaining.remove(law)
        intact = False
    if intact and hasattr(lattice, "widen"):
        climbing = endless_chain(lattice, "widen", pool(values, seed))
        if climbing is not None:
            yield Violation(
                "widen",
                f"{name_of(lattice, 'widen')} does not come to rest: {LONGEST_CHAIN} steps up "
                f"from {text(lattice, climbing[0])} it still climbs, from {text(lattice, climbing[1])} to "
                f"{text(lattice, climbing[2])}",
                climbing,
            )


def _broken(laws: Sequence[Law], lattice: Any, values: tuple[Any, ...]) -> Law | None:
    return next((law for law in laws if law.sentence(lattice, *values[: law.arity]) is not None), None)


def smallest(
    strategies: Sequence[SearchStrategy[Any]], holds: Callable[[tuple[Any, ...]], Any], examples: int, seed: int = 0
) -> tuple[Any, ...] | None:
    """The smallest tuple of drawn values for which `holds` is true; None if there is none among this many examples."""
    from hypothesis import HealthCheck, Phase, find, settings
    from hypothesis import strategies as st
    from hypothesis.errors import NoSuchExample, Unsatisfiable

    quiet = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    try:
        return find(st.tuples(*strategies), lambda some: bool(holds(some)), settings=quiet, random=Random(seed))
    except (NoSuchExample, Unsatisfiable):
        return None


def pool(values: SearchStrategy[Any], seed: int = 0) -> list[Any]:
    """Many different values of a strategy."""
    drawn: dict[Any, None] = {}

    def collect(some: tuple[Any, ...]) -> bool:
        drawn.update(dict.fromkeys(some))
        return False

    smallest([values] * 8, collect, _POOL // 8, seed)
    return list(drawn)


def endless_chain(lattice: Any, operation: str, values: Sequence[Any]) -> tuple[Any, Any, Any] | None:
    """(first, last but one, last) of an ascending chain of more than `LONGEST_CHAIN` joins; None if there is none.

    Each step joins a value that is not below yet, and is one of the smallest such steps.
    """
    join = getattr(lattice, operation)
    first = total = lattice.bottom if hasattr(lattice, "bottom") else values[0]
    for _ in range(LONGEST_CHAIN + 1):
        before, total = total, None
        for value in values:
            if not lattice.leq(value, before):
                joined = join(before, value)
                if total is None or lattice.leq(joined, total):
                    total = joined
        if total is None or total == before:
            return None
    return first, before, total


def completed(lattice: Any, show: Callable[[Any], str] | None = None) -> Any:
    """The lattice, with the methods that `Lattice` derives from `join` added if it lacks them; `show`: used if it has
    none itself."""
    own_show = getattr(type(lattice), "show", Lattice.show) is not Lattice.show
    if hasattr(lattice, "leq") and (own_show or show is None and hasattr(lattice, "show")):
        return lattice
    whole = _Completed(lattice)
    if show is not None and not own_show:
        vars(whole)["show"] = show
    return whole


class _Completed(Lattice[Any]):
    def __init__(self, of: Any) -> None:
        for name in ("join", "meet", "leq", "widen", "bottom", "top", "show", "values", "examples", "inject"):
            if hasattr(of, name):
                setattr(self, name, getattr(of, name))


def name_of(lattice: Any, operation: str) -> str:
    """The name of an operation in messages: that of its functor if the lattice is made of the program's functors."""
    names: dict[str, str] = getattr(lattice, "operation_names", {})
    return names.get(operation, operation)


def text(lattice: Any, value: Any) -> str:
    """A value as text for messages."""
    try:
        return f'"{value}"' if isinstance(value, str) else str(lattice.show(value))
    except Exception:  # noqa: BLE001 - no value of the lattice, or a faulty `show`, which is reported elsewhere
        return repr(value)


def _call(lattice: Any, operation: str, *values: Any) -> str:
    return f"{name_of(lattice, operation)}({', '.join(text(lattice, value) for value in values)})"


def _answer(lattice: Any, operation: str, *values: Any) -> str:
    return f"{_call(lattice, operation, *values)} = {text(lattice, getattr(lattice, operation)(*values))}"


def _repeatable(operation: str) -> Callable[..., str | None]:
    def broken(lattice: Any, a: Any, b: Any) -> str | None:
        joined = getattr(lattice, operation)(a, b)
        try:
            hash(joined)
        except TypeError:
            return f"{_answer(lattice, operation, a, b)} is not hashable"
        return (
            None
            if getattr(lattice, operation)(a, b) == joined
            else (f"{_call(lattice, operation, a, b)} is not the same twice")
        )

    return broken


def _idempotent(operation: str) -> Callable[..., str | None]:
    def broken(lattice: Any, a: Any) -> str | None:
        return (
            None
            if getattr(lattice, operation)(a, a) == a
            else (f"{name_of(lattice, operation)} is not idempotent: {_answer(lattice, operation, a, a)}")
        )

    return broken


def _commutative(operation: str) -> Callable[..., str | None]:
    def broken(lattice: Any, a: Any, b: Any) -> str | None:
        combine = getattr(lattice, operation)
        return (
            None
            if combine(a, b) == combine(b, a)
            else (
                f"{name_of(lattice, operation)} is not commutative: {_answer(lattice, operation, a, b)}, "
                f"{_answer(lattice, operation, b, a)}"
            )
        )

    return broken


def _associative(operation: str) -> Callable[..., str | None]:
    def broken(lattice: Any, a: Any, b: Any, c: Any) -> str | None:
        combine = getattr(lattice, operation)
        left, right = combine(combine(a, b), c), combine(a, combine(b, c))
        if left == right:
            return None
        name, (x, y, z) = name_of(lattice, operation), (text(lattice, v) for v in (a, b, c))
        return (
            f"{name} is not associative: {name}({name}({x}, {y}), {z}) = {text(lattice, left)}, "
            f"{name}({x}, {name}({y}, {z})) = {text(lattice, right)}"
        )

    return broken


def _reflexive(lattice: Any, a: Any) -> str | None:
    return None if lattice.leq(a, a) else f"not reflexive: {_call(lattice, 'leq', a, a)} is false"


def _antisymmetric(lattice: Any, a: Any, b: Any) -> str | None:
    return (
        f"not antisymmetric: {text(lattice, a)} and {text(lattice, b)} dominate each other"
        if (a != b and lattice.leq(a, b) and lattice.leq(b, a))
        else None
    )


def _transitive(lattice: Any, a: Any, b: Any, c: Any) -> str | None:
    return (
        (
            f"not transitive: {_call(lattice, 'leq', a, b)} and {_call(lattice, 'leq', b, c)}, "
            f"not {_call(lattice, 'leq', a, c)}"
        )
        if (lattice.leq(a, b) and lattice.leq(b, c) and not lattice.leq(a, c))
        else None
    )


def _dominating(operation: str) -> Callable[..., str | None]:
    def broken(lattice: Any, a: Any, b: Any) -> str | None:
        joined = getattr(lattice, operation)(a, b)
        return (
            None
            if lattice.leq(a, joined) and lattice.leq(b, joined)
            else (f"{_answer(lattice, operation, a, b)} does not dominate both")
        )

    return broken


def _least(lattice: Any, a: Any, b: Any, c: Any) -> str | None:
    joined = lattice.join(a, b)
    return (
        (f"{_answer(lattice, 'join', a, b)} is not the least: {text(lattice, c)} dominates both and is not above it")
        if (lattice.leq(a, c) and lattice.leq(b, c) and not lattice.leq(joined, c))
        else None
    )


def _below(lattice: Any, a: Any, b: Any) -> str | None:
    met = lattice.meet(a, b)
    return (
        None if lattice.leq(met, a) and lattice.leq(met, b) else (f"{_answer(lattice, 'meet', a, b)} is not below both")
    )


def _greatest(lattice: Any, a: Any, b: Any, c: Any) -> str | None:
    met = lattice.meet(a, b)
    return (
        (f"{_answer(lattice, 'meet', a, b)} is not the greatest: {text(lattice, c)} is below both and not below it")
        if (lattice.leq(c, a) and lattice.leq(c, b) and not lattice.leq(c, met))
        else None
    )


def _bottom(lattice: Any, a: Any) -> str | None:
    if not lattice.leq(lattice.bottom, a):
        return f"bottom {text(lattice, lattice.bottom)} is not below {text(lattice, a)}"
    return (
        None
        if lattice.join(lattice.bottom, a) == a
        else (f"bottom is not neutral: {_answer(lattice, 'join', lattice.bottom, a)}")
    )


def _top(lattice: Any, a: Any) -> str | None:
    if not lattice.leq(a, lattice.top):
        return f"top {text(lattice, lattice.top)} is not above {text(lattice, a)}"
    return (
        None
        if lattice.join(lattice.top, a) == lattice.top
        else (f"top does not absorb: {_answer(lattice, 'join', lattice.top, a)}")
    )


def _shown_apart(lattice: Any, a: Any, b: Any) -> str | None:
    return (
        None
        if a == b or lattice.show(a) != lattice.show(b)
        else (f"{a!r} and {b!r} are both shown as {lattice.show(a)!r}")
    )


def _operator_laws(operation: str) -> Sequence[Law]:
    return (
        Law(operation, 2, _repeatable(operation)),
        Law(operation, 1, _idempotent(operation)),
        Law(operation, 2, _commutative(operation)),
        Law(operation, 3, _associative(operation)),
    )


_SAME_AGAIN, _IDEMPOTENT, _COMMUTATIVE, _ASSOCIATIVE = _operator_laws("join")
LAWS = (
    _SAME_AGAIN,
    _IDEMPOTENT,
    _COMMUTATIVE,
    _ASSOCIATIVE,
    Law("leq", 1, _reflexive),
    Law("leq", 2, _antisymmetric),
    Law("leq", 3, _transitive),
    Law("join", 2, _dominating("join")),
    Law("join", 3, _least),
    Law("bottom", 1, _bottom),
    Law("top", 1, _top),
    *_operator_laws("meet"),
    Law("meet", 2, _below),
    Law("meet", 3, _greatest),
    *_operator_laws("widen"),
    Law("widen", 2, _dominating("widen")),
    Law("show", 2, _shown_apart),
)
_OF_JOINS = tuple(law for law in LAWS if law.operation in ("join", "leq", "bottom", "top"))
_OF_SUMS = (_SAME_AGAIN, _COMMUTATIVE, _ASSOCIATIVE)
