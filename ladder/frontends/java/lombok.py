"""What Lombok adds to the types of a file: accessors, constructors, builders, loggers, and the methods of Object.

Lombok is an annotation processor: code calls members that no source file declares. Where a file's imports say that an
annotation is Lombok's, the members that it stands for are written as source text, parsed, and added to the tree, at the
place of the annotation's type or field and with the modifier `synthetic`. As Lombok does, a member is only added if the
type declares none with its name. A file that uses none of this stays as it is.

    @Getter private final List<T> names;    →    public List<T> getNames() { return this.names; }

Of `equals`, `hashCode` and `toString` it is said that they read all fields, and lazy getters are plain ones. Builders
are written in `lombok_builders`, what changes bodies stands in `lombok_bodies`. Not added: what `@Delegate` stands for,
since it depends on another type. `@SneakyThrows` adds nothing: exceptions pass, declared or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from javalang.parser import JavaSyntaxError

from ladder.frontends.java import tree
from ladder.frontends.java.lexer import JavaLexer, SourceText
from ladder.frontends.java.limits import Budget
from ladder.frontends.java.lombok_bodies import change_bodies, null_check
from ladder.frontends.java.lombok_builders import Part, Style, members, method_name, prepared, singular_of, value
from ladder.frontends.java.parser import JavaParser
from ladder.frontends.java.visit import dump, walk

_ACCESS = {"PUBLIC": "public ", "PROTECTED": "protected ", "PACKAGE": "", "MODULE": "", "PRIVATE": "private "}
_LOGGERS = {
    "Slf4j": ("org.slf4j.Logger", "org.slf4j.LoggerFactory.getLogger({})"),
    "XSlf4j": ("org.slf4j.ext.XLogger", "org.slf4j.ext.XLoggerFactory.getXLogger({})"),
    "Log": ("java.util.logging.Logger", "java.util.logging.Logger.getLogger({}.getName())"),
    "Log4j": ("org.apache.log4j.Logger", "org.apache.log4j.Logger.getLogger({})"),
    "Log4j2": ("org.apache.logging.log4j.Logger", "org.apache.logging.log4j.LogManager.getLogger({})"),
    "CommonsLog": ("org.apache.commons.logging.Log", "org.apache.commons.logging.LogFactory.getLog({})"),
    "JBossLog": ("org.jboss.logging.Logger", "org.jboss.logging.Logger.getLogger({})"),
    "Flogger": ("com.google.common.flogger.FluentLogger", "com.google.common.flogger.FluentLogger.forEnclosingClass()"),
}
_PRIMITIVES = frozenset(["boolean", "byte", "char", "short", "int", "long", "float", "double"])
_KNOWN = frozenset(_LOGGERS) | {
    "Getter", "Setter", "Data", "Value", "Builder", "With", "ToString", "EqualsAndHashCode", "NoArgsConstructor",
    "RequiredArgsConstructor", "AllArgsConstructor", "NonNull", "Accessors", "NonFinal", "val", "var", "SuperBuilder",
    "Singular", "FieldDefaults", "UtilityClass", "PackagePrivate", "Cleanup", "Synchronized",
}  # fmt: skip
_DEFAULT = "Builder.Default"
_PARAMETERS = 255
"""Parameters that a constructor may have in Java."""
_CONSTRUCTORS = ("NoArgsConstructor", "RequiredArgsConstructor", "AllArgsConstructor")
Annotations = dict[str, dict[str, str]]
"""Lombok's annotations by name, each with the text of its elements."""


@dataclass(frozen=True, slots=True)
class _Field:
    """A field as Lombok sees it; `type` is its text."""

    name: str
    type: str
    static: bool
    final: bool
    initialised: bool
    annotations: Annotations
    at: tree.Position
    default: bool = False

    @property
    def suffix(self) -> str:
        """The name after `get` and `set`: of a boolean field `isOpen` that is Open."""
        name = self.name
        if self.type == "boolean" and name.startswith("is") and name[2:3].isupper():
            name = name[2:]
        return name[:1].upper() + name[1:]

    @property
    def required(self) -> bool:
        """Whether a constructor for what must be set takes it."""
        wanted = self.final or "NonNull" in self.annotations
        return not self.static and not self.initialised and not self.default and wanted

    @property
    def check(self) -> str:
        """The statement that a setter or constructor begins with, if the field must not be null."""
        return null_check(self.name) if "NonNull" in self.annotations and self.type not in _PRIMITIVES else ""

    @property
    def settable(self) -> bool:
        """Whether a constructor for all fields takes it."""
        return not self.static and not (self.final and self.initialised)


