"""What `--entry` says: where the program is taken to start, by policies and by patterns of methods.

The texts are lists with commas; a comma in parentheses or in angle brackets is part of a pattern. A pattern is a
method's name as results show it, `<a.b.C: int f(java.lang.String)>`, or shorter, `a.b.C.f(java.lang.String)`; `*`
stands for any text, and what ends in no parenthesis means any parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ladder.errors import LadderError

POLICIES = ("auto", "main", "tests", "frameworks", "public", "all")
DEFAULT = "auto"
SPECIAL = re.compile(r"[][\\^$.|?+(){}]")


@dataclass(frozen=True)
class Entry:
    """Policies, and patterns with the regular expressions that they mean."""

    policies: tuple[str, ...] = (DEFAULT,)
    patterns: tuple[tuple[str, str], ...] = ()


def entry_text(texts: Sequence[str]) -> str:
    """The policies and patterns of all texts in one, each once, in the order of `POLICIES` and of the alphabet: the
    same for all ways to say the same. `LadderError` for what is neither."""
    words = {word for text in texts for word in _words(text)}
    for word in sorted(words - {*POLICIES}):
        if not re.search(r"[.*<]", word):
            raise LadderError(
                f"There is no entry policy {word}, and no pattern of methods is like that.",
                f"Policies are {', '.join(POLICIES)}; a pattern is like com.acme.Server.* or com.acme.Server.start(*).",
            )
    return ",".join([*(p for p in POLICIES if p in words), *sorted(words - {*POLICIES})]) or DEFAULT


def entry_of(text: str) -> Entry:
    """What a text that `entry_text` made says."""
    words = _words(text)
    patterns = tuple((word, expression(word)) for word in words if word not in POLICIES)
    return Entry(tuple(word for word in words if word in POLICIES), patterns)


def expression(pattern: str) -> str:
    """The regular expression of a pattern, which matches the whole name of a method.

    a.B$C.f*  →  a\\.B\\$C\\.f.*\\(.*\\)
    """
    whole = pattern if pattern.endswith(")") or pattern.startswith("<") else f"{pattern}(*)"
    return ".*".join(SPECIAL.sub(r"\\\g<0>", part) for part in whole.split("*"))


def _words(text: str) -> list[str]:
    """The parts of a list with commas; blanks beside the commas in them are none of theirs."""
    return [re.sub(r"\s*,\s*", ",", word.strip()) for word in _split(text) if word.strip()]


def _split(text: str) -> Iterator[str]:
    depth, word = 0, ""
    for character in text:
        depth += (character in "(<") - (character in ")>")
        if character == "," and depth <= 0:
            yield word
            word = ""
        else:
            word += character
    yield word
