"""Warnings of what is allowed but probably not intended. Each kind has a name by which it can be switched off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ladder.language.check.dependencies import uses
from ladder.language.check.environment import Environment
from ladder.language.check.scopes import children, names
from ladder.language.errors import Errors, did_you_mean
from ladder.language.expressions import everything, heads_of, within, within_body, written
from ladder.language.syntax import nodes as s
from ladder.language.syntax.branches import TooManyBranches, branches
from ladder.language.values.patterns import BadPattern, pattern

KINDS: Mapping[str, str] = {
    "var-appears-once": "a variable that occurs once, or one with _ before its name that occurs more often",
    "no-rules-nor-facts": "a relation without rules, facts and input",
    "unused-relation": "a relation that no rule reads and no directive writes",
    "name-clash": "a relation with the name of a type",
    "no-subsumptive-rule": "a relation declared btree_delete without subsumption",
    "plan-without-effect": "a plan of a rule that is not recursive",
    "lattice-missing-operator": "a lattice without Glb or Bottom",
    "deprecated-qualifier": "input, output or printsize in a declaration",
    "deprecated-type-decl": ".number_type, .symbol_type, or a type without a definition",
    "dollar-sign": "$ for autoinc()",
    "bad-pattern": "a constant pattern of match that is no regular expression",
    "may-stop-firing": "a rule that derives less when a lattice value of its recursion grows (ladder check)",
    "not-final": "a relation without lattice column that keeps what was made of values that grew (ladder check)",
    "endless-climb": "a recursion that computes ever greater lattice values (ladder check)",
    "join-and-meet": "a recursion that joins and meets values of one lattice (ladder check)",
    "untested-lattice": "a lattice that does not say which values it has (ladder check)",
    "not-run": "a lattice or functor whose Python code is run only with --trust (ladder check)",
}

Rule = s.Clause | s.SubsumptionClause


def warn(
    items: Sequence[s.Item], environment: Environment, texts: Mapping[str, str], file: str, errors: Errors
) -> None:
    """Add the warnings of a program without errors; `file`: the program's own file, as opposed to included ones."""
    rules = [item for item in items if isinstance(item, s.Clause | s.SubsumptionClause)]
    for rule in rules:
        _single_variables(rule, errors)
        _dollars(rule, texts, errors)
        _patterns(rule, errors)
    _relations(rules, environment, file, errors)
    if not environment.legacy:
        _old_spellings(items, errors)
    suppressed = set(_suppressed(items))
    shown = [w for w in errors.warnings if w.relation is None or w.relation not in suppressed and "*" not in suppressed]
    errors.warnings[:] = sorted(dict.fromkeys(shown), key=lambda w: (w.place.file, w.place.line, w.place.column))


