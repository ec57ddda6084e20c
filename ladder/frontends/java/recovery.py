"""Reading a file with syntax errors: the tree of what parses, and a diagnostic for each part that is left out.

What is left out is the smallest member that holds an error: of a method or constructor whose head parses, the body; of
a field whose head does, the initialiser; otherwise the member, or the import. The file is refused as a whole if its
package or module declaration, or its first type, cannot be read, and if it may be a compact source file: then all names
would be wrong.

Nothing is made up. Braces say where a member ends; where they do not match each other, what follows the first place at
which the layout contradicts them (`layout`) is left out, and all types around that place end there. Left out is also
what cannot be told without a part that is left out: implied constructors and members (in lowering), bodies that mention
names which the part may declare, and bodies that declare classes which are numbered after those of the part. So the
facts of what is kept are those that the file has once it is mended.

A member that fails is not parsed again, and the parser goes on behind it: the time is linear in the file's length and
its nesting.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from javalang.parser import JavaSyntaxError
from javalang.tokenizer import BasicType, EndOfInput, Identifier

from ladder.frontends.java.layout import Indents, first_doubt
from ladder.frontends.java.lexer import SourceText, Tokens, Unreadable, tokenize_leniently
from ladder.frontends.java.limits import Budget
from ladder.frontends.java.parser import JavaParser
from ladder.frontends.java.tree import (
    Block,
    ClassBody,
    CompactConstructorDeclaration,
    CompilationUnit,
    EnumConstant,
    FieldDeclaration,
    Import,
    LeftOut,
    Member,
    Position,
    TypeDeclaration,
    VariableDeclarator,
)
from ladder.frontends.java.undecided import leave_undecided_out

T = TypeVar("T")
MOST_NOTES = 100
"""Left-out parts of a file that are named one by one."""


@dataclass(frozen=True, slots=True)
class Omission:
    """A part that is left out: where, and why."""

    at: Position
    text: str


class NotRecovered(Exception):
    """Raised where nothing of a file can be kept."""


def recover(source: SourceText, budget: Budget) -> tuple[CompilationUnit, list[Omission]]:
    """Return the tree of what parses, and what is left out; raise NotRecovered or LimitReached."""
    tokens = tokenize_leniently(source)
    braces = matching(tokens.values)
    doubt = indents = None
    if len(braces) * 2 != sum(value in ("{", "}") for value in tokens.values):
        doubt, indents = first_doubt(tokens, source), Indents(source)
    if doubt is not None:
        tokens = _until(tokens, doubt)
        braces = {opening: closing for opening, closing in braces.items() if closing < doubt}
    parser = RecoveringParser(tokens, budget, braces, indents)
    try:
        unit: CompilationUnit = parser.parse()
    except (JavaSyntaxError, IndexError):
        raise NotRecovered from None
    if doubt is not None:
        parser.omit(tokens.starts[-1], "What follows is left out: braces and indentation contradict each other here")
    elif parser.ended:
        parser.omit(tokens.starts[-1], "What follows is left out: Expected }, found end of file")
    parser.omissions += [Omission(at, text) for at, text in leave_undecided_out(unit, parser.lost_import)]
    return unit, _shortened(parser.omissions)


def matching(values: list[str]) -> dict[int, int]:
    """Return the index of each `{` that is closed → the index of its `}`."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for i, value in enumerate(values):
        if value == "{":
            opened.append(i)
        elif value == "}" and opened:
            found[opened.pop()] = i
    return found


def _until(tokens: Tokens, end: int) -> Tokens:
    """Return the tokens before index `end`, and the end of input there."""
    at = tokens.starts[end]
    return Tokens(
        [*tokens.kinds[:end], EndOfInput],
        [*tokens.values[:end], ""],
        [*tokens.starts[:end], at],
        [*tokens.ends[:end], at],
    )


