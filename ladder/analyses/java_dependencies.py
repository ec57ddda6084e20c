"""Functors of the analysis of dependencies: patterns of policies, and parts of names. All are pure."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(1 << 10)
def _expression(pattern: str) -> re.Pattern[str]:
    text = ".*".join(map(re.escape, pattern.split("*")))
    return re.compile(text if "*" in pattern else rf"{text}(?:[.$].*)?")


def matches(pattern: str, name: str) -> int:
    """1 if a pattern means a name: `*` stands for any text; without one, the type or package of that name and what is
    in it are meant."""
    return int(_expression(pattern).fullmatch(name) is not None)


def without_dimensions(type_: str) -> str:
    """The type of the innermost elements of an array; any other type itself."""
    return type_.replace("[]", "")


def package_of(type_: str) -> str:
    """The package of a type, by its binary name."""
    return type_.rpartition(".")[0]


def member(owner: str, name: str) -> str:
    """How patterns call a member of a type; a constructor is called `new`."""
    return f"{owner}.{'new' if name == '<init>' else name}"


def declared_in(use: str) -> str:
    """The file, named after its main type, in which a type is used."""
    return use.partition("/")[0]
