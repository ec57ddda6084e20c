"""The Java parser: a subclass of javalang's, for Java 8 to 25, that builds the nodes of `ladder.frontends.java.tree`.

Every production of javalang 0.13 that loses, misreads or refuses something is replaced, and each node gets its start
and end. This file holds compilation units, modules, type declarations and members; the parser's base classes hold the
rest.
"""

from __future__ import annotations

import javalang.parser
from javalang.tokenizer import EndOfInput, Identifier, Modifier

from ladder.frontends.java.parser_statements import StatementParser
from ladder.frontends.java.tree import (
    Annotation,
    AnnotationDeclaration,
    ArrayType,
    Block,
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
    LeftOut,
    Member,
    MethodDeclaration,
    ModuleDeclaration,
    ModuleDirective,
    PackageDeclaration,
    Parameter,
    Position,
    PrimitiveType,
    ReceiverParameter,
    RecordDeclaration,
    Type,
    TypeDeclaration,
    TypeParameter,
    VariableDeclarator,
    implicit_class,
    with_dimensions,
)

JavaSyntaxError = javalang.parser.JavaSyntaxError


class JavaParser(StatementParser):
    """Parser of one file's tokens; `parse()` returns its tree or raises JavaSyntaxError (`description`, `at`)."""

    # Compilation unit

    def parse_compilation_unit(self) -> CompilationUnit:
        try:
            return self.parse_unit()
        except IndexError:
            self.i = len(self.values) - 1
            self.illegal("Unexpected end")

    def parse_unit(self) -> CompilationUnit:
        package = self.parse_package_declaration()
        imports = self.parse_imports()
        module = self.parse_module_declaration() if self.at_module() else None
        types, members = self.parse_top_level(package is None and module is None)
        if members:
            types = [implicit_class(members, self.values)]
        end = self.ends[max(self.i - 1, 0)]
        return CompilationUnit(self.starts[0], end, package, imports, types, module, bool(members))

    def parse_top_level(self, may_be_compact: bool) -> tuple[list[TypeDeclaration], list[Member]]:
        """Parse all declarations of a file; return its types and, of a compact source file, all of them as members."""
        types: list[TypeDeclaration] = []
        others: list[Member] = []
        members: list[Member] = []
        while self.kinds[self.i] is not EndOfInput:
            if self.try_accept(";"):
                continue
            start = self.starts[self.i]
            modifiers, annotations = self.parse_modifiers()
            if self.at_type_declaration() or not may_be_compact:
                types.append(self.parse_type_declaration_at(start, modifiers, annotations))
                members.append(types[-1])
            else:
                type_parameters = self.parse_type_parameters()
                if not self.at_method_or_field():
                    self.illegal(f"{_EXPECTED_TYPE}, or a method or field")
                others.append(self.parse_method_or_field(start, modifiers, annotations, type_parameters))
                members.append(others[-1])
        if others and not any(isinstance(other, MethodDeclaration) for other in others):
            self.illegal("Fields outside of a class need a method beside them", others[0].position)
        return types, members if others else []

    def parse_package_declaration(self) -> PackageDeclaration | None:
        after = self.skip_annotations(self.i)
        if self.values[after] != "package":
            return None
        start = self.starts[self.i]
        annotations = self.parse_annotations()
        self.i += 1
        name_position = self.starts[self.i]
        name = self.parse_qualified_identifier()
        self.accept(";")
        return PackageDeclaration(start, self.last_end(), annotations, name, name_position)

    def parse_imports(self) -> list[Import]:
        imports = []
        while True:
            if self.values[self.i] == "import":
                imports.append(self.parse_import_declaration())
            elif not self.try_accept(";"):
                return imports

    def parse_import_declaration(self) -> Import:
        start = self.starts[self.i]
        self.accept("import")
        static = self.try_accept("static")
        module = not static and self.values[self.i] == "module" and self.kinds[self.i + 1] is Identifier
        self.i += module
        name = self.parse_qualified_identifier()
        wildcard = not module and self.try_accept(".")
        if wildcard:
            self.accept("*")
        self.accept(";")
        return Import(start, self.last_end(), name, static, wildcard, module)

    def at_module(self) -> bool:
        i = self.skip_annotations(self.i)
        if self.values[i] == "open":
            i += 1
        return self.values[i] == "module" and self.kinds[i + 1] is Identifier

    def parse_module_declaration(self) -> ModuleDeclaration:
        start = self.starts[self.i]
        annotations = self.parse_annotations()
        is_open = self.try_accept("open")
        self.accept("module")
        name_position = self.starts[self.i]
        name = self.parse_qualified_identifier()
        self.accept("{")
        directives = []
        while not self.try_accept("}"):
            directives.append(self.parse_module_directive())
        return ModuleDeclaration(start, self.last_end(), annotations, is_open, name, name_position, directives)

    def parse_module_directive(self) -> ModuleDirective:
        start = self.starts[self.i]
        kind = self.values[self.i]
        if kind not in ("requires", "exports", "opens", "uses", "provides"):
            self.illegal("Expected a module directive")
        self.i += 1
        modifiers = []
        while kind == "requires" and self.values[self.i] in ("transitive", "static") and self.values[self.i + 1] != ";":
            modifiers.append(self.values[self.i])
            self.i += 1
        name = self.parse_qualified_identifier()
        targets = []
        if self.values[self.i] in ("to", "with"):
            self.i += 1
            targets.append(self.parse_qualified_identifier())
            while self.try_accept(","):
                targets.append(self.parse_qualified_identifier())
        self.accept(";")
        return ModuleDirective(start, self.last_end(), kind, modifiers, name, targets)

    def at_method_or_field(self) -> bool:
        """Return whether a type, a name, and what goes on in a method or field follow."""
        after = self.skip_annotations(self.i)
        after = after + 1 if self.values[after] == "void" else self.skip_type(self.i)
        return after > 0 and self.kinds[after] is Identifier and self.values[after + 1] in _AFTER_MEMBER_NAME

    # Type declarations

    def parse_modifiers(self) -> tuple[list[str], list[Annotation]]:
        modifiers: list[str] = []
        annotations: list[Annotation] = []
        while True:
            i = self.i
            if self.kinds[i] is Modifier:
                modifiers.append(self.values[i])
                self.i += 1
            elif self.values[i] == "@" and self.values[i + 1] != "interface":
                annotations.append(self.parse_annotation())
            elif self.values[i] == "non" and self.at_modified_declaration():
                modifiers.append("non-sealed")
                self.i += 3
            elif self.values[i] == "sealed" and self.at_modified_declaration():
                modifiers.append("sealed")
                self.i += 1
            else:
                return modifiers, annotations

    def parse_variable_modifiers(self) -> tuple[list[str], list[Annotation]]:
        modifiers: list[str] = []
        annotations: list[Annotation] = []
        while True:
            if self.values[self.i] == "final":
                modifiers.append("final")
                self.i += 1
            elif self.values[self.i] == "@":
                annotations.append(self.parse_annotation())
            else:
                return modifiers, annotations

    def at_type_declaration(self) -> bool:
        """Return whether a type declaration begins here, after its modifiers."""
        i = self.i
        value = self.values[i]
        if value == "record":
            return self.kinds[i + 1] is Identifier and self.values[i + 2] in ("(", "<")
        if value == "@":
            return self.values[i + 1] == "interface"
        return value in ("class", "interface", "enum")

    def parse_type_declaration_at(
        self, start: Position, modifiers: list[str], annotations: list[Annotation]
    ) -> TypeDeclaration:
        """Parse a type declaration, from its keyword on."""
        if not self.at_type_declaration():
            self.illegal(_EXPECTED_TYPE)
        keyword = self.values[self.i]
        self.i += 2 if keyword == "@" else 1
        name_position = self.starts[self.i]
        name = self.parse_identifier()
        parameters = self.parse_type_parameters()
        head = (modifiers, annotations, name, name_position, parameters)
        if keyword == "class":
            return self.parse_class_rest(start, *head)
        if keyword == "interface":
            extends = self.parse_type_list() if self.try_accept("extends") else []
            permits = self.parse_permits()
            members = self.parse_members()
            return InterfaceDeclaration(start, self.last_end(), *head, members, extends, permits)
        if keyword == "enum":
            implements = self.parse_type_list() if self.try_accept("implements") else []
            constants, members = self.parse_enum_body()
            return EnumDeclaration(start, self.last_end(), *head, members, implements, constants)
        if keyword == "record":
            components = self.parse_parameters()
            implements = self.parse_type_list() if self.try_accept("implements") else []
            members = self.parse_members()
            return RecordDeclaration(start, self.last_end(), *head, members, components, implements)
        members = self.parse_members()
        return AnnotationDeclaration(start, self.last_end(), *head, members)

    def parse_class_rest(
        self,
        start: Position,
        modifiers: list[str],
        annotations: list[Annotation],
        name: str,
        name_position: Position,
        parameters: list[TypeParameter],
    ) -> ClassDeclaration:
        extends = self.parse_type() if self.try_accept("extends") else None
        implements = self.parse_type_list() if self.try_accept("implements") else []
        permits = self.parse_permits()
        members = self.parse_members()
        return ClassDeclaration(
            start, self.last_end(), modifiers, annotations, name, name_position, parameters, members,
            extends, implements, permits,
        )  # fmt: skip

    def parse_permits(self) -> list[Type]:
        return self.parse_type_list() if self.try_accept("permits") else []

    def parse_enum_body(self) -> tuple[list[EnumConstant], list[Member]]:
        self.accept("{")
        constants = []
        self.try_accept(",")
        while self.values[self.i] not in (";", "}"):
            constants.append(self.parse_enum_constant())
            if not self.try_accept(","):
                break
        if self.try_accept(";"):
            return constants, self.parse_members_rest()
        self.accept("}")
        return constants, []

    def parse_enum_constant(self) -> EnumConstant:
        start = self.starts[self.i]
        annotations = self.parse_annotations()
        name_position = self.starts[self.i]
        name = self.parse_identifier()
        arguments = self.parse_arguments() if self.values[self.i] == "(" else []
        body = self.parse_class_body() if self.values[self.i] == "{" else None
        return EnumConstant(start, self.last_end(), annotations, name, name_position, arguments, body)

    def parse_class_body(self) -> ClassBody:
        start = self.starts[self.i]
        before, self.no_arrow = self.no_arrow, False
        inside, self.in_switch = self.in_switch, 0
        members = self.parse_members()
        self.no_arrow, self.in_switch = before, inside
        return ClassBody(start, self.last_end(), members)

    def parse_body(self) -> Block | LeftOut:
        """Parse the body of a method or constructor."""
        return self.parse_block()

    # Members

    def parse_members(self) -> list[Member]:
        """Parse the members of a type with their braces, `{…}`."""
        self.accept("{")
        return self.parse_members_rest()

    def parse_members_rest(self) -> list[Member]:
        members: list[Member] = []
        self.enter_body()
        while not self.try_accept("}"):
            if not self.try_accept(";"):
                members.append(self.parse_member_declaration())
        self.bodies -= 1
        return members

    def parse_member_declaration(self) -> Member:
        start = self.starts[self.i]
        is_static = self.values[self.i] == "static" and self.values[self.i + 1] == "{"
        if is_static or self.values[self.i] == "{":
            self.i += is_static
            body = self.parse_block()
            return Initializer(start, self.last_end(), is_static, body)
        modifiers, annotations = self.parse_modifiers()
        if self.at_type_declaration():
            return self.parse_type_declaration_at(start, modifiers, annotations)
        type_parameters = self.parse_type_parameters()
        if type_parameters and self.values[self.i] == "@":
            after = self.skip_annotations(self.i)
            if self.kinds[after] is Identifier and self.values[after + 1] == "(":
                annotations += self.parse_annotations()
        if self.kinds[self.i] is Identifier:
            if self.values[self.i + 1] == "(":
                return self.parse_constructor(start, modifiers, annotations, type_parameters)
            if self.values[self.i + 1] == "{":
                return self.parse_compact_constructor(start, modifiers, annotations)
        return self.parse_method_or_field(start, modifiers, annotations, type_parameters)

    def parse_constructor(
        self, start: Position, modifiers: list[str], annotations: list[Annotation], type_parameters: list[TypeParameter]
    ) -> ConstructorDeclaration:
        name_position = self.starts[self.i]
        name = self.parse_identifier()
        receiver, parameters = self.parse_formal_parameters()
        throws = self.parse_type_list() if self.try_accept("throws") else []
        body = self.parse_body()
        return ConstructorDeclaration(
            start, self.last_end(), modifiers, annotations, type_parameters, name, name_position,
            receiver, parameters, throws, body,
        )  # fmt: skip

    def parse_compact_constructor(
        self, start: Position, modifiers: list[str], annotations: list[Annotation]
    ) -> CompactConstructorDeclaration:
        name_position = self.starts[self.i]
        name = self.parse_identifier()
        body = self.parse_body()
        return CompactConstructorDeclaration(start, self.last_end(), modifiers, annotations, name, name_position, body)

    def parse_method_or_field(
        self, start: Position, modifiers: list[str], annotations: list[Annotation], type_parameters: list[TypeParameter]
    ) -> MethodDeclaration | FieldDeclaration:
        type = self.parse_return_type()
        if self.values[self.i + 1] != "(":
            if isinstance(type, PrimitiveType) and type.name == "void":
                self.i += 1
                self.illegal("Expected (")
            declarators: list[VariableDeclarator] = self.parse_variable_declarators()
            self.accept(";")
            return FieldDeclaration(start, self.last_end(), modifiers, annotations, type, declarators)
        name_position = self.starts[self.i]
        name = self.parse_identifier()
        receiver, parameters = self.parse_formal_parameters()
        type = with_dimensions(type, *self.parse_dimensions_after_name())
        throws = self.parse_type_list() if self.try_accept("throws") else []
        default = self.parse_element_value() if self.try_accept("default") else None
        body: Block | LeftOut | None = None
        if self.values[self.i] == "{":
            body = self.parse_body()
        else:
            self.accept(";")
        return MethodDeclaration(
            start, self.last_end(), modifiers, annotations, type_parameters, type, name, name_position,
            receiver, parameters, throws, body, default,
        )  # fmt: skip

    # Parameters

    def parse_formal_parameters(self) -> tuple[ReceiverParameter | None, list[Parameter]]:
        """Parse the parameters of a method or constructor, `(…)`, of which the first may be the receiver."""
        receiver = None
        parameters: list[Parameter] = []
        self.accept("(")
        while self.values[self.i] != ")":
            start = self.starts[self.i]
            modifiers, annotations = self.parse_variable_modifiers()
            type = self.parse_type()
            if self.values[self.i] == "this" or self.values[self.i + 1] == ".":
                if receiver or parameters:
                    self.illegal("A receiver parameter must be the first one", start)
                receiver = self.parse_receiver(start, annotations, type)
            else:
                parameters.append(self.parse_parameter_rest(start, modifiers, annotations, type))
            if self.values[self.i] != ")":
                self.accept(",")
                if self.values[self.i] == ")":
                    self.illegal("Expected a parameter")
        self.i += 1
        return receiver, parameters

    def parse_parameters(self) -> list[Parameter]:
        """Parse the parameters of a record or lambda, `(…)`."""
        receiver, parameters = self.parse_formal_parameters()
        if receiver:
            self.illegal("A receiver parameter belongs to a method", receiver.position)
        for parameter in parameters:
            if parameter.type:
                parameter.type = self.infer(parameter.type)
        return parameters

    def parse_parameter_rest(
        self, start: Position, modifiers: list[str], annotations: list[Annotation], type: Type
    ) -> Parameter:
        """Parse what follows the type of a parameter."""
        varargs_annotations = self.parse_annotations() if self.values[self.i] == "@" else []
        varargs = self.try_accept("...")
        if varargs:
            type = with_dimensions(type, 1, varargs_annotations)
            assert isinstance(type, ArrayType)
            type.end = self.last_end()
        return self.parse_named_parameter(start, modifiers, annotations, type, varargs)

    def parse_receiver(self, start: Position, annotations: list[Annotation], type: Type) -> ReceiverParameter:
        qualifier = []
        while self.values[self.i] != "this":
            qualifier.append(self.parse_identifier())
            self.accept(".")
        self.i += 1
        return ReceiverParameter(start, self.last_end(), annotations, type, ".".join(qualifier))


_EXPECTED_TYPE = "Expected a class, interface, enum, record or annotation declaration"
_AFTER_MEMBER_NAME = frozenset(["(", "=", ";", ",", "["])
