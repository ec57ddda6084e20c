"""Where a rule's text uses something."""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ladder.language.core import Place, Rule

_END = re.compile(r"\.(?=\s|$)")


def place_in(rule: Rule, word: str, sources: Mapping[str, str]) -> Place | None:
    """The place of the first `word` in the text of a rule; that of the rule where it is not found."""
    place = rule.place
    if place is None or place.file not in sources:
        return place
    lines = sources[place.file].split("\n")
    for number in range(place.line - 1, len(lines)):
        start = place.column - 1 if number == place.line - 1 else 0
        found = re.compile(rf"(?<![\w@]){re.escape(word)}(?!\w)").search(lines[number], start)
        end = _END.search(lines[number], start)
        if found and (end is None or found.start() < end.start()):
            return replace(place, line=number + 1, column=found.start() + 1)
        if end:
            break
    return place
