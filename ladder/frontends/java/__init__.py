"""The front end for Java."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from ladder.frontends.java import names
from ladder.frontends.protocol import Display, FileFacts, Models, Relation, Resources, Suppressions


def declared_in(identity: str) -> Iterator[str]:
    """Yield the declarations that an id belongs to, innermost first: for `a.b.Outer$Inner.m(int)/x` these are
    a.b.Outer$Inner.m, a.b.Outer$Inner, a.b.Outer, a.b and a; for a string constant there are none."""
    if identity.startswith('"'):
        return
    head = identity.partition("(")[0].partition("/")[0].partition(":")[0]
    while head:
        name = head
        while name:
            yield name
            name = name.rpartition("$")[0]
        head = head.rpartition(".")[0]


_MEMBER = re.compile(r"<(?:[\w$]+\.)*(?P<type>[^:]+): (?:\S+ )?(?P<name>[^\s(]+)(?P<parameters>\(.*\))?>")
_PACKAGE = re.compile(r"(?:\b[a-z_]\w*\.)+(?=[A-Z])")


_WITHIN = re.compile(
    r"(Argument|Parameter)\[|ReturnValue\b|made\.|new .*(\.(Element|ArrayElement|MapKey|MapValue)|\]\[\])"
)
"""Steps within a call of the library, or parts of objects: the steps around them say what happens."""
_NEXT = re.compile(r"next of (\w+)\s*")
_CUT = re.compile(r"~[0-9a-f]{4}\)?$")


def said(type_: str, name: str) -> str:
    """What a sentence calls a method (`List.add(Object)`, `new T(int)`), a field (`T.size`), a variable or a step; ""
    for steps of which nobody has to know."""
    if type_ in ("method", "field") and (member := _MEMBER.fullmatch(name)):
        declared, parameters = member["type"].replace("$", "."), _PACKAGE.sub("", member["parameters"] or "")
        return (
            f"new {declared}{parameters}" if member["name"] == "<init>" else f"{declared}.{member['name']}{parameters}"
        )
    if type_ == "var":
        last = name.rpartition("/")[2]
        text = last[len(names.TEMPORARY) : -1] if last.startswith(names.TEMPORARY) and last.endswith(")") else last
        return text.partition(names.DETAIL)[0].partition("#")[0].removeprefix("@")
    return _step(name) if type_ == "invocation" else name


def _step(name: str) -> str:
    """A call, an allocation, or a variable that something got into; of temporaries their expression."""
    if _WITHIN.match(name):
        return ""
    if not name.startswith(names.TEMPORARY):
        return name
    text = _CUT.sub("", name[len(names.TEMPORARY) :]).strip()
    if named := _NEXT.fullmatch(text):
        return f"the next {named[1]}"
    return text[:-1] if text.endswith(")") and text.count(")") > text.count("(") else f"{text}…"


DISPLAY = Display(
    named={"method": "MethodName", "field": "FieldName"},
    parts={"var": "method"},
    sites=frozenset(("instruction", "invocation", "heap")),
    unsaid=("call ",),
    detail=names.DETAIL,
    temporaries={"var": rf"/{re.escape(names.TEMPORARY)}[^/]*$"},
    about={"instruction": 0, "invocation": 0, "var": 1, "method": 2, "field": 3, "heap": 4},
    said=said,
    declared_in=declared_in,
    headlines={
        "EntryPoint": "entry points",
        "Reachable": "reachable methods",
        "CallGraphEdge": "call edges",
        "VarPointsTo": "points-to rows",
        "VarPointsTo_K": "points-to values",
        "MethodInvocation_Method": "calls resolved",
        "PhantomClass": "phantom classes",
        "ConstantAfter": "constants",
        "IntervalAfter": "intervals",
    },
    fallback="tree-sitter",
    partial="recovered",
)


OTHER_MODELS = ("taint", "typestate", "ranges", "effects")
"""The folders of `ladder/analyses/java` with rows that are not about references."""


class JavaFrontEnd:
    """The front end for Java source files; its analyses are those of the Datalog library, `ladder/analyses`."""

    language = "Java"
    suffixes = (".java", ".jsp", ".jspf")
    pages = (".jsp", ".jspf")
    generated = (
        "target/generated-sources",
        "target/generated-test-sources",
        "build/generated",
        "build/generated-src",
    )
    of_tools = (".mvn",)
    tests = ("test", "tests", "androidTest", "integrationTest", "testFixtures")
    analyses = Path(__file__).parents[2] / "analyses"
    contexts = analyses / "java" / "contexts" / "ci.dl"
    usual_contexts: Mapping[str, str] = MappingProxyType({"taint": "selective", "dead": "selective"})
    display = DISPLAY
    findings = ("taint", "dead", "conditions", "resources", "ranges")
    libraries = "ladder.frontends.libraries:LIBRARIES"

    @property
    def resources(self) -> tuple[Resources, ...]:
        """Return the files that may name classes of the project."""
        from ladder.frontends.java.resources import RESOURCES

        return RESOURCES

    @property
    def suppressions(self) -> Suppressions:
        """Return what annotations suppress."""
        from ladder.frontends.java.suppressions import SUPPRESSIONS

        return SUPPRESSIONS

    def relations(self) -> Sequence[Relation]:
        """Return the schema of the facts."""
        from ladder.frontends.java import schema

        return tuple(schema.RELATIONS.values())

    def models(self, folders: Sequence[Path]) -> Models:
        """Return the rows that model methods of libraries: those of the JDK, and those in YAML files of the folders."""
        from ladder.analyses import library_models

        files = library_models.files([self.analyses / "java" / "models", *folders])
        others = library_models.files([self.analyses / "java" / folder for folder in OTHER_MODELS])

        def read() -> tuple[dict[str, list[tuple[str, ...]]], list[str]]:
            found = library_models.with_taint(library_models.read(files), library_models.read(others))
            return found.rows, [f"{file}:{line}: {reason}" for file, line, reason in found.left_out]

        return Models(library_models.RELATIONS, library_models.version({**files, **others}), read)

    def facts_of_page(self, data: bytes, path: str) -> FileFacts:
        """Return the facts of a page (JSP) with these bytes, which depend on nothing but them and its path."""
        from ladder.frontends.java.facts import facts_of

        return facts_of(data, path)

    def facts_of(self, data: bytes) -> FileFacts:
        """Return the facts of a file with these bytes."""
        from ladder.frontends.java.facts import facts_of

        return facts_of(data)


FRONT_END = JavaFrontEnd()
