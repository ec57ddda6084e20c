"""Dependencies of Maven projects, from `pom.xml` and the local repository, without Maven.

    pom files      of the project and its modules, as far as they lie in the project
    effective pom  parents (in the project, else in the repository), properties, managed versions, imported ones
    dependencies   those of each pom, then those of their poms in the repository, breadth first: of several versions of
                   an artifact the nearest one counts, of equally near ones the first, as for Maven

Done as Maven documents it in Introduction to the Dependency Mechanism; not done: profiles, ranges of versions, mirrors.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from ladder.project.dependencies.found import Artifact, Found
from ladder.project.dependencies.xml import BadXml, Element, read_xml

POM = "pom.xml"
MOST_POMS = 2_000  # of a project
MOST_READ = 2_000_000  # elements of all poms of a project
MOST_ELEMENTS = 10_000_000  # of these poms, each with its parents
MOST_PARENTS = 30
MOST_ARTIFACTS = 10_000
ROUNDS = 20  # of properties in values of properties
LONGEST = 1_000  # characters of a value, and of a text with properties in it
_PROPERTY = re.compile(r"\$\{([^{}]*)\}")

Read = Callable[[str], bytes | None]
"""Path in the project → content, None for what is not there."""


@dataclass(frozen=True)
class Dependency:
    """An element `dependency`; `excluded`: (group, name), each of which may be `*`."""

    artifact: Artifact
    scope: str = "compile"
    type: str = "jar"
    optional: bool = False
    excluded: frozenset[tuple[str, str]] = frozenset()


@dataclass
class Pom:
    """A pom with what it inherits; `managed`: key → what dependencies without a version, or inherited ones, get."""

    artifact: Artifact
    properties: dict[str, str] = field(default_factory=dict)
    dependencies: list[Dependency] = field(default_factory=list)
    managed: dict[tuple[str, str, str], Dependency] = field(default_factory=dict)


class Repository:
    """A local repository, and the poms in it that were read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._poms: dict[Artifact, Pom | None] = {}

    def file(self, artifact: Artifact, suffix: str) -> Path | None:
        """A file of an artifact; None if it is not there."""
        if not artifact.is_plain:
            return None
        name = "-".join((artifact.name, artifact.version, *filter(None, (artifact.classifier,))))
        group = artifact.group.split(".")
        found = self.folder.joinpath(*group, artifact.name, artifact.version, f"{name}.{suffix}")
        return found if all(group) and found.is_file() else None

    def pom(self, artifact: Artifact, depth: int = 0) -> Pom | None:
        """The effective pom of an artifact; None if it is not there, or not one."""
        if artifact not in self._poms:
            self._poms[artifact] = None  # for those that name one another
            file = self.file(replace(artifact, classifier=""), "pom")
            try:
                if file is not None and depth < MOST_PARENTS:
                    self._poms[artifact] = _effective(read_xml(file.read_bytes()), None, self, depth)
            except (BadXml, OSError):
                pass
        return self._poms[artifact]


def add_dependencies(read: Read, repository: Repository, found: Found) -> None:
    """Add the artifacts that the poms of a project name, and those that these need."""
    poms = dict(_poms(read, found))
    if not poms:
        return
    found.sources.append(POM if len(poms) == 1 else f"{len(poms)} {POM}")
    own: set[tuple[str, str]] = set()
    affordable, elements = [], 0
    for path, root in poms.items():
        pom, chain = _inherited(root, _parents_in(path, poms), repository, 0)
        own.add((pom.artifact.group, pom.artifact.name))
        elements += sum(each.size for each in chain if isinstance(each, Element))
        if elements > MOST_ELEMENTS:
            found.problems.append((path, 1, 1, _left_out("and those before it, with their parents,", MOST_ELEMENTS)))
            break
        affordable.append(path)
    for path in affordable:  # one after the other: with what it inherits, a pom may be large
        pom = _effective(poms[path], _parents_in(path, poms), repository, 0)
        for artifact, type_ in _closure(pom, repository, own):
            if type_ != "pom":
                found.add(repository.file(artifact, "jar"), artifact)


def _left_out(which: str, most: int) -> str:
    return f"its dependencies, and those of poms after it, are not known: it {which} have more than {most:,} elements"


# ---- the poms of a project


