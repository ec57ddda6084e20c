"""Models of library methods: rows in CodeQL's models-as-data format for Java, and what `java/library_models.dl` asks of
them.

A row says of the methods that it names how values get from one *access path* to another:

    ["java.util", "Map", True, "put", "", "", "Argument[1]", "Argument[this].MapValue", "value", "manual"]

An access path is a root (`Argument[n]`, `Argument[this]`, `ReturnValue`) and components: what a container holds
(`Element`, `ArrayElement`, `MapKey`, `MapValue`, `Field[…]`, `SyntheticField[…]`), and of functions `Parameter[n]` and
`ReturnValue`. Rows of one kind are our own: they say what frameworks call, make and set (`java/frameworks.dl`).

    ["frameworks", "JAX-RS", "javax.ws.rs", "GET", "method", ""]

`read` reads the rows of YAML files; the other functions are functors, which are pure.
Source of the format: https://codeql.github.com/docs/codeql-language-guides/customizing-library-models-for-java-and-kotlin/
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Any

from ladder.analyses import java_library
from ladder.errors import LadderError

COLUMNS = {
    "summaryModel": (
        "SummaryModel",
        ("package", "type", "subtypes", "name", "signature", "ext", "input", "output", "kind", "provenance"),
    ),
    "neutralModel": ("NeutralModel", ("package", "type", "name", "signature", "kind", "provenance")),
    "sourceModel": (
        "SourceModel",
        ("package", "type", "subtypes", "name", "signature", "ext", "output", "kind", "provenance"),
    ),
    "sinkModel": (
        "SinkModel",
        ("package", "type", "subtypes", "name", "signature", "ext", "input", "kind", "provenance"),
    ),
    "barrierModel": (
        "BarrierModel",
        ("package", "type", "subtypes", "name", "signature", "ext", "output", "kind", "provenance"),
    ),
    "contextModel": ("ContextModel", ("package", "type", "subtypes", "name", "kind")),
    "automatonModel": ("AutomatonModel", ("automaton", "state", "meaning")),
    "typestateModel": (
        "TypestateModel",
        ("automaton", "package", "type", "subtypes", "name", "signature", "input", "before", "after"),
    ),
    "wrapperModel": (
        "WrapperModel",
        ("package", "type", "subtypes", "name", "signature", "input", "output", "kind"),
    ),
    "lendModel": ("LendModel", ("package", "type", "subtypes", "name", "signature", "input")),
    "numberModel": ("NumberModel", ("package", "type", "subtypes", "name", "signature", "low", "high")),
    "indexModel": ("IndexModel", ("package", "type", "subtypes", "name", "signature", "input")),
    "sizeModel": ("SizeModel", ("package", "type", "subtypes", "name", "signature", "input")),
    "contentModel": ("ContentModel", ("package", "type", "subtypes", "name", "signature", "input", "output")),
    "checkModel": ("CheckModel", ("package", "type", "subtypes", "name", "signature", "input", "condition")),
    "effectModel": ("EffectModel", ("package", "type", "subtypes", "name", "signature", "effect", "input")),
    "dependencyPolicy": ("DependencyPolicy", ("from", "to", "rule", "reason")),
    "entryPointModel": ("EntryPointModel", ("group", "framework", "package", "type", "place", "members")),
}
"""The kinds of rows that are read: extensible predicate → (relation, columns)."""

POLICY = "dependencyPolicy"
"""The kind of the rows that say which uses of types and members a project allows itself. Rows are in order: the first
one that names a use decides. A row that cannot be used is an error, since what it forbids would be allowed."""

TAINT = "TaintModel"
"""The relation of the rows of summaryModel that have the kind `taint`."""

MEANINGS = ("first", "unfinished")  # what a row of automatonModel says of a state
# How the output of a row of wrapperModel belongs to its input.
WRAPPERS = ("wraps", "shows", "wraps if not null", "owns", "entrusts", "gives owner")
COMPARISON = r"(?:[<>=!]=|[<>]) (?:-?\d+|\?)"
CONDITION = re.compile(rf"true|false|{COMPARISON}(?: and {COMPARISON})*")  # of a row of checkModel
BELOW = "below Argument[0]"  # the high end of a row of numberModel whose first argument is a bound
ON_INPUT = ("reads", "writes", "view", "keeps")  # effects on what stands at the input of a row of effectModel
EFFECTS = ("none", *ON_INPUT, "io", "clock", "random", "environment", "process", "native", "reflection")
POLICY_RULES = ("allow", "forbid", "unreachable")  # what a row of dependencyPolicy says of uses
CONTEXTS = ("object", "call", "none")  # what a row of contextModel says that a method has contexts by
RELATIONS = (*(relation for relation, _ in COLUMNS.values()), TAINT)
ANNOTATED = {"sourceModel": ("Parameter", "Parameter[this]")}
"""The kinds of rows that may be about an annotation (the ext `Annotated`) → what may have it: a parameter, or the
method that has the parameters."""

DEEPEST = 16  # nodes within each other; a row has seven around it, with the stream and the document
GROUPS = ("tests", "frameworks")
PLACES = {
    "method": "",
    "parameter": "",
    "named method": "element",
    "type": "pattern",
    "named type": "element",
    "field": "",
    "subtype": "pattern",
    "subtype elsewhere": "pattern",
    "bound type": "",
    "bound parameter": "",
    "bound parameters": "",
}
"""Where an entry point's annotation or type stands → what the column `members` holds."""
FORM = 3  # of the rows that are made of a file; a new number where the same bytes give other rows