def expand(unit: tree.CompilationUnit, budget: Budget) -> None:
    """Add to the types of a file what Lombok adds to them; may raise LimitReached."""
    names = _Names(unit)
    if names.used:
        for declared in unit.types:
            _expand_type(declared, names, budget)
        if names.of("val") or names.of("var"):
            _infer(unit, names)
        change_bodies(unit, names.annotations, budget)


class _Names:
    """Which simple names of annotations are Lombok's in a file."""

    def __init__(self, unit: tree.CompilationUnit) -> None:
        imports = [node for node in unit.imports if not node.static and node.name.split(".")[0] == "lombok"]
        self.single = {node.name.rpartition(".")[2] for node in imports if not node.wildcard}
        self.all = any(node.wildcard for node in imports)
        self.used = bool(imports)

    def of(self, name: str) -> str:
        """Return Lombok's name of an annotation, "" for one of somebody else."""
        qualifier, _, last = name.rpartition(".")
        if last == "Default":
            outer = self.of(qualifier) if qualifier else ""
            return _DEFAULT if outer in ("Builder", "SuperBuilder") or not qualifier and last in self.single else ""
        if last in _KNOWN and (
            qualifier.split(".")[0] == "lombok" or not qualifier and (self.all or last in self.single)
        ):
            return last
        return ""

    def annotations(self, written: Iterable[tree.Annotation]) -> Annotations:
        """Return Lombok's among annotations."""
        found: Annotations = {}
        for annotation in written:
            if name := self.of(annotation.name):
                found[name] = {element.name: dump(element.value).strip('"') for element in annotation.elements}
        return found


def _expand_type(declared: tree.TypeDeclaration, names: _Names, budget: Budget) -> None:
    for member in declared.members:
        if isinstance(member, tree.TypeDeclaration):
            _expand_type(member, names, budget)
    if any(isinstance(member, tree.LeftOut) and member.kind != "type" for member in declared.members):
        return  # What is left out may declare the same members.
    if isinstance(declared, tree.ClassDeclaration | tree.EnumDeclaration | tree.RecordDeclaration):
        of_type = names.annotations(declared.annotations)
        _modify(declared, of_type, names)
        members = _Members(declared, of_type, names, budget)
        declared.members = [*declared.members, *members.made()]


def _modify(declared: tree.TypeDeclaration, of_type: Annotations, names: _Names) -> None:
    """Give a type and its members the modifiers that `@Value`, `@FieldDefaults` and `@UtilityClass` stand for."""
    if "Value" in of_type or "UtilityClass" in of_type:
        _add_modifiers(declared, "final")
    if "UtilityClass" in of_type:
        for member in declared.members:
            if isinstance(member, tree.FieldDeclaration | tree.MethodDeclaration | tree.TypeDeclaration):
                _add_modifiers(member, "static")
            elif isinstance(member, tree.Initializer):
                member.static = True
    defaults = of_type.get("FieldDefaults", {})
    level = "PRIVATE" if "Value" in of_type else defaults.get("level", "NONE")
    final = "Value" in of_type or defaults.get("makeFinal") == "true"
    for member in declared.members:
        if isinstance(member, tree.FieldDeclaration) and "static" not in member.modifiers:
            own = names.annotations(member.annotations)
            open_ = _ACCESS.keys() & {word.upper() for word in member.modifiers} or "PackagePrivate" in own
            access = "" if open_ else (_access(level) or "").strip()
            member.modifiers = [*([access] if access else []), *member.modifiers]
            if final and "NonFinal" not in own:
                _add_modifiers(member, "final")


def _add_modifiers(node: tree.TypeDeclaration | tree.FieldDeclaration | tree.MethodDeclaration, *words: str) -> None:
    node.modifiers = [*dict.fromkeys([*node.modifiers, *words])]


