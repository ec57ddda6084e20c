"""`docs/java-relations.md`, made of the declarations of the library of analyses, the comments above them, and runs on
the sample in `cases/reference`: `python -m tests.analyses.reference` writes it anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ladder.frontends.bytecode.facts import facts_of as facts_of_class
from ladder.frontends.java import resources, schema
from ladder.frontends.java.facts import facts_of
from ladder.language.errors import Errors
from ladder.language.options import Options
from ladder.language.sources import Sources, read_program
from ladder.language.syntax import nodes as s
from ladder.language.syntax.parser import parse_text
from ladder.lattices.base import text_of
from tests.analyses.annotated import ANALYSES, CASES, Project, Results, analyse
from tests.bytecode.assembler import ClassFile
from tests.bytecode.samples import METAFACTORY

FILE = Path(__file__).parents[2] / "docs" / "java-relations.md"
SAMPLE = CASES / "reference"
PROGRAMS = ("linking", "pointsto", "nulls", "kupdate5", "constprop", "interval")
SELECTIVE = "java/contexts/selective.dl"
SECTIONS = {  # file that declares them → where its relations are
    "java/interface/linking.dl": ("Names, types and methods", "all"),
    "java/interface/objects.dl": ("Objects", "`pointsto`, `nulls`, `kupdate`"),
    "java/interface/entries.dl": ("Entry points", "all but `linking`"),
    "java/interface/reached.dl": ("Reachable methods", "`pointsto`, `kupdate`"),
    "pointsto.dl": ("Points-to", "`pointsto`, `nulls`"),
    "java/interface/models.dl": ("Models of libraries", "`pointsto`, `nulls`"),
    "nulls.dl": ("Null", "`nulls`"),
    "java/interface/unsound.dl": ("What is left out", "`pointsto`"),
    SELECTIVE: ("Contexts", "`pointsto` with `--context selective`"),
    "java/kupdate.dl": ("Points-to of at most k objects", "`kupdate1`, `kupdate5`"),
    "java/interface/values.dl": ("Control flow", "`constprop`, `interval`"),
    "constprop.dl": ("Constants", "`constprop`"),
    "interval.dl": ("Intervals", "`interval`"),
}
HEAD = """# Relations of Java programs

