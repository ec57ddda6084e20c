"""Resolution of the names of components, and checks of declarations of components and instances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ladder.language.core import Place
from ladder.language.errors import Errors, did_you_mean
from ladder.language.syntax import nodes as s
from ladder.support.counts import counted

Binding = Mapping[str, str]  # parameter of a component → what was given for it
_UNKNOWN = "<parameter>"


def bind(binding: Binding, formal: Sequence[str], actual: Sequence[str]) -> Binding:
    """The binding of parameters inside a component that is used with these arguments."""
    if len(formal) != len(actual):
        return binding  # reported elsewhere
    return {name: binding.get(value, value) for name, value in zip(formal, actual)}


class Scopes:
    """The scopes of components, which are compared by identity, because equal ones may be declared in different
    scopes."""

    def __init__(self, items: Iterable[s.Item]) -> None:
        self.top = [item for item in items if isinstance(item, s.Component)]
        self._enclosing: dict[int, s.Component | None] = {}
        pending: list[tuple[s.Component, s.Component | None]] = [(component, None) for component in self.top]
        while pending:
            component, outer = pending.pop()
            self._enclosing[id(component)] = outer
            pending.extend((inner, component) for inner in components(component))

    def enclosing(self, component: s.Component) -> s.Component | None:
        return self._enclosing[id(component)]

    def find(self, scope: s.Component | None, name: str, binding: Binding) -> s.Component | None:
        """The component that a name means in a scope: declared there, in a base, or in an enclosing scope."""
        return self._find(scope, binding.get(name, name), binding, ())

    def visible(self, scope: s.Component | None) -> list[str]:
        """Names of the components that are declared in a scope or an enclosing one."""
        names = []
        while scope is not None:
            names += [component.type.name for component in components(scope)]
            scope = self.enclosing(scope)
        return names + [component.type.name for component in self.top]

    def _find(
        self, scope: s.Component | None, name: str, binding: Binding, heirs: tuple[s.Component, ...]
    ) -> s.Component | None:
        """The same as `find`; `heirs`: components whose bases are being searched, which are not searched again."""
        while scope is not None and not any(scope is heir for heir in heirs):
            outer, heirs = self.enclosing(scope), (*heirs, scope)
            for component in components(scope):
                if component.type.name == name:
                    return component
            for base_type in scope.bases:
                base = self._find(outer, binding.get(base_type.name, base_type.name), binding, heirs)
                if base is not None and (found := self._find(base, name, binding, heirs)) is not None:
                    return found
            scope = outer
        return next((component for component in self.top if component.type.name == name), None)


def components(component: s.Component) -> Iterator[s.Component]:
    """The components declared inside a component."""
    return (item for item in component.items if isinstance(item, s.Component))


def instances(component: s.Component) -> Iterator[s.Instance]:
    """The instances made inside a component."""
    return (item for item in component.items if isinstance(item, s.Instance))


def uses_of(component: s.Component, scopes: Scopes, binding: Binding) -> list[s.Use]:
    """What a component and its bases use, the nearest first."""
    bases = _bases(component, scopes.enclosing(component), scopes, binding)
    return [use for each in (component, *bases) for use in each.uses]


def check_components(items: Sequence[s.Item], scopes: Scopes, errors: Errors) -> None:
    """Report errors in declarations of components, whether they are instantiated or not."""
    for component in scopes.top:
        _check_component(component, scopes, {}, errors)
    for item in items:
        if isinstance(item, s.Instance):
            _check_reference(item.type, item.place, None, scopes, {}, errors)
    _check_names(items, errors)
    _check_uses(items, scopes, errors)


def _check_component(component: s.Component, scopes: Scopes, binding: Binding, errors: Errors) -> None:
    outer = scopes.enclosing(component)
    inside = bind(binding, component.type.arguments, [_UNKNOWN] * len(component.type.arguments))
    for base in component.bases:
        _check_reference(base, component.place, outer, scopes, inside, errors)
    _check_inheritance(component, _bases(component, outer, scopes, binding), errors)
    for item in component.items:
        match item:
            case s.Component():
                _check_component(item, scopes, inside, errors)
            case s.Instance():
                _check_reference(item.type, item.place, component, scopes, inside, errors)
            case s.FunctorDeclaration() | s.Pragma():
                what = "functor" if isinstance(item, s.FunctorDeclaration) else "pragma"
                errors.add(item.place, f"a {what} inside a component", f"move it out of {component.type.name}")


def _check_reference(
    type_: s.ComponentType, place: Place, scope: s.Component | None, scopes: Scopes, binding: Binding, errors: Errors
) -> None:
    if type_.name in binding:
        return  # what a parameter stands for is known where the component is instantiated
    found = scopes.find(scope, type_.name, binding)
    if found is None:
        errors.add_undeclared(
            place,
            type_.name,
            f"the component {type_.name} is not declared",
            did_you_mean(type_.name, scopes.visible(scope)),
        )
    elif len(found.type.arguments) != len(type_.arguments):
        parameters = counted(len(found.type.arguments), "parameter")
        errors.add(
            place,
            f"the component {type_.name} has {parameters}, not {len(type_.arguments)}",
            f"it is declared as {found.type}",
        )


def _check_inheritance(component: s.Component, bases: Sequence[s.Component], errors: Errors) -> None:
    name = component.type.name
    for item in component.items:
        if isinstance(item, s.RelationDeclaration) and item.name in component.overrides:
            errors.add(
                component.place,
                f"{name} overrides {item.name}, which it declares itself",
                "only inherited relations are overridden",
            )
    for base in bases:
        for item in base.items:
            if (
                isinstance(item, s.RelationDeclaration)
                and item.name in component.overrides
                and "overridable" not in item.qualifiers
            ):
                errors.add(
                    component.place,
                    f"{name} overrides {item.name}, which {base.type.name} does not allow",
                    f"declare it with the qualifier overridable (line {item.place.line})",
                )
    if any(base is component for base in bases):
        errors.add(component.place, f"the component {name} inherits from itself")


def _bases(component: s.Component, outer: s.Component | None, scopes: Scopes, binding: Binding) -> list[s.Component]:
    """All components that a component inherits from, each once."""
    found: list[s.Component] = []
    pending = [component]
    while pending:
        for base_type in pending.pop().bases:
            base = scopes.find(outer, base_type.name, binding)
            if base is not None and not any(base is known for known in found):
                found.append(base)
                pending.append(base)
    return found


def _check_names(items: Sequence[s.Item], errors: Errors) -> None:
    """Check that the names of components and instances differ from each other and from those of types and relations."""
    taken = {item.name: item for item in items if isinstance(item, s.TypeDeclaration | s.RelationDeclaration)}
    names: dict[str, s.Node] = dict(taken)
    for kind in (s.Component, s.Instance):
        for item in items:
            if isinstance(item, kind):
                name = item.name if isinstance(item, s.Instance) else item.type.name
                if name in names:
                    place = names[name].place
                    errors.add(
                        item.place,
                        f"the name {name} of this {'instance' if kind is s.Instance else 'component'} is taken",
                        f"it is declared in {place.file}:{place.line}:{place.column}",
                    )
                else:
                    names[name] = item


def _check_uses(items: Sequence[s.Item], scopes: Scopes, errors: Errors) -> None:
    """Check that what components use are instances of the program."""
    made = {item.name for item in items if isinstance(item, s.Instance)}
    pending = list(scopes.top)
    while pending:
        component = pending.pop()
        pending += components(component)
        for use in component.uses:
            if use.instance not in made:
                hint = did_you_mean(use.instance, made)
                errors.add_undeclared(use.place, use.instance, f"the program has no instance {use.instance}", hint)