def _fields(declared: tree.TypeDeclaration, names: _Names) -> Iterator[_Field]:
    for component in getattr(declared, "components", ()):
        yield _Field(component.name, dump(component.type), False, True, False, {}, component.position)
    for member in declared.members:
        if isinstance(member, tree.FieldDeclaration):
            annotations = names.annotations(member.annotations)
            static, final = "static" in member.modifiers, "final" in member.modifiers
            for part in member.declarators:
                type = dump(tree.declared_type(member.type, part))
                initialised = part.initializer is not None
                default = initialised and not static and _DEFAULT in annotations
                if not part.name.startswith("$"):
                    yield _Field(
                        part.name, type, static, final, initialised and not default, annotations, part.position, default
                    )


class _Members:
    """The members that Lombok adds to one type."""

    def __init__(self, declared: tree.TypeDeclaration, annotations: Annotations, names: _Names, budget: Budget) -> None:
        self.budget = budget
        self.declared = declared
        self.names = names
        self.name = declared.name
        self.annotations = annotations
        self.fields = list(_fields(declared, names))
        self.own = [field for field in self.fields if not field.static]
        self.present = {
            member.name.lower() for member in declared.members if isinstance(member, tree.MethodDeclaration)
        }
        self.present |= {
            f"class {member.name.lower()}" for member in declared.members if isinstance(member, tree.TypeDeclaration)
        }
        self.parameters = [_parameter_text(parameter) for parameter in declared.type_parameters]
        self.arguments = [parameter.name for parameter in declared.type_parameters]

    @property
    def type(self) -> str:
        """The type itself, with its type parameters as arguments."""
        return self.name + _angled(self.arguments)

    def has(self, *names: str) -> bool:
        """Return whether the type has one of these annotations."""
        return not self.annotations.keys().isdisjoint(names)

    def made(self) -> Iterator[tree.Member]:
        """Yield the members, parsed."""
        record = isinstance(self.declared, tree.RecordDeclaration)
        at = self.declared.name_position
        if not record:
            for field in self.fields:
                yield from self.parsed(self.accessors(field), field.at)
            yield from self.parsed(self.constructors(), at)
        yield from self.defaults()
        yield from self.parsed(self.of_object(), at)
        yield from self.parsed(self.builders(), at)
        yield from self.parsed(self.logger(), at)
        yield from self.parsed(self.locks(), at)

    def parsed(self, texts: Iterable[tuple[str, str]], at: tree.Position) -> Iterator[tree.Member]:
        """Parse (name, text) of members, `class` and the name for classes; methods whose name the type has already are
        left out, and classes completed."""
        for name, text in texts:
            self.budget.at = at
            if not name or name.lower() not in self.present:
                self.present.add(name.lower())
                self.budget.spend(1, len(text))
                yield from _parse(self.name, text, at)
            else:
                self.complete(name, text, at)

    def complete(self, name: str, text: str, at: tree.Position) -> None:
        """Add the members of a class to the one of this name that the type declares, those that it lacks."""
        written = next(
            (m for m in self.declared.members if isinstance(m, tree.ClassDeclaration) and f"class {m.name}" == name),
            None,
        )
        if written is None:
            return
        self.budget.spend(1, len(text))
        made = next((m for m in _parse(self.name, text, at) if isinstance(m, tree.ClassDeclaration)), None)
        there = {name for member in written.members for name in _declared_names(member)}
        if made is not None:
            written.members += [member for member in made.members if not there & set(_declared_names(member))]

    # Accessors

    def accessors(self, field: _Field) -> Iterator[tuple[str, str]]:
        """The getter, the setter and the `with` method of a field."""
        style = field.annotations.get("Accessors", self.annotations.get("Accessors", {}))
        fluent = style.get("fluent") == "true"
        chained = fluent if "chain" not in style else style["chain"] == "true"
        owner = self.name if field.static else "this"
        static = "static " if field.static else ""
        access = self.access_of("Getter", field, not field.static and self.has("Data", "Value"))
        if access is not None:
            name = field.name if fluent else ("is" if field.type == "boolean" else "get") + field.suffix
            yield name, f"{access}{static}{field.type} {name}() {{ return {owner}.{field.name}; }}"
        access = self.access_of("Setter", field, not field.static and self.has("Data"))
        if access is not None and not field.final:
            name = field.name if fluent else f"set{field.suffix}"
            result, end = (self.type, " return this;") if chained and not field.static else ("void", "")
            body = f"{field.check}{owner}.{field.name} = {field.name};{end}"
            yield ("" if fluent else name), f"{access}{static}{result} {name}({field.type} {field.name}) {{ {body} }}"
        access = self.access_of("With", field, False)
        if access is not None and not field.static and len(self.own) <= _PARAMETERS:
            passed = ", ".join(f"this.{f.name}" if f is not field else f.name for f in self.own if f.settable)
            name = f"with{field.suffix}"
            body = f"return this.{field.name} == {field.name} ? this : new {self.type}({passed});"
            yield name, f"{access}{self.type} {name}({field.type} {field.name}) {{ {body} }}"

    def access_of(self, annotation: str, field: _Field, otherwise: bool) -> str | None:
        """Return the access of a field's accessor; None if it has none."""
        of_type = self.annotations.get(annotation) if not field.static else None
        if isinstance(self.declared, tree.EnumDeclaration) and annotation == "Setter":
            of_type = None
        found = field.annotations.get(annotation, of_type)
        if found is None:
            return "public " if otherwise else None
        return _access(found.get("value", "PUBLIC"))

    # Constructors

    def constructors(self) -> Iterator[tuple[str, str]]:
        """The constructors, and static methods that call them."""
        wanted = {name: self.annotations[name] for name in _CONSTRUCTORS if name in self.annotations}
        explicit = any(isinstance(member, tree.ConstructorDeclaration) for member in self.declared.members)
        if not wanted and not explicit:
            if self.has("Value"):
                wanted = {"AllArgsConstructor": self.of_constructor("Value")}
            elif self.has("Data") and not self.has("Builder"):
                wanted = {"RequiredArgsConstructor": self.of_constructor("Data")}
            elif self.has("UtilityClass"):
                wanted = {"NoArgsConstructor": {"access": "PRIVATE"}}
            elif self.has("Builder"):
                wanted = {"AllArgsConstructor": {"access": "PACKAGE"}}
        made: set[tuple[str, ...]] = set()
        for name, elements in wanted.items():
            fields = {
                "NoArgsConstructor": [],
                "RequiredArgsConstructor": [field for field in self.own if field.required],
                "AllArgsConstructor": [field for field in self.own if field.settable],
            }[name]
            signature = tuple(field.type for field in fields)
            if signature not in made:
                made.add(signature)
                yield from self.constructor(fields, elements)

    def of_constructor(self, annotation: str) -> dict[str, str]:
        """The elements of `@Data` and `@Value` that are about the constructor."""
        found = self.annotations[annotation]
        return {"staticName": found["staticConstructor"]} if "staticConstructor" in found else {}

    def constructor(self, fields: list[_Field], elements: dict[str, str]) -> Iterator[tuple[str, str]]:
        access = _access(elements.get("access", "PUBLIC"))
        if access is None or len(fields) > _PARAMETERS:
            return
        parameters = ", ".join(f"{field.type} {field.name}" for field in fields)
        body = " ".join(f"{field.check}this.{field.name} = {field.name};" for field in fields)
        unset = [field for field in self.own if field.default and field not in fields]
        body += " ".join(f"this.{field.name} = {self.default_of(field)};" for field in unset)
        static = _name(elements, "staticName", "")
        own = "private " if static or isinstance(self.declared, tree.EnumDeclaration) else access
        yield "", f"{own}{self.name}({parameters}) {{ {body} }}"
        if static:
            passed = ", ".join(field.name for field in fields)
            head = f"{access}static {_angled(self.parameters)} {self.type} {static}({parameters})"
            yield static, f"{head} {{ return new {self.type}({passed}); }}"

    # Methods of Object

    def of_object(self) -> Iterator[tuple[str, str]]:
        """`toString`, `equals` and `hashCode`."""
        values = [f"this.{field.name}" for field in self.own]
        if self.has("ToString", "Data", "Value"):
            text = " + ".join([f'"{self.name}"', *values])
            yield "toString", f"public java.lang.String toString() {{ return {text}; }}"
        if self.has("EqualsAndHashCode", "Data", "Value"):
            same = "".join(f" && java.util.Objects.equals(this.{field.name}, that.{field.name})" for field in self.own)
            wild = self.name + _angled(["?"] * len(self.arguments))
            yield (
                "equals",
                (
                    "public boolean equals(java.lang.Object other) { if (!(other instanceof "
                    f"{wild})) return false; {wild} that = ({wild}) other; return true{same}; }}"
                ),
            )
            yield "hashCode", f"public int hashCode() {{ return java.util.Objects.hash({', '.join(values)}); }}"

    # Builders

    def defaults(self) -> Iterator[tree.Member]:
        """The methods that compute what builders take for a field with `@Builder.Default` that is not set: its
        initialiser moves there."""
        for member in self.declared.members:
            for part in member.declarators if isinstance(member, tree.FieldDeclaration) else ():
                field = next((field for field in self.own if field.name == part.name and field.default), None)
                if field is None or part.initializer is None:
                    continue
                head = f"private static {_angled(self.parameters)} {field.type} $default${field.name}()"
                start = "return null;"
                if isinstance(part.initializer, tree.ArrayInitializer):
                    start = f"{field.type} value = null; return value;"
                for method in _parse(self.name, f"{head} {{ {start} }}", field.at):
                    assert isinstance(method, tree.MethodDeclaration) and isinstance(method.body, tree.Block)
                    first = method.body.statements[0]
                    if isinstance(first, tree.Return):
                        assert not isinstance(part.initializer, tree.ArrayInitializer)
                        first.value = part.initializer
                    elif isinstance(first, tree.LocalVariables):
                        first.declarators[0].initializer = part.initializer
                    part.initializer = None
                    yield method

    def default_of(self, field: _Field) -> str:
        return f"{self.name}.{_angled(self.arguments)}$default${field.name}()" if field.default else ""

    def part(self, name: str, type: str, annotations: Annotations, default: str) -> Part:
        singular = annotations.get("Singular")
        one = "" if singular is None else singular.get("value") or singular_of(name)
        return Part(name, type, default, one if one.isidentifier() else "")

    def own_parts(self) -> list[Part]:
        return [
            self.part(field.name, field.type, field.annotations, self.default_of(field))
            for field in self.own
            if field.settable
        ]

    def builders(self) -> Iterator[tuple[str, str]]:
        """The classes that build objects, of the type, by its methods and constructors, and methods that make them."""
        if "Builder" in self.annotations:
            made = f"new {self.type}"
            yield from self.builder(self.annotations["Builder"], self.own_parts(), _Built(made, self.type, self.name))
        for member in self.declared.members:
            if isinstance(member, tree.MethodDeclaration | tree.ConstructorDeclaration):
                elements = self.names.annotations(member.annotations).get("Builder")
                if elements is not None:
                    yield from self.builder(elements, self.parameters_of(member), self.built_by(member))
        if "SuperBuilder" in self.annotations and isinstance(self.declared, tree.ClassDeclaration):
            yield from self.super_builder(self.declared, self.annotations["SuperBuilder"])

    def parameters_of(self, member: tree.MethodDeclaration | tree.ConstructorDeclaration) -> list[Part]:
        return [
            self.part(
                parameter.name,
                dump(parameter.type),
                self.names.annotations(parameter.annotations),
                "",
            )
            for parameter in member.parameters
            if parameter.type is not None
        ]

    def built_by(self, member: tree.MethodDeclaration | tree.ConstructorDeclaration) -> _Built:
        own = [_parameter_text(parameter) for parameter in member.type_parameters]
        if isinstance(member, tree.ConstructorDeclaration):
            return _Built(f"new {self.type}", self.type, self.name, True, own)
        result = dump(member.return_type)
        simple = result.partition("<")[0].rpartition(".")[2].replace("[]", "Array")
        static = "static" in member.modifiers
        call = f"{self.name}.{member.name}" if static else f"{self.name}.this.{member.name}"
        return _Built(call, result, simple[:1].upper() + simple[1:], static, own, not static)

    def builder(self, elements: dict[str, str], parts: list[Part], built: _Built) -> Iterator[tuple[str, str]]:
        if len(parts) > _PARAMETERS:
            return
        of_type = built.own if built.of_method and not built.constructor else [*self.parameters, *built.own]
        if built.inner:
            of_type = built.own
        name = _name(elements, "builderClassName", f"{built.name}Builder")
        builder = name + _angled([parameter.partition(" ")[0] for parameter in of_type])
        access = _access(elements.get("access", "PUBLIC")) or ""
        prefix = _name(elements, "setterPrefix", "")
        style = Style(builder, "this", access, prefix)
        texts = [f"{name}() {{ }}", *(text for part in parts for text in members(part, style))]
        passed = ", ".join(map(value, parts))
        returned = "" if built.result == "void" else "return "
        body = " ".join([*filter(None, map(prepared, parts)), f"{returned}{built.call}({passed});"])
        texts.append(f"{access}{built.result} {_name(elements, 'buildMethodName', 'build')}() {{ {body} }}")
        static = "" if built.inner else "static "
        yield f"class {name}", f"{access}{static}class {name}{_angled(of_type)} {{ {' '.join(texts)} }}"
        start = _name(elements, "builderMethodName", "builder")
        if start:
            own = _angled(of_type)
            yield start, f"{access}{static}{own} {builder} {start}() {{ return new {builder}(); }}"
        fields = {field.name for field in self.own}
        if elements.get("toBuilder") == "true" and all(part.name in fields for part in parts):
            sets = " ".join(_set(part, "builder", f"this.{part.name}", prefix) for part in parts)
            yield (
                "toBuilder",
                f"{access}{builder} toBuilder() {{ {builder} builder = new {builder}(); {sets} return builder; }}",
            )

    def super_builder(self, declared: tree.ClassDeclaration, elements: dict[str, str]) -> Iterator[tuple[str, str]]:
        """`@SuperBuilder`: an abstract class of builders that extends that of the superclass, and one that builds."""
        parts, prefix = self.own_parts(), _name(elements, "setterPrefix", "")
        name = _name(elements, "builderClassName", f"{self.name}Builder")
        arguments = ", ".join([*self.arguments, ""])
        super_ = "" if declared.extends is None else dump(declared.extends)
        above = ""
        if super_:
            head, _, rest = super_.partition("<")
            given = f"{rest.removesuffix('>')}, " if rest else ""
            above = f" extends {head}.{head.rpartition('.')[2]}Builder<{given}C, B>"
        style = Style("B", "self()", "public ", prefix)
        texts = [text for part in parts for text in members(part, style)]
        copy = elements.get("toBuilder") == "true"
        if copy:
            sets = " ".join(_set(part, "this", f"instance.{part.name}", prefix) for part in parts)
            up = "super.$fillValuesFrom(instance); " if super_ else ""
            texts.append(f"protected B $fillValuesFrom(C instance) {{ {up}{sets} return self(); }}")
        build = _name(elements, "buildMethodName", "build")
        texts.append(f"protected abstract B self(); public abstract C {build}();")
        bounds = f"C extends {self.type}, B extends {name}<{arguments}C, B>"
        own = "".join(f"{parameter}, " for parameter in self.parameters)
        yield f"class {name}", f"public static abstract class {name}<{own}{bounds}>{above} {{ {' '.join(texts)} }}"
        sets = " ".join(
            f"{prepared(part).replace('this.', 'b.')} this.{part.name} = {value(part).replace('this.', 'b.')};"
            for part in parts
        )
        up = "super(b); " if super_ else ""
        yield "", f"protected {self.name}({name}<{arguments}?, ?> b) {{ {up}{sets} }}"
        if "abstract" in declared.modifiers:
            return
        made = f"{name}Impl{_angled(self.arguments)}"
        body = (
            f"private {name}Impl() {{ }} protected {made} self() {{ return this; }} "
            f"public {self.type} {build}() {{ return new {self.type}(this); }}"
        )
        yield (
            f"class {name}Impl",
            (
                f"private static final class {name}Impl{_angled(self.parameters)} extends "
                f"{name}<{arguments}{self.type}, {made}> {{ {body} }}"
            ),
        )
        start = _name(elements, "builderMethodName", "builder")
        if start:
            head = f"public static {_angled(self.parameters)} {name}<{arguments}?, ?> {start}()"
            yield start, f"{head} {{ return new {made}(); }}"
        if copy:
            yield (
                "toBuilder",
                f"public {name}<{arguments}?, ?> toBuilder() {{ return new {made}().$fillValuesFrom(this); }}",
            )

    # Locks, loggers

    def locks(self) -> Iterator[tuple[str, str]]:
        """The fields that methods with `@Synchronized` lock, unless they name their own."""
        for member in self.declared.members:
            if isinstance(member, tree.MethodDeclaration):
                found = self.names.annotations(member.annotations).get("Synchronized")
                if found is not None and not found.get("value"):
                    static = "static" in member.modifiers
                    name = "$LOCK" if static else "$lock"
                    head = f"private {'static ' if static else ''}final java.lang.Object {name}"
                    if name not in self.present:
                        self.present.add(name)
                        yield "", f"{head} = new java.lang.Object[0];"

    def logger(self) -> Iterator[tuple[str, str]]:
        """The field `log`."""
        for annotation, (type, make) in _LOGGERS.items():
            if self.has(annotation) and not any(field.name == "log" for field in self.fields):
                yield "", f"private static final {type} log = {make.format(f'{self.name}.class')};"


