"""Names in the files that lie beside Java sources: properties, XML, and the providers in `META-INF/services`; and what
statements in XML of mappers of MyBatis take as it is, classes that any of these and YAML name with their packages,
beans that XML of Spring has made, and the versions of libraries that build files name.

A file of `META-INF/services` is named after a service and has the name of a provider on each line. Of all these files,
names are taken by how they look, too: nothing is parsed as what it is, since it may be anything. Dotted names count
wherever they stand, plain ones only as a whole value: of a property, of an attribute or element, or on a line of its
own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ladder.frontends.protocol import Resources

NAME = r"[^\W\d][\w$]*"
DOTTED = re.compile(rf"(?<![\w.$/-]){NAME}(?:\.{NAME})+(?![\w$/-]|\.\w)")
WHOLE = re.compile(rf"(?m)(?:[=:>,;\"']|^)[ \t]*({NAME})[ \t]*(?=[\"'<,;]|\r?$)")
PROVIDER = re.compile(rf"{NAME}(?:\.{NAME})*")
MOST_NAMES = 100_000  # of a file; a file with more is no configuration


def names(data: bytes) -> Iterable[str]:
    """The names in the bytes of a file, each once; none if there are more than `MOST_NAMES`."""
    text = data.decode("utf-8", "replace")
    found = {match[0] for match in DOTTED.finditer(text)} | {match[1] for match in WHOLE.finditer(text)}
    return found if len(found) <= MOST_NAMES else ()


CALLED_OF_BEANS = ("init-method", "destroy-method", "factory-method")
CALLED = re.compile(rf"\b(?:{'|'.join(CALLED_OF_BEANS)})\s*=\s*[\"']({NAME})")


def classes(_path: str, data: bytes) -> Iterable[tuple[str, str]]:
    """(class, member) of names that begin with a package and have a class behind it, and perhaps a member of that; of
    methods that an attribute such as `init-method` names the class is ""."""
    text = data.decode("utf-8", "replace")
    found = {_class_and_member(match[0]) for match in DOTTED.finditer(text)} - {("", "")}
    found |= {("", match[1]) for match in CALLED.finditer(text)}
    return found if len(found) <= MOST_NAMES else ()


def _class_and_member(name: str) -> tuple[str, str]:
    """`a.b.Order.of` → (`a.b.Order`, `of`), since classes begin with a capital letter; ("", "") if there is none."""
    parts = name.split(".")
    length = max((i for i, part in enumerate(parts, 1) if part[0].isupper()), default=0)
    if length < 2 or not parts[0][0].islower():
        return "", ""
    return ".".join(parts[:length]), ".".join(parts[length : length + 1])


BEAN = re.compile(r"<(?:\w+:)?bean\b([^<>]*)>")
NAMED = re.compile(r"""(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


def beans(_path: str, data: bytes) -> Iterable[tuple[str, str]]:
    """(class, method) of the beans that XML of Spring has made: the methods that it says are called, and ""."""
    if b"<beans" not in data:
        return ()
    found = set[tuple[str, str]]()
    for attributes in BEAN.findall(_without_comments(data.decode("utf-8", "replace"))):
        given = {name: first or second for name, first, second in NAMED.findall(attributes)}
        if PROVIDER.fullmatch(given.get("class", "")):
            methods = ("", *(given[name] for name in CALLED_OF_BEANS if name in given))
            found |= {(given["class"], method) for method in methods}
    return found if len(found) <= MOST_NAMES else ()


def providers(path: str, data: bytes) -> Iterable[tuple[str, str]]:
    """(service, provider) of a file of `META-INF/services`, by binary names, as `ServiceLoader` reads it."""
    service, found = path.rpartition("/")[2], set()
    for line in data.decode("utf-8", "replace").splitlines():
        provider = line.partition("#")[0].strip()
        if PROVIDER.fullmatch(provider):
            found.add((service, provider))
    return found if len(found) <= MOST_NAMES else ()


MOST_READ = 1 << 26  # characters of statements with what they include; a file with more is no mapper
MAPPER = re.compile(r"<mapper\b[^<>]*?\bnamespace\s*=\s*[\"']([\w.$]+)[\"']")
KINDS = "select|insert|update|delete|sql"
BEGIN = re.compile(rf"<({KINDS})\b([^<>]*)>")
ENDS = {kind: re.compile(rf"</{kind}\s*>") for kind in KINDS.split("|")}
ATTRIBUTE = re.compile(r"""\b(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
NESTED = re.compile(r"<(include|foreach|bind)\b([^<>]*)>")
PUT_IN = re.compile(r"\$\{\s*([^\W\d]\w*+)(?:\[[^\]{}]*\])?(?:\.([^\W\d]\w*+))?[^{}]*\}")
FIRST_NAME = re.compile(r"[^\W\d]\w*")
CHOSEN = re.compile(r"<(if|when)\b([^<>]*)>([^<]*)</\1\s*>")
TEXT = r"""(?:'[^'"&]*'|"[^'"&]*"|&quot;[^'"&]*&quot;)(?:\.toString\(\))?"""
VARIABLE = r"([^\W\d]\w*)"
IS_TEXT = re.compile(rf"{VARIABLE}\s*==\s*{TEXT}|{TEXT}\s*==\s*{VARIABLE}|{TEXT}\.equals(?:IgnoreCase)?\({VARIABLE}\)")
OR = re.compile(r"\bor\b|\|\|")
OWN_ROOTS = frozenset(("ew",))  # what a wrapper of MyBatis-Plus writes has placeholders for values


def mapped_statements(_path: str, data: bytes) -> Iterable[tuple[str, str, str, str]]:
    """(type, method, root, property) of each `${root.property}` in the statements of a mapper's file."""
    if b"<mapper" not in data:
        return ()
    text = _without_comments(data.decode("utf-8", "replace"))
    if (mapper := MAPPER.search(text)) is None:
        return ()
    bodies: dict[str, str] = {}
    statements = []
    for kind, written, body in _elements(text):
        if identity := _attributes(written).get("id"):
            bodies[identity] = body
            statements += [identity] if kind != "sql" else []
    found, read = set[tuple[str, str, str, str]](), 0
    for name in statements:
        whole = _whole(bodies, name)
        read += len(whole)
        found |= {(mapper[1], name, *put) for put in _put_in(whole)}
        if read > MOST_READ or len(found) > MOST_NAMES:
            return ()
    return found


def _without_comments(text: str) -> str:
    """The text without its comments; one that does not end is none."""
    parts, at = [], 0
    while (begin := text.find("<!--", at)) >= 0 and (end := text.find("-->", begin + 4)) >= 0:
        parts.append(text[at:begin])
        at = end + 3
    return "".join([*parts, text[at:]])


def _elements(text: str) -> Iterator[tuple[str, str, str]]:
    """(kind, attributes, body) of each statement and fragment; each part of the text is looked at once for each kind,
    whatever does not end."""
    at, without_end = 0, set[str]()
    while (begin := BEGIN.search(text, at)) is not None:
        kind, at = begin[1], begin.end()
        end = None if kind in without_end else ENDS[kind].search(text, at)
        if end is None:
            without_end.add(kind)
            continue
        yield kind, begin[2], text[at : end.start()]
        at = end.end()


def _attributes(written: str) -> dict[str, str]:
    """The attributes of an element, by name."""
    return {name: double or single for name, double, single in ATTRIBUTE.findall(written)}


def _whole(bodies: dict[str, str], name: str) -> str:
    """The body of a statement, with those of the fragments that it includes, each once."""
    seen, open_ = {name}, [name]
    parts = []
    while open_:
        body = bodies[open_.pop()]
        parts.append(body)
        for kind, written in NESTED.findall(body):
            fragment = _attributes(written).get("refid", "").rpartition(".")[2] if kind == "include" else ""
            if fragment in bodies and fragment not in seen:
                seen.add(fragment)
                open_.append(fragment)
    return "\n".join(parts)


def _source_of(name: str, made_of: Mapping[str, str], known: dict[str, str]) -> str:
    """What a name is made of in the end; `known`: the same of names that were asked for, to which others are added."""
    seen = dict[str, None]()
    while name in made_of and name not in known and name not in seen:
        seen[name] = None
        name = made_of[name]
    source = known.get(name, name)
    known.update(dict.fromkeys(seen, source))
    return source


def _without_chosen(body: str) -> str:
    """The body without `${name}` where a condition has found that it is one of some texts."""

    def rest(found: re.Match[str]) -> str:
        name = _one_of_texts(_attributes(found[2]).get("test", ""))
        return PUT_IN.sub(lambda put: "" if put[1] == name and not put[2] else put[0], found[3]) if name else found[0]

    return CHOSEN.sub(rest, body)


def _one_of_texts(test: str) -> str:
    """The name that is one of some texts where the condition holds, as in `sort == 'asc' or sort == 'desc'`, or ""."""
    found = [IS_TEXT.fullmatch(part.strip()) for part in OR.split(test)]
    names = {next(filter(None, match.groups()), "") if match else "" for match in found}
    return names.pop() if len(names) == 1 else ""


def _put_in(body: str) -> Iterable[tuple[str, str]]:
    """(root, property) of what a statement takes as it is; elements of a collection stand for the collection."""
    body = _without_chosen(body)
    made_of = {}
    for kind, written in NESTED.findall(body):
        attributes = _attributes(written)
        name, value = attributes.get("item" if kind == "foreach" else "name"), attributes.get("collection")
        source = FIRST_NAME.search(value or attributes.get("value", ""))
        if kind != "include" and name and source:
            made_of[name] = source[0]
    sources: dict[str, str] = {}
    for root, property_ in PUT_IN.findall(body):
        of = _source_of(root, made_of, sources)
        if of not in OWN_ROOTS:
            yield of, property_ if of == root else ""


DEPENDENCY = re.compile(r"<artifactId>\s*([\w.-]+)\s*</artifactId>\s*<version>\s*([^<>\s]+)\s*</version>")
PROPERTY = re.compile(r"<([\w.-]+)>\s*([\w.-]{1,64})\s*</")
OWN = frozenset(("groupId", "artifactId", "version", "packaging", "type", "scope"))  # elements that are no properties
COORDINATES = re.compile(r"""["'][\w.-]{1,200}:([\w.-]{1,200}):([\w.-]{1,64})["'@:]""")


def library_versions(path: str, data: bytes) -> Iterable[tuple[str, str]]:
    """(artifact, version) of what a build file names, and (`${property}`, value) of what versions may be called by."""
    text = data.decode("utf-8", "replace")
    if path.endswith(".xml"):
        found = set[tuple[str, str]]()
        if "<project" in text:
            text = _without_comments(text)
            found = set(DEPENDENCY.findall(text))
            found |= {(f"${{{name}}}", value) for name, value in PROPERTY.findall(text) if name not in OWN}
    else:
        found = set(COORDINATES.findall(text))
    return found if len(found) <= MOST_NAMES else ()


SETTING = re.compile(r"(?m)^[ \t]*([\w.-]{1,100})[ \t]*[=:][ \t]*([\w./-]{1,64}?)[ \t]*\r?$")
ALGORITHM = re.compile(
    r"(?:(?:(?:3?des(?:ede)?|triple_?des|aes|rc[245]|arcfour|blowfish|rsa)(?:_\d+)?(?:/\w+/[\w-]+)?)"
    r"|md[245]|sha(?:-?\d+(?:[-/]\d+)?)?)\Z",
    re.IGNORECASE,
)


def algorithms(_path: str, data: bytes) -> Iterable[tuple[str, str]]:
    """(key, algorithm) of what properties name ciphers and digests by."""
    found = {pair for pair in SETTING.findall(data.decode("utf-8", "replace")) if ALGORITHM.match(pair[1])}
    return found if len(found) <= MOST_NAMES else ()


SERVICES = "META-INF/services/"
EVERY_POLICY = frozenset({"none", "strings", "resources", "casts"})
RESOURCES = (
    Resources(
        relation="ResourceName",
        suffixes=(".properties", ".xml"),
        folders=(SERVICES,),
        rows=lambda _path, data: ((name,) for name in names(data)),
        policies=frozenset({"resources", "casts"}),
    ),
    Resources(
        relation="NamedInFile",
        suffixes=(".properties", ".xml", ".yml", ".yaml", ".sql"),
        folders=("META-INF/",),
        rows=classes,
        policies=EVERY_POLICY,
    ),
    Resources(
        relation="BeanInFile",
        suffixes=(".xml",),
        folders=(),
        rows=beans,
        policies=EVERY_POLICY,
    ),
    Resources(
        relation="ServiceProvider",
        suffixes=(),
        folders=(SERVICES,),
        rows=providers,
        policies=frozenset({"strings", "resources", "casts"}),
    ),
    Resources(
        relation="MappedStatement",
        suffixes=(".xml",),
        folders=(),
        rows=mapped_statements,
        policies=EVERY_POLICY,
    ),
    Resources(
        relation="LibraryVersion",
        suffixes=("pom.xml", ".gradle", ".gradle.kts"),
        folders=(),
        rows=library_versions,
        policies=EVERY_POLICY,
    ),
    Resources(
        relation="AlgorithmInFile",
        suffixes=(".properties",),
        folders=(),
        rows=algorithms,
        policies=EVERY_POLICY,
    ),
)
