"""Whether a reference is null: the lattice and the functors of `nullness.dl`.

`null` and `maybe` rest on evidence: an assignment, a check, an annotation or a row about a library says that the
reference is null on some path. Without evidence a reference of which nothing is known is `any`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ladder.lattices import Lattice

_PATH = re.compile(r'"(\w+:\|)?\|[^"]*"')
_CUT = re.compile("~[0-9a-f]{4}")
_DEFINITION = re.compile("(#|(?<! ): ).*", re.DOTALL)

NONE, NULL, NONNULL, ANY, MAYBE = "none", "null", "nonnull", "any", "maybe"

_BELOW = {
    NONE: (NONE,),
    NULL: (NONE, NULL),
    NONNULL: (NONE, NONNULL),
    ANY: (NONE, NONNULL, ANY),
    MAYBE: (NONE, NONNULL, ANY, NULL, MAYBE),
}
"""Each value → those that are not above it, the greatest one last."""


class Nullness(Lattice[str]):
    """What is known of a reference, as the symbols `none` (no value gets there), `null`, `nonnull`, `any` (it is not
    known whether it is null) and `maybe` (null on some path, and something else on another one).

           maybe
           /   \\
         null   any
          |      |
          |   nonnull
           \\   /
            none
    """

    carrier = "symbol"
    bottom, top = NONE, MAYBE
    elements = tuple(_BELOW)

    def join(self, a: str, b: str) -> str:
        if b in _BELOW[a]:
            return a
        return b if a in _BELOW[b] else MAYBE

    def meet(self, a: str, b: str) -> str:
        return next(value for value in reversed(_BELOW[a]) if value in _BELOW[b])

    def leq(self, a: str, b: str) -> bool:
        return a in _BELOW[b]

    def examples(self) -> Sequence[str]:
        return self.elements


nullness = Nullness()


def if_null(value: str) -> str:
    """What is left of the value where a check says that it is null; of one of which nothing is known the check is
    evidence."""
    return NONE if value in (NONE, NONNULL) else NULL


def if_not_null(value: str) -> str:
    """What is left of the value where it cannot be null: behind a check or a dereference."""
    return NONE if value in (NONE, NULL) else NONNULL


def if_like(value: str, other: str) -> str:
    """What is left of the value where it is as the other one, of the same reference, says: that it is not null, or that
    control does not get there."""
    if other == NONE:
        return NONE
    return if_not_null(value) if other == NONNULL else value


def null_of(value: str) -> str:
    """The part of the value that is null by evidence."""
    return NULL if value in (NULL, MAYBE) else NONE


def may_be_null(value: str) -> int:
    """Whether there is evidence that the value may be null, 1 or 0."""
    return int(value in (NULL, MAYBE))


def is_null(value: str) -> int:
    """Whether the value is null on every path, 1 or 0."""
    return int(value == NULL)


# ---- words of messages


def last_part(var: str) -> str:
    """What a variable or a place is called: `p.A.m(int)/x` → `x`."""
    return var.partition("/$(")[1][1:] + var.partition("/$(")[2] if "/$(" in var else var.rpartition("/")[2]


def expression(var: str) -> str:
    """What the source says of a variable, as messages tell it: of a temporary the expression that it holds, with an
    ellipsis where the text was cut, and without what tells it from others of the same text, with the slashes of paths,
    which ids do not have; of one definition of a variable its name; of the copy that `for` makes the collection."""
    text = last_part(var)
    if text.startswith("$("):
        text = _PATH.sub(lambda path: path[0].replace("|", "/"), text[2:].rpartition(")")[0].partition(" in ")[0])
        text = _CUT.sub("…", text)
    else:
        text = _DEFINITION.sub("", text)
    return text.rpartition(" : ")[2] if text.startswith("copy of ") else text.removeprefix("@")


def moved(source: str, target: str) -> str:
    """What a copy between variables and places does."""
    if ":field" in target or "]" in target[-2:]:
        return "stored"
    return "read" if ":field" in source else "assigned"


def called(method: str) -> str:
    """A method, by its id, in a sentence: `p.A.m(int)` → `m()`; a constructor or lambda by what it is."""
    if "/lambda" in method:
        return "the lambda"
    owner, _, name = method.partition("(")[0].rpartition(".")
    return f"the constructor of {owner.rpartition('.')[2]}" if name == "<init>" else f"{name}()"