SUFFIXES = (".yml", ".yaml")
OWN = ("models", "taint")  # folders of `java` with the rows that say which packages have which types
NAMED = re.compile(r'^ *- \[(?:"(?:frameworks|tests)", "[^"]*", )?"([a-z][\w.]*)", "([A-Z]\w*)', re.MULTILINE)
LARGEST = 64 << 20  # bytes of a file of rows; all of CodeQL's for Java have 6 MB together
ROOT = re.compile(r"Argument\[(?:this|-1|\d+(?:\.\.\d+)?)\]|ReturnValue|Parameter\[(?:this|-1|\d+(?:\.\.\d+)?)\]")
COMPONENT = re.compile(
    r"Element|ArrayElement|MapKey|MapValue|ReturnValue|Parameter\[\d+(?:\.\.\d+)?\]|(?:Synthetic)?Field\[[^\]]+\]"
)
TOKEN = re.compile(r"[^.\[\]]+(?:\[[^\]]*\])?")
RANGE = re.compile(r"\[(\d+)\.\.(\d+)\]")
WIDEST = 64  # arguments in a range
UNKNOWN = re.compile(r"<(.+?): (\S+) (.+)\((.*)\)>")
GIVEN = "? given "
THIS, NO_ARGUMENT = -1, -2


@dataclass
class Models:
    """Rows by relation (`SummaryModel`, `NeutralModel`, …), each with the texts of its columns, and what was left out:
    (file, line from 1, why)."""

    rows: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    left_out: list[tuple[Path, int, str]] = field(default_factory=list)


# ---- reading rows


def files(folders: Sequence[Path]) -> dict[Path, bytes]:
    """The YAML files below the folders (or the files themselves), in the order of their names, with their bytes;
    `LadderError` where there are none, or one cannot be read."""
    found: dict[Path, bytes] = {}
    for folder in folders:
        for file in _below(folder):
            try:
                if file.stat().st_size > LARGEST:
                    raise LadderError(f"{file} has more than {LARGEST >> 20} MB.", "Split it into several files.")
                found[file] = file.read_bytes()
            except OSError as error:
                reason = error.strerror or error
                raise LadderError(f"{file} cannot be read: {reason}.", "Mend it, or leave it out.") from error
    return found


def version(contents: Mapping[Path, bytes]) -> str:
    """A text that changes with the contents of the files and with what is made of them."""
    digest = hashlib.sha256(f"{FORM}".encode())
    for file, data in contents.items():
        digest.update(hashlib.sha256(data).digest())
        if POLICY.encode() in data:  # rows tell where they stand
            digest.update(os.fsencode(file))
    return digest.hexdigest()[:16]


