"""The places in a rule's text at which relations, functions or comparisons are used, for messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ladder.checks.recursion import closed
from ladder.language.core import Compare, Compute, Generate, Place, Rule, Var, variables
from ladder.language.expressions import written

_END = re.compile(r"\.(?=\s|$)")
_OPERATOR = r"(?:!=|<=|>=|=|<|>)"


def functor_in(rule: Rule, name: str, sources: Mapping[str, str]) -> Place:
    """The place where a rule's text calls a functor; the place of the rule if it is not found."""
    return _found(rule, rf"@{re.escape(name)}(?!\w)", sources) or _start(rule)


def tested_in(rule: Rule, variable: Var, sources: Mapping[str, str]) -> Place:
    """The place of the first functor or comparison on a variable or on what is computed from it; the place of the rule
    if none is found."""
    made = closed(rule, {variable})
    for literal in rule.body:
        if not set(variables(literal)) & made:
            continue
        name, place = re.escape(written(variable.name)), None
        if isinstance(literal, Compute | Generate):
            place = _found(rule, rf"@{re.escape(literal.function)}(?!\w)", sources)
        elif isinstance(literal, Compare) and name:
            place = _found(rule, rf"(?<![\w@$.]){name}\s*{_OPERATOR}|{_OPERATOR}\s*{name}(?![\w(])", sources)
        if place is not None:
            return place
    return _start(rule)


def _start(rule: Rule) -> Place:
    return rule.place or Place("", 0, 0)


def _found(rule: Rule, pattern: str, sources: Mapping[str, str]) -> Place | None:
    """The place of the first match within the text of a rule."""
    place = rule.place
    if place is None or place.file not in sources:
        return None
    lines = sources[place.file].split("\n")
    for number in range(place.line - 1, len(lines)):
        start = place.column - 1 if number == place.line - 1 else 0
        found = re.compile(pattern).search(lines[number], start)
        end = _END.search(lines[number], start)
        if found and (end is None or found.start() < end.start()):
            return replace(place, line=number + 1, column=found.start() + 1)
        if end:
            return None
    return None