def _suppressed(items: Iterable[s.Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, s.Pragma) and item.key == "suppress-warnings" and item.value:
            yield from (name.strip() for name in item.value.split(","))


def _single_variables(rule: Rule, errors: Errors) -> None:
    """Warn of variables that occur in no head and at most once in each alternative of the body."""
    in_heads = {
        e.name for head in heads_of(rule) for a in head.arguments for e in within(a) if isinstance(e, s.Variable)
    }
    first: dict[str, s.Variable] = {}
    total: Counter[str] = Counter()
    for expression in everything(rule):
        if isinstance(expression, s.Variable):
            first.setdefault(expression.name, expression)
            total[expression.name] += 1
    counted = set(_counted(rule))
    candidates = [name for name in first if total[name] == 1 or _has_alternatives(rule.body)]
    most = _most_occurrences(rule.body) if _has_alternatives(rule.body) else total
    for name in candidates:
        if name not in in_heads and most[name] == 1 and name[0] != "_":
            close = did_you_mean(name, [n for n in first if n != name and len(n) > 2]) if len(name) > 2 else None
            errors.warn(
                "var-appears-once",
                first[name].place,
                f"the variable {written(name)} occurs once only",
                close
                or (f"write _{name} if this is meant" if name in counted else f"write _ or _{name} if this is meant"),
            )
    for name, variable in first.items():
        if name[0] == "_" and (most[name] > 1 or name in in_heads and most[name]):
            errors.warn(
                "var-appears-once",
                variable.place,
                f"the variable {written(name)} occurs more than once",
                "a _ before a name says that it occurs once",
            )


def _counted(rule: Rule) -> Iterator[str]:
    """The variables in bodies that are counted or added up, where a _ may have fewer solutions."""
    for expression in everything(rule):
        if isinstance(expression, s.Aggregate) and expression.function in ("count", "sum", "mean"):
            yield from names(expression.body)


def _has_alternatives(body: s.Body | None) -> bool:
    match body:
        case s.Disjunction():
            return True
        case s.Conjunction():
            return any(map(_has_alternatives, body.parts))
        case s.Negation():
            return isinstance(body.body, s.Conjunction | s.Disjunction | s.Negation)
    return False


def _most_occurrences(body: s.Body | None) -> Counter[str]:
    """How often each variable occurs in the alternative in which it occurs most."""
    most: Counter[str] = Counter()
    try:
        for literals in branches(body) if body is not None else ():
            counts = Counter(e.name for literal in literals for e in within_body(literal) if isinstance(e, s.Variable))
            most |= counts
    except TooManyBranches:
        return Counter()
    return most


def _dollars(rule: Rule, texts: Mapping[str, str], errors: Errors) -> None:
    for expression in everything(rule):
        if isinstance(expression, s.Counter):
            place = expression.place
            lines = texts.get(place.file, "").split("\n", place.line)
            if place.line <= len(lines) and lines[place.line - 1][place.column - 1 : place.column] == "$":
                errors.warn("dollar-sign", place, "$ is an old spelling of a counter", "write autoinc()")


def _patterns(rule: Rule, errors: Errors) -> None:
    for body in _comparisons(rule.body):
        if body.operator == "match" and isinstance(body.left, s.String):
            try:
                pattern(body.left.value)
            except BadPattern as error:
                errors.warn(
                    "bad-pattern",
                    body.left.place,
                    f"this pattern is no regular expression, and matches nothing: {error}",
                    "patterns are those of ECMAScript, with the classes of POSIX",
                )


def _comparisons(node: s.Node | None) -> Iterator[s.Comparison]:
    """The comparisons in a body, also those inside aggregates."""
    if isinstance(node, s.Comparison):
        yield node
    for part in () if node is None else children(node):
        yield from _comparisons(part)


def _relations(rules: Sequence[Rule], environment: Environment, file: str, errors: Errors) -> None:
    derived = {head.name for rule in rules for head in heads_of(rule)}
    inputs = {d.relation for d in environment.directives if d.kind == "input"}
    shown = {d.relation for d in environment.directives if d.kind in ("output", "printsize")}
    dominated = {rule.dominated.name for rule in rules if isinstance(rule, s.SubsumptionClause)}
    read = {use.name for rule in rules for head in heads_of(rule) for use in uses(rule, head) if use.name != head.name}
    used = read | shown
    for name, declaration in environment.declarations.items():
        place = declaration.place
        if name not in derived and name not in inputs:
            errors.warn("no-rules-nor-facts", place, f"the relation {name} has no rules, facts or input", relation=name)
        if shown and name not in used and place.file == file and "." not in name:
            errors.warn(
                "unused-relation",
                place,
                f"the relation {name} is not used",
                f"write .output {name} to see it",
                relation=name,
            )
        if name in environment.types.types and place.file == file:
            errors.warn(
                "name-clash",
                place,
                f"{name} is a type, too",
                "Soufflé refuses relations with the name of a type",
                relation=name,
            )
        if "btree_delete" in declaration.qualifiers and name not in dominated:
            errors.warn(
                "no-subsumptive-rule", place, f"the relation {name} is btree_delete without subsumption", relation=name
            )


def _old_spellings(items: Iterable[s.Item], errors: Errors) -> None:
    for item in items:
        if isinstance(item, s.RelationDeclaration):
            for word in sorted({"input", "output", "printsize"} & set(item.qualifiers)):
                errors.warn(
                    "deprecated-qualifier",
                    item.place,
                    f"{word} in a declaration is an old spelling",
                    f"write .{word} {item.name}",
                    relation=item.name,
                )
        elif isinstance(item, s.TypeDeclaration) and item.kind == "subtype" and item.members[0][1] is item.place:
            errors.warn(
                "deprecated-type-decl",
                item.place,
                "an old spelling of a type declaration",
                f"write .type {item.name} <: {item.members[0][0]}",
            )
