"""Findings that `@SuppressWarnings("ladder:RULE")` suppresses in a type, method, field, parameter or variable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ladder.frontends.protocol import Row

PREFIX = "ladder"  # alone it is about every rule
ANNOTATION = "@SuppressWarnings"
ALL = "*"


class JavaSuppressions:
    """What annotations suppress (see `ladder.frontends.protocol.Suppressions`)."""

    relations = ("Annotation", "AnnotationElement")

    def of(self, facts: Mapping[str, Sequence[Row]]) -> Mapping[str, frozenset[str]]:
        """Return the rules that each declaration suppresses."""
        declared = {annotation: str(declaration) for annotation, declaration, _ in facts["Annotation"]}
        found: dict[str, set[str]] = {}
        for annotation, name, _, _, value in facts["AnnotationElement"]:
            suppressing = name == "value" and ANNOTATION in str(annotation).rpartition("/")[2]
            if suppressing and annotation in declared and (rule := _rule(str(value))):
                found.setdefault(declared[annotation], set()).add(rule)
        return {declaration: frozenset(rules) for declaration, rules in found.items()}


def _rule(value: str) -> str:
    """The rule that a literal in quotes names; "" if it is none of ours."""
    prefix, colon, rule = value.strip('"').partition(":")
    return "" if prefix != PREFIX else rule.strip() if colon else ALL


SUPPRESSIONS = JavaSuppressions()
