"""Makes small random edits in a Java source tree, the same for the same tree and seed.

    python corpora/mutate.py TREE --seed 7                        # one edit of a random kind
    python corpora/mutate.py TREE --seed 7 --edits 20 --kind insert-call --kind delete-statement

The result mostly compiles: kinds are chosen so, nothing is checked. It is meant for tests that compare an incremental
result with one from scratch, for which it need not compile, only look like work on real code.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import click
import tree_sitter_java
from tree_sitter import Language, Node, Parser

T = TypeVar("T")
JAVA = Language(tree_sitter_java.language())


@dataclass(frozen=True)
class Edit:
    """A file's change; `before` is None where the file is new. Paths are relative to the tree's root."""

    kind: str
    path: str
    line: int
    what: str
    before: bytes | None
    after: bytes

    def apply(self, root: Path) -> None:
        (root / self.path).write_bytes(self.after)

    def undo(self, root: Path) -> None:
        """Brings back what was there, if nothing else changed the file since."""
        if self.before is None:
            (root / self.path).unlink()
        else:
            (root / self.path).write_bytes(self.before)

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}, {self.what}"


@dataclass(frozen=True)
class Source:
    """A file of a tree and its syntax tree; offsets are of bytes."""

    root: Path
    path: str
    data: bytes
    tree: Node

    def text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode()

    def nodes(self, *kinds: str, within: Node | None = None) -> Iterator[Node]:
        """All nodes of some kinds, in the order of the text."""
        pending = [within or self.tree]
        while pending:
            node = pending.pop()
            if node.type in kinds:
                yield node
            pending.extend(reversed(node.named_children))

    def bodies(self) -> list[Node]:
        """The blocks of methods that have one."""
        return [body for method in self.nodes("method_declaration") if (body := method.child_by_field_name("body"))]

    def edited(self, kind: str, what: str, at: int, *changes: tuple[int, int, str]) -> Edit:
        """The edit that replaces each `(start, end)` by a text; `at` is where it is said to be."""
        data = self.data
        for start, end, text in sorted(changes, reverse=True):
            data = data[:start] + text.encode() + data[end:]
        return Edit(kind, self.path, self.data.count(b"\n", 0, at) + 1, what, self.data, data)


Mutation = Callable[[Source, random.Random, int], Edit | None]


def mutate(root: Path, seed: int, edits: int = 1, kinds: Sequence[str] = (), under: str = "") -> list[Edit]:
    """Applies so many edits, of random kinds among the given ones (all, if none are given), and answers them in order.

    Only files below the folder `under` are changed. Raises ValueError for an unknown kind, or where no such edit is
    possible.
    """
    if unknown := set(kinds) - set(MUTATIONS):
        raise ValueError(f"unknown kinds {', '.join(sorted(unknown))}; there are {', '.join(MUTATIONS)}")
    chance = random.Random(seed)
    files = sorted(str(path.relative_to(root)) for path in (root / under).rglob("*.java") if path.is_file())
    chosen = list(kinds or MUTATIONS)
    made: list[Edit] = []
    for number in range(edits):
        edit = next(_attempts(root, files, chosen, chance, seed * 1000 + number), None)
        if edit is None:
            raise ValueError(f"no place in {root / under} for any of {', '.join(chosen)}")
        edit.apply(root)
        if edit.before is None:
            files = sorted({*files, edit.path})
        made.append(edit)
    return made


def _attempts(
    root: Path, files: Sequence[str], kinds: Sequence[str], chance: random.Random, number: int
) -> Iterator[Edit]:
    """Edits that are possible: kinds in random order, for each a few hundred files drawn at random at most."""
    for kind in chance.sample(kinds, len(kinds)):
        for path in chance.choices(files, k=200) if files else ():
            source = read(root, path)
            edit = MUTATIONS[kind](source, chance, number) if source else None
            if (
                edit is not None
                and edit.before != edit.after
                and not (edit.before is None and (root / edit.path).exists())
            ):
                yield edit


def read(root: Path, path: str) -> Source | None:
    """A file that is text in UTF-8 and free of syntax errors, or None."""
    data = (root / path).read_bytes()
    try:
        data.decode()
    except UnicodeDecodeError:
        return None
    tree = Parser(JAVA).parse(data).root_node
    return None if tree.has_error else Source(root, path, data, tree)


def insert_call(source: Source, chance: random.Random, number: int) -> Edit | None:
    """Calls, first thing in a method, another method without parameters of the same class."""
    body = _choose(chance, [body for body in source.bodies() if not _is_static(source, parent_of(body))])
    if body is None:
        return None
    siblings = [
        source.text(part(method, "name"))
        for method in parent_of(parent_of(body)).named_children
        if method.type == "method_declaration"
        and not part(method, "parameters").named_children
        and "throws" not in {child.type for child in method.children}
    ]
    called = _choose(chance, siblings)
    return (
        source.edited("insert-call", f"call {called}()", body.start_byte, _first(body, f"{called}();"))
        if called
        else None
    )


def insert_allocation(source: Source, chance: random.Random, number: int) -> Edit | None:
    """Makes, first thing in a method, an object and puts it into a new local variable."""
    body = _choose(chance, source.bodies())
    text = f"Object made{number} = new {chance.choice(('Object', 'java.util.ArrayList<String>', 'StringBuilder'))}();"
    return body and source.edited("insert-allocation", text, body.start_byte, _first(body, text))


def insert_assignment(source: Source, chance: random.Random, number: int) -> Edit | None:
    """Copies a parameter of a method into a new local variable."""
    parameters = [
        p
        for body in source.bodies()
        for p in part(parent_of(body), "parameters").named_children
        if p.type == "formal_parameter" and not p.child_by_field_name("dimensions")
    ]
    parameter = _choose(chance, parameters)
    if parameter is None:
        return None
    body = part(parent_of(parent_of(parameter)), "body")
    name = source.text(part(parameter, "name"))
    kind = source.text(part(parameter, "type"))
    text = f"{kind} copied{number} = {name};"
    return source.edited("insert-assignment", text, body.start_byte, _first(body, text))


def delete_statement(source: Source, chance: random.Random, number: int) -> Edit | None:
    """Deletes a statement that is a call or an assignment, with its line if it has one of its own."""
    statements = [
        s
        for body in source.bodies()
        for s in source.nodes("expression_statement", within=body)
        if parent_of(s).type == "block"
    ]
    statement = _choose(chance, statements)
    if statement is None:
        return None
    start, end = statement.start_byte, statement.end_byte
    before, after = source.data.rfind(b"\n", 0, start) + 1, source.data.find(b"\n", end)
    if not source.data[before:start].strip() and after >= 0 and not source.data[end:after].strip():
        start, end = before, after + 1
    return source.edited("delete-statement", source.text(statement), statement.start_byte, (start, end, ""))


def rename_local(source: Source, chance: random.Random, number: int) -> Edit | None:
    """Renames a local variable everywhere in its method."""
    body = _choose(chance, source.bodies())
    declarators = body and [
        d
        for s in source.nodes("local_variable_declaration", within=body)
        for d in s.named_children
        if d.type == "variable_declarator"
    ]
    declarator = _choose(chance, declarators or [])
    if declarator is None:
        return None
    old = source.text(part(declarator, "name"))
    new = f"{old}{number}"
    uses = [node for node in source.nodes("identifier", within=body) if source.text(node) == old and _is_variable(node)]
    return source.edited(
        "rename-local",
        f"{old} to {new}",
        declarator.start_byte,
        *((node.start_byte, node.end_byte, new) for node in uses),
    )


def change_number(source: Source, chance: random.Random, number: int) -> Edit | None:
    """Makes an integer literal in a method one larger."""
    literals = [
        n
        for body in source.bodies()
        for n in source.nodes("decimal_integer_literal", within=body)
        if re.fullmatch(r"\d{1,8}", source.text(n))
        and _enclosing(n, "switch_label", "annotation", "block").type == "block"
    ]
    literal = _choose(chance, literals)
    if literal is None:
        return None
    new = str(int(source.text(literal)) + 1)
    return source.edited(
        "change-number",
        f"{source.text(literal)} to {new}",
        literal.start_byte,
        (literal.start_byte, literal.end_byte, new),
    )


def negate_condition(source: Source, chance: random.Random, number: int) -> Edit | None:
    """Turns the condition of an `if` round."""
    statement = _choose(chance, [s for body in source.bodies() for s in source.nodes("if_statement", within=body)])
    condition = statement and part(statement, "condition")
    if condition is None or any(
        source.nodes("instanceof_expression", within=condition)
    ):  # a pattern's variable would be lost
        return None
    return source.edited(
        "negate-condition",
        source.text(condition),
        condition.start_byte,
        (condition.start_byte, condition.start_byte, "(!"),
        (condition.end_byte, condition.end_byte, ")"),
    )


def add_method(source: Source, chance: random.Random, number: int) -> Edit | None:
    """Adds a method at the end of a class, one that overrides `toString` where the class has none."""
    declared = _choose(chance, list(source.nodes("class_declaration")))
    if declared is None:
        return None
    body = part(declared, "body")
    names = {source.text(part(m, "name")) for m in body.named_children if m.type == "method_declaration"}
    text = (
        f'    public String toString() {{ return "added {number}"; }}'
        if "toString" not in names and chance.random() < 0.5
        else f"    public Object added{number}() {{ Object result = this; return result; }}"
    )
    close = body.end_byte - 1
    return source.edited("add-method", text.strip(), close, (close, close, f"\n{text}\n"))


def add_class(source: Source, chance: random.Random, number: int) -> Edit | None:
    """Adds a file with a class to the package of another file."""
    name = f"Added{number}"
    text = (
        _package(source) + f"class {name} {{\n    private Object kept;\n\n    {name} keep(Object object) {{\n"
        "        kept = object;\n        return this;\n    }\n\n"
        f"    static Object make() {{\n        return new {name}().keep(new Object()).kept;\n    }}\n}}\n"
    )
    path = str(Path(source.path).with_name(f"{name}.java"))
    return Edit("add-class", path, 1, name, None, text.encode())


def change_superclass(source: Source, chance: random.Random, number: int) -> Edit | None:
    """Puts a class that extends nothing below another class of its package that could be its superclass."""
    sub = _choose(chance, _top_classes(source))
    if sub is None:
        return None
    own = source.text(part(sub, "name"))
    others = [
        other
        for path in sorted((source.root / source.path).parent.glob("*.java"))
        if (other := read(source.root, str(path.relative_to(source.root)))) is not None
    ]
    parents = [
        name
        for other in others
        for parent in _top_classes(other)
        if _can_be_extended(other, parent) and (name := other.text(part(parent, "name"))) != own
    ]
    above = _choose(chance, parents)
    after = sub.child_by_field_name("type_parameters") or part(sub, "name")
    return (
        None
        if above is None
        else source.edited(
            "change-superclass",
            f"{own} extends {above}",
            sub.start_byte,
            (after.end_byte, after.end_byte, f" extends {above}"),
        )
    )


def insert_superclass(source: Source, chance: random.Random, number: int) -> Edit | None:
    """Declares a class in a file and puts a class of the file that extends nothing below it."""
    sub = _choose(chance, _top_classes(source))
    if sub is None:
        return None
    name = f"Above{number}"
    after = sub.child_by_field_name("type_parameters") or part(sub, "name")
    text = f"\nclass {name} {{\n    public Object above{number}() {{\n        return this;\n    }}\n}}\n"
    end = len(source.data)
    return source.edited(
        "insert-superclass",
        f"{source.text(part(sub, 'name'))} extends {name}",
        sub.start_byte,
        (after.end_byte, after.end_byte, f" extends {name}"),
        (end, end, text),
    )


def add_comment(source: Source, chance: random.Random, number: int) -> Edit | None:
    """Adds a comment as a line of its own before a declaration: no fact changes."""
    member = _choose(chance, list(source.nodes("method_declaration", "field_declaration", "class_declaration")))
    if member is None:
        return None
    start = source.data.rfind(b"\n", 0, member.start_byte) + 1
    if source.data[start : member.start_byte].strip():
        return None
    return source.edited("add-comment", f"comment {number}", start, (start, start, f"// comment {number}\n"))


def change_whitespace(source: Source, chance: random.Random, number: int) -> Edit | None:
    """Adds an empty line at the top and blanks at the start of a method's body: no fact changes."""
    body = _choose(chance, source.bodies())
    return body and source.edited(
        "change-whitespace",
        "blanks",
        body.start_byte,
        (0, 0, "\n"),
        (body.start_byte + 1, body.start_byte + 1, "   \n"),
    )