def _poms(read: Read, found: Found) -> Iterator[tuple[str, Element]]:
    """Yield path and root of the pom of the project, and of its modules; those that are no XML are problems."""
    pending, seen = deque([POM]), {POM}
    elements = 0
    while pending:
        path = pending.popleft()
        data = read(path)
        if data is None:
            continue
        try:
            root = read_xml(data)
        except BadXml as error:
            found.problems.append((path, error.line, error.column, f"its dependencies are not known: {error.message}"))
            continue
        elements += root.size
        if elements > MOST_READ:
            found.problems.append((path, 1, 1, _left_out("and those before it", MOST_READ)))
            return
        yield path, root
        for module in root.all("modules", "module"):
            below = _below(path, module.text.strip())
            if below is None or below in seen:
                continue
            seen.add(below)
            if len(seen) <= MOST_POMS:
                pending.append(below)
            elif len(seen) == MOST_POMS + 1:
                found.problems.append((path, module.line, 1, f"poms after the first {MOST_POMS:,} are not looked at"))


def _below(path: str, name: str) -> str | None:
    """The path of a pom that the pom at a path names, in the project; None if it leads elsewhere."""
    parts = list(PurePosixPath(path).parent.parts)
    for part in PurePosixPath(name.replace("\\", "/")).parts:
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part.startswith("/"):
            return None
        elif part != ".":
            parts.append(part)
    return "/".join(parts if parts and parts[-1].endswith(".xml") else (*parts, POM))


def _parents_in(path: str, poms: Mapping[str, Element]) -> Callable[[Element], tuple[str, Element] | None]:
    """How the parent of the pom at a path is found among those of the project."""

    def parent(root: Element) -> tuple[str, Element] | None:
        stated = root.child("parent", "relativePath")
        where = _below(path, "../pom.xml" if stated is None else stated.text.strip() or "-")
        above = poms.get(where) if where is not None else None
        if above is None or where is None or _own(above).name != root.value("parent", "artifactId"):
            return None
        return where, above

    return parent


# ---- effective poms


def _own(root: Element) -> Artifact:
    """The artifact of a pom as it is written, with group and version of its parent where it has none."""
    return Artifact(
        root.value("groupId") or root.value("parent", "groupId"),
        root.value("artifactId"),
        root.value("version") or root.value("parent", "version"),
    )


def _effective(
    root: Element, parent_in: Callable[[Element], tuple[str, Element] | None] | None, repository: Repository, depth: int
) -> Pom:
    """A pom with what its parents say.

    properties of the parents, then its own; managed versions likewise, own ones first, then those that are imported;
    dependencies of the parents, then its own, with managed versions
    """
    pom, chain = _inherited(root, parent_in, repository, depth)
    above = next((each for each in chain if isinstance(each, Pom)), None)
    elements = [each for each in chain if isinstance(each, Element)]
    properties = pom.properties
    for element in elements:
        for each in element.all("dependencyManagement", "dependencies", "dependency"):
            _manage(pom, _dependency(each, properties), repository, depth)
    if above is not None:
        for key, managed in above.managed.items():
            pom.managed.setdefault(key, managed)
    inherited = [] if above is None else above.dependencies
    written = [
        _dependency(each, properties)
        for element in reversed(elements)
        for each in element.all("dependencies", "dependency")
    ]
    by_key = {each.artifact.key: each for each in (*inherited, *written)}
    pom.dependencies = [_with_managed(each, pom.managed, only_missing=True) for each in by_key.values()]
    return pom


def _inherited(
    root: Element, parent_in: Callable[[Element], tuple[str, Element] | None] | None, repository: Repository, depth: int
) -> tuple[Pom, list[Element | Pom]]:
    """(a pom with its own name and all properties, what these come from: its elements, then its parents)."""
    chain = list(_chain(root, parent_in, repository, depth))
    above = next((each for each in chain if isinstance(each, Pom)), None)
    elements = [each for each in chain if isinstance(each, Element)]
    properties: dict[str, str] = {} if above is None else dict(above.properties)
    for element in reversed(elements):
        block = element.child("properties")
        values = {each.name: each.text.strip() for each in (block.children if block else ())}
        properties |= {name: value for name, value in values.items() if len(value) <= LONGEST}
    properties |= _implied(elements[0])
    pom = Pom(_own(root), properties)
    group, version = _filled(pom.artifact.group, properties), _filled(pom.artifact.version, properties)
    pom.artifact = replace(pom.artifact, group=group, version=version)
    return pom, chain


def _chain(
    root: Element, parent_in: Callable[[Element], tuple[str, Element] | None] | None, repository: Repository, depth: int
) -> Iterator[Element | Pom]:
    """Yield a pom, its parents in the project, and the effective pom of the first one that is in the repository."""
    seen: set[int] = set()
    while id(root) not in seen and len(seen) < MOST_PARENTS:
        seen.add(id(root))
        yield root
        if root.child("parent") is None:
            return
        beside = parent_in(root) if parent_in is not None else None
        if beside is None:
            artifact = Artifact(*(root.value("parent", name) for name in ("groupId", "artifactId", "version")))
            above = repository.pom(artifact, depth + 1)
            if above is not None:
                yield above
            return
        root = beside[1]


