"""The compiler front end as one pipeline: text → items → environment → checked and typed clauses → core program
(`TO_CORE`, `CORE_TO_CORE`)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ladder.language import core
from ladder.language.check.clauses import check_clause, choose_aggregates
from ladder.language.check.environment import Environment, Functors, declare, domain_of
from ladder.language.check.findings import declare_findings
from ladder.language.check.grounding import check_grounding, check_witnesses
from ladder.language.check.infer import infer
from ladder.language.check.program_checks import check_program
from ladder.language.check.scopes import scoped
from ladder.language.check.typings import Typing
from ladder.language.check.warnings import warn
from ladder.language.errors import Errors, Warning
from ladder.language.normalise.asked_groups import ask_groups
from ladder.language.normalise.independent import separate
from ladder.language.normalise.inline import concerned, expand, inlined_relations
from ladder.language.normalise.long_rules import shorten_rules
from ladder.language.normalise.rules import declare_helpers, normalise_clause, normalise_subsumption, subsumption_clause
from ladder.language.normalise.terms import Normalised
from ladder.language.normalise.unit_columns import with_stored_columns, without_unit_columns
from ladder.language.normalise.wide import widen
from ladder.language.normalise.widening import widened
from ladder.language.options import DEFAULT, Options
from ladder.language.sources import Sources, read_program
from ladder.language.syntax import nodes as s
from ladder.language.syntax.branches import MOST_BRANCHES, TooManyBranches, split
from ladder.language.syntax.parser import parse_partly
from ladder.language.values.arithmetic import NARROW, Domain
from ladder.support.collection import without_collection

Clause = s.Clause | s.SubsumptionClause


@dataclass(frozen=True)
class Compiled:
    """A core program, and what it was compiled from."""

    core: core.Program
    sources: Sources
    environment: Environment
    warnings: tuple[Warning, ...] = ()
    pragmas: tuple[tuple[str, str], ...] = ()

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The rules, facts and subsumptions of its text."""
        return tuple(item for item in self.sources.items if isinstance(item, Clause))


def compile_program(
    text: str,
    file: str = "<text>",
    directory: Path | None = None,
    functors: Functors | None = None,
    options: Options = DEFAULT,
    removed: Counter[Clause] | None = None,
) -> Compiled:
    """Compile a text to its core program; files that it includes or names are looked up in `directory`. Raises
    `ProgramError`.

    `removed`: text of a clause → how many copies of it are left out.
    """
    with without_collection():
        return _compiled(
            text, file, Path.cwd() if directory is None else directory, functors, options, Counter(removed)
        )


def _compiled(
    text: str, file: str, directory: Path, functors: Functors | None, options: Options, removed: Counter[Clause]
) -> Compiled:
    """Run the passes in order.

    Errors of several passes are raised together, before the first pass that cannot do with what the earlier ones
    rejected.
    """
    work = Compilation(text, file, directory, functors, options, removed)
    for name, run in TO_CORE.items():
        run(work)
        if name in TOLD_AFTER:
            work.errors.raise_if_any(work.sources.texts)
    program = core.verify(work.core)
    for again in CORE_TO_CORE.values():
        program = checked(again(program, work.environment))
    return Compiled(program, work.sources, work.environment, tuple(work.errors.warnings), work.pragmas)


def checked(program: core.Program) -> core.Program:
    """The program itself; with LADDER_VERIFY=1, as in all tests, its invariants are verified."""
    return core.verify(program) if os.environ.get("LADDER_VERIFY") == "1" else program


@dataclass
class Compilation:
    """What the passes read and write.

    `sources`: the texts and their items; `environment`: the declarations, `stored`: the same with the columns that are
    stored; `clauses`: rules, facts and subsumptions, of which later those without errors remain; `normalised`: rules,
    relations and facts of the core program; `core`: that program.
    """

    text: str
    file: str
    directory: Path
    functors: Functors | None
    options: Options
    removed: Counter[Clause]
    errors: Errors = field(default_factory=Errors)
    sources: Sources = field(init=False)
    environment: Environment = field(init=False)
    stored: Environment = field(init=False)
    clauses: list[Clause] = field(default_factory=list)
    normalised: Normalised = field(default_factory=Normalised)
    pragmas: tuple[tuple[str, str], ...] = ()
    core: core.Program = field(init=False)


