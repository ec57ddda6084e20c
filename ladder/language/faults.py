"""Errors in functors and joins that rules call, reported with the call, the line of the user's file, and the rule.

raised(name, arguments, error)    the error for a functor or join that raised an exception
returned(name, arguments, error)  the error for one that returned what is no value of its type
asking(program, name)             the rules that call it
with_excerpt(error, sources)      the same error with the line of the program that it is about
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ladder.errors import LadderError
from ladder.language.core import Compute, Generate, Kind, Place, Program, Rule, Subsumption, Type
from ladder.language.errors import excerpt
from ladder.support.shown import error_text, shown

JOIN = "the join of "
HINT = "A functor or join must return a value for all arguments of its types."
_OURS = Path(__file__).parents[1]


def raised(name: str, arguments: Sequence[Any], error: BaseException) -> LadderError:
    """The error for a call that raised an exception, with the last line of user code that led there.

    Interrupts and exceeded limits are no errors of the call and are raised again.
    """
    if isinstance(error, KeyboardInterrupt):
        raise error
    return LadderError(
        f"{call_text(name, arguments)} raised {error_text(error).removesuffix('.')}{_line(error)}.", HINT
    )


def returned(name: str, arguments: Sequence[Any], error: LadderError) -> LadderError:
    """The error for a call whose result is no value of its type."""
    return LadderError(f"{call_text(name, arguments)} returned what it must not: {error.message}", error.hint)


def no_value(value: object, type_: Type) -> LadderError:
    """The error for a value that is not of a type."""
    what = f"{shown(value)} is not a value of type {type_.name} ({type_.kind.value})"
    if type_.written is Kind.OBJECT:
        try:
            hash(value)
        except Exception:  # noqa: BLE001 - whatever a value's class does
            return LadderError(f"{what}: it cannot be hashed, as the values of a lattice must be.")
    return LadderError(f"{what}.")


def call_text(name: str, arguments: Sequence[Any]) -> str:
    """A call as messages show it."""
    return f"{name}({', '.join(map(shown, arguments))})"


def asking(program: Program, name: str) -> list[Place]:
    """The places of the rules that call a function, in textual order; for "the join of L", the places of the relations
    aggregated by L."""
    lattice = name.removeprefix(JOIN) if name.startswith(JOIN) else None
    rules: tuple[Rule | Subsumption, ...] = (*program.rules, *program.subsumptions)
    found = [
        rule.place
        for rule in rules
        if any(isinstance(step, Compute | Generate) and step.function == name for step in rule.body)
    ]
    found += [
        relation.place
        for relation in program.relations.values()
        if lattice is not None and relation.aggregate == lattice
    ]
    return sorted(
        {place for place in found if place is not None}, key=lambda place: (place.file, place.line, place.column)
    )


def located(error: LadderError, program: Program, name: str) -> LadderError:
    """An error of a function, with the place of the rule that calls it, or of the first of several."""
    places = asking(program, name)
    if error.place or not places:
        return error
    if len(places) > 1:
        others = ", ".join(map(str, places[1:4])) + (", …" if len(places) > 4 else "")
        error.hint = f"{error.hint} It may be what is called for at {others}, too.".strip()
    return error.at(str(places[0]))


def with_excerpt(error: LadderError, sources: Mapping[str, str] | None) -> LadderError:
    """An error with the line of the program that it is about, where that is known."""
    place = Place.of(error.place)
    return error if place is None or not sources else error.at(error.place, excerpt(place, sources.get(place.file)))


def _line(error: BaseException) -> str:
    """The last line of the user's code in the traceback of an error, as text for a message."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not Path(frame.filename).is_relative_to(_OURS) and "site-packages" not in frame.filename:
            return f", in {Path(frame.filename).name}:{frame.lineno} ({frame.name})"
    return ""
