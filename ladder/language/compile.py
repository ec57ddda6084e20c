"""The front half as one pipeline: sources → items → environment → checked and typed clauses → core program."""
from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ladder.language import core
from ladder.language.check.clauses import check_clause, choose_aggregates
from ladder.language.check.environment import Environment, Functors, declare, domain_of
from ladder.language.check.grounding import check_grounding, check_witnesses
from ladder.language.check.infer import infer
from ladder.language.check.program_checks import check_program
from ladder.language.check.scopes import scoped
from ladder.language.check.typings import Typing
from ladder.language.check.warnings import warn
from ladder.language.errors import Errors, Warning
from ladder.language.normalise.independent import separate
from ladder.language.normalise.inline import concerned, expand, inlined_relations
from ladder.language.normalise.long_rules import refusal, shorten_rules
from ladder.language.normalise.rules import declare_helpers, normalise_clause, normalise_subsumption, subsumption_clause
from ladder.language.normalise.terms import Normalised
from ladder.language.normalise.wide import widen
from ladder.language.normalise.widening import widened
from ladder.language.options import DEFAULT, Options
from ladder.language.sources import Sources, read_program
from ladder.language.syntax import nodes as s
from ladder.language.syntax.branches import MOST_BRANCHES, TooManyBranches, split
from ladder.language.syntax.parser import parse_partly
from ladder.language.values.arithmetic import NARROW, Domain

Clause = s.Clause | s.SubsumptionClause


@dataclass(frozen=True)
class Compiled:
    """A core program with what it was made from."""

    core: core.Program
    sources: Sources
    environment: Environment
    warnings: tuple[Warning, ...] = ()
    pragmas: tuple[tuple[str, str], ...] = ()

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The rules, facts and subsumptions of its text."""
        return tuple(item for item in self.sources.items if isinstance(item, Clause))


def compile_program(text: str, file: str = "<text>", directory: Path | None = None,
                    functors: Functors | None = None, options: Options = DEFAULT, removed: Counter[Clause] | None = None) -> Compiled:
    """A text's core program; its includes and Python files are looked up in `directory`. Raises `ProgramError`.

    `removed`: clauses, and how many of each, that are left out.
    """
    with _no_collection():
        return _compiled(text, file, Path.cwd() if directory is None else directory, functors, options, Counter(removed))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Nothing that a compilation makes is garbage before its end, and looking for some takes a third of its time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _compiled(text: str, file: str, directory: Path, functors: Functors | None, options: Options,
              removed: Counter[Clause]) -> Compiled:
    errors = Errors()
    sources = read_program(text, file, directory, errors, options)
    errors.incomplete |= sources.unresolved    # what a component would have declared may be missing
    sources.items = _without(sources.items, removed)
    environment = declare(sources.items, directory, functors, errors, options.trust)
    environment.domain = Domain(options.domain or domain_of(sources.items, errors))
    environment.legacy |= options.legacy
    clauses = [item for item in sources.items if isinstance(item, s.Clause)]
    subsumptions = [item for item in sources.items if isinstance(item, s.SubsumptionClause)]
    choose_aggregates(clauses, environment, errors)
    normalised = Normalised()
    declare_helpers(environment, normalised)
    rules: list[Clause] = []
    both: tuple[Clause, ...] = (*clauses, *subsumptions)
    environment.inlined = inlined_relations(both, environment)
    for rule in both:
        if _guarded(rule, environment, normalised, errors, inlining=True):
            rules.append(rule)
    check_program(rules, environment, errors)
    errors.raise_if_any(sources.texts)
    for rule in expand([rule for rule in rules if concerned(rule, environment.inlined)], environment):
        _guarded(rule, environment, normalised, errors)
    errors.raise_if_any(sources.texts)
    warn(sources.items, environment, sources.texts, file, errors)
    pragmas = tuple((item.key, item.value or "") for item in sources.items if isinstance(item, s.Pragma))
    shorten_rules(normalised, environment.relations, environment.types.types)
    _refuse_long_rules(normalised.rules, errors)
    errors.raise_if_any(sources.texts)
    return Compiled(_program(environment, normalised), sources, environment, tuple(errors.warnings), pragmas)


def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses of a text that consists of nothing else; raises `ProgramError`."""
    errors = Errors()
    items = parse_partly(text, "<text>", errors)
    for item in items:
        if not isinstance(item, Clause):
            errors.add(item.place, "only rules, facts and subsumptions can stand here")
    errors.raise_if_any({"<text>": text})
    return tuple(item for item in items if isinstance(item, Clause))


def _without(items: Iterable[s.Item], removed: Counter[Clause]) -> list[s.Item]:
    """The items but for the first copies of clauses that are removed."""
    if not removed:
        return list(items)
    kept = []
    for item in items:
        if isinstance(item, Clause) and removed[item] > 0:
            removed[item] -= 1
        else:
            kept.append(item)
    return kept


def _guarded(rule: Clause, environment: Environment, normalised: Normalised, errors: Errors, inlining: bool = False) -> bool:
    """Whether a rule could be checked, however large; it is lowered, too, unless it is yet to be inlined."""
    try:
        _rule(rule, environment, None if inlining and concerned(rule, environment.inlined) else normalised, errors)
        return True
    except TooManyBranches:
        errors.add(rule.place, f"the alternatives of this rule multiply to more than {MOST_BRANCHES}",
                   "split it: give an alternative a relation of its own")
    except RecursionError:
        errors.add(rule.place, "this clause is nested too deeply")
    return False


def _rule(rule: Clause, environment: Environment, normalised: Normalised | None, errors: Errors) -> None:
    """Checks a clause; then each of its alternatives with each of its heads is typed and lowered on its own."""
    for part, typing in _typed(rule if isinstance(rule, s.Clause) else subsumption_clause(rule), environment, errors):
        if normalised is None:
            continue
        if isinstance(rule, s.Clause):
            normalise_clause(part, typing, environment, normalised, errors)
        else:
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


def _refuse_long_rules(rules: Iterable[core.Rule], errors: Errors) -> None:
    """What the engine would refuse at a bootstrap, or at the first update after one."""
    for rule in rules:
        if rule.place is not None and (reason := refusal(rule)):
            errors.add(rule.place, reason, "split it: give some of its literals or constants a relation of their own")


def _program(environment: Environment, normalised: Normalised) -> core.Program:
    relations = {**environment.relations, **normalised.replaced, **normalised.helpers}
    for name in environment.inlined:
        relations.pop(name, None)
    used = {r.aggregate for r in relations.values()} | {c.type.name for r in relations.values() for c in r.columns}
    program = separate(widened(core.verify(core.Program(
        relations=relations,
        rules=tuple(normalised.rules),
        functions=normalised.functions,
        lattices={name: lattice for name, lattice in (*environment.lattices.items(), *normalised.lattices.items())
                  if name in used},
        facts={name: tuple(rows.values()) for name, rows in normalised.facts.items()},
        directives=tuple(environment.directives),
        types=dict(environment.types.types),
        subsumptions=tuple(normalised.subsumptions)))))
    return program if environment.domain == NARROW else widen(program)

