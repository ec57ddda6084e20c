"""What a program's results depend on: the rest need not be read or computed when only results are written.

.output b   b(x) :- a(x).   c(x) :- b(x), d(x).   .input d   →   .output b   b(x) :- a(x).
"""

from __future__ import annotations

from dataclasses import replace

from ladder.graphs import reaching, successors_of
from ladder.language.core import Program, dependencies

RESULTS = ("output", "printsize")


def needed(program: Program) -> Program:
    """The program without relations that no `.output` or `.printsize` depends on."""
    relations = _needed_relations(program)
    return replace(
        program,
        relations={name: relation for name, relation in program.relations.items() if name in relations},
        rules=tuple(rule for rule in program.rules if rule.head.relation in relations),
        facts={name: rows for name, rows in program.facts.items() if name in relations},
        directives=tuple(directive for directive in program.directives if directive.relation in relations),
        subsumptions=tuple(clause for clause in program.subsumptions if clause.dominated.relation in relations),
    )


def _needed_relations(program: Program) -> set[str]:
    edges = [*dependencies(program), *((relation.facts, name) for name, relation in program.relations.items() if relation.facts)]
    written = [directive.relation for directive in program.directives if directive.kind in RESULTS]
    return reaching(successors_of(edges), written)