def _read(work: Compilation) -> None:
    """Text → items, with files included and macros and components expanded."""
    work.sources = read_program(work.text, work.file, work.directory, work.errors, work.options)
    work.errors.incomplete |= work.sources.unresolved  # what a component would have declared may be missing
    work.sources.items = _without(work.sources.items, work.removed)
    work.pragmas = tuple((item.key, item.value or "") for item in work.sources.items if isinstance(item, s.Pragma))


def _declare(work: Compilation) -> None:
    """Items → environment: types, relations, functors and lattices by name."""
    library = {file: work.sources.texts[file] for file in work.sources.library - {work.file}}
    work.environment = declare(
        work.sources.items, work.directory, work.functors, work.errors, work.options.trust, library
    )
    work.environment.domain = Domain(work.options.domain or domain_of(work.sources.items, work.errors))
    work.environment.legacy |= work.options.legacy


def _findings(work: Compilation) -> None:
    """Check the declarations of findings, and read their pages of help, which become sources of the program."""
    paths = work.sources.paths
    pages = declare_findings(
        work.sources.items,
        work.environment,
        lambda file: paths[file].parent if file in paths else work.directory,
        work.errors,
    )
    for name, (path, text) in pages.items():
        paths[name], work.sources.texts[name] = path, text


def _prepare(work: Compilation) -> None:
    """Collect the clauses, resolve which aggregates they mean, find the inlined relations and the columns that are
    stored, and add helper relations of declarations."""
    rules = [item for item in work.sources.items if isinstance(item, s.Clause)]
    subsumptions = [item for item in work.sources.items if isinstance(item, s.SubsumptionClause)]
    choose_aggregates(rules, work.environment, work.errors)
    work.clauses = [*rules, *subsumptions]
    work.environment.inlined = inlined_relations(work.clauses, work.environment)
    work.stored = with_stored_columns(work.environment)
    declare_helpers(work.stored, work.normalised)


def _lower(work: Compilation) -> None:
    """Check names, bindings and types of each clause and lower it to rules of the core, unless its relations are
    inlined."""
    work.clauses = [clause for clause in work.clauses if _guarded(clause, work, inlining=True)]


def _check(work: Compilation) -> None:
    """Check what depends on the whole program, such as the stratification of negation and aggregates."""
    check_program(work.clauses, work.environment, work.errors)


def _inline(work: Compilation) -> None:
    """Expand inlined relations in the rules that mention them."""
    for clause in expand(
        [clause for clause in work.clauses if concerned(clause, work.environment.inlined)], work.environment
    ):
        _guarded(clause, work)


def _warn(work: Compilation) -> None:
    """Warn of what is allowed but most likely a mistake."""
    warn(work.sources.items, work.environment, work.sources.texts, work.file, work.errors)


def _shorten(work: Compilation) -> None:
    """Split rules that are longer than plans may be; report those that are still too long."""
    for rule, reason in shorten_rules(work.normalised, work.stored.relations, work.stored.types.types):
        if rule.place is not None:
            work.errors.add(
                rule.place, reason, "split it: give some of its literals or constants a relation of their own"
            )


def _gather(work: Compilation) -> None:
    """Environment and rules → the core program."""
    work.core = _program(work.stored, work.normalised)


TO_CORE: dict[str, Callable[[Compilation], None]] = {
    "read": _read,
    "declare": _declare,
    "findings": _findings,
    "prepare": _prepare,
    "lower": _lower,
    "check": _check,
    "inline": _inline,
    "warn": _warn,
    "shorten": _shorten,
    "gather": _gather,
}
"""Text → core program. A pass may rely on those before it having run, and on no error where one is in `TOLD_AFTER`."""
TOLD_AFTER = frozenset(("check", "inline", "shorten"))

