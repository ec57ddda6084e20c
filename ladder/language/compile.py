"""The front half as one pipeline: sources → items → environment → checked and typed clauses → core program."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ladder.language import core, syntax as s
from ladder.language.branches import MOST_BRANCHES, TooManyBranches, split
from ladder.language.check import check_clause, choose_aggregates
from ladder.language.environment import Environment, Functors, declare
from ladder.language.errors import Errors, Warning
from ladder.language.grounding import check_grounding, check_witnesses
from ladder.language.infer import Typing, infer
from ladder.language.normalise import declare_helpers, normalise_clause, normalise_subsumption, subsumption_clause
from ladder.language.options import Options
from ladder.language.program_checks import check_program
from ladder.language.scopes import scoped
from ladder.language.sources import Sources, read_program
from ladder.language.terms import Normalised
from ladder.language.widening import widened


@dataclass(frozen=True)
class Compiled:
    """A core program with what it was made from."""

    core: core.Program
    sources: Sources
    environment: Environment
    warnings: tuple[Warning, ...] = ()
    pragmas: tuple[tuple[str, str], ...] = ()


def compile_program(text: str, file: str = "<text>", directory: Path | None = None,
                    functors: Functors | None = None, options: Options = Options()) -> Compiled:
    """A text's core program; its includes and Python files are looked up in `directory`. Raises `ProgramError`."""
    directory = Path.cwd() if directory is None else directory
    errors = Errors()
    sources = read_program(text, file, directory, errors)
    environment = declare(sources.items, directory, functors, errors)
    clauses = [item for item in sources.items if isinstance(item, s.Clause)]
    subsumptions = [item for item in sources.items if isinstance(item, s.SubsumptionClause)]
    choose_aggregates(clauses, environment, errors)
    normalised = Normalised()
    for clause in clauses:
        try:
            _clause(clause, environment, normalised, errors)
        except TooManyBranches:
            errors.add(clause.place, f"the alternatives of this rule multiply to more than {MOST_BRANCHES}",
                       "split it: give an alternative a relation of its own")
        except RecursionError:
            errors.add(clause.place, "this clause is nested too deeply")
    for subsumption in subsumptions:
        _subsumption(subsumption, environment, normalised, errors)
    check_program([*clauses, *subsumptions], environment, errors)
    errors.raise_if_any(sources.texts)
    pragmas = tuple((item.key, item.value or "") for item in sources.items if isinstance(item, s.Pragma))
    return Compiled(_program(environment, normalised), sources, environment, tuple(errors.warnings), pragmas)


def _clause(clause: s.Clause, environment: Environment, normalised: Normalised, errors: Errors) -> None:
    """Checks a clause; then each of its alternatives with each of its heads is typed and lowered on its own."""
    for part, typing in _typed(clause, environment, errors):
        normalise_clause(part, typing, environment, normalised, errors)


def _subsumption(subsumption: s.SubsumptionClause, environment: Environment, normalised: Normalised, errors: Errors) -> None:
    for part, typing in _typed(subsumption_clause(subsumption), environment, errors):
        normalise_subsumption(part, typing, environment, normalised, errors)


def _typed(clause: s.Clause, environment: Environment, errors: Errors) -> Iterator[tuple[s.Clause, Typing]]:
    """The alternatives of a clause with each of its heads, those without errors, and their types."""
    if not check_clause(clause, environment, errors):
        return
    for alternative in split(clause):
        before = errors.noted
        check_witnesses(alternative, errors)
        part = scoped(alternative)
        if errors.noted == before:
            check_grounding(part, environment, errors)
        if environment.types.broken:
            continue
        typing = infer(part, environment, errors)
        if errors.noted == before:
            yield part, typing


def _program(environment: Environment, normalised: Normalised) -> core.Program:
    relations = {**declare_helpers(environment, normalised), **normalised.helpers}
    used = {r.aggregate for r in relations.values()}
    return widened(core.verify(core.Program(
        relations=relations,
        rules=tuple(normalised.rules),
        functions=normalised.functions,
        lattices={name: lattice for name, lattice in (*environment.lattices.items(), *normalised.lattices.items())
                  if name in used},
        facts={name: tuple(rows) for name, rows in normalised.facts.items()},
        directives=tuple(environment.directives),
        types=dict(environment.types.types),
        subsumptions=tuple(normalised.subsumptions))))