def read(contents: Mapping[Path, bytes]) -> Models:
    """The rows of YAML files, each row once. `LadderError` where a file is not YAML of this form; a row that says
    nothing that can be used is left out, with its place."""
    found = Models({relation: [] for relation in RELATIONS})
    for file, data in contents.items():
        of_file = _of_file(file, data)
        for relation, rows in of_file.rows.items():
            found.rows[relation] += rows
        found.left_out += of_file.left_out
    found.rows = {relation: list(dict.fromkeys(rows)) for relation, rows in found.rows.items()}
    policy = COLUMNS[POLICY][0]
    found.rows[policy] = [(str(place), *row) for place, row in enumerate(found.rows[policy])]
    kind = COLUMNS["summaryModel"][1].index("kind")
    found.rows[TAINT] = [row for row in found.rows["SummaryModel"] if row[kind] == "taint"]
    return found


def with_taint(found: Models, taint: Models) -> Models:
    """Rows, with those of the kind `taint` of others, which are about taint alone: for analyses of references a method
    has no model by them."""
    other = {**taint.rows, "SummaryModel": []}
    rows = {relation: list(dict.fromkeys((*rows, *other[relation]))) for relation, rows in found.rows.items()}
    return Models(rows, [*found.left_out, *taint.left_out])


def _below(folder: Path) -> list[Path]:
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise LadderError(
            f"There is no folder {folder}.", "--models takes a folder of YAML files in CodeQL's models-as-data format."
        )
    found = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    if not found:
        raise LadderError(f"There is no YAML file in {folder}.", "Models are files that end in .yml or .yaml.")
    return found


@lru_cache(maxsize=64)  # the analyses of a process read the same files
def _of_file(file: Path, data: bytes) -> Models:
    """The rows of a file.

    for each extension: for each row of its data:
        it has as many columns as its kind says, and paths that are understood  →  one row for each of its arguments
        else                                                                    →  left out
    """
    found = Models({relation: [] for relation in RELATIONS})
    for kind, rows in _extensions(file, data):
        if kind not in COLUMNS:
            found.left_out.append((file, _line(rows), f"rows of {kind} are not used"))
            continue
        relation, columns = COLUMNS[kind]
        for row in _sequence(rows, file, "data is a list of rows"):
            cells = [cell.value for cell in _sequence(row, file, "a row is a list of texts")]
            if any(not isinstance(cell, str) for cell in cells) or len(cells) != len(columns):
                if kind == POLICY:
                    _refuse_policy(file, _line(row), f"a row of {kind} has {len(columns)} texts: {', '.join(columns)}")
                found.left_out.append((file, _line(row), f"a row of {kind} has {len(columns)} texts"))
                continue
            reason = _unusable(kind, dict(zip(columns, cells, strict=True)))
            if kind == POLICY:
                _refuse_policy(file, _line(row), reason)
                found.rows[relation].append((*cells, str(file), str(_line(row))))
                continue
            if reason:
                found.left_out.append((file, _line(row), reason))
                continue
            found.rows[relation] += _single(columns, cells)
    return found


def _refuse_policy(file: Path, line: int, reason: str) -> None:
    """Raise `LadderError` if there is a reason why a row of a policy cannot be used."""
    if reason:
        raise LadderError(f"{file}:{line}: {reason}.", "Mend the row, or leave it out.")


DEEP = "nested too deeply"


