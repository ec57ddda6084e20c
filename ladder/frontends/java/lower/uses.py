"""Uses of types: types as written, one for each scope and text, collected for the whole file."""

from __future__ import annotations

from ladder.frontends.java import ir, names, tree
from ladder.frontends.java.limits import Budget

OBJECT = "java.lang.Object"
STRING = "java.lang.String"
THROWABLE = "java.lang.Throwable"


class Uses:
    """The uses of types in one file, in the order in which they were met, each with the position of its first one."""

    def __init__(self, unit: str, budget: Budget) -> None:
        self._unit = unit
        self._budget = budget
        self.rows: dict[ir.Use, ir.TypeUse] = {}
        self.positions: dict[ir.Use, ir.Position] = {}

    def use(self, scope: str, type: tree.Type) -> ir.Use:
        """Return the use of a type as written in `scope`; that of an intersection is the use of its first bound.

        Where nothing can be inferred, `var` is the name of a type, as it was before Java 10.
        """
        if isinstance(type, tree.PrimitiveType):
            return type.name
        if isinstance(type, tree.ClassType):
            return self._class(scope, type)
        if isinstance(type, tree.ArrayType):
            return self.array(scope, self.use(scope, type.element), type.dimensions, type.position)
        if isinstance(type, tree.IntersectionType):
            return self.use(scope, type.bounds[0])
        if isinstance(type, tree.InferredType):
            return self.named(scope, ("var",), type.position)
        raise TypeError(f"no use of {type!r}")

    def named(self, scope: str, parts: tuple[str, ...], position: ir.Position) -> ir.Use:
        """Return the use of a dotted name in `scope`; uses of all its prefixes are added, too."""
        use = self._simple(scope, parts[0], position)
        for part in parts[1:]:
            use = self.member(scope, use, part, position)
        return use

    def member(self, scope: str, qualifier: ir.Use, name: str, position: ir.Position) -> ir.Use:
        """Return the use of a dotted name in `scope`: the name of the use `qualifier`, and one more part, `name`."""
        qualifier_text = self.text(qualifier)
        text = f"{qualifier_text}.{name}"
        use = names.use_id(scope, text)
        if use not in self.rows:
            self._add(ir.QualifiedUse(use, text, qualifier, qualifier_text, name), position)
        return use

    def _simple(self, scope: str, name: str, position: ir.Position) -> ir.Use:
        use = names.use_id(scope, name)
        if use not in self.rows:
            self._add(ir.SimpleUse(use, name, scope, name), position)
        return use

    def absolute(self, text: str, position: ir.Position | None = None) -> ir.Use:
        """Return the use of a full name, independent of any scope; types that are implied have no position."""
        wanted = use = names.absolute_use_id(self._unit, text)
        missing = []
        while use not in self.rows:
            qualifier_text, _, name = text.rpartition(".")
            qualifier = names.absolute_use_id(self._unit, qualifier_text)
            missing.append(ir.QualifiedUse(use, text, qualifier, qualifier_text, name))
            if "." not in qualifier_text:
                break
            use, text = qualifier, qualifier_text
        for row in reversed(missing):
            self._add(row, position)
        return wanted

    def known(self, type: str, name: str) -> ir.Use:
        """Return the use of a type that this file declares, `name` being its simple name."""
        use = names.known_use_id(type)
        if use not in self.rows:
            self._add(ir.KnownUse(use, name, type), None)
        return use

    def array(self, scope: str, element: ir.Use, dimensions: int, position: ir.Position) -> ir.Use:
        """Return the use of the array type over `element` with this number of dimensions; with 0 it is `element`."""
        use = element
        prefix = "" if element in self.rows else names.use_id(scope, "")
        for _ in range(dimensions):
            component, use = use, f"{prefix}{use}[]"
            prefix = ""
            if use not in self.rows:
                self._add(ir.ArrayUse(use, self.text(component) + "[]", component), position)
        return use

    def text(self, use: ir.Use) -> str:
        """Return the use's name as written, without type arguments."""
        row = self.rows.get(use)
        return use if row is None else row.text

    def component(self, use: ir.Use) -> ir.Use | None:
        """Return the component type of the use of an array type, None for other uses."""
        row = self.rows.get(use)
        return row.component if isinstance(row, ir.ArrayUse) else None

    def _class(self, scope: str, type: tree.ClassType) -> ir.Use:
        parts = type.parts
        if len(parts) == 1:
            part = parts[0]
            use = self._simple(scope, part.name, type.position)
        else:
            part = parts[-1]
            use = self.named(scope, tuple(p.name for p in parts), type.position)
        return use if part.arguments is None else self._parameterized(scope, use, part.arguments, type.position)

    def _parameterized(
        self, scope: str, erasure: ir.Use, written: list[tree.TypeArgument], position: ir.Position
    ) -> ir.Use:
        # Lists, not generators: those would recurse on the C stack where types are nested in each other.
        arguments = tuple([self._argument(scope, argument) for argument in written])
        inner = ",".join([_argument_text(scope, wildcard, use) for wildcard, use in arguments])
        use = f"{erasure}<{inner}>"
        if use not in self.rows:
            self._add(ir.ParameterizedUse(use, self.text(erasure), erasure, arguments), position)
        return use

    def _argument(self, scope: str, argument: tree.TypeArgument) -> tuple[str, ir.Use]:
        if not isinstance(argument, tree.Wildcard):
            return "", self.use(scope, argument)
        if argument.bound is None:
            return "extends", self.absolute(OBJECT)
        return argument.kind, self.use(scope, argument.bound)

    def _add(self, row: ir.TypeUse, position: ir.Position | None) -> None:
        self.rows[row.id] = row
        if position is not None:
            self.positions[row.id] = self._budget.at = position
        self._budget.spend(3, len(row.id) + len(row.text))


def _argument_text(scope: str, wildcard: str, use: ir.Use) -> str:
    text = use.removeprefix(names.use_id(scope, ""))
    return f"? {wildcard} {text}" if wildcard else text
