"""Components → the plain program that they stand for.

    .comp C<T> { .decl r(x: T)  r(1). }  .init c = C<number>   →   .decl c.r(x: number)  c.r(1).
"""
from __future__ import annotations

from collections.abc import Sequence

from ladder.language import syntax as s
from ladder.language.errors import Errors

_DIRECTIVES = ("input", "output", "printsize")


def instantiate(items: Sequence[s.Item], errors: Errors) -> list[s.Item]:
    """The items with the content of components in place of their instances, and old qualifiers as directives."""
    return [directive for item in items for directive in (item, *_directives(item))]


def _directives(item: s.Item) -> list[s.Item]:
    """The directives that a declaration's qualifiers stand for: `.decl r(…) output` is also `.output r`."""
    if not isinstance(item, s.RelationDeclaration):
        return []
    return [s.DirectiveItem(item.place, q, item.name) for q in item.qualifiers if q in _DIRECTIVES]