def _extensions(file: Path, data: bytes) -> Iterator[tuple[str, Any]]:
    """(kind, data) for each extension of a file; nodes of the syntax tree, because they know their lines."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        text = data.decode("utf-8")
        _refuse_nesting(file, yaml.parse(text, Loader=loader))
        tree = yaml.compose(text, Loader=loader)
    except UnicodeDecodeError as error:
        raise LadderError(f"{file} is not UTF-8: {error}.", "Models are UTF-8 text in YAML.") from error
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or DEEP
        what = f"is no model: {DEEP}" if "nesting" in problem else f"is not YAML: {problem}"  # newer PyYAML has a limit
        raise LadderError(f"{file}{place} {what}.", "Mend the file, or leave it out.") from error
    if tree is None:
        return
    for extension in _sequence(_key(tree, "extensions", file), file, "extensions is a list"):
        kind = _key(_key(extension, "addsTo", file), "extensible", file)
        yield str(kind.value), _key(extension, "data", file)


def _refuse_nesting(file: Path, events: Iterable[Any]) -> None:
    """Raise `LadderError` where nodes are nested more deeply than rows ever are: the C library composes them
    recursively."""
    depth = 0
    for event in events:
        kind = type(event).__name__
        depth += kind.endswith("StartEvent") - kind.endswith("EndEvent")
        if depth > DEEPEST:
            raise LadderError(f"{file}:{_line(event)} is no model: {DEEP}.", "Mend the file, or leave it out.")


def _key(node: Any, name: str, file: Path) -> Any:
    for key, value in node.value if node.id == "mapping" else ():
        if key.value == name:
            return value
    raise LadderError(
        f"{file}:{_line(node)} has no key {name}.",
        "Models have the form `extensions: [{addsTo: {pack: …, extensible: summaryModel}, data: [[…], …]}]`.",
    )


def _sequence(node: Any, file: Path, rule: str) -> list[Any]:
    if node.id != "sequence":
        raise LadderError(f"{file}:{_line(node)} is no model: {rule}.", "Mend the file, or leave it out.")
    value: list[Any] = node.value
    return value


def _line(node: Any) -> int:
    return int(node.start_mark.line) + 1


def _unusable(kind: str, row: Mapping[str, str]) -> str:
    """Why a row of a kind cannot be used, or ""."""
    if kind == POLICY:
        return _unusable_policy(row)
    if "place" in row:
        return _unusable_entry(row)
    if "meaning" in row:
        return "" if row["meaning"] in MEANINGS else f"a state means {' or '.join(MEANINGS)}, not {row['meaning']}"
    if row.get("ext") == "Annotated" and kind in ANNOTATED:
        known = ANNOTATED[kind]
        return "" if row["output"] in known else f"what is annotated is {' or '.join(known)}, not {row['output']}"
    if kind == "effectModel" and (reason := _unusable_effect(row["effect"], row["input"])):
        return reason
    for column in ("input", "output"):
        if kind == "effectModel" and not row["input"]:
            continue
        if not _understood(row.get(column, "ReturnValue")):
            return f"the access path {row[column]} is not understood"
    if kind == "wrapperModel" and row["kind"] not in WRAPPERS:
        return f"a wrapper is of the kind {' or '.join(WRAPPERS)}, not {row['kind']}"
    if kind == "numberModel" and (reason := _unusable_bounds(row["low"], row["high"])):
        return reason
    if kind == "checkModel" and not CONDITION.fullmatch(row["condition"]):
        return f"a condition is true, false, or comparisons such as `>= 0 and < ?`, not {row['condition']}"
    if kind == "typestateModel" and not row["after"]:
        return "the row names no state after the call"
    if kind == "contextModel" and row["kind"] not in CONTEXTS:
        return f"a context is {', '.join(CONTEXTS)}, not {row['kind']}"
    if row.get("subtypes", "True").lower() not in {"true", "false"}:
        return f"subtypes is True or False, not {row['subtypes']}"
    if row.get("ext"):
        return f"ext is {row['ext']}, and only the empty text is understood"
    if not row["type"]:
        return "the row names no type"
    class_ = f"{row['package']}.{row['type']}" if row["package"] else row["type"]
    if kind == "sourceModel" and row["output"] == "ReturnValue" and java_library.field(class_, row["name"]):
        return ""
    return _unnamed(class_, row) if row["name"] and java_library.kind(class_) else ""


def _unusable_policy(row: Mapping[str, str]) -> str:
    """Why a row of dependencyPolicy has no meaning, or ""."""
    if row["rule"] not in POLICY_RULES:
        return f"a rule is {', '.join(POLICY_RULES)}, not {row['rule']}"
    if not row["from"] or not row["to"]:
        return f"the pattern {'from' if not row['from'] else 'to'} is empty"
    if row["rule"] != "allow" and not row["reason"]:
        return f"a row that says {row['rule']} needs a reason"
    return ""


def _unusable_effect(effect: str, input_: str) -> str:
    """Why a row of effectModel has no meaning, or ""."""
    if effect not in EFFECTS:
        return f"an effect is {', '.join(EFFECTS)}, not {effect}"
    if (effect in ON_INPUT) != bool(input_):
        return f"the effect {effect} {'needs an' if effect in ON_INPUT else 'has no'} input"
    return ""


def _unusable_bounds(low: str, high: str) -> str:
    """Why two texts are no bounds of numbers, or ""."""
    if high == BELOW:
        return "" if low == "0" else f"what is below an argument begins at 0, not at {low}"
    try:
        return "" if float(low) <= float(high) else f"there is no number between {low} and {high}"
    except ValueError:
        return f"bounds are numbers, not {low} and {high}"


def _unnamed(class_: str, row: Mapping[str, str]) -> str:
    """Why a row names no method of a known class, or says something of arguments that the method does not have; ""."""
    constructor = row["name"] == _simple(class_)
    methods = java_library.all_methods(class_, "<init>" if constructor else row["name"])
    if not methods and not (constructor and java_library.kind(class_) == "class"):
        return f"{class_} has no method {row['name']}"
    named = [method for method in methods if names_signature(row.get("signature", ""), method)]
    if methods and not named:
        return f"{class_} has no method {row['name']}{row.get('signature', '')}"
    called = f"{class_}.{row['name']}{row.get('signature', '')}"
    roots = {argument(path.partition(".")[0]) for path in map(row.get, ("input", "output")) if path}
    last = max(map(java_library.arity, named), default=NO_ARGUMENT)
    if named and max(roots, default=NO_ARGUMENT) >= last and max(roots) >= 0:
        return f"{called} has no argument {max(roots)}: it has {last}, counted from 0"
    if named and THIS in roots and all(map(java_library.is_static, named)):
        return f"{called} is static and has no Argument[this]"
    return ""


def _unusable_entry(row: Mapping[str, str]) -> str:
    """Why a row about entry points cannot be used, or ""."""
    if row["group"] not in GROUPS:
        return f"the group is {' or '.join(GROUPS)}, not {row['group']}"
    if row["place"] not in PLACES:
        return f"the place is one of {', '.join(PLACES)}, not {row['place']}"
    if not row["type"] or not row["framework"]:
        return "the row names no type" if not row["type"] else "the row names no framework"
    holds = PLACES[row["place"]]
    if bool(row["members"]) != (holds == "element") and holds != "pattern":
        return f"members {'names an element' if holds else 'is empty'} where the place is {row['place']}"
    try:
        re.compile(row["members"])
    except re.error as error:
        return f"members is no regular expression: {error}"
    return ""


def _understood(path: str) -> bool:
    root, *components = _split(path) or [""]
    widths = [int(last) - int(first) for first, last in RANGE.findall(path)]
    return (
        ".".join((root, *components)) == path
        and ROOT.fullmatch(root) is not None
        and all(COMPONENT.fullmatch(component) for component in components)
        and all(0 <= width < WIDEST for width in widths)
    )


def _split(path: str) -> list[str]:
    """The root and the components of an access path; dots in brackets separate none."""
    return TOKEN.findall(path)


def _single(columns: Sequence[str], cells: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The rows that a row with ranges of arguments stands for."""
    choices = [
        _expanded(cell) if column in {"input", "output"} else [cell]
        for column, cell in zip(columns, cells, strict=True)
    ]
    yield from product(*choices)