def _implied(root: Element) -> dict[str, str]:
    """The properties that every pom has."""
    own = _own(root)
    found = {"groupId": own.group, "artifactId": own.name, "version": own.version}
    parent = {f"parent.{name}": root.value("parent", name) for name in ("groupId", "artifactId", "version")}
    return {f"{prefix}.{name}": value for prefix in ("project", "pom") for name, value in {**found, **parent}.items()}


def _filled(text: str, properties: Mapping[str, str]) -> str:
    """A text with the values of properties in it; those that nobody has stay."""
    for _ in range(ROUNDS):
        filled = text if len(text) > LONGEST else _PROPERTY.sub(lambda match: properties.get(match[1], match[0]), text)
        if filled == text:
            break
        text = filled
    return text


def _dependency(element: Element, properties: Mapping[str, str]) -> Dependency:
    def value(*path: str) -> str:
        return _filled(element.value(*path), properties)

    type_ = value("type") or "jar"
    classifier = value("classifier") or ("tests" if type_ == "test-jar" else "")
    excluded = frozenset(
        (_filled(each.value("groupId"), properties) or "*", _filled(each.value("artifactId"), properties) or "*")
        for each in element.all("exclusions", "exclusion")
    )
    artifact = Artifact(value("groupId"), value("artifactId"), value("version"), classifier)
    return Dependency(artifact, value("scope"), type_, value("optional") == "true", excluded)


def _manage(pom: Pom, managed: Dependency, repository: Repository, depth: int) -> None:
    """Add a managed version, or those of a pom that is imported."""
    if managed.scope == "import" and managed.type == "pom":
        imported = repository.pom(managed.artifact, depth + 1)
        for key, each in imported.managed.items() if imported is not None else ():
            pom.managed.setdefault(key, each)
    else:
        pom.managed.setdefault(managed.artifact.key, managed)


def _with_managed(
    dependency: Dependency, managed: Mapping[tuple[str, str, str], Dependency], only_missing: bool
) -> Dependency:
    """A dependency with the version, scope and exclusions that are managed, where it says none, or in any case."""
    found = managed.get(dependency.artifact.key)
    if found is None:
        return dependency
    keeps = only_missing and dependency.artifact.version
    version = dependency.artifact.version if keeps else found.artifact.version or dependency.artifact.version
    return replace(
        dependency,
        artifact=replace(dependency.artifact, version=version),
        scope=dependency.scope or found.scope,
        excluded=dependency.excluded | found.excluded,
    )


# ---- what dependencies need


def _closure(pom: Pom, repository: Repository, own: set[tuple[str, str]]) -> Iterator[tuple[Artifact, str]]:
    """Yield the artifacts that a pom needs, nearest first, with their types; none of `own` artifacts."""
    pending = deque((each, each.excluded) for each in pom.dependencies)
    chosen: set[tuple[str, str, str]] = set()
    while pending and len(chosen) < MOST_ARTIFACTS:
        dependency, excluded = pending.popleft()
        artifact = dependency.artifact
        if artifact.key in chosen:
            continue
        chosen.add(artifact.key)
        if (artifact.group, artifact.name) not in own:
            yield artifact, dependency.type
        needed = repository.pom(replace(artifact, classifier=""))
        for each in needed.dependencies if needed is not None else ():
            one = (each.artifact.group, each.artifact.name)
            if each.optional or each.scope in ("test", "provided", "system") or _excludes(excluded, one):
                continue
            pending.append((_with_managed(each, pom.managed, only_missing=False), excluded | each.excluded))


def _excludes(excluded: frozenset[tuple[str, str]], one: tuple[str, str]) -> bool:
    return any(each in excluded for each in (one, (one[0], "*"), ("*", one[1]), ("*", "*")))


def local_repository(home: Path) -> Path:
    """The user's local repository: that of `settings.xml`, else `~/.m2/repository`."""
    settings = home / ".m2" / "settings.xml"
    try:
        stated = read_xml(settings.read_bytes()).value("localRepository")
    except (OSError, BadXml):
        stated = ""
    stated = stated.replace("${user.home}", str(home)).replace("${env.HOME}", str(home))
    return Path(stated) if stated and "${" not in stated else home / ".m2" / "repository"
