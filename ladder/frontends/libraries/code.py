"""The code of libraries: where classes are, and which of them a project reaches, by packs of declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ladder.frontends.bytecode.classfile import ABSTRACT, STATIC
from ladder.frontends.libraries.pack import Description, Pack
from ladder.frontends.libraries.reach import INTERFACES, Class, Need, classes_of, is_kept, reached
from ladder.frontends.libraries.schema import BINARY, DOTTED, NAMES, OWN, PACKAGES, TYPES
from ladder.frontends.libraries.selection import find, packages_of
from ladder.frontends.libraries.signatures import erasure
from ladder.frontends.protocol import ReachedCode, Row

SUFFIX = ".class"


def located(packs: Sequence[Pack], paths: Sequence[Sequence[str]]) -> dict[str, tuple[int, str]]:
    """Return class → the number of its pack and its path there; of several of a name, that which counts for linking.

    A path begins with folders that are none of packages: of modules in runtime images, of `classes` in others.
    """
    found: dict[str, tuple[int, str]] = {}
    of_package = packages_of(packs)
    for number in sorted(range(len(packs)), key=lambda number: not packs[number].is_jdk):
        folders: dict[str, str | None] = {}
        for path in paths[number]:
            folder, _, file = path.rpartition("/")
            if folder not in folders:
                folders[folder] = _package(folder, packs[number])
            package = folders[folder]
            if package is not None and packs[number] in of_package[package]:
                name = file.removesuffix(SUFFIX)
                found.setdefault(f"{package}.{name}" if package else name, (number, path))
    return found


def _package(folder: str, pack: Pack) -> str | None:
    """Return the package whose types are in a folder."""
    parts = folder.split("/")
    candidates = (".".join(parts[start:]) for start in range(len(parts) + 1))
    return next((package for package in candidates if package in pack.packages), None)


def reached_code(
    needs: Iterable[Row],
    packs: Sequence[Pack],
    chosen: Callable[[str], bool],
    read: Callable[[Sequence[str]], Iterable[Row]],
) -> ReachedCode:
    """Return what a project with these needs may run; `read` gives rows of `Code` of classes that are chosen, and none
    of one that cannot be read."""
    of_package = packages_of(packs)
    own, roots = _project(needs)

    def load(names: Sequence[str]) -> Mapping[str, Class]:
        wanted = [name for name in names if name not in own and chosen(name) and not is_kept(name)]
        found = classes_of(read(wanted)) if wanted else {}  # type: ignore[arg-type]
        for name in names:
            if name in own:
                found[name] = own[name]
            elif name not in found and (declared := find(of_package, name)) is not None:
                found[name] = _declared(name, declared[1])
        return found

    result = reached(roots, load)
    named = frozenset(result.named - result.methods.keys())
    mentions = {
        NAMES: result.called, PACKAGES: frozenset[str](), OWN: frozenset[str](), DOTTED: frozenset[str](),
        BINARY: named, TYPES: frozenset((*result.methods, *own)),
    }  # fmt: skip
    return ReachedCode({name: frozenset(methods) for name, methods in result.methods.items()}, mentions)


def _project(needs: Iterable[Row]) -> tuple[dict[str, Class], list[Need]]:
    """Return the types of the project that extend others, without methods, and what is needed besides."""
    own: dict[str, Class] = {}
    roots: list[Need] = []
    for kind, type_, name, more in needs:
        if kind in ("class", "interface"):
            known = own.setdefault(str(name), Class())
            if kind == "class":
                known.superclass = str(type_)
            else:
                known.interfaces.append(str(type_))
            roots.append(("new", str(name), "", ""))
        else:
            roots.append((str(kind), str(type_), str(name), str(more)))
    return own, roots


def _declared(name: str, description: Description) -> Class:
    """Return a class of which the declarations alone are looked at."""
    kind, _, _, _, _, supers, methods, _, _ = description
    found = Class(kind, False, "" if kind in INTERFACES else erasure(supers[0]))
    found.interfaces = [erasure(type_) for type_ in supers[1:]]
    for method, flags, parameters, result, *_ in methods:
        signature = f"{method}({','.join(parameters)})"
        modifiers = {word for flag, word in ((STATIC, "static"), (ABSTRACT, "abstract")) if flags & flag}
        symbol = f"<{name}: {result} {signature}>"
        found.methods.setdefault(signature, []).append((symbol, frozenset(modifiers)))
    return found