What a program that includes an analysis of Java may read: the relations that an analysis declares outside of its
component, and the facts of the front end. [Building on an analysis](java.md#building-on-an-analysis) shows how.
This page is made of the declarations and of the comments above them by `python -m tests.analyses.reference`; the rows
come from runs on the sample in `tests/analyses/cases/reference`, with the columns that are stored: without contexts,
columns of the types `Context`, `HeapContext` and `CallContext` have one value and are
[left out](language.md#types-with-one-value).

## Names that are taken

Everything else that an analysis computes is a relation of its component, such as `pointsto.Copy`. Programs may look at
it, and so do `ladder show` and `ladder explain`, but it may change with any version. A program that includes an
analysis may use all names for relations of its own but those of the relations on this page and these:

| `.include` | component | its instance | types |
|---|---|---|---|
"""


@dataclass(frozen=True)
class Public:
    """A relation that an analysis declares outside of its component; `text`: the comment above it."""

    file: str
    declaration: s.RelationDeclaration
    text: str
    is_input: bool

    @property
    def name(self) -> str:
        return self.declaration.name


@cache
def sources(program: str, context: str = "") -> Sources:
    """The files of an analysis, with what its components declare."""
    path, errors = ANALYSES / f"{program}.dl", Errors()
    default = ANALYSES / "java/contexts/ci.dl"
    instead = ((default.resolve(), (ANALYSES / context).resolve()),) if context else ()
    found = read_program(path.read_text("utf-8"), path.name, path.parent, errors, Options(instead=instead))
    errors.raise_if_any(found.texts)
    return found


def declared(program: str, context: str = "") -> Iterator[s.RelationDeclaration]:
    """The relations of an analysis, those of its component with the name of the instance before theirs."""
    yield from (item for item in sources(program, context).items if isinstance(item, s.RelationDeclaration))


def public(program: str, context: str = "") -> Iterator[Public]:
    """The relations that an analysis declares outside of its component."""
    found = sources(program, context)
    inputs = {item.relation for item in found.items if isinstance(item, s.DirectiveItem) and item.kind == "input"}
    for item in declared(program, context):
        if "." not in item.name:
            text = comment(found.texts[item.place.file], item.place.line)
            yield Public(item.place.file, item, text, item.name in inputs)


def comment(text: str, line: int) -> str:
    """The comment above a line, as one paragraph."""
    above: list[str] = []
    for each in reversed(text.splitlines()[: line - 1]):
        if not each.startswith("// ") or each.startswith("// ----"):
            break
        above.insert(0, each.removeprefix("// "))
    return " ".join(above)


def interface() -> dict[str, list[Public]]:
    """The public relations of all analyses that are no facts of the front end, by the files that declare them."""
    found: dict[str, dict[str, Public]] = defaultdict(dict)
    for program in PROGRAMS:
        for each in public(program):
            found[each.file].setdefault(each.name, each)
    for each in public("pointsto", SELECTIVE):
        if each.file == SELECTIVE:
            found[each.file].setdefault(each.name, each)
    return {file: list(relations.values()) for file, relations in found.items() if not file.endswith("facts.dl")}


# ---- the sample


def till() -> bytes:
    """A class of compiled code, with a field, a call and a lambda."""
    c = ClassFile("shop/Till")
    erased = c.method_type("()Ljava/lang/Object;")
    body = c.handle(6, "shop/Till", "opened", "()Ljava/lang/Object;")
    made = c.dynamic("get", "()Ljava/util/function/Supplier;", c.handle(6, *METAFACTORY), erased, body, erased)
    c.method(
        "static open ()Ljava/util/function/Supplier;",
        ["invokestatic shop/Till opened ()Ljava/lang/Object;", "pop", f"invokedynamic {made}", "areturn"],
    )
    c.method("static opened ()Ljava/lang/Object;", ["getstatic shop/Shop last Lshop/Shop;", "areturn"])
    return c.bytes()


@cache
def sample() -> Project:
    """The facts of the sample, source and compiled code."""
    project = Project()
    found = [facts_of(path.read_bytes()) for path in sorted(SAMPLE.glob("*.java"))]
    for facts in (*found, facts_of_class(till())):
        for relation, rows in facts.relations.items():
            project.facts[relation] += rows
    named = resources.names((SAMPLE / "shop.properties").read_bytes())
    project.facts["ResourceName"] = [(name,) for name in named]
    project.facts["BeanInFile"] = list(resources.beans("beans.xml", (SAMPLE / "beans.xml").read_bytes()))
    project.facts["TestUnit"] = [("shop.ShopTest",)]
    project.facts["ServiceProvider"] = [("shop.Shop$Counter", "shop.Shop$Slow")]
    return project


@cache
def results(program: str, context: str = "ci") -> Results:
    entry = "main,frameworks,shop.Shop.best"
    return analyse(program, sample(), entry, SAMPLE / "models", reflection="resources", context=context)


def row_of(relation: str, file: str) -> str:
    """The shortest row of a relation in the sample, the first one in the alphabet of these."""
    if file == SELECTIVE:
        ran = [results("pointsto", "selective")]
    else:
        ran = [results(program) for program in PROGRAMS if relation in results(program).database.program.core.relations]
    return shortest(relation, next((rows for each in ran if (rows := list(each.database[relation]))), []))


def shortest(relation: str, rows: Iterable[tuple[Any, ...]]) -> str:
    shown = [f"{relation}({', '.join(map(value, row))})" for row in rows]
    assert shown, f"the sample has no row of {relation}"
    return min(shown, key=lambda text: (len(text), text))


def value(cell: Any) -> str:
    """A value as programs write it; of sets, as results show them."""
    if isinstance(cell, frozenset):
        return "{" + ", ".join(sorted(map(value, cell))) + "}"
    return str(s.String(PLACE, cell)) if isinstance(cell, str) else text_of(cell)


PLACE = s.Place("", 0, 0)


# ---- the page


def text() -> str:
    """The page."""
    return HEAD + "".join(f"{line}\n" for line in (*taken(), *derived(), *facts()))


def taken() -> Iterator[str]:
    for program in PROGRAMS:
        found: dict[type, dict[str, None]] = defaultdict(dict)
        for item in outside(ANALYSES / f"{program}.dl"):
            match item:
                case s.Component():
                    found[s.Component][item.type.name] = None
                case s.Instance() | s.TypeDeclaration() | s.LatticeDeclaration():
                    found[s.Instance if isinstance(item, s.Instance) else s.TypeDeclaration][item.name] = None
        cells = [
            ", ".join(f"`{name}`" for name in found[kind]) for kind in (s.Component, s.Instance, s.TypeDeclaration)
        ]
        yield f"| `<{program}.dl>` | " + " | ".join(cells) + " |"
    yield ""
    yield "Functors have names of their own. Those of the library are declared in `ladder/analyses/java/*functors.dl`"
    yield "and in the files of the analyses."


def outside(path: Path) -> Iterator[s.Item]:
    """The items of an analysis that stand in no component, those of included files among them."""
    for item in parse_text(path.read_text("utf-8"), path.name):
        if isinstance(item, s.Include):
            yield from outside(path.parent / item.path)
        else:
            yield item


def derived() -> Iterator[str]:
    for file, relations in sorted(interface().items(), key=lambda each: list(SECTIONS).index(each[0])):
        title, where = SECTIONS[file]
        yield f"\n## {title}\n\nIn {where}, by `ladder/analyses/{file}`."
        for each in relations:
            yield f"\n### {each.name}\n"
            yield f"`{each.name}({columns(each)})`. {'Input. ' * each.is_input}{each.text}\n"
            yield f"```row\n{row_of(each.name, file)}\n```"


def columns(each: Public) -> str:
    return ", ".join(map(str, each.declaration.attributes))


def facts() -> Iterator[str]:
    yield "\n## Facts of the front end\n"
    yield "What the files say, before anything is linked; `ladder/frontends/java/relations.py` says what columns hold."
    declared_facts = {each.name for program in PROGRAMS for each in public(program)}
    for title, group in schema.GROUPS.items():
        yield f"\n### {title}\n\n| relation | a row says | for example |\n|---|---|---|"
        for relation in group:
            kinds = ", ".join(f"{c.name}: {schema.type_of(relation.name, c)}" for c in relation.columns)
            row = shortest(relation.name, sample().facts[relation.name])
            own = "" if relation.name in declared_facts else " (to be declared by the program that reads it)"
            cells = (f"`{relation.name}({kinds})`", relation.doc + own, f"`{row}`")
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
