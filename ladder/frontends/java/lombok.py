"""What Lombok adds to the types of a file: accessors, constructors, builders, loggers, and the methods of Object.

Lombok is an annotation processor: code calls members that no source file declares. Where a file's imports say that an
annotation is Lombok's, the members that it stands for are written as source text, parsed, and added to the tree, at the
place of the annotation's type or field and with the modifier `synthetic`. As Lombok does, a member is only added if the
type declares none with its name. A file that uses none of this stays as it is.

    @Getter private final List<T> names;    →    public List<T> getNames() { return this.names; }

Of `equals`, `hashCode` and `toString` it is said that they read all fields. Not added: what `@SuperBuilder`,
`@Delegate`, `@UtilityClass`, `@FieldDefaults` and `@Singular` stand for, and lazy getters are plain ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from javalang.parser import JavaSyntaxError

from ladder.frontends.java import tree
from ladder.frontends.java.lexer import JavaLexer, SourceText
from ladder.frontends.java.limits import Budget
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
_KNOWN = frozenset(_LOGGERS) | {
    "Getter", "Setter", "Data", "Value", "Builder", "With", "ToString", "EqualsAndHashCode", "NoArgsConstructor",
    "RequiredArgsConstructor", "AllArgsConstructor", "NonNull", "Accessors", "NonFinal", "val", "var",
}  # fmt: skip
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
        return not self.static and not self.initialised and (self.final or "NonNull" in self.annotations)

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
        if "Value" in of_type:
            _make_final(declared, names)
        members = _Members(declared, of_type, list(_fields(declared, names)), budget)
        declared.members = [*declared.members, *members.made()]


def _make_final(declared: tree.TypeDeclaration, names: _Names) -> None:
    """Give a type with `@Value` and its fields the modifiers that this stands for."""
    declared.modifiers = [*dict.fromkeys([*declared.modifiers, "final"])]
    for member in declared.members:
        if isinstance(member, tree.FieldDeclaration) and "static" not in member.modifiers:
            free = "NonFinal" in names.annotations(member.annotations)
            access = [] if _ACCESS.keys() & {word.upper() for word in member.modifiers} else ["private"]
            member.modifiers = [*dict.fromkeys([*access, *member.modifiers, *([] if free else ["final"])])]


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
                if not part.name.startswith("$"):
                    yield _Field(part.name, type, static, final, initialised, annotations, part.position)


class _Members:
    """The members that Lombok adds to one type."""

    def __init__(
        self, declared: tree.TypeDeclaration, annotations: Annotations, fields: list[_Field], budget: Budget
    ) -> None:
        self.budget = budget
        self.declared = declared
        self.name = declared.name
        self.annotations = annotations
        self.fields = fields
        self.own = [field for field in fields if not field.static]
        self.present = {
            member.name.lower() for member in declared.members if isinstance(member, tree.MethodDeclaration)
        }
        self.present |= {member.name.lower() for member in declared.members if isinstance(member, tree.TypeDeclaration)}
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
        yield from self.parsed(self.of_object(), at)
        yield from self.parsed(self.builder(), at)
        yield from self.parsed(self.logger(), at)

    def parsed(self, texts: Iterable[tuple[str, str]], at: tree.Position) -> Iterator[tree.Member]:
        """Parse (name, text) of members; of those whose name the type has already, none."""
        for name, text in texts:
            if not name or name.lower() not in self.present:
                self.present.add(name.lower())
                self.budget.at = at
                self.budget.spend(1, len(text))
                yield from _parse(self.name, text, at)

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
            body = f"{owner}.{field.name} = {field.name};{end}"
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
        body = " ".join(f"this.{field.name} = {field.name};" for field in fields)
        static = _name(elements, "staticName", "")
        own = "private " if static or isinstance(self.declared, tree.EnumDeclaration) else access
        yield "", f"{own}{self.name}({parameters}) {{ {body} }}"
        if static:
            passed = ", ".join(field.name for field in fields)
            head = f"{access}static {_angled(self.parameters)} {self.type} {static}({parameters})"
            yield static, f"{head} {{ return new {self.type}({passed}); }}"

    # Methods of Object, builders, loggers

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

    def builder(self) -> Iterator[tuple[str, str]]:
        """The class that builds objects of a type with `@Builder`, and the method that makes one of it."""
        elements = self.annotations.get("Builder")
        if elements is None:
            return
        name = _name(elements, "builderClassName", f"{self.name}Builder")
        builder = name + _angled(self.arguments)
        fields = [field for field in self.own if field.settable]
        if len(fields) > _PARAMETERS:
            return
        parts = [f"{name}() {{ }}"]
        for field in fields:
            parts.append(f"private {field.type} {field.name};")
            body = f"this.{field.name} = {field.name}; return this;"
            parts.append(f"public {builder} {field.name}({field.type} {field.name}) {{ {body} }}")
        passed = ", ".join(f"this.{field.name}" for field in fields)
        build = _name(elements, "buildMethodName", "build")
        parts.append(f"public {self.type} {build}() {{ return new {self.type}({passed}); }}")
        access = _access(elements.get("access", "PUBLIC")) or ""
        head = f"{access}static class {name}{_angled(self.parameters)}"
        yield name, f"{head} {{ {' '.join(parts)} }}"
        start = _name(elements, "builderMethodName", "builder")
        if start:
            yield start, f"{access}static {_angled(self.parameters)} {builder} {start}() {{ return new {builder}(); }}"
        if elements.get("toBuilder") == "true":
            calls = "".join(f".{field.name}(this.{field.name})" for field in fields)
            yield "toBuilder", f"{access}{builder} toBuilder() {{ return new {builder}(){calls}; }}"

    def logger(self) -> Iterator[tuple[str, str]]:
        """The field `log`."""
        for annotation, (type, make) in _LOGGERS.items():
            if self.has(annotation) and not any(field.name == "log" for field in self.fields):
                yield "", f"private static final {type} log = {make.format(f'{self.name}.class')};"


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
        if isinstance(member, tree.MethodDeclaration | tree.ConstructorDeclaration | tree.FieldDeclaration):
            member.modifiers.append("synthetic")
        for node in walk(member):
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
