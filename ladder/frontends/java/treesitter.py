"""tree-sitter-java's concrete syntax → the nodes of `ladder.frontends.java.tree`; this is the fallback of our parser,
and what the tests compare it with.

`parse` refuses a file in which tree-sitter has found errors. This file converts compilation units, type declarations
and members; its base classes convert the rest.
"""

from __future__ import annotations

import re

import tree_sitter
import tree_sitter_java
from javalang.parser import JavaSyntaxError

from ladder.frontends.java.lexer import JavaLexer, SourceText
from ladder.frontends.java.limits import Budget
from ladder.frontends.java.tree import (
    Annotation,
    AnnotationDeclaration,
    ArrayType,
    ClassBody,
    ClassDeclaration,
    CompactConstructorDeclaration,
    CompilationUnit,
    ConstructorDeclaration,
    EnumConstant,
    EnumDeclaration,
    FieldDeclaration,
    Import,
    Initializer,
    InterfaceDeclaration,
    Member,
    MethodDeclaration,
    ModuleDeclaration,
    ModuleDirective,
    PackageDeclaration,
    Parameter,
    ReceiverParameter,
    RecordDeclaration,
    Type,
    TypeDeclaration,
    implicit_class,
    with_dimensions,
)
from ladder.frontends.java.treesitter_statements import StatementConverter
from ladder.frontends.java.treesitter_types import ANNOTATIONS, Syntax
from ladder.support.children import succeeds_apart

TRIED_SECONDS = 60
TRIED_MEMORY = 256 << 20
TRIED_MEMORY_PER_CHARACTER = 256
"""What the process that tries tree-sitter may take: processor time, and bytes beyond those of this process, of which a
tree takes up to two hundred for each character."""
_PIECE = 1 << 16
_ASKED = 64
"""Questions of tree-sitter whether to go on between two looks at the clock."""
_QUESTIONS = 1000
"""Questions that it may ask, and one for every two bytes: some fifty times what a text takes in which nothing is
ambiguous."""
_LINE_END = re.compile(r"\\u+000[aAdD]")  # ends line comments, too
_DELIMITING = re.compile(rb"\\u+00(2[27aAfF]|5[cC])")
_HARMLESS = {
    "line_comment": (b"22", b"27", b"5c"),
    "block_comment": (b"22", b"27", b"5c"),
    "string_literal": (b"27", b"2a", b"2f"),
    "character_literal": (b"22", b"2a", b"2f"),
}
"""Characters whose escapes mean nothing else in what tree-sitter took for a comment or a literal."""
_LONE_RETURN = re.compile(r"\r(?!\n)")
LANGUAGE = tree_sitter.Language(tree_sitter_java.language())


def is_readable(source: SourceText, budget: Budget) -> bool:
    """Return whether tree-sitter finds no error in a file.

    Between two questions whether to go on, it may take time and memory that grow with the square of the number of
    errors that it has passed over, gigabytes for 30,000 characters; so this is tried in a process of its own.
    """
    memory = TRIED_MEMORY + TRIED_MEMORY_PER_CHARACTER * len(source.text)
    return succeeds_apart(lambda: not parse_syntax(source, budget)[2].has_error, TRIED_SECONDS, memory)


def parse(source: SourceText, budget: Budget | None = None) -> CompilationUnit:
    """Return the file's tree, made by tree-sitter; raise JavaSyntaxError (`description`, `at`) if it found an error."""
    budget = budget or Budget()
    original = source
    source, encoded, root = parse_syntax(source, budget)
    converter = Converter(source, encoded, budget)
    if root.has_error:
        wrong = _first_error(root)
        what = f"Missing {wrong.type}" if wrong.is_missing else "Syntax error"
        raise JavaSyntaxError(what, converter.start(wrong))
    return converter.compilation_unit(root, original)


def parse_syntax(source: SourceText, budget: Budget) -> tuple[SourceText, bytes, Syntax]:
    """Return what tree-sitter was given, as text and as bytes, and the root of its tree.

    Unicode escapes are left as they are if tree-sitter can read them (it can in literals, but not elsewhere) and none
    of them may end a comment or a literal; otherwise they are translated, which may give a line end or NUL. Lone
    surrogates, which UTF-8 cannot represent, become `?`; a lone carriage return, which does not end line comments for
    tree-sitter, becomes a line feed.
    """
    candidates = [source]
    if source.translated and source.is_java and not _LINE_END.search(source.raw):
        candidates.insert(0, SourceText(source.raw, translate=False))
    for candidate in candidates:
        encoded = _LONE_RETURN.sub("\n", candidate.text).encode("utf-8", "replace")
        try:
            root = _parse_within(candidate, encoded, budget)
        except JavaSyntaxError:
            if candidate is candidates[-1]:
                raise
            continue
        if not root.has_error and (candidate.translated or not _is_misread(encoded, root)):
            break
    return candidate, encoded, root