def part(node: Node, field: str) -> Node:
    """A field that nodes of this kind always have."""
    found = node.child_by_field_name(field)
    assert found is not None, f"{node.type} without {field}"
    return found


def parent_of(node: Node) -> Node:
    assert node.parent is not None, f"{node.type} has no parent"
    return node.parent


def _choose(chance: random.Random, candidates: Sequence[T]) -> T | None:
    return chance.choice(candidates) if candidates else None


def _first(body: Node, statement: str) -> tuple[int, int, str]:
    """The change that puts a statement first into a block."""
    return body.start_byte + 1, body.start_byte + 1, f"\n        {statement}"


def _is_static(source: Source, method: Node) -> bool:
    return any("static" in source.text(child).split() for child in method.children if child.type == "modifiers")


def _enclosing(node: Node, *kinds: str) -> Node:
    """The innermost node of some kinds around a node; the root if there is none."""
    while node.parent is not None and node.type not in kinds:
        node = node.parent
    return node


def _top_classes(source: Source) -> list[Node]:
    """A file's top-level classes that extend nothing: they can be put below another one without a cycle."""
    return [
        node
        for node in source.tree.named_children
        if node.type == "class_declaration" and node.child_by_field_name("superclass") is None
    ]


def _can_be_extended(source: Source, declared: Node) -> bool:
    """Whether a class has neither parameters, nor constructors, nor abstract methods, and is not final."""
    modifiers = {
        word for child in declared.children if child.type == "modifiers" for word in source.text(child).split()
    }
    return not (
        modifiers & {"final", "abstract", "sealed"}
        or declared.child_by_field_name("type_parameters")
        or any(member.type == "constructor_declaration" for member in part(declared, "body").named_children)
    )


