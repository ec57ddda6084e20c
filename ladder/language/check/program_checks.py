"""Checks of a program as a whole: stratification, counters in recursion, inlined relations, subsumption, directives,
plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ladder.language.check.dependencies import Dependencies, cycles_within
from ladder.language.check.environment import Environment
from ladder.language.errors import Errors
from ladder.language.expressions import all_atoms, everything, heads_of, parts, sides, within
from ladder.language.objects.lattice_tables import DeclaredLattice
from ladder.language.syntax import nodes as s
from ladder.language.syntax.branches import branches
from ladder.support.counts import counted

Rule = s.Clause | s.SubsumptionClause
_NO_FUNCTION = 'write = "module:function" after its declaration, or give a module that has {} (--functors, functors=…)'


def check_program(rules: Sequence[Rule], environment: Environment, errors: Errors) -> None:
    """Add the errors that depend on the whole program."""
    dependencies = Dependencies.of(rules)
    _strata(dependencies, environment, errors)
    _counters(rules, dependencies, errors)
    _plans(rules, dependencies, environment, errors)
    _subsumptions(rules, environment, errors)
    _inlined(rules, dependencies, environment, errors)
    _unbound(rules, environment, errors)


def _strata(dependencies: Dependencies, environment: Environment, errors: Errors) -> None:
    """Report negations and aggregates within a cycle of mutually dependent relations, with the cycle."""
    for reader, use in dependencies.guarded:
        if dependencies.group(use.name) != dependencies.group(reader) or use.name not in environment.relations:
            continue
        path = dependencies.cycle(reader, use.name)
        way = " ← ".join([f"{reader} ← {use.shown}{use.name}", *reversed(path[:-1])])
        what = "a negated relation" if use.under == "negation" else "an aggregated relation"
        verb = "negates" if use.under == "negation" else "aggregates"
        errors.add(
            use.place,
            f"{reader} depends on its own {use.under}: {way}",
            f"{what} must be complete before the rule that {verb} it: break this cycle",
        )


def _counters(rules: Iterable[Rule], dependencies: Dependencies, errors: Errors) -> None:
    for rule in rules:
        counters = [e for e in everything(rule) if isinstance(e, s.Counter)]
        if counters and any(dependencies.recursive(rule, head) for head in heads_of(rule)):
            for counter in counters:
                errors.add(
                    counter.place,
                    "a counter in a recursive rule never comes to an end",
                    "give the rule with the counter a relation of its own",
                )


def _plans(rules: Iterable[Rule], dependencies: Dependencies, environment: Environment, errors: Errors) -> None:
    """Check that a plan names every positive atom once, and that its versions are those of the rule's recursive atoms.

    Both must hold for each alternative of the body. Plans of rules with inlined atoms refer to the expanded atoms;
    plans of rules that no output needs are not checked, as they may belong to a component that is used in part.
    """
    shown = [d.relation for d in environment.directives if d.kind in ("output", "printsize")]
    needed = dependencies.needed(shown) if shown else set(environment.relations)
    for rule in rules:
        if rule.plans and heads_of(rule)[0].name in needed:
            for atoms in _planned_atoms(rule):
                if not any(atom.name in environment.inlined for atom in atoms):
                    _plan(rule, atoms, dependencies, errors)


def _plan(rule: Rule, atoms: Sequence[s.Call], dependencies: Dependencies, errors: Errors) -> None:
    head = heads_of(rule)[0]
    versions = sum(dependencies.group(atom.name) == dependencies.group(head.name) for atom in atoms)
    for plan in rule.plans:
        missing = [str(i) for i in range(1, len(atoms) + 1) if i not in plan.order]
        if len(plan.order) != len(atoms):
            errors.add(
                plan.place,
                f"this plan names {counted(len(plan.order), 'atom')}, the rule has {len(atoms)}",
                "a plan names every atom that is not negated once",
            )
        elif missing:
            errors.add(plan.place, f"this plan leaves out atom {', '.join(missing)}", "a plan names every atom once")
        elif not versions:
            errors.warn(
                "plan-without-effect",
                plan.place,
                "this rule is not recursive: its plan has no effect",
                relation=head.name,
            )
        elif plan.version >= versions:
            last = f"0 to {versions - 1}, one for each recursive atom" if versions > 1 else "0 only"
            errors.add(plan.place, f"there is no version {plan.version} of this rule", f"it has version {last}")


def _planned_atoms(rule: Rule) -> Iterator[list[s.Call]]:
    """For each alternative of the body its positive atoms."""
    first = [rule.dominated, rule.dominating] if isinstance(rule, s.SubsumptionClause) else []
    for alternative in branches(rule.body) if rule.body is not None else ():
        yield first + [literal.atom for literal in alternative if isinstance(literal, s.AtomLiteral)]


def _subsumptions(rules: Iterable[Rule], environment: Environment, errors: Errors) -> None:
    reported: set[str] = set()
    for rule in rules:
        if not isinstance(rule, s.SubsumptionClause):
            continue
        name = rule.dominated.name
        if rule.dominating.name != name:
            errors.add(
                rule.place, f"a row of {name} can be dominated by one of {name} only, not of {rule.dominating.name}"
            )
        relation = environment.relations.get(name)
        declaration = environment.declarations.get(name)
        if relation is None or declaration is None or name in reported:
            continue
        reported.add(name)
        other = next((q for q in declaration.qualifiers if q in ("eqrel", "brie", "btree")), None)
        if not relation.columns:
            errors.add(declaration.place, f"the relation {name} has subsumption, but no columns")
        if name in environment.lattice_columns:
            errors.add(
                declaration.place, f"the relation {name} has lattice columns and subsumption", "choose one of them"
            )
        if other is not None:
            errors.add(
                declaration.place, f"the relation {name} has subsumption and cannot be {other}", "write btree_delete"
            )


def _inlined(rules: Sequence[Rule], dependencies: Dependencies, environment: Environment, errors: Errors) -> None:
    """Check that inlined relations are no inputs or outputs, not in a cycle of inlined ones, and negated only where
    that is possible."""
    inlined = environment.inlined
    if not inlined:
        return
    for directive in environment.directives:
        if directive.relation in inlined:
            place = environment.declarations[directive.relation].place
            errors.add(place, f"the relation {directive.relation} is inline, and there is .{directive.kind} for it")
    for cycle in cycles_within([n for n in environment.relations if n in inlined], dependencies.readers):
        errors.add(
            environment.declarations[cycle[0]].place,
            f"inline relations that depend on each other: {', '.join(cycle)}",
            "let one of them not be inline",
        )
    introducing = {
        head.name
        for rule in rules
        for head in heads_of(rule)
        if head.name in inlined
        and _variables(everything(rule)) - _variables(p for a in head.arguments for p in within(a))
    }
    for rule in rules:
        _inlined_atoms(rule, inlined, introducing, errors)


def _inlined_atoms(rule: Rule, inlined: set[str], introducing: set[str], errors: Errors) -> None:
    own = any(head.name in inlined for head in heads_of(rule))
    for part in everything(rule):
        if isinstance(part, s.Counter) and own:
            errors.add(part.place, "a counter in a rule of an inline relation")
        if isinstance(part, s.Aggregate):
            for atom in all_atoms(part.body):
                if atom.name in inlined:
                    errors.add(atom.place, f"the inline relation {atom.name} stands in an aggregate")
    for literal, negated in _with_sign(rule.body, False):
        if isinstance(literal, s.AtomLiteral) and literal.atom.name in inlined:
            name = literal.atom.name
            inner = [p for side in sides(literal) for p in parts(side)]
            if any(isinstance(p, s.Counter) for p in inner):
                errors.add(literal.place, f"a counter in an atom of the inline relation {name}")
            if negated and name in introducing:
                errors.add(
                    literal.place, f"the inline relation {name} is negated, and its rules have variables of their own"
                )
            wildcard = next((p for p in inner if isinstance(p, s.Wildcard)), None)
            if negated and wildcard is not None:
                errors.add(wildcard.place, f"a wildcard in a negated atom of the inline relation {name}")


def _with_sign(body: s.Body | None, negated: bool) -> Iterator[tuple[s.Body, bool]]:
    match body:
        case s.Conjunction() | s.Disjunction():
            for part in body.parts:
                yield from _with_sign(part, negated)
        case s.Negation():
            yield from _with_sign(body.body, not negated)
        case None:
            return
        case _:
            yield body, negated


def _variables(expressions: Iterable[s.Expression]) -> set[str]:
    return {e.name for e in expressions if isinstance(e, s.Variable)}


def _unbound(rules: Iterable[Rule], environment: Environment, errors: Errors) -> None:
    """Report uses of functors without a Python function, if there are no other errors."""
    if errors.found or not environment.unbound:
        return
    reported: set[str] = set()
    for rule in rules:
        for part in everything(rule):
            if isinstance(part, s.UserCall) and part.name in environment.unbound - reported:
                reported.add(part.name)
                errors.add(part.place, f"the functor {part.name} has no function", _NO_FUNCTION.format(part.name))
    for name in dict.fromkeys(name for columns in environment.lattice_columns.values() for name in columns):
        lattice = environment.lattices[name]
        if isinstance(lattice, DeclaredLattice):
            for operation, functor in lattice.operations.items():
                if functor in environment.unbound - reported:
                    reported.add(functor)
                    errors.add(
                        lattice.places[operation],
                        f"the functor {functor} has no function",
                        _NO_FUNCTION.format(functor),
                    )
