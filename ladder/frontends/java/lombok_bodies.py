"""What Lombok changes in bodies: checks of parameters with `@NonNull`, `@Cleanup` and `@Synchronized`.

void f(@NonNull A a) { g(); }        →    void f(A a) { if (a == null) throw …; g(); }
@Cleanup A a = make(); use(a);       →    A a = make(); try { use(a); } finally { if (a != null) a.close(); }
@Synchronized void f() { g(); }      →    void f() { synchronized (this.$lock) { g(); } }
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from javalang.parser import JavaSyntaxError

from ladder.frontends.java import tree
from ladder.frontends.java.lexer import JavaLexer, SourceText
from ladder.frontends.java.limits import NESTING, Budget, LimitReached
from ladder.frontends.java.parser import JavaParser
from ladder.frontends.java.visit import walk

MOST_CLOSED = NESTING
"""Variables with `@Cleanup` in a file, each of which nests what follows."""
Found = Callable[[Iterable[tree.Annotation]], dict[str, dict[str, str]]]
"""Lombok's among annotations, by name, each with the text of its elements."""


def null_check(name: str) -> str:
    """The statement that throws if a variable is null."""
    message = f'"{name} is marked non-null but is null"'
    return f"if ({name} == null) throw new java.lang.NullPointerException({message}); "


def change_bodies(unit: tree.CompilationUnit, found: Found, budget: Budget) -> None:
    """Change the bodies of a file as its annotations say; raise LimitReached if that nests too deep or is too much."""
    closed = 0
    for node in list(walk(unit)):
        if isinstance(node, tree.MethodDeclaration | tree.ConstructorDeclaration) and isinstance(node.body, tree.Block):
            _check_parameters(node, node.body, found, budget)
            if isinstance(node, tree.MethodDeclaration):
                _synchronize(node, node.body, found)
        if isinstance(node, tree.Block):
            closed += _clean_up(node, found)
            if closed > MOST_CLOSED:
                raise LimitReached(f"More than {MOST_CLOSED} variables have @Cleanup", node.position)


def _check_parameters(
    node: tree.MethodDeclaration | tree.ConstructorDeclaration, body: tree.Block, found: Found, budget: Budget
) -> None:
    names = [
        parameter.name
        for parameter in node.parameters
        if "NonNull" in found(parameter.annotations) and not isinstance(parameter.type, tree.PrimitiveType)
    ]
    budget.at = node.name_position
    budget.spend(len(names), sum(len(null_check(name)) for name in names))
    checks = [check for name in names for check in statements(null_check(name), node.name_position)]
    after = int(bool(body.statements) and isinstance(body.statements[0], tree.ConstructorCall))
    body.statements[after:after] = checks


def _synchronize(node: tree.MethodDeclaration, body: tree.Block, found: Found) -> None:
    elements = found(node.annotations).get("Synchronized")
    if elements is None:
        return
    static = "static" in node.modifiers
    lock = elements.get("value") or ("$LOCK" if static else "$lock")
    owner = "" if static or not lock.isidentifier() else "this."
    for statement in statements(f"synchronized ({owner}{lock}) {{ }}", node.name_position):
        assert isinstance(statement, tree.Synchronized)
        statement.body.statements = body.statements
        body.statements = [statement]


def _clean_up(block: tree.Block, found: Found) -> int:
    """Put what follows a variable with `@Cleanup` into a `try` that closes it, from the last variable on; return how
    many there are."""
    closed = 0
    for i in range(len(block.statements) - 1, -1, -1):
        node = block.statements[i]
        elements = found(node.annotations).get("Cleanup") if isinstance(node, tree.LocalVariables) else None
        if elements is None or not isinstance(node, tree.LocalVariables):
            continue
        close = elements.get("value", "close")
        closed += len(node.declarators)
        for declarator in reversed(node.declarators):
            end = f"if ({declarator.name} != null) {declarator.name}.{close}();"
            for statement in statements(f"try {{ }} finally {{ {end} }}", node.position):
                assert isinstance(statement, tree.Try)
                statement.body.statements = block.statements[i + 1 :]
                block.statements[i + 1 :] = [statement]
    return closed


def statements(text: str, at: tree.Position) -> list[tree.BlockStatement]:
    """The statements of a text, all at one place; none if the text is none."""
    source = SourceText(f"class X {{ void x() {{ {text} }} }}", translate=False)
    try:
        unit: tree.CompilationUnit = JavaParser(JavaLexer(source).tokenize()).parse()
    except JavaSyntaxError:  # of a name that is none
        return []
    method = unit.types[0].members[0]
    assert isinstance(method, tree.MethodDeclaration) and isinstance(method.body, tree.Block)
    set_positions(method, at)
    return method.body.statements


def set_positions(root: tree.Node, at: tree.Position) -> None:
    """Give a node and all in it one place."""
    for node in walk(root):
        node.position, node.end = at, (at[0], at[1] + 1)
        if hasattr(node, "name_position"):
            node.name_position = at
        if isinstance(node, tree.Name):
            node.positions = (at,) * len(node.parts)