def _is_variable(identifier: Node) -> bool:
    """Whether an identifier is a variable's name, not that of a member, a method or a label."""
    parent = parent_of(identifier)
    for name in ("field", "name"):
        if parent.child_by_field_name(name) == identifier:
            return parent.type in (
                "variable_declarator",
                "formal_parameter",
                "resource",
                "enhanced_for_statement",
                "catch_formal_parameter",
            )
    return parent.type not in (
        "labeled_statement",
        "break_statement",
        "continue_statement",
        "method_reference",
        "marker_annotation",
    )


def _package(source: Source) -> str:
    declared = next(source.nodes("package_declaration"), None)
    return f"{source.text(declared)}\n\n" if declared else ""


MUTATIONS: Mapping[str, Mutation] = {
    function.__name__.replace("_", "-"): function
    for function in (
        insert_call,
        insert_allocation,
        insert_assignment,
        delete_statement,
        rename_local,
        change_number,
        negate_condition,
        add_method,
        add_class,
        change_superclass,
        insert_superclass,
        add_comment,
        change_whitespace,
    )
}


@click.command(help=__doc__.replace("\n\n    ", "\n\n\b\n    "))
@click.argument("tree", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--seed", type=int, required=True, help="Equal seeds make equal edits.")
@click.option("--edits", type=click.IntRange(min=1), default=1, show_default=True)
@click.option(
    "--kind", "kinds", type=click.Choice(list(MUTATIONS)), multiple=True, help="Kinds to choose from; all by default."
)
def main(tree: Path, seed: int, edits: int, kinds: tuple[str, ...]) -> None:
    try:
        for edit in mutate(tree, seed, edits, kinds):
            click.echo(str(edit))
    except ValueError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
