"""Instantiation of components (`.comp`), which leaves a program without components.

.comp C<T> { .decl r(x: T)  r(1). }  .init c = C<number>   →   .decl c.r(x: number)  c.r(1).
.comp D { .use c  .decl s(x: number)  s(x) :- r(x). }  .init d = D   →   .decl d.s(x: number)  d.s(x) :- c.r(x).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ladder.language.check.component_scopes import Binding, Scopes, bind, check_components, instances, uses_of
from ladder.language.check.scopes import mapped
from ladder.language.errors import Errors, did_you_mean
from ladder.language.expressions import heads_of
from ladder.language.syntax import nodes as s

_DIRECTIVES = ("input", "output", "printsize")
_MOST_NESTED = 100
_MOST_INSTANCES = 20_000
_Around = tuple[tuple[s.Component, Binding], ...]  # components of instances with their arguments, from outside in
_Declared = s.TypeDeclaration | s.LatticeDeclaration | s.RelationDeclaration | s.Unsupported


def instantiate(items: Sequence[s.Item], errors: Errors) -> list[s.Item]:
    """The items with the content of components in place of their instances, and old qualifiers as directives."""
    plain: list[s.Item] = []
    for item in items:
        if not isinstance(item, s.Component | s.Instance):
            plain += [item, *_directives(item)]
    if any(isinstance(item, s.Component | s.Instance) for item in items):
        plain += _instances(items, errors)
    return plain


def _instances(items: Sequence[s.Item], errors: Errors) -> list[s.Item]:
    """The items that the instances of components add to a program."""
    before = errors.noted
    scopes = Scopes(items)
    check_components(items, scopes, errors)
    added: list[s.Item] = []
    if errors.noted == before:
        made = {item.name: item for item in items if isinstance(item, s.Instance)}
        instantiation = _Instantiation(scopes, made, errors)
        for name in made:
            content, orphans = instantiation.of_program(name)
            added += [*content.declared, *content.clauses, *orphans, *content.directives]
    errors.incomplete |= errors.noted > before
    return added


def _directives(item: s.Item) -> list[s.DirectiveItem]:
    """The directives that qualifiers of a declaration stand for: `.decl r(…) output` implies `.output r`."""
    if not isinstance(item, s.RelationDeclaration):
        return []
    return [s.DirectiveItem(item.place, q, item.name) for q in item.qualifiers if q in _DIRECTIVES]


def check_directives(items: Iterable[s.Item], errors: Errors) -> None:
    """Report relations of the whole program with two `.printsize` or `.limitsize` directives."""
    first: dict[tuple[str, str], s.DirectiveItem] = {}
    for item in items:
        for directive in [item] if isinstance(item, s.DirectiveItem) else _directives(item):
            if directive.kind in ("printsize", "limitsize"):
                earlier = first.setdefault((directive.kind, directive.relation), directive)
                if earlier is not directive:
                    _tell_repeated(directive, earlier, errors)


def _tell_repeated(item: s.DirectiveItem, earlier: s.DirectiveItem, errors: Errors) -> None:
    place = earlier.place
    errors.add(
        item.place,
        f".{item.kind} {item.relation} is given twice",
        f"it is already given in {place.file}:{place.line}:{place.column}",
    )


@dataclass
class _Content:
    """The content of an instance, with names as seen from outside of the components that were left so far."""

    declared: list[_Declared] = field(default_factory=list)
    clauses: list[s.Clause | s.SubsumptionClause] = field(default_factory=list)
    directives: list[s.DirectiveItem] = field(default_factory=list)

    def relations(self) -> set[str]:
        return {item.name for item in self.declared if isinstance(item, s.RelationDeclaration)}

    def types(self) -> set[str]:
        """The names of types, of their branches and of lattices."""
        kinds = [item for item in self.declared if isinstance(item, s.TypeDeclaration | s.LatticeDeclaration)]
        branches = [branch.name for item in kinds if isinstance(item, s.TypeDeclaration) for branch in item.branches]
        return {*(item.name for item in kinds), *branches}

    def add(self, other: _Content, errors: Errors) -> None:
        self.declared += other.declared
        self.clauses += other.clauses
        for directive in other.directives:
            self.add_directive(directive, errors)

    def add_directive(self, item: s.DirectiveItem, errors: Errors) -> None:
        for earlier in self.directives:
            if item.kind != "output" and (earlier.kind, earlier.relation) == (item.kind, item.relation):
                _tell_repeated(item, earlier, errors)
                return
        self.directives.append(item)


class _Instantiation:
    """Makes the content of instances; `made`: the instances of the program by name, which components may use."""

    def __init__(self, scopes: Scopes, made: Mapping[str, s.Instance], errors: Errors) -> None:
        self.scopes = scopes
        self.made = made
        self.errors = errors
        self.count = 0
        self.ended = False
        self.contents: dict[str, tuple[_Content, list[Any]] | None] = {}  # None: being made

    def of_program(self, name: str) -> tuple[_Content, list[Any]]:
        """The content of an instance of the program, and clauses of relations that it does not declare."""
        if name not in self.contents:
            self.contents[name] = None
            orphans: list[Any] = []
            content = self.instance(self.made[name], None, {}, frozenset(), orphans, ())
            self.contents[name] = content, orphans
        found = self.contents[name]
        if found is None:
            hint = "put what both need into a component that both use"
            self.errors.add(self.made[name].place, f"the instance {name} uses itself", hint)
        return found or (_Content(), [])

    def instance(
        self,
        item: s.Instance,
        scope: s.Component | None,
        binding: Binding,
        overridden: frozenset[str],
        orphans: list[Any],
        around: _Around,
    ) -> _Content:
        """The content of an instance made in a scope; clauses of relations that it does not declare are added to
        `orphans`; `around`: the instances that it is in."""
        content = _Content()
        component = self.scopes.find(scope, item.type.name, binding)
        if component is None:
            name = binding.get(item.type.name, item.type.name)
            self.errors.add_undeclared(
                item.type.place,
                name,
                f"the component {name} is not declared",
                did_you_mean(name, self.scopes.visible(scope)),
            )
            return content
        inside = bind(binding, component.type.arguments, item.type.arguments)
        if not self._may_make(item, component, inside, around):
            return content
        around = *around, (component, inside)
        for inner in instances(component):
            content.add(self.instance(inner, component, inside, overridden, orphans, around), self.errors)
        self._collect(component, inside, overridden, content, orphans, around, (component,))
        for use in uses_of(component, self.scopes, inside):
            content = self._with_names_of(use.instance, content, orphans)
        return _prefixed(item.name, content, orphans)

    def _may_make(self, item: s.Instance, component: s.Component, inside: Binding, around: _Around) -> bool:
        """Whether one more instance is within the limits; the first that is not is reported, and ends the rest.

        What an instance contains follows from its component and arguments: with the same two around it, it would
        contain itself.
        """
        if self.ended:
            return False
        self.count += 1
        name = f"the instance {item.name}"
        if any(component is outer and inside == given for outer, given in around):
            self.errors.add(item.place, f"{name} contains instances without end")
        elif len(around) >= _MOST_NESTED:
            self.errors.add(
                item.place, f"{name} is nested too deep: at most {_MOST_NESTED} are made one within the other"
            )
        elif self.count > _MOST_INSTANCES:
            self.errors.add(item.place, f"{name} is one too many: at most {_MOST_INSTANCES:,} instances are made")
        else:
            return True
        self.ended = True
        return False

    def _with_names_of(self, instance: str, content: _Content, orphans: list[Any]) -> _Content:
        """The content with the names that it does not declare, and the instance does, as names of that instance, here
        and in the orphans."""
        used, _ = self.of_program(instance)
        own = content.relations() | content.types()
        relations, types = (
            {name.removeprefix(f"{instance}."): name for name in names} for names in (used.relations(), used.types())
        )
        for found in (relations, types):
            for name in own:
                found.pop(name, None)
        return _renamed(content, orphans, relations, types)

    def _collect(
        self,
        component: s.Component,
        binding: Binding,
        overridden: frozenset[str],
        content: _Content,
        orphans: list[Any],
        around: _Around,
        heirs: tuple[s.Component, ...],
    ) -> None:
        """Add what a component and its bases declare; `overridden`: relations whose clauses a derived component
        replaces."""
        outer = self.scopes.enclosing(component)
        for base_type in component.bases:
            base = self.scopes.find(outer, base_type.name, binding)
            if base is None or any(base is heir for heir in heirs):
                continue  # reported already
            inside = bind(binding, base.type.arguments, base_type.arguments)
            for inner in instances(base):
                content.add(self.instance(inner, base, inside, frozenset(), orphans, around), self.errors)
            self._collect(base, inside, overridden.union(component.overrides), content, orphans, around, (*heirs, base))
        for item in component.items:
            item = renamed(item, {}, binding)
            if isinstance(item, _Declared):
                content.declared.append(item)
            for directive in [item] if isinstance(item, s.DirectiveItem) else _directives(item):
                content.add_directive(directive, self.errors)
        self._clauses(component, binding, overridden, content, orphans)

    def _clauses(
        self,
        component: s.Component,
        binding: Binding,
        overridden: frozenset[str],
        content: _Content,
        orphans: list[Any],
    ) -> None:
        relations = content.relations()
        for item in component.items:
            if not isinstance(item, s.Clause | s.SubsumptionClause):
                continue
            item = renamed(item, {}, binding)
            for part in _one_headed(item) if overridden or not _heads(item) <= relations else [item]:
                if _heads(part) <= relations and not any(name.partition(".")[0] in overridden for name in _heads(part)):
                    content.clauses.append(part)
                elif not any(name.partition(".")[0] in overridden for name in _heads(part)):
                    orphans.append(part)
        content.clauses += [orphan for orphan in orphans if _heads(orphan) <= relations]
        orphans[:] = [orphan for orphan in orphans if not _heads(orphan) <= relations]


def _heads(clause: s.Clause | s.SubsumptionClause) -> set[str]:
    return {head.name for head in heads_of(clause)}


def _one_headed(clause: s.Clause | s.SubsumptionClause) -> list[s.Clause | s.SubsumptionClause]:
    if isinstance(clause, s.SubsumptionClause):
        return [clause]
    return [replace(clause, heads=(head,)) for head in clause.heads]


def _prefixed(name: str, content: _Content, orphans: list[Any]) -> _Content:
    """The content with the name of the instance before its names, here and in the orphans."""
    relations = {relation: f"{name}.{relation}" for relation in content.relations()}
    types = {type_: f"{name}.{type_}" for type_ in content.types()}
    return _renamed(content, orphans, relations, types)


def _renamed(content: _Content, orphans: list[Any], relations: Mapping[str, str], types: Mapping[str, str]) -> _Content:
    """The content with other names, here and in the orphans."""
    orphans[:] = [renamed(item, relations, types) for item in orphans]
    return _Content(
        [renamed(item, relations, types) for item in content.declared],
        [renamed(item, relations, types) for item in content.clauses],
        [renamed(item, relations, types) for item in content.directives],
    )


def renamed(node: Any, relations: Mapping[str, str], types: Mapping[str, str]) -> Any:
    """The node with renamed relations, and with renamed types, branches and lattices."""

    def inside(part: Any) -> Any:
        return renamed(part, relations, types)

    match node:
        case s.Variable() | s.Wildcard() | s.Number() | s.String() | s.Nil():
            return node
        case s.Clause():
            heads = tuple(_atom(head, relations, types) for head in node.heads)
            return replace(node, heads=heads, body=None if node.body is None else inside(node.body))
        case s.SubsumptionClause():
            return replace(
                node,
                dominated=_atom(node.dominated, relations, types),
                dominating=_atom(node.dominating, relations, types),
                body=inside(node.body),
            )
        case s.AtomLiteral():
            return replace(node, atom=_atom(node.atom, relations, types))
        case s.Variant():
            return replace(mapped(node, inside), branch=types.get(node.branch, node.branch))
        case s.Cast() | s.Attribute():
            return replace(mapped(node, inside), type=types.get(node.type, node.type))
        case s.Branch():
            return replace(mapped(node, inside), name=types.get(node.name, node.name))
        case s.TypeDeclaration():
            members = tuple((types.get(name, name), place) for name, place in node.members)
            return replace(mapped(node, inside), name=types.get(node.name, node.name), members=members)
        case s.LatticeDeclaration():
            entries = tuple((name, inside(value)) for name, value in node.entries)
            return replace(node, name=types.get(node.name, node.name), entries=entries)
        case s.RelationDeclaration():
            observed = None if node.delta_of is None else relations.get(node.delta_of, node.delta_of)
            return replace(mapped(node, inside), name=relations.get(node.name, node.name), delta_of=observed)
        case s.DirectiveItem():
            parameters = node.parameters
            if node.kind == s.FINDING:
                parameters = tuple((key, _renamed_flow(key, value, relations)) for key, value in parameters)
            return replace(node, relation=relations.get(node.relation, node.relation), parameters=parameters)
        case s.Component() | s.Instance():
            return node
        case s.Node():
            return mapped(node, inside)
    return node


def _renamed_flow(key: str, value: str, relations: Mapping[str, str]) -> str:
    """The value of an option of `.finding`, of which `flow` names a relation: `Steps(from, to)`."""
    name, bracket, columns = value.partition("(")
    return relations.get(name.strip(), name) + bracket + columns if key == "flow" else value


def _atom(atom: s.Call, relations: Mapping[str, str], types: Mapping[str, str]) -> s.Call:
    arguments = tuple([renamed(argument, relations, types) for argument in atom.arguments])
    return replace(atom, name=relations.get(atom.name, atom.name), arguments=arguments)