@dataclass(frozen=True, slots=True)
class _Built:
    """What a builder calls, the type of the result, the name that the builder's is made of; of a method or constructor:
    its own type parameters, and whether the builder needs an object around it."""

    call: str
    result: str
    name: str
    constructor: bool = True
    own: list[str] = field(default_factory=list)
    inner: bool = False

    @property
    def of_method(self) -> bool:
        return not self.call.startswith("new ")


def _set(part: Part, builder: str, given: str, prefix: str) -> str:
    """The statement that hands a part of an object to a builder."""
    call = f"{builder}.{method_name(part, prefix)}({given});"
    return f"if ({given} != null) {call}" if part.singular else call


def _declared_names(member: tree.Member) -> Iterator[str]:
    """The names of a member, by which it is there or not; constructors have none."""
    if isinstance(member, tree.FieldDeclaration):
        yield from (f"field {part.name}" for part in member.declarators)
    elif isinstance(member, tree.MethodDeclaration | tree.TypeDeclaration):
        yield member.name.lower()


def _name(elements: dict[str, str], element: str, default: str) -> str:
    """Return the name that an element gives, or the default if it gives none; what is no name is none."""
    name = elements.get(element, default)
    return name if name.isidentifier() or not name else default


def _access(level: str) -> str | None:
    """Return the modifier of an access level, with a blank; None for NONE."""
    return _ACCESS.get(level.rpartition(".")[2])