CORE_TO_CORE: dict[str, Callable[[core.Program, Environment], core.Program]] = {
    "ask for groups": lambda program, _: ask_groups(program),
    "widen aggregates": lambda program, _: widened(program),
    "separate": lambda program, _: separate(program),
    "64 bits": lambda program, environment: program if environment.domain == NARROW else widen(program),
}
"""Core program → core program, each of the same rows."""


def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses of a text that may contain nothing else; raises `ProgramError`."""
    errors = Errors()
    items = parse_partly(text, "<text>", errors)
    for item in items:
        if not isinstance(item, Clause):
            errors.add(item.place, "only rules, facts and subsumptions can stand here")
    errors.raise_if_any({"<text>": text})
    return tuple(item for item in items if isinstance(item, Clause))


def _without(items: Iterable[s.Item], removed: Counter[Clause]) -> list[s.Item]:
    """The items without as many copies of clauses as `removed` says."""
    if not removed:
        return list(items)
    kept = []
    for item in items:
        if isinstance(item, Clause) and removed[item] > 0:
            removed[item] -= 1
        else:
            kept.append(item)
    return kept


def _guarded(rule: Clause, work: Compilation, inlining: bool = False) -> bool:
    """Check a rule, and lower it unless it is inlined later; whether this succeeded. A rule that is nested too deeply
    is reported."""
    try:
        _rule(rule, work, lowered=not (inlining and concerned(rule, work.environment.inlined)))
        return True
    except TooManyBranches:
        work.errors.add(
            rule.place,
            f"the alternatives of this rule multiply to more than {MOST_BRANCHES}",
            "split it: give an alternative a relation of its own",
        )
    except RecursionError:
        work.errors.add(rule.place, "this clause is nested too deeply")
    return False


def _rule(rule: Clause, work: Compilation, lowered: bool) -> None:
    """Check a clause, and type each of its alternatives with each of its heads; `lowered`: and lower it."""
    whole = rule if isinstance(rule, s.Clause) else subsumption_clause(rule)
    normalise = normalise_clause if isinstance(rule, s.Clause) else normalise_subsumption
    for part, typing in _typed(whole, work.environment, work.errors):
        if lowered:
            stored = without_unit_columns(part, typing, work.stored, work.errors)
            normalise(stored, typing, work.stored, work.normalised, work.errors)


def _typed(clause: s.Clause, environment: Environment, errors: Errors) -> Iterator[tuple[s.Clause, Typing]]:
    """Each alternative of a clause with each of its heads, if it has no errors, with its types."""
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
    relations = {**environment.relations, **normalised.replaced, **normalised.helpers}
    for name in environment.inlined:
        relations.pop(name, None)
    return core.Program(
        relations=relations,
        rules=tuple(normalised.rules),
        functions=normalised.functions,
        lattices={**_used_lattices(environment, relations.values()), **normalised.lattices},
        facts={name: tuple(rows.values()) for name, rows in normalised.facts.items()},
        directives=tuple(environment.directives),
        findings=tuple(environment.findings),
        types=dict(environment.types.types),
        subsumptions=tuple(normalised.subsumptions),
    )


def _used_lattices(environment: Environment, relations: Collection[core.Relation]) -> dict[str, Any]:
    """The lattices that aggregate relations or have values in them, also by the names of types below theirs."""
    types = environment.types.types
    columns = {column.type for relation in relations for column in relation.columns}
    used = {part.name for type_ in columns for part in core.inside(type_, types)}
    used.update(relation.aggregate for relation in relations if relation.aggregate is not None)
    of_types = {
        name: environment.lattices[base]
        for name, base in environment.types.bases.items()
        if base in environment.lattices and types[name].kind is core.Kind.OBJECT
    }
    return {name: lattice for name, lattice in {**environment.lattices, **of_types}.items() if name in used}
