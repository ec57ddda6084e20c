"""Removal of what a program's results do not depend on, for runs that only write results.

.output b   b(x) :- a(x).   c(x) :- b(x), d(x).   .input d   →   .output b   b(x) :- a(x).
"""

from __future__ import annotations

from dataclasses import replace

from ladder.language.core import Column, Program, dependencies, helper, ordered_relations
from ladder.language.roles import Part, Role
from ladder.language.values.value_order import deciding_texts
from ladder.support.graphs import reaching, successors_of

RESULTS = ("output", "printsize")
MENTIONED = Part(Role.MENTIONED)


def needed(program: Program) -> Program:
    """The program without relations that no `.output` or `.printsize` depends on."""
    return _sorted_as(program, _without_others(program, _needed_relations(program)))


def _without_others(program: Program, relations: set[str]) -> Program:
    return replace(
        program,
        relations={name: relation for name, relation in program.relations.items() if name in relations},
        rules=tuple(rule for rule in program.rules if rule.head.relation in relations),
        facts={name: rows for name, rows in program.facts.items() if name in relations},
        directives=tuple(directive for directive in program.directives if directive.relation in relations),
        subsumptions=tuple(clause for clause in program.subsumptions if clause.dominated.relation in relations),
        findings=tuple(finding for finding in program.findings if finding.relation in relations),
    )


def _sorted_as(program: Program, kept: Program) -> Program:
    """The kept part of a program, with facts that mention symbols in their original order if clauses that are not kept
    affect the order of rows."""
    names = kept.relations.keys()
    texts = deciding_texts(program, names) if ordered_relations(kept) else ()
    if texts == deciding_texts(kept, names) or not texts:
        return kept
    relation = helper(MENTIONED, (Column("text", program.types["symbol"]),))
    return replace(
        kept,
        relations={relation.name: relation, **kept.relations},
        facts={relation.name: tuple((text,) for text in texts), **kept.facts},
    )


def _needed_relations(program: Program) -> set[str]:
    edges = [
        *dependencies(program),
        *((relation.facts, name) for name, relation in program.relations.items() if relation.facts),
    ]
    written = [directive.relation for directive in program.directives if directive.kind in RESULTS]
    written += [finding.flow[0] for finding in program.findings if finding.flow and finding.relation in written]
    return reaching(successors_of(edges), written)
