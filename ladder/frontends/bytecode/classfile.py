"""The bytes of a class file → its structure (JVMS chapter 4, class files up to Java 25).

Every count, index and length is checked against what is there. What is wrong with the file as a whole raises
`Malformed`; what is wrong with the attributes of one field or method, or with its code, is kept as a problem, and the
member is there without them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ladder.frontends.bytecode.bytes_reader import Reader
from ladder.frontends.bytecode.descriptors import Descriptors
from ladder.frontends.bytecode.errors import Malformed
from ladder.frontends.bytecode.odd_names import written
from ladder.frontends.bytecode.pool import DOUBLE, FLOAT, INTEGER, LONG, STRING, Handle, Loadable, Pool

MAGIC = 0xCAFEBABE
OLDEST, NEWEST = 45, 69  # major versions: JDK 1.0.2 and Java 25

PUBLIC, PRIVATE, PROTECTED, STATIC, FINAL, SYNCHRONIZED, VOLATILE, TRANSIENT, NATIVE = (
    0x0001, 0x0002, 0x0004, 0x0008, 0x0010, 0x0020, 0x0040, 0x0080, 0x0100,
)  # fmt: skip
BRIDGE, VARARGS, INTERFACE, ABSTRACT, STRICT, SYNTHETIC, ANNOTATION, ENUM, MODULE = (
    0x0040, 0x0080, 0x0200, 0x0400, 0x0800, 0x1000, 0x2000, 0x4000, 0x8000,
)  # fmt: skip

NESTED_ANNOTATIONS = 100
"""Levels of annotations and arrays inside one another."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What could not be read of a class that was read otherwise, and where."""

    description: str
    offset: int


@dataclass(frozen=True, slots=True)
class InnerClass:
    """An entry of InnerClasses: `outer` and `name` are empty for local and anonymous classes."""

    inner: str
    outer: str
    name: str
    flags: int