def _expanded(path: str) -> list[str]:
    path = path.replace("[-1]", "[this]")
    found = RANGE.search(path)
    if found is None:
        return [path]
    numbers = range(int(found[1]), int(found[2]) + 1)
    return [rest for n in numbers for rest in _expanded(f"{path[: found.start()]}[{n}]{path[found.end() :]}")]


# ---- which types rows name


def has_type(package: str, name: str) -> int:
    """1 if a row of Ladder's own is about the top-level type `name` of a package, or about a member of it; else 0."""
    return int((package, name) in _named_types())


@cache
def _named_types() -> frozenset[tuple[str, str]]:
    folders = [Path(__file__).with_name("java") / folder for folder in OWN]
    return frozenset(pair for data in files(folders).values() for pair in NAMED.findall(data.decode()))


# ---- which methods a row names


@lru_cache(1 << 16)
def method_name(method: str) -> str:
    """The name by which rows call a library method or a method of an unknown class (`<C: ? m(T)>`): that of its class
    for constructors; "" for other methods."""
    class_, name, _ = _parts(method)
    return _simple(class_) if name == "<init>" else name


@lru_cache(1 << 17)
def names(package: str, type_: str, subtypes: str, signature: str, method: str) -> int:
    """1 if a row for a type (and its subtypes) and a signature ("": any) names the method, whose name is the row's."""
    class_, name, parameters = _parts(method)
    wanted = f"{package}.{type_}" if package else type_
    of_class = class_ == wanted or (
        subtypes.lower() == "true" and name != "<init>" and wanted in java_library.supertypes(class_)
    )
    return int(of_class and bool(class_) and (not signature or _suits(signature, parameters)))


