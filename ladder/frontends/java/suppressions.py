"""Findings that `@SuppressWarnings("ladder:RULE")` suppresses in a type, method, field, parameter or variable, and what
compilers and editors call the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ladder.frontends.protocol import Row

PREFIX = "ladder"  # alone it is about every rule
ANNOTATION = "@SuppressWarnings"
ALL = "*"
OF_COMPILERS = {
    "resource": ("unclosed-resource", "unclosed-on-exception"),
    "unused": ("unused-method", "unused-field", "unused-type"),
}
"""Names that compilers and editors know → the rules that find the same."""


class JavaSuppressions:
    """What annotations suppress (see `ladder.frontends.protocol.Suppressions`)."""

    relations = ("Annotation", "AnnotationElement")

    def of(self, facts: Mapping[str, Sequence[Row]]) -> Mapping[str, frozenset[str]]:
        """Return the rules that each declaration suppresses."""
        declared = {annotation: str(declaration) for annotation, declaration, _ in facts["Annotation"]}
        found: dict[str, set[str]] = {}
        for annotation, name, _, _, value in facts["AnnotationElement"]:
            suppressing = name == "value" and ANNOTATION in str(annotation).rpartition("/")[2]
            if suppressing and annotation in declared and (rules := _rules(str(value))):
                found.setdefault(declared[annotation], set()).update(rules)
        return {declaration: frozenset(rules) for declaration, rules in found.items()}


def _rules(value: str) -> Sequence[str]:
    """The rules that a literal in quotes names; none if it is about other tools."""
    prefix, colon, rule = value.strip('"').partition(":")
    if prefix == PREFIX:
        return (rule.strip() if colon else ALL,)
    return OF_COMPILERS.get(value.strip('"'), ())


SUPPRESSIONS = JavaSuppressions()
