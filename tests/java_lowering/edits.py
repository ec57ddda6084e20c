"""Edits of one statement of a Java file, and which rows they may change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from ladder.frontends.java import tree
from ladder.frontends.java.facts import facts_of
from ladder.frontends.java.parse import parse
from ladder.frontends.java.visit import walk
from ladder.frontends.protocol import FileFacts, Row

FLOW = {"Next": (0, 1), "Entry": (0, 0), "Branch": (0, 2), "SwitchCase": (0, 3), "SwitchDefault": (0, 1)}
"""The relations of control flow: where from and where to."""
USES = re.compile(r"/(type|name) |/itself$")
IMPLIED = re.compile(r"/(inserted$|nop|(throw: |fork: )?finally\b|\$\(finally|load this\$0|@outer\d)")
INSERTED = "int inserted = 0;"

Place = tuple[int, int]
Rows = dict[str, set[Row]]


@dataclass(frozen=True)
class Edit:
    """The text between two places, of a statement or in it, becomes another."""

    start: Place
    end: Place
    text: str

    def of(self, source: str) -> str:
        """The file after the edit."""
        lines = source.splitlines(keepends=True)
        offsets = [0]
        for line in lines:
            offsets.append(offsets[-1] + len(line))
        start, end = (offsets[line - 1] + column - 1 for line, column in (self.start, self.end))
        return source[:start] + self.text + source[end:]


def edits(source: str, random: Random) -> Iterator[tuple[str, Edit, tuple[Place, Place], tuple[Place, Place]]]:
    """Edits of a file: (what is done, the edit, where the statement stands before, and after).

    A statement is inserted before another; an expression statement is deleted; a number in one becomes another.
    """
    statements = [part for node in walk(parse(source.encode()).unit) for part in _parts(node)]
    for node in random.sample(statements, len(statements)):
        (line, column), end = node.position, node.end
        if not isinstance(node, tree.ConstructorCall):
            place = (line, column), (line, column + len(INSERTED) + 1)
            yield "insert", Edit(node.position, node.position, INSERTED + " "), (node.position, node.position), place
        if not isinstance(node, tree.ExpressionStatement) or _holds_code(node):
            continue
        yield "delete", Edit(node.position, end, ";"), (node.position, end), (node.position, (line, column + 1))
        for inner in walk(node):
            if (
                isinstance(inner, tree.Literal)
                and inner.kind == "int"
                and inner.text.isdigit()
                and inner.position[0] == end[0]
            ):
                longer = end[0], end[1] + len("77")
                edit = Edit(inner.position, inner.position, "77")
                yield "change", edit, (node.position, end), (node.position, longer)


def _parts(node: tree.Node) -> list[tree.Node]:
    if isinstance(node, tree.Block):
        return list(node.statements)
    return list(node.statements) if isinstance(node, tree.SwitchCase) and not node.arrow else []


def _holds_code(node: tree.Node) -> bool:
    """Whether an expression has bodies in it: anonymous classes are numbered in the order of the file, as in Java."""
    return any(isinstance(inner, tree.ClassBody | tree.Lambda) for inner in walk(node))


def rows(facts: FileFacts) -> Rows:
    """The rows of a file without positions, and with declared variables for their parts."""
    parts = dict(facts.relations.get("Var_PartOf", ()))
    return {
        name: {tuple(parts.get(value, value) for value in row) for row in found} if parts else set(found)
        for name, found in facts.relations.items()
        if name not in ("Position", "Var_PartOf")
    }


def parts(facts: FileFacts) -> dict[object, set[object]]:
    """Declared variable → its parts."""
    found: dict[object, set[object]] = {}
    for part, declared in facts.relations.get("Var_PartOf", ()):
        found.setdefault(declared, set()).add(part)
    return found


def label(id: object) -> str:
    """What an id has in common with those that it may be confused with: it is without its number, and, where the first
    is called by its name or by the variable that it assigns, without what tells the others from it."""
    body, slash, last = str(id).rpartition("/")
    last = re.sub(r"#\d+$", "", last)
    last = re.sub(r"^((?:call|new) [^:]*): .*", r"\1", last)
    last = re.sub(r"^((?:load: |assign: |\$\().*?) in .*", r"\1", last).removesuffix(")")
    return body + slash + re.sub(r"^((?:assign|store|cast|load|switch): [^=]*?) [^ \w]*= .*", r"\1", last)


def instructions(facts: FileFacts, span: tuple[Place, Place]) -> set[object]:
    """The instructions of a statement."""
    places = {row[0]: row[1:] for row in facts.relations.get("Position", ())}
    return {row[0] for row in facts.relations.get("Instruction", ()) if span[0] <= places[row[0]] < span[1]}


def touched(facts: FileFacts, span: tuple[Place, Place]) -> set[str]:
    """The ids, without numbers, of the instructions of a statement and of the temporaries in them."""
    own = instructions(facts, span)
    temporaries = {
        str(value)
        for found in rows(facts).values()
        for row in found
        if own.intersection(row)
        for value in row
        if "/$(" in str(value)
    }
    return {label(id) for id in own} | {label(id) for id in temporaries}


def unexpected(source: str, edit: Edit, before: tuple[Place, Place], after: tuple[Place, Place]) -> list[str]:
    """The rows that an edit changes and must not.

    It may change rows of the instructions and temporaries of the statement, and of what has the same text in the same
    body, among which numbers shift; of one more instruction for each of the statement, one that becomes the first of
    its name or was it before; of the variable that the statement declares, and of those that a lambda captures
    for it alone; edges of the control flow between its neighbours; uses of types that nothing else names; and what is
    there for its sake: the handler of a `finally` if it alone may throw, the enclosing instance that it alone needs,
    the `nop` of an empty loop. It may divide the variables anew that it reads or assigns, and no others.
    """
    old, new = facts_of(source.encode()), facts_of(edit.of(source).encode())
    assert old.parser != "none" and new.parser != "none", new.diagnostics
    was, are = rows(old), rows(new)
    changed = {name: was.get(name, set()) ^ are.get(name, set()) for name in was.keys() | are.keys()}
    own = touched(old, before) | touched(new, after) | {label(id) for id in _needed(changed)}
    around = _neighbours(old, own) | _neighbours(new, own)
    wrong = []
    for name, found in changed.items():
        for row in found:
            ends = {label(row[at]) for at in FLOW.get(name, ())}
            expected = own.intersection(map(label, row)) or (ends and ends <= around) or USES.search(str(row[0]))
            if not expected:
                wrong.append(f"{'+' if row in are.get(name, set()) else '-'} {name} {row}")
    renamed = _renamed(old, new, instructions(old, before), instructions(new, after))
    return wrong + _divided(old, new, before, after) + renamed


def _divided(old: FileFacts, new: FileFacts, *spans: tuple[Place, Place]) -> list[str]:
    """The variables that have other parts than they had, though the statement does not mention them."""
    mentioned = {
        value
        for facts, span in zip((old, new), spans)
        for own in [instructions(facts, span)]
        for found in rows(facts).values()
        for row in found
        if own.intersection(row)
        for value in row
    }
    was, are = parts(old), parts(new)
    return [
        f"parts of {variable} changed"
        for variable in (was.keys() | are.keys()) - mentioned
        if was.get(variable) != are.get(variable)
    ]


def _renamed(old: FileFacts, new: FileFacts, *statement: set[object]) -> list[str]:
    """What else gets another text than it had, if that is more than one instruction for each of the statement's."""
    own = [Counter(map(label, ids)) for ids in statement]
    was, now = ({re.sub(r"#\d+$", "", str(row[0])) for row in rows(facts)["Instruction"]} for facts in (old, new))
    gone = Counter(map(label, was - now))
    return [f"{name}: {number} renamed" for name, number in gone.items() if number > 1 + sum(ids[name] for ids in own)]


def _needed(changed: Rows) -> set[object]:
    """What only one version has, and has for the statement's sake."""
    ids = [row[0] for name in ("Instruction", "Var_DeclaringMethod") for row in changed.get(name, ())]
    implied = {id for id in ids if IMPLIED.search(str(id))}
    return implied | {row[1] for row in changed.get("CapturedVar", ())}


def _neighbours(facts: FileFacts, own: set[str]) -> set[str]:
    """The instructions before and after those of a statement, itself included."""
    found = set(own)
    for name, (source, target) in FLOW.items():
        for row in facts.relations.get(name, ()):
            ends = {label(row[source]), label(row[target])}
            if ends & own:
                found |= ends
    return found