@lru_cache(1 << 16)
def in_class(method: str, class_: str) -> str:
    """A method as if another class declared it; constructors stay as they are."""
    own, name, _ = _parts(method)
    return method if not own or name == "<init>" else f"<{class_}{method[1 + len(own) :]}"


def names_signature(signature: str, method: str) -> bool:
    """Whether a row's signature ("": any) is that of a library method."""
    return not signature or _suits(signature, _parts(method)[2])


def _suits(signature: str, parameters: Sequence[str]) -> bool:
    """Whether parameter types, of which some may be unknown (`?`), are those of a signature such as `(int,Object[])`,
    which has their simple or full names."""
    inside = signature.strip()[1:-1]
    wanted = [text.strip() for text in inside.split(",")] if inside.strip() else []
    return len(wanted) == len(parameters) and all(map(_may_be, parameters, wanted))


@lru_cache(1 << 16)
def _parts(method: str) -> tuple[str, str, tuple[str, ...]]:
    """(class, name, erased parameter types) of a library method, or of one of an unknown class, of which the types are
    known if compiled code names it; texts that are empty for other methods."""
    arity = java_library.arity(method)
    if arity >= 0:
        types = tuple(java_library.parameter(method, 1, k) for k in range(arity))
        return java_library.owner(method), java_library.method_name(method), types
    unknown = UNKNOWN.fullmatch(method)
    if unknown is None:
        return "", "", ()
    types = tuple(unknown[4].split(",")) if unknown[4] else ()
    return unknown[1], unknown[3], tuple(map(_given, types)) if unknown[2] == "?" else types


def _given(argument: str) -> str:
    """The type of an argument, whose parameter may be of any supertype; only a type of the JDK says which these are."""
    return f"{GIVEN}{argument}" if java_library.direct_supertypes(argument) else "?"


def _may_be(known: str, wanted: str) -> bool:
    """Whether a parameter may have the type that a row wants, by what is known of it or of its argument."""
    if known.startswith(GIVEN):
        return any(_is_called(wanted, type_) for type_ in java_library.supertypes(known[len(GIVEN) :]))
    return known == "?" or _is_called(wanted, known)


def _is_called(name: str, type_: str) -> bool:
    return name in {type_, type_.rpartition(".")[2], _simple(type_)}


def _simple(class_: str) -> str:
    return re.split(r"[.$]", class_)[-1]


# ---- access paths


@lru_cache(1 << 12)
def base(path: str) -> str:
    """The path without its last component; "" for a root."""
    *front, last = _split(path)
    return path[: -len(last) - 1] if front else ""


@lru_cache(1 << 12)
def root(path: str) -> str:
    """The first part of a path: an argument, the receiver or the result."""
    return (_split(path) or [""])[0]


@lru_cache(1 << 12)
def step(path: str) -> str:
    """The last component of a path; "" for a root."""
    *front, last = _split(path)
    return last if front else ""


@lru_cache(1 << 12)
def argument(path: str) -> int:
    """The index of the argument that the path is, -1 for `Argument[this]`; -2 for all others."""
    found = re.fullmatch(r"Argument\[(this|\d+)\]", path)
    return NO_ARGUMENT if found is None else THIS if found[1] == "this" else int(found[1])


@lru_cache(1 << 12)
def parameter(component: str) -> int:
    """The index of the parameter that a component is (`Parameter[n]`); -1 for others."""
    found = re.fullmatch(r"Parameter\[(\d+)\]", component)
    return -1 if found is None else int(found[1])