def _shortened(omissions: list[Omission]) -> list[Omission]:
    omissions.sort(key=lambda omission: omission.at)
    more = len(omissions) - MOST_NOTES
    if more <= 0:
        return omissions
    return [*omissions[:MOST_NOTES], Omission(omissions[MOST_NOTES].at, f"{more:,} more parts are left out")]


class RecoveringParser(JavaParser):
    """A parser that goes on behind a member with an error; `braces` are those that match, `indents` are given if some
    do not.

    Members of types `inside` blocks and anonymous classes are part of the member around them.
    """

    def __init__(self, tokens: Tokens, budget: Budget, braces: dict[int, int], indents: Indents | None) -> None:
        super().__init__(tokens, budget)
        self.indents = indents
        self.braces = braces
        self.end = len(tokens.values) - 1
        self.omissions: list[Omission] = []
        self.lost_import = self.ended = False
        self.inside = 0

    def omit(self, at: Position, text: str) -> None:
        """Note that something is left out."""
        self.omissions.append(Omission(at, text))

    def attempt(self, parse: Callable[[], T]) -> T | JavaSyntaxError:
        """Return what `parse` returns; or the error, with the parser's state but for its place as it was before."""
        state = self.depth, self.bodies, self.no_arrow, self.in_switch, self.inside
        try:
            return parse()
        except JavaSyntaxError as error:
            failed = error
        except IndexError:
            self.i = self.end
            failed = JavaSyntaxError("Unexpected end", self.starts[self.end])
        self.depth, self.bodies, self.no_arrow, self.in_switch, self.inside = state
        return failed

    # Imports and types

    def parse_imports(self) -> list[Import]:
        imports: list[Import] = []
        while self.values[self.i] in ("import", ";"):
            if self.try_accept(";"):
                continue
            begin = self.i
            found = self.attempt(self.parse_import_declaration)
            if isinstance(found, Import):
                imports.append(found)
                continue
            self.lost_import = True
            self.omit(found.at, f"An import is left out: {found.description}")
            self.i = begin + 1
            while self.values[self.i] not in _AFTER_IMPORT and self.i < self.end:
                self.i += 1
        return imports

    def parse_top_level(self, may_be_compact: bool) -> tuple[list[TypeDeclaration], list[Member]]:
        types: list[TypeDeclaration] = []
        while self.i < self.end:
            if self.try_accept(";"):
                continue
            begin = self.i
            found = self.attempt(self.parse_top_level_type)
            if isinstance(found, TypeDeclaration):
                types.append(found)
                continue
            failed = self.i
            if not types or (may_be_compact and self.is_method_or_field(begin)):
                raise NotRecovered
            self.i = failed
            self.leave_out(begin, found, "A declaration")
        if not types:
            raise NotRecovered
        return types, []

    def parse_top_level_type(self) -> TypeDeclaration:
        start = self.starts[self.i]
        modifiers, annotations = self.parse_modifiers()
        return self.parse_type_declaration_at(start, modifiers, annotations)

    def is_method_or_field(self, begin: int) -> bool:
        """Return whether a member that makes a compact source file of this one may begin at a token."""
        self.i = begin
        return isinstance(self.attempt(self.parse_modifiers), tuple) and not self.at_type_declaration()

    # Members

    def parse_members_rest(self) -> list[Member]:
        if self.inside:
            return super().parse_members_rest()
        members: list[Member] = []
        self.enter_body()
        while not self.try_accept("}"):
            if self.i >= self.end:
                self.ended, at = True, self.last_end()
                members.append(LeftOut(at, at, "unknown", ""))
                break
            if self.try_accept(";"):
                continue
            begin = self.i
            found = self.attempt(self.parse_member_declaration)
            if isinstance(found, JavaSyntaxError):
                members += self.leave_member_out(begin, found)
            else:
                members.append(found)
        self.bodies -= 1
        return members

    def parse_member_declaration(self) -> Member:
        if self.is_initialiser_without_brace(self.i):
            raise JavaSyntaxError("Expected {", self.starts[self.i + 1])
        return super().parse_member_declaration()

    def is_initialiser_without_brace(self, i: int) -> bool:
        """Return whether, where braces do not match, `static` stands alone in its line: the variables behind it are no
        fields."""
        if self.indents is None or self.values[i] != "static" or self.values[i + 1] == "{":
            return False
        return self.is_first(i) and self.is_first(i + 1)

    def leave_member_out(self, begin: int, error: JavaSyntaxError) -> Iterator[Member]:
        """Yield what stands for the member that begins at a token and holds an error: a field without its initialiser
        if it evidently is one; then a node that says what is left out."""
        failed = self.i
        field = self.attempt(lambda: self.parse_field_head(begin))
        self.i = failed
        if isinstance(field, FieldDeclaration) and self.values[self.end_of_member(begin, failed) - 1] == ";":
            name = field.declarators[0].name
            self.leave_out(begin, error, f"The initialiser of the field {name}")
            field.end = self.last_end()
            yield field
            yield LeftOut(field.end, field.end, "static" if "static" in field.modifiers else "instance", "")
            if self.holds_another(begin):
                yield LeftOut(field.end, field.end, "unknown", "")
        else:
            self.leave_out(begin, error, "A member")
            yield self.left_out(begin)

    def parse_field_head(self, begin: int) -> FieldDeclaration | None:
        """Parse a field up to the `=` after its first name; return it if it has one name, None if it is no field."""
        if self.is_initialiser_without_brace(begin):
            return None
        self.i = begin
        modifiers, annotations = self.parse_modifiers()
        type = self.parse_type()
        start = self.starts[self.i]
        name = self.parse_identifier()
        if self.values[self.i] != "=" or self.may_declare_more(self.i):
            return None
        declarator = VariableDeclarator(start, self.last_end(), name, 0, None)
        return FieldDeclaration(self.starts[begin], self.last_end(), modifiers, annotations, type, [declarator])

    def may_declare_more(self, i: int) -> bool:
        """Return whether a second name may be declared in a field, after the token `i`."""
        values, kinds = self.values, self.kinds
        end = self.end_of_member(i, i)
        return any(
            values[at] == "," and kinds[at + 1] is Identifier and values[at + 2] in _AFTER_NAME for at in range(i, end)
        )

    def left_out(self, begin: int) -> LeftOut:
        """Return the node for the tokens from `begin` up to the present place, with what they evidently are."""
        head = min(self.skip_annotations(begin), self.i)
        at = next((i for i in range(head, self.i) if self.values[i] in _AFTER_WORDS), begin)
        kind, name = "unknown", ""
        if self.holds_another(begin):
            pass
        elif any(self.is_head_of_type(i) for i in range(begin, at)):
            kind = "type"
        elif at in self.braces and self.values[begin:at] in ([], ["static"]):
            kind = "instance" if at == begin else "static"
        elif self.values[at] == "(" and self.kinds[at - 1] is Identifier and self.values[self.i - 1] == "}":
            kind, name = "method", self.values[at - 1]
        return LeftOut(self.starts[begin], self.last_end(), kind, name)

    def holds_another(self, begin: int) -> bool:
        """Return whether the tokens from `begin` up to the present place may hold another member after the first one:
        outside of blocks, words that begin one follow a name, or what looks like a type and a name begins a line, or
        something follows a `;`."""
        i, named = begin, False
        while i < self.i:
            value, kind = self.values[i], self.kinds[i]
            if (value in _MEMBER_WORDS and named) or (value == ";" and i + 1 < self.i):
                return True
            first = i > begin and self.is_first(i)
            if first and named and kind in (Identifier, BasicType) and self.is_like_a_type(i):
                return True
            named = named or kind is Unreadable or (kind is Identifier and self.values[i - 1] != "@")
            i = self.braces.get(i, i) + 1
        return False

    def is_head_of_type(self, i: int) -> bool:
        """Return whether the token `i` and those after it seem to begin a class, interface or enum."""
        return self.values[i] in _TYPE_WORDS and self.values[i + 2] in _AFTER_TYPE_NAME

    def is_like_a_type(self, i: int) -> bool:
        """Return whether the token `i` seems to begin a type with a name after it, or a constructor."""
        return self.kinds[i + 1] is Identifier or self.values[i + 1] in ("<", "[", "(")

    def parse_enum_body(self) -> tuple[list[EnumConstant], list[Member]]:
        """Parse the constants and members; fail if what is left out behind the constants may be further ones."""
        begin = self.i
        constants, members = super().parse_enum_body()
        if not self.inside and members and isinstance(members[0], LeftOut | CompactConstructorDeclaration):
            i = bisect_left(self.starts, members[0].position)
            named = next(self.values[at + 1] for at in range(begin, -1, -1) if self.values[at] == "enum")
            if self.kinds[i] is Identifier and self.values[i] != named and self.values[i + 1] in _AFTER_CONSTANT:
                self.i = i
                raise JavaSyntaxError("An enum constant or a member is not one", self.starts[i])
        return constants, members

    def parse_block(self) -> Block:
        self.inside += 1
        block = super().parse_block()
        self.inside -= 1
        return block

    def parse_class_body(self) -> ClassBody:
        self.inside += 1
        body = super().parse_class_body()
        self.inside -= 1
        return body

    def parse_body(self) -> Block | LeftOut:
        if self.inside or self.values[self.i] != "{":
            return self.parse_block()
        begin, start = self.i, self.starts[self.i]
        found = self.attempt(self.parse_block)
        if isinstance(found, Block):
            return found
        self.i = self.braces.get(begin, self.end - 1) + 1
        self.omit(found.at, f"The body of a method is left out: {found.description}")
        return LeftOut(start, self.last_end(), "body", "")

    # Places

    def leave_out(self, begin: int, error: JavaSyntaxError, what: str) -> None:
        """Note what is left out, and go on behind the member that begins at the token `begin`."""
        self.omit(error.at, f"{what} is left out: {error.description}")
        self.i = self.end_of_member(begin, self.i)

    def end_of_member(self, begin: int, failed: int) -> int:
        """Return the index after the member that begins at a token and failed at another one.

        It ends with a `;` or a block, after which a line ends, or before the `}` of the type around it, or where it
        failed if that is a word at the beginning of a line with which only another member begins. Where braces do not
        match, what is indented more than its beginning belongs to it.
        """
        values = self.values
        i = begin
        while i < self.end and values[i] != "}":
            value = values[i]
            if i == failed > begin and value in _MEMBER_WORDS and self.is_first(i) and not self.is_within(begin, i):
                return i
            if value == "{":
                if i not in self.braces:
                    return self.end
                i = self.braces[i]
            i += 1
            ends = value in (";", "{") and i > failed and (values[i] == "}" or self.is_first(i))
            if ends and not self.is_within(begin, i):
                break
        return max(i, begin + 1) if i < self.end or begin >= self.end else i

    def is_first(self, i: int) -> bool:
        """Return whether the token `i` is the first in its line."""
        return i == 0 or self.starts[i][0] > self.ends[i - 1][0]

    def is_within(self, begin: int, i: int) -> bool:
        """Return whether braces do not match, and the line of the token `i` is indented more than that of `begin`."""
        if self.indents is None or not self.is_first(begin) or not self.is_first(i) or i >= self.end:
            return False
        return self.indents.of(self.starts[i][0]) > self.indents.of(self.starts[begin][0])


_AFTER_IMPORT = frozenset([";", "import", "class", "interface", "enum", "@", "public", "abstract", "final"])
_AFTER_CONSTANT = frozenset(["{", "(", ",", ";"])
_AFTER_NAME = frozenset(["=", ",", ";", "["])
_AFTER_WORDS = frozenset(["(", "{", "=", ";"])
_MEMBER_WORDS = frozenset(["public", "protected", "private", "static"])
_AFTER_TYPE_NAME = frozenset(["{", "<", "extends", "implements", "permits"])
_TYPE_WORDS = frozenset(["class", "interface", "enum"])
