"""Joins as SQL on canonical bytes (see `canonical`): of numbers, finite lattices, constants, intervals and sets, and of
pairs and products of them.

The encoding of a lattice's values in bytes is its `Form` (`byte_forms`, `set_forms`); the forms of lattices that are
made of others are here:

    products              component by component
    by priority           pairs are collected; joined are the second components of those pairs whose first component is
                          the join of all first ones
    maps                  entry by entry, as rows of their own

Some values of a lattice may have no form (numbers of more than 64 bits, sets of tuples): they raise `UnusualValue`, and
Python has to compute the joins. It also does so for congruences: see `ladder bench spark --only folds`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ladder.engine.canonical import KEY
from ladder.engine.spark.lattices.byte_forms import (
    ALL,
    NOTHING,
    TUPLE,
    Form,
    Part,
    bytes_inside,
    common_part_form,
    flat_form,
    interval_form,
    number_form,
    table_form,
    widened_form,
)
from ladder.engine.spark.lattices.lattice_sql import SqlJoin, raised
from ladder.engine.spark.lattices.set_forms import ENTRY, entries_of, set_form
from ladder.engine.spark.values.canonical_sql import literal
from ladder.engine.spark.values.shipping import UnusualValue
from ladder.lattices.shapes import (
    Constants,
    Elements,
    Intervals,
    Maps,
    Numbers,
    Priority,
    Rounded,
    Sets,
    Shape,
    Tuples,
    shape_of,
)

LONGEST = 60_000  # characters of a join's SQL
SHORT = 150  # characters; longer SQL of a position, which contains the sizes of what comes before, gets a name
NAMES = re.compile(r"\bq(\d+)")
Parts = tuple[tuple[str, Callable[[str], str]], ...]
# values as they are encoded inside other values
WHOLE: Parts = (("collect_set", lambda x: f"CAST(substring({x}, 2) AS STRING)"),)
OVER = {  # aggregate functions over the values of an array
    "min": "array_min({})",
    "max": "array_max({})",
    "bit_and": "aggregate({}, -1L, (s, n) -> s & n)",
    "collect_set": "array_distinct({})",
}


def join_of_bytes(name: str, lattice: Any) -> SqlJoin | None:
    """The join of a lattice whose values are objects; None where Python has to compute it.

    `name`: the name of the lattice in messages.
    """
    unusual = raised(UnusualValue(f"A value of {name} is none that SQL can join."))
    form: Form | None
    shape = shape_of(lattice)
    if isinstance(shape, Maps):
        return _maps(shape, unusual)
    # whether sets are well-formed is checked when they are decoded
    if sets := isinstance(shape, Sets) and not shape.meet:
        form, parts = set_form(shape.most, common=False, otherwise=f"CAST({unusual} AS ARRAY<STRING>)"), WHOLE
    else:
        form = form_of(shape)
        if form is None:
            return None
        parts = tuple((function, _at_2(argument)) for function, argument in form.parts)

    def checked(x: str) -> str:
        fits = f"substring({x}, 1, 1) = {literal(KEY)} AND {form.fits(x, '2')}"
        if not sets:
            fits += f" AND length({x}) = 1 + {form.size(x, '2')}"
        return f"IF({fits}, {x}, CAST({unusual} AS BINARY))"

    join = SqlJoin(
        parts, lambda gathered: f"concat({literal(KEY)}, {form.written(gathered)})", contents=True, checked=checked
    )
    return join if len(checked("x")) + len(join.of_group("x")) <= LONGEST else None


def _maps(shape: Maps, unusual: str) -> SqlJoin | None:
    """The join of maps, key by key; whether they are well-formed is checked when they are decoded."""
    form, bottom = form_of(shape.of), bytes_inside(shape.bottom)
    if form is None or bottom is None:
        return None
    entries = entries_of(form, bottom, f"CAST({unusual} AS ARRAY<{ENTRY}>)")
    return SqlJoin(WHOLE, lambda gathered: gathered[0], contents=True, entries=entries)


def _at_2(argument: Callable[[str, str], str]) -> Callable[[str], str]:
    return lambda x: argument(x, "2")


def form_of(shape: Shape | None) -> Form | None:
    """The form of a lattice's values; None where SQL cannot decode them."""
    match shape:
        case Numbers(function):
            return number_form(function)
        case Constants(meet):
            return flat_form(ALL, NOTHING) if meet else flat_form()
        case Intervals(meet):
            return common_part_form() if meet else interval_form()
        case Rounded(thresholds):
            return widened_form(thresholds)
        case Sets(most, meet):
            return set_form(most, common=meet)
        case Tuples(parts):
            return _product([form_of(part) for part in parts])
        case Priority(first, second, bottom):
            return _by_priority(form_of(first), form_of(second), bytes_inside(bottom))
        case Elements(lattice, elements):
            return table_form(lattice, elements)
    return None