@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotation: its type, and the value of each element that it gives; a value is a constant of a `kind` (a letter
    as in JVMS 4.7.16.1), an annotation (`@`) or a sequence (`[`)."""

    type: str
    elements: tuple[tuple[str, Element], ...]


@dataclass(frozen=True, slots=True)
class Element:
    """A value in an annotation: a number or text, the name of a type (`c`), type and name of an enum constant (`e`)."""

    kind: str
    value: int | float | str | tuple[str, str] | Annotation | tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """A bootstrap method and the constants that it gets."""

    handle: Handle
    arguments: tuple[Loadable, ...]


@dataclass(frozen=True, slots=True)
class Catch:
    """An entry of an exception table: code from `start` to `end` is covered by `handler` for exceptions of `type`, or
    for all (None)."""

    start: int
    end: int
    handler: int
    type: str | None


@dataclass(frozen=True, slots=True)
class LocalVariable:
    """An entry of a LocalVariableTable."""

    start: int
    end: int
    name: str
    slot: int


@dataclass(slots=True)
class Code:
    """The code of a method: `offset` is where its first instruction stands in the file, `at` where the attribute
    does."""

    at: int
    offset: int
    length: int
    max_stack: int
    max_locals: int
    catches: list[Catch]
    lines: list[tuple[int, int]] = field(default_factory=list)
    variables: list[LocalVariable] = field(default_factory=list)


@dataclass(slots=True)
class FieldInfo:
    """A field; `value` is that of its ConstantValue."""

    offset: int
    flags: int
    name: str
    descriptor: str
    type: str
    value: Loadable | None = None
    signature: str = ""
    annotations: list[Annotation] = field(default_factory=list)


@dataclass(slots=True)
class MethodInfo:
    """A method, with the types of its parameters and its result; `annotated_parameters`: how many of them the tables of
    annotations are about, which may lack the first ones; `default`: of an element of an annotation type, its value."""

    offset: int
    flags: int
    name: str
    descriptor: str
    parameters: tuple[str, ...]
    result: str
    code: Code | None = None
    throws: tuple[str, ...] = ()
    parameter_names: tuple[str, ...] = ()
    signature: str = ""
    annotations: list[Annotation] = field(default_factory=list)
    annotated_parameters: int = 0
    parameter_annotations: dict[int, list[Annotation]] = field(default_factory=dict)
    default: Element | None = None


@dataclass(slots=True)
class ClassFile:
    """A class file; `superclass` is empty for Object and modules."""

    data: bytes
    pool: Pool
    descriptors: Descriptors
    major: int
    flags: int
    name: str
    superclass: str
    interfaces: tuple[str, ...]
    fields: list[FieldInfo] = field(default_factory=list)
    methods: list[MethodInfo] = field(default_factory=list)
    source: str = ""
    signature: str = ""
    inner_classes: list[InnerClass] = field(default_factory=list)
    enclosing: tuple[str, str, str] | None = None
    bootstraps: list[Bootstrap] = field(default_factory=list)
    nest_host: str = ""
    nest_members: tuple[str, ...] = ()
    permitted: tuple[str, ...] = ()
    components: tuple[tuple[str, str], ...] | None = None
    annotations: list[Annotation] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """What sort of type it is, as facts of source say it: class, interface, enum, record or annotation."""
        if self.flags & ANNOTATION:
            return "annotation"
        if self.flags & INTERFACE:
            return "interface"
        if self.flags & ENUM and self.superclass == "java.lang.Enum":
            return "enum"
        return "record" if self.components is not None else "class"


def read_class(data: bytes, with_code: bool = True) -> ClassFile:
    """Return the structure of a class file, without the code of its methods if that is not wanted; Malformed if it is
    none."""
    of_methods = _OF_METHODS if with_code else _OF_DECLARATIONS
    reader = Reader(data)
    if reader.u4("the magic number of a class file") != MAGIC:
        raise Malformed("the file does not begin with the magic number of class files", 0)
    minor, major = reader.u2("the version"), reader.u2("the version")
    if not OLDEST <= major <= NEWEST:
        raise Malformed(f"the class file has version {major}.{minor}; those from {OLDEST} to {NEWEST} are read", 4)
    descriptors = Descriptors()
    pool = Pool(reader, descriptors)
    flags = reader.u2("the flags of the class")
    name = pool.class_name(reader.u2("the class"), reader.at - 2)
    above = reader.u2("the superclass")
    superclass = pool.class_name(above, reader.at - 2) if above else ""
    interfaces = _class_names(reader, pool, "an interface")
    found = ClassFile(data, pool, descriptors, major, flags, name, superclass, interfaces)
    for _ in range(reader.u2("the number of fields")):
        found.fields.append(_field(reader, found))
    for _ in range(reader.u2("the number of methods")):
        found.methods.append(_method(reader, found, of_methods))
        if with_code:
            _check_code(found, found.methods[-1])
    _attributes(reader, found, _OF_CLASSES, found)
    reader.finished("the class")
    if name.endswith("[]") or superclass.endswith("[]"):
        raise Malformed("the class or its superclass is an array", 0)
    return found


def _class_names(reader: Reader, pool: Pool, what: str) -> tuple[str, ...]:
    return tuple(pool.class_name(reader.u2(what), reader.at - 2) for _ in range(reader.u2(f"the number of {what}s")))


def _field(reader: Reader, file: ClassFile) -> FieldInfo:
    offset = reader.at
    flags, name = reader.u2("the flags of a field"), _member_name(reader, file)
    descriptor = file.pool.text(reader.u2("a descriptor"), reader.at - 2)
    found = FieldInfo(offset, flags, name, descriptor, file.descriptors.field(descriptor, offset))
    _attributes(reader, file, _OF_FIELDS, found)
    return found


def _method(reader: Reader, file: ClassFile, known: dict[str, Action]) -> MethodInfo:
    offset = reader.at
    flags, name = reader.u2("the flags of a method"), _member_name(reader, file)
    descriptor = file.pool.text(reader.u2("a descriptor"), reader.at - 2)
    found = MethodInfo(offset, flags, name, descriptor, *file.descriptors.method(descriptor, offset))
    _attributes(reader, file, known, found)
    return found


def _check_code(file: ClassFile, method: MethodInfo) -> None:
    """Note where a method has code that must have none, or has none that must have some."""
    offset, bodiless = method.offset, method.flags & (ABSTRACT | NATIVE)
    has_code = method.code is not None or any(problem.offset > offset for problem in file.problems)
    if not has_code and not bodiless:
        file.problems.append(
            Problem(f"the method {method.name} is neither abstract nor native and has no code", offset)
        )
    if method.code is not None and bodiless:
        file.problems.append(Problem(f"the method {method.name} is abstract or native and has code", offset))
        method.code = None


def _member_name(reader: Reader, file: ClassFile) -> str:
    name = file.pool.text(reader.u2("a name"), reader.at - 2)
    if not name or any(character in name for character in ".;[/"):
        raise Malformed(f"{name!r} is not the name of a member", reader.at - 2)
    return written(name)


# ---- attributes

Action = Callable[[Reader, ClassFile, object], None]


def _attributes(reader: Reader, file: ClassFile, known: dict[str, Action], owner: object) -> None:
    """Read attributes; those that are not known are skipped, a malformed one is a problem of the file."""
    seen: set[str] = set()
    for _ in range(reader.u2("the number of attributes")):
        at = reader.at
        name = file.pool.text(reader.u2("the name of an attribute"), at)
        content = reader.part(reader.u4("the length of an attribute"), f"the attribute {name}")
        action = known.get(name)
        if action is None:
            continue
        try:
            if name in seen and name not in _REPEATED:
                raise Malformed(f"there is a second attribute {name}", at)
            seen.add(name)
            action(content, file, owner)
            content.finished(f"the attribute {name}")
        except Malformed as error:
            file.problems.append(Problem(error.description, error.offset))


def _constant_value(reader: Reader, file: ClassFile, owner: object) -> None:
    assert isinstance(owner, FieldInfo)
    value = file.pool.loadable(reader.u2("a constant"), reader.at - 2)
    if value.tag not in (INTEGER, FLOAT, LONG, DOUBLE, STRING):
        raise Malformed(f"the value of the field {owner.name} is neither a number nor a string", reader.at - 2)
    if owner.flags & STATIC:
        owner.value = value


def _signature(reader: Reader, file: ClassFile, owner: object) -> None:
    assert isinstance(owner, (ClassFile, FieldInfo, MethodInfo))
    owner.signature = file.pool.text(reader.u2("a signature"), reader.at - 2)


def _exceptions(reader: Reader, file: ClassFile, owner: object) -> None:
    assert isinstance(owner, MethodInfo)
    owner.throws = _class_names(reader, file.pool, "an exception")


def _method_parameters(reader: Reader, file: ClassFile, owner: object) -> None:
    assert isinstance(owner, MethodInfo)
    names = []
    for _ in range(reader.u1("the number of parameters")):
        index = reader.u2("the name of a parameter")
        names.append(written(file.pool.text(index, reader.at - 2)) if index else "")
        reader.u2("the flags of a parameter")
    owner.parameter_names = tuple(names)


def _code(reader: Reader, file: ClassFile, owner: object) -> None:
    assert isinstance(owner, MethodInfo)
    at = reader.at
    max_stack, max_locals = reader.u2("the size of the stack"), reader.u2("the number of locals")
    length = reader.u4("the length of the code")
    if not 0 < length < 65536:
        raise Malformed(f"the code of {owner.name} has {length} bytes; 1 to 65535 are possible", reader.at - 4)
    offset = reader.take(length, f"the code of {owner.name}")
    catches = []
    for _ in range(reader.u2("the size of an exception table")):
        entry = reader.at
        start, end, handler = (reader.u2("an exception table") for _ in range(3))
        index = reader.u2("an exception table")
        if not (start < end <= length and handler < length):
            raise Malformed(f"an exception handler of {owner.name} covers {start} to {end} of {length} bytes", entry)
        catches.append(Catch(start, end, handler, file.pool.class_name(index, entry + 6) if index else None))
    code = Code(at, offset, length, max_stack, max_locals, catches)
    _attributes(reader, file, _OF_CODE, code)
    owner.code = code


def _lines(reader: Reader, file: ClassFile, owner: object) -> None:
    assert isinstance(owner, Code)
    for _ in range(reader.u2("the number of lines")):
        start = reader.u2("a line")
        if start >= owner.length:
            raise Malformed(f"a line begins at {start}, behind the {owner.length} bytes of the code", reader.at - 2)
        owner.lines.append((start, reader.u2("a line")))


def _variables(reader: Reader, file: ClassFile, owner: object) -> None:
    assert isinstance(owner, Code)
    for _ in range(reader.u2("the number of local variables")):
        entry = reader.at
        start, length = reader.u2("a local variable"), reader.u2("a local variable")
        name = written(file.pool.text(reader.u2("a local variable"), entry + 4))
        file.descriptors.field(file.pool.text(reader.u2("a local variable"), entry + 6), entry + 6)
        slot = reader.u2("a local variable")
        if start + length > owner.length or slot >= owner.max_locals:
            raise Malformed(
                f"the local variable {name} is outside of the code, or of its {owner.max_locals} places", entry
            )
        owner.variables.append(LocalVariable(start, start + length, name, slot))


def _source(reader: Reader, file: ClassFile, owner: object) -> None:
    file.source = file.pool.text(reader.u2("the name of the source"), reader.at - 2)


def _inner_classes(reader: Reader, file: ClassFile, owner: object) -> None:
    for _ in range(reader.u2("the number of inner classes")):
        at = reader.at
        inner = file.pool.class_name(reader.u2("an inner class"), at)
        outer, name = reader.u2("an inner class"), reader.u2("an inner class")
        flags = reader.u2("an inner class")
        file.inner_classes.append(
            InnerClass(
                inner,
                file.pool.class_name(outer, at + 2) if outer else "",
                written(file.pool.text(name, at + 4)) if name else "",
                flags,
            )
        )


def _enclosing_method(reader: Reader, file: ClassFile, owner: object) -> None:
    at = reader.at
    class_ = file.pool.class_name(reader.u2("an enclosing class"), at)
    index = reader.u2("an enclosing method")
    name, descriptor = file.pool.name_and_type(index, at + 2) if index else ("", "")
    if descriptor:
        file.descriptors.method(descriptor, at + 2)
    file.enclosing = class_, name, descriptor


def _bootstrap_methods(reader: Reader, file: ClassFile, owner: object) -> None:
    for _ in range(reader.u2("the number of bootstrap methods")):
        handle = file.pool.handle(reader.u2("a bootstrap method"), reader.at - 2)
        count = reader.u2("the number of arguments")
        arguments = tuple(file.pool.loadable(reader.u2("an argument"), reader.at - 2) for _ in range(count))
        file.bootstraps.append(Bootstrap(handle, arguments))


def _nest_host(reader: Reader, file: ClassFile, owner: object) -> None:
    file.nest_host = file.pool.class_name(reader.u2("a nest host"), reader.at - 2)


def _nest_members(reader: Reader, file: ClassFile, owner: object) -> None:
    file.nest_members = _class_names(reader, file.pool, "a nest member")


def _permitted(reader: Reader, file: ClassFile, owner: object) -> None:
    file.permitted = _class_names(reader, file.pool, "a permitted subclass")


def _record(reader: Reader, file: ClassFile, owner: object) -> None:
    components = []
    for _ in range(reader.u2("the number of components")):
        at = reader.at
        name = written(file.pool.text(reader.u2("a component"), at))
        descriptor = file.pool.text(reader.u2("a component"), at + 2)
        file.descriptors.field(descriptor, at + 2)
        _attributes(reader, file, _OF_COMPONENTS, file)
        components.append((name, descriptor))
    file.components = tuple(components)


# ---- annotations


def _annotations(reader: Reader, file: ClassFile, owner: object) -> None:
    assert isinstance(owner, (ClassFile, FieldInfo, MethodInfo))
    owner.annotations += [_annotation(reader, file, 0) for _ in range(reader.u2("the number of annotations"))]


def _component_annotations(reader: Reader, file: ClassFile, owner: object) -> None:
    for _ in range(reader.u2("the number of annotations")):
        _annotation(reader, file, 0)


def _parameter_annotations(reader: Reader, file: ClassFile, owner: object) -> None:
    assert isinstance(owner, MethodInfo)
    owner.annotated_parameters = reader.u1("the number of parameters")
    for index in range(owner.annotated_parameters):
        found = [_annotation(reader, file, 0) for _ in range(reader.u2("the number of annotations"))]
        if found:
            owner.parameter_annotations.setdefault(index, []).extend(found)


def _default(reader: Reader, file: ClassFile, owner: object) -> None:
    value = _element(reader, file, 0)
    if isinstance(owner, MethodInfo):
        owner.default = value


def _annotation(reader: Reader, file: ClassFile, depth: int) -> Annotation:
    at = reader.at
    type = file.descriptors.field(file.pool.text(reader.u2("an annotation"), at), at)
    elements = []
    for _ in range(reader.u2("the number of elements")):
        name = file.pool.text(reader.u2("an element"), reader.at - 2)
        elements.append((name, _element(reader, file, depth + 1)))
    return Annotation(type, tuple(elements))


def _element(reader: Reader, file: ClassFile, depth: int) -> Element:
    if depth > NESTED_ANNOTATIONS:
        raise Malformed(f"annotations are nested more than {NESTED_ANNOTATIONS} levels deep", reader.at)
    at, kind = reader.at, chr(reader.u1("an element"))
    if kind in "BCDFIJSZ":
        value = file.pool.loadable(reader.u2("an element"), at + 1)
        if value.tag not in (INTEGER, FLOAT, LONG, DOUBLE) or not isinstance(value.value, (int, float)):
            raise Malformed("an element of an annotation is no number", at + 1)
        return Element(kind, value.value)
    if kind == "s":
        return Element(kind, file.pool.text(reader.u2("an element"), at + 1))
    if kind == "c":
        descriptor = file.pool.text(reader.u2("an element"), at + 1)
        return Element(kind, "void" if descriptor == "V" else file.descriptors.field(descriptor, at + 1))
    if kind == "e":
        descriptor = file.pool.text(reader.u2("an element"), at + 1)
        constant = file.pool.text(reader.u2("an element"), at + 3)
        return Element(kind, (file.descriptors.field(descriptor, at + 1), constant))
    if kind == "@":
        return Element(kind, _annotation(reader, file, depth))
    if kind == "[":
        return Element(
            kind, tuple(_element(reader, file, depth + 1) for _ in range(reader.u2("the number of elements")))
        )
    raise Malformed(f"an element of an annotation has the unknown kind {kind!r}", at)


_REPEATED = frozenset({"LineNumberTable", "LocalVariableTable"})
_ANNOTATED: dict[str, Action] = {
    "Signature": _signature,
    "RuntimeVisibleAnnotations": _annotations,
    "RuntimeInvisibleAnnotations": _annotations,
}
_OF_COMPONENTS: dict[str, Action] = {
    "RuntimeVisibleAnnotations": _component_annotations,
    "RuntimeInvisibleAnnotations": _component_annotations,
}
_OF_FIELDS = {**_ANNOTATED, "ConstantValue": _constant_value}
_OF_METHODS = {
    **_ANNOTATED,
    "Code": _code,
    "Exceptions": _exceptions,
    "MethodParameters": _method_parameters,
    "RuntimeVisibleParameterAnnotations": _parameter_annotations,
    "RuntimeInvisibleParameterAnnotations": _parameter_annotations,
    "AnnotationDefault": _default,
}
_OF_DECLARATIONS = {name: action for name, action in _OF_METHODS.items() if name != "Code"}
_OF_CODE: dict[str, Action] = {"LineNumberTable": _lines, "LocalVariableTable": _variables}
_OF_CLASSES = {
    **_ANNOTATED,
    "SourceFile": _source,
    "InnerClasses": _inner_classes,
    "EnclosingMethod": _enclosing_method,
    "BootstrapMethods": _bootstrap_methods,
    "NestHost": _nest_host,
    "NestMembers": _nest_members,
    "PermittedSubclasses": _permitted,
    "Record": _record,
}