def _is_misread(encoded: bytes, root: Syntax) -> bool:
    """Return whether an escape, which tree-sitter does not translate, may end a comment or a literal of its tree."""
    for escape in _DELIMITING.finditer(encoded):
        node = root.descendant_for_byte_range(escape.start(), escape.start())
        while node is not None and node.type not in _HARMLESS:
            node = node.parent
        if node is None or escape[1].lower() not in _HARMLESS[node.type]:
            return True
    return False


def _parse_within(source: SourceText, encoded: bytes, budget: Budget) -> Syntax:
    """Return the root of tree-sitter's tree; raise JavaSyntaxError if it takes long to recover from errors.

    Tree-sitter calls `stop` now and then if it is given its text in pieces.
    """
    asked = place = 0
    most = _QUESTIONS + len(encoded) // 2

    def read(offset: int, point: object) -> bytes:
        return encoded[offset : offset + _PIECE]

    def stop(offset: int, has_error: bool) -> bool:
        nonlocal asked, place
        asked, place = asked + 1, offset
        return asked > most or (asked % _ASKED == 0 and budget.is_late())

    try:
        return tree_sitter.Parser(LANGUAGE).parse(read, progress_callback=stop).root_node
    except ValueError:
        budget.check_time()
        before = encoded[:place].decode("utf-8", "replace")
        raise JavaSyntaxError("Syntax error", source.position(len(before))) from None


def _first_error(root: Syntax) -> Syntax:
    node = root
    while not (node.is_error or node.is_missing):
        inner = next((child for child in node.children if child.has_error or child.is_missing), None)
        if inner is None:
            break
        node = inner
    return node