def _angled(parts: list[str]) -> str:
    return f"<{', '.join(parts)}>" if parts else ""


def _parameter_text(parameter: tree.TypeParameter) -> str:
    bounds = " & ".join(map(dump, parameter.bounds))
    return f"{parameter.name} extends {bounds}" if bounds else parameter.name


def _parse(name: str, text: str, at: tree.Position) -> list[tree.Member]:
    """Return the members that a text declares in a class, all at one place."""
    source = SourceText(f"class {name} {{ {text} }}", translate=False)
    try:
        unit: tree.CompilationUnit = JavaParser(JavaLexer(source).tokenize()).parse()
    except JavaSyntaxError:  # of a file that does not compile, such as one with a field of the type `var`
        return []
    members = unit.types[0].members
    end = (at[0], at[1] + 1)
    for member in members:
        for node in walk(member):
            if isinstance(node, tree.MethodDeclaration | tree.ConstructorDeclaration | tree.FieldDeclaration):
                node.modifiers.append("synthetic")
            node.position, node.end = at, end
            if hasattr(node, "name_position"):
                node.name_position = at
            if isinstance(node, tree.Name):
                node.positions = (at,) * len(node.parts)
    return members


def _infer(unit: tree.CompilationUnit, names: _Names) -> None:
    """Make `val` and `var` of Lombok inferred types of local variables."""
    for node in walk(unit):
        if isinstance(node, tree.LocalVariables) or isinstance(node, tree.Parameter) and node.type is not None:
            type = node.type
            if isinstance(type, tree.ClassType) and len(type.parts) == 1 and names.of(type.name) in ("val", "var"):
                node.type = tree.InferredType(type.position, type.end)
