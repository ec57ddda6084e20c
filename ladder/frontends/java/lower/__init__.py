"""The syntax tree of a file → its three-address form."""

from __future__ import annotations

from ladder.frontends.java import ir, names, tree
from ladder.frontends.java.limits import Budget
from ladder.frontends.java.lower import calls, expressions, names_in_scope, statements, switches, tries, types
from ladder.frontends.java.lower.annotations import annotate
from ladder.frontends.java.lower.context import FileContext
from ladder.frontends.java.lower.uses import Uses

# Importing these modules registers what they lower.
HANDLERS = (calls, expressions, names_in_scope, statements, switches, tries, types)


def lower(unit: tree.CompilationUnit, budget: Budget | None = None) -> ir.Unit:
    """Return the three-address form of a file: a function of its syntax tree alone; may raise LimitReached."""
    budget = budget or Budget()
    package = unit.package.name if unit.package else ""
    id = unit_id(unit)
    uses = Uses(id, budget)
    imports = tuple(_import(uses, node) for node in unit.imports if not node.module)
    file = FileContext(id, uses, budget, frozenset(entry.name for entry in imports if entry.kind == "type"))
    if unit.package is not None and not unit.types:
        annotate(file, id, id, unit.package.annotations)
    for declaration in unit.types:
        types.lower_top_level(file, declaration, package)
    rows = tuple(uses.rows.values())
    exports, reads = _directives(unit.module)
    return ir.Unit(
        id,
        package,
        imports,
        tuple(file.types),
        tuple(file.annotations),
        tuple(file.scopes),
        rows,
        uses.positions,
        _modules(unit),
        exports,
        reads,
        tuple(file.defaults),
        _provides(unit.module),
    )


def unit_id(unit: tree.CompilationUnit) -> str:
    """Return the id of a file: the name of its first type, or of the package or module that it describes."""
    if unit.module is not None:
        return f"{unit.module.name}/module-info"
    package = unit.package.name if unit.package else ""
    return names.type_id(package, unit.types[0].name if unit.types else "package-info")


def _modules(unit: tree.CompilationUnit) -> tuple[str, ...]:
    """Return the modules that a file imports; a compact source file imports `java.base` without saying so."""
    imported = [node.name for node in unit.imports if node.module]
    return tuple(dict.fromkeys([*imported, *(["java.base"] if unit.compact else [])]))


def _directives(
    module: tree.ModuleDeclaration | None,
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """Return the packages that a module exports, and the modules that it makes its readers read, each with its name."""
    directives = [] if module is None else [(module.name, node) for node in module.directives]
    exports = tuple((name, node.name) for name, node in directives if node.kind == "exports")
    return exports, tuple((name, node.name) for name, node in directives if "transitive" in node.modifiers)


def _provides(module: tree.ModuleDeclaration | None) -> tuple[tuple[str, str], ...]:
    """Return the services that a module provides, each with a class that does."""
    directives = [] if module is None else module.directives
    return tuple((node.name, target) for node in directives if node.kind == "provides" for target in node.targets)


def _import(uses: Uses, node: tree.Import) -> ir.Import:
    if node.static and not node.wildcard:
        qualifier, _, name = node.name.rpartition(".")
        return ir.Import("static", name, qualifier, uses.absolute(qualifier, node.position))
    kind = ("static-package" if node.static else "package") if node.wildcard else "type"
    return ir.Import(kind, node.name.rpartition(".")[2], node.name, uses.absolute(node.name, node.position))