# ---- products


def _placed(forms: Sequence[Form], x: str, at: str, body: Callable[[Sequence[str]], str]) -> str:
    """SQL of `body`, a function of the positions of these components of a tuple and of the position after them; long
    positions are bound to names."""
    first = 1 + max(map(int, NAMES.findall(at)), default=-1)

    def after(found: Sequence[str]) -> str:
        place = len(found) - 1
        if place == len(forms):
            return body(found)
        position = f"{found[-1]} + {forms[place].size(x, found[-1])}"
        if len(position) <= SHORT:
            return after([*found, position])
        name = f"q{first + place}"
        return f"transform(array({position}), {name} -> {after([*found, name])})[0]"

    return after([f"{at} + 5"])


def _tuple(forms: Sequence[Form], parts: Sequence[Part], written: Callable[[Sequence[str]], str]) -> Form:
    """The form of tuples of these components."""
    head = f"{TUPLE}{len(forms):08x}"

    def fits(x: str, at: str) -> str:
        components = _placed(
            forms[:-1],
            x,
            at,
            lambda places: " AND ".join(form.fits(x, place) for form, place in zip(forms, places, strict=True)),
        )
        return f"substring({x}, {at}, 5) = X'{head}' AND {components}"

    return Form(
        fits,
        lambda x, at: _size(forms, x, at),
        tuple(parts),
        lambda gathered: f"concat(X'{head}', {written(gathered)})",
    )


def _size(forms: Sequence[Form], x: str, at: str) -> str:
    end = _placed(forms[:-1], x, at, lambda places: f"{places[-1]} + {forms[-1].size(x, places[-1])}")
    return f"({end} - ({at}))"


def _product(forms: Sequence[Form | None]) -> Form | None:
    """The form of tuples that are joined component by component; None where a component has no form."""
    known = [form for form in forms if form is not None]
    if not known or len(known) < len(forms):
        return None

    def of_component(place: int, argument: Callable[[str, str], str]) -> Callable[[str, str], str]:
        return lambda x, at: _placed(known[:place], x, at, lambda places: argument(x, places[place]))

    def written(gathered: Sequence[str]) -> str:
        rest, components = list(gathered), []
        for form in known:
            components.append(form.written(rest[: len(form.parts)]))
            rest = rest[len(form.parts) :]
        return ", ".join(components)

    parts = [
        (function, of_component(place, argument))
        for place, form in enumerate(known)
        for function, argument in form.parts
    ]
    return _tuple(known, parts, written)


def _by_priority(first: Form | None, second: Form | None, bottom: bytes | None) -> Form | None:
    """The form of pairs joined by priority; where no pair has the join of the first components, the second one is
    `bottom`."""
    if first is None or second is None or bottom is None:
        return None

    def pair(x: str, at: str) -> str:
        return f"CAST(substring({x}, {at}, {_size((first, second), x, at)}) AS STRING)"

    def written(gathered: Sequence[str]) -> str:
        chosen = "filter(v, e -> substring(CAST(e AS BINARY), 6, length(b)) = b)"
        joined = f"IF(cardinality(c) = 0, {literal(bottom)}, {_over('c', second, '6 + length(b)')})"
        of_best = f"transform(array({chosen}), c -> concat(b, {joined}))[0]"
        return f"transform(array({gathered[0]}), v -> transform(array({_over('v', first, '6')}), b -> {of_best})[0])[0]"

    return _tuple((first, second), [("collect_set", pair)], written)


def _over(values: str, form: Form, at: str) -> str:
    """SQL of the bytes of the total over an array of texts, in each of which a value begins at a position."""
    arguments = [
        (function, f"transform({values}, e -> {argument('CAST(e AS BINARY)', at)})")
        for function, argument in form.parts
    ]
    gathered = ", ".join(
        f"'a{i}', {OVER[function].format(argument)}" for i, (function, argument) in enumerate(arguments)
    )
    return (
        f"transform(array(named_struct({gathered})), g -> "
        f"{form.written([f'g.a{i}' for i in range(len(form.parts))])})[0]"
    )