class Converter(StatementConverter):
    """The converter of whole files."""

    def compilation_unit(self, root: Syntax, original: SourceText) -> CompilationUnit:
        """Convert a file; `original` is its text with escapes translated: the class of a compact source file is named
        after its tokens."""
        kids = self.kids(root)
        package, module = None, None
        imports: list[Import] = []
        types: list[TypeDeclaration] = []
        members: list[Member] = []
        for child in kids:
            if child.type == "package_declaration":
                package = self.package_declaration(child)
            elif child.type == "import_declaration":
                imports.append(self.import_declaration(child))
            elif child.type == "module_declaration":
                module = self.module_declaration(child)
            elif child.type != ";":
                member = self.top_level_member(child)
                members.append(member)
                if isinstance(member, TypeDeclaration):
                    types.append(member)
                elif package or module:
                    self.unsupported(child)
        compact = len(types) < len(members)
        if compact:
            if not any(isinstance(member, MethodDeclaration) for member in members):
                raise JavaSyntaxError("Fields outside of a class need a method beside them", members[0].position)
            types = [implicit_class(members, JavaLexer(original).tokenize().values)]
        at_end = self.source.position(len(self.source.text))
        start, end = (self.start(kids[0]), self.end(kids[-1])) if kids else (at_end, at_end)
        return CompilationUnit(start, end, package, imports, types, module, compact)

    def top_level_member(self, syntax: Syntax) -> Member:
        """Convert a type declaration, or a method or field of a compact source file; tree-sitter takes the latter for
        local variables."""
        if syntax.type == "method_declaration":
            return self.method(syntax)
        if syntax.type == "local_variable_declaration":
            return self.fields(syntax)
        declaration = self.type_declaration(syntax)
        if declaration is None:
            self.unsupported(syntax)
        return declaration

    def package_declaration(self, syntax: Syntax) -> PackageDeclaration:
        name = self.named(syntax)[-1]
        return PackageDeclaration(*self.span(syntax), self.annotations(syntax), self.dotted(name), self.start(name))

    def import_declaration(self, syntax: Syntax) -> Import:
        static, wildcard = self.find(syntax, "static"), self.find(syntax, "asterisk")
        name = self.dotted(self.named(syntax)[0])
        return Import(*self.span(syntax), name, static is not None, wildcard is not None, False)

    def module_declaration(self, syntax: Syntax) -> ModuleDeclaration:
        name = self.field(syntax, "name")
        directives = [self.module_directive(child) for child in self.named(self.field(syntax, "body"))]
        return ModuleDeclaration(
            *self.span(syntax), self.annotations(syntax), self.find(syntax, "open") is not None,
            self.dotted(name), self.start(name), directives,
        )  # fmt: skip

    def module_directive(self, syntax: Syntax) -> ModuleDirective:
        kids = self.named(syntax)
        modifiers = [self.text(child) for child in kids if child.type == "requires_modifier"]
        name, *targets = [self.dotted(child) for child in kids if child.type != "requires_modifier"]
        return ModuleDirective(*self.span(syntax), syntax.children[0].type, modifiers, name, targets)

    # Type declarations

    def type_declaration(self, syntax: Syntax) -> TypeDeclaration | None:
        """Return the declaration that `syntax` is, or None if it is something else."""
        if syntax.type not in _TYPE_DECLARATIONS:
            return None
        modifiers, annotations = self.modifiers(syntax)
        name, body = self.field(syntax, "name"), self.field(syntax, "body")
        if syntax.type == "enum_declaration":
            members = self.members(self.find(body, "enum_body_declarations"))
        else:
            members = self.members(body)
        head = (
            *self.span(syntax), modifiers, annotations, self.text(name), self.start(name),
            self.type_parameters(syntax), members,
        )  # fmt: skip
        implements = self.type_list(syntax, "super_interfaces")
        if syntax.type == "class_declaration":
            superclass = self.find(syntax, "superclass")
            extends = self.type_child(superclass) if superclass else None
            return ClassDeclaration(*head, extends, implements, self.type_list(syntax, "permits"))
        if syntax.type == "interface_declaration":
            extended = self.type_list(syntax, "extends_interfaces")
            return InterfaceDeclaration(*head, extended, self.type_list(syntax, "permits"))
        if syntax.type == "enum_declaration":
            constants = [self.enum_constant(child) for child in body.children if child.type == "enum_constant"]
            return EnumDeclaration(*head, implements, constants)
        if syntax.type == "record_declaration":
            return RecordDeclaration(*head, self.parameters(self.field(syntax, "parameters")), implements)
        return AnnotationDeclaration(*head)

    def type_list(self, syntax: Syntax, clause: str) -> list[Type]:
        """Return the types of a clause among the children; none if the clause is not there."""
        found = self.find(syntax, clause)
        return [self.type(child) for child in self.named(self.named(found)[0])] if found else []

    def enum_constant(self, syntax: Syntax) -> EnumConstant:
        _, annotations = self.modifiers(syntax)
        name = self.field(syntax, "name")
        arguments, body = syntax.child_by_field_name("arguments"), syntax.child_by_field_name("body")
        return EnumConstant(
            *self.span(syntax), annotations, self.text(name), self.start(name),
            self.expressions(arguments) if arguments else [], self.class_body(body) if body else None,
        )  # fmt: skip

    def class_body(self, syntax: Syntax) -> ClassBody:
        return ClassBody(*self.span(syntax), self.members(syntax))

    # Members

    def members(self, syntax: Syntax | None) -> list[Member]:
        if syntax is None:
            return []
        self.enter_body(syntax)
        members = [self.member(child) for child in self.named(syntax)]
        self.bodies -= 1
        return members

    def member(self, syntax: Syntax) -> Member:
        kind = syntax.type
        if kind in ("field_declaration", "constant_declaration"):
            return self.fields(syntax)
        if kind in ("method_declaration", "annotation_type_element_declaration"):
            return self.method(syntax)
        if kind == "constructor_declaration":
            return self.constructor(syntax)
        if kind == "compact_constructor_declaration":
            modifiers, annotations = self.modifiers(syntax)
            name = self.field(syntax, "name")
            body = self.block(self.field(syntax, "body"))
            return CompactConstructorDeclaration(
                *self.span(syntax), modifiers, annotations, self.text(name), self.start(name), body
            )
        if kind == "block":
            return Initializer(*self.span(syntax), False, self.block(syntax))
        if kind == "static_initializer":
            return Initializer(*self.span(syntax), True, self.block(self.named(syntax)[0]))
        declaration = self.type_declaration(syntax)
        if declaration is None:
            self.unsupported(syntax)
        return declaration

    def fields(self, syntax: Syntax) -> FieldDeclaration:
        modifiers, annotations = self.modifiers(syntax)
        type = self.type(self.field(syntax, "type"))
        return FieldDeclaration(*self.span(syntax), modifiers, annotations, type, self.declarators(syntax))

    def method(self, syntax: Syntax) -> MethodDeclaration:
        modifiers, annotations = self.modifiers(syntax)
        name, body = self.field(syntax, "name"), syntax.child_by_field_name("body")
        default = syntax.child_by_field_name("value")
        parameters = syntax.child_by_field_name("parameters")
        return_type = self.type(self.field(syntax, "type"), self.annotations_before_type(syntax))
        return MethodDeclaration(
            *self.span(syntax),
            modifiers,
            annotations,
            self.type_parameters(syntax),
            with_dimensions(return_type, *self.dimensions(syntax)),
            self.text(name),
            self.start(name),
            self.receiver(parameters) if parameters else None,
            self.parameters(parameters) if parameters else [],
            self.throws(syntax),
            self.block(body) if body else None,
            self.element_value(default) if default else None,
        )

    def annotations_before_type(self, syntax: Syntax) -> list[Annotation]:
        """Return the annotations between a method's type parameters and its return type; an annotation that is the
        `default` value is not among them."""
        type_start = self.field(syntax, "type").start_byte
        return [
            self.annotation(child)
            for child in syntax.children
            if child.type in ANNOTATIONS and child.start_byte < type_start
        ]

    def constructor(self, syntax: Syntax) -> ConstructorDeclaration:
        modifiers, annotations = self.modifiers(syntax)
        name, parameters = self.field(syntax, "name"), self.field(syntax, "parameters")
        return ConstructorDeclaration(
            *self.span(syntax),
            modifiers,
            annotations,
            self.type_parameters(syntax),
            self.text(name),
            self.start(name),
            self.receiver(parameters),
            self.parameters(parameters),
            self.throws(syntax),
            self.block(self.field(syntax, "body")),
        )

    def throws(self, syntax: Syntax) -> list[Type]:
        clause = self.find(syntax, "throws")
        return [self.type(child) for child in self.named(clause)] if clause else []

    # Parameters

    def parameters(self, syntax: Syntax) -> list[Parameter]:
        parameters = []
        for child in self.named(syntax):
            if child.type == "formal_parameter":
                if not self.is_receiver(child):
                    parameters.append(self.parameter(child))
            elif child.type == "spread_parameter":
                parameters.append(self.spread_parameter(child))
            elif child.type != "receiver_parameter":
                self.unsupported(child)
        return parameters

    def spread_parameter(self, syntax: Syntax) -> Parameter:
        modifiers, annotations = self.modifiers(syntax)
        dots, declarator = self.find(syntax, "..."), self.find(syntax, "variable_declarator")
        if dots is None or declarator is None:
            self.unsupported(syntax)
        array = with_dimensions(self.type_child(syntax), 1, self.annotations(syntax))
        assert isinstance(array, ArrayType)
        array.end = self.end(dots)
        name = self.field(declarator, "name")
        type = with_dimensions(array, *self.dimensions(declarator))
        return Parameter(*self.span(syntax), modifiers, annotations, type, self.text(name), self.start(name), True)

    def is_receiver(self, syntax: Syntax) -> bool:
        """Return whether a formal parameter is `@A T this`, which tree-sitter sometimes takes for an ordinary one."""
        return self.text(self.field(syntax, "name")) == "this"

    def receiver(self, syntax: Syntax) -> ReceiverParameter | None:
        for child in self.named(syntax):
            if child.type == "receiver_parameter":
                names = [self.text(name) for name in child.children if name.type == "identifier"]
                annotations = self.annotations(child)
                return ReceiverParameter(*self.span(child), annotations, self.type_child(child), ".".join(names))
            if child.type == "formal_parameter" and self.is_receiver(child):
                _, annotations = self.modifiers(child)
                return ReceiverParameter(*self.span(child), annotations, self.type(self.field(child, "type")), "")
        return None


_TYPE_DECLARATIONS = frozenset(
    f"{kind}_declaration" for kind in ("class", "interface", "enum", "record", "annotation_type")
)
