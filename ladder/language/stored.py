"""A cache of checked programs on disk: a text that was checked before is not parsed again.

An entry is used only if the language's own sources, the text, every included file and every module that the program
names are unchanged, and if it is authenticated with this user's key. Python objects are not stored but resolved again
by their bindings. Entries that cannot be read or written are ignored.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from ladder.language import core
from ladder.language.errors import Warning
from ladder.language.objects.bindings import Unresolved, load_module, resolve, source_hash
from ladder.language.objects.lattice_tables import METHODS, DeclaredLattice, lattice_named, method_of
from ladder.language.options import DEFAULT, Options
from ladder.language.values import exact
from ladder.language.versions.union import Union, united
from ladder.support.caches import NotKept, folder_if_any, folder_of, read_kept, write_kept
from ladder.support.collection import without_collection
from ladder.support.json_text import read_object

_MOST_ENTRIES = 1000
_PURPOSE = "checked program"
_OF_SEVERAL, _NAMES = "program of several", "names of relations in a program of several"


@dataclass(frozen=True)
class Checked:
    """A core program, with the texts that it was compiled from (file as named in messages → text) and the bindings of
    its Python objects."""

    core: core.Program
    texts: Mapping[str, str]
    paths: Mapping[str, Path]  # files that were included
    bindings: Mapping[str, str]  # lattice or "@functor" → "module:attribute"
    modules: Mapping[str, str]  # the same → hash of the module's source
    functors_hash: str = ""  # of functors that the caller passed; such programs are not stored
    warnings: tuple[Warning, ...] = ()
    pragmas: tuple[tuple[str, str], ...] = ()
    options: Options = DEFAULT

    @property
    def fingerprint(self) -> str:
        """A hash of everything that the program's meaning depends on."""
        options = replace(self.options, instead=())  # what is read in the place of other files is among the texts
        digest = hashlib.sha256(
            (self.functors_hash if options == DEFAULT else f"{self.functors_hash}\0{options}").encode()
        )
        for text in self.texts.values():
            digest.update(hashlib.sha256(text.encode()).digest())
        for name, binding in sorted(self.bindings.items()):
            digest.update(f"{name}={binding}:{self.modules[name]}\n".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


def module_hashes(bindings: Mapping[str, str], directory: Path) -> dict[str, str]:
    """The hash of the source of each binding's module; raises `Unresolved`."""
    return {name: source_hash(load_module(binding, directory)[0]) for name, binding in bindings.items()}


def read_checked(text: str, name: str, directory: Path, options: Options) -> Checked | None:
    """The cached program of a text, if there is one and nothing has changed since; None otherwise."""
    path = _entry(text, name, directory, options)
    if path is None:
        return None
    content = _read(path, _PURPOSE)
    if content is None:
        return None
    try:
        with without_collection(lasting=True):
            stored: Checked = pickle.loads(content)
        unchanged = all(file.read_text(encoding="utf-8") == stored.texts[shown] for shown, file in stored.paths.items())
        if not unchanged or module_hashes(stored.bindings, directory) != stored.modules:
            return None
        return replace(stored, core=_with_objects(stored.core, stored.bindings, directory))
    except Exception:  # noqa: BLE001 - a damaged entry, or one of another version: as good as none
        return None


def write_checked(checked: Checked, text: str, name: str, directory: Path) -> None:
    """Store a program in the cache, if possible."""
    path = _entry(text, name, directory, checked.options)
    if path is None:
        return
    _write(path, checked, _PURPOSE)


def _write(path: Path, program: Checked | Union, purpose: str) -> None:
    """Store a program without what cannot be stored, if possible, and drop entries that were not used for long."""
    try:
        folder_of(path.parent.name)
        stripped = replace(program, core=_without_objects(program.core))
        write_kept(path, pickle.dumps(stripped, protocol=pickle.HIGHEST_PROTOCOL), purpose)
        _drop_unused(path.parent)
    except (OSError, NotKept, RecursionError, pickle.PicklingError, AttributeError, TypeError):
        return


def _drop_unused(folder: Path) -> None:
    """Delete the entries that were not read for longest, from a tenth above the number that is kept on."""
    entries = list(os.scandir(folder))
    if len(entries) <= _MOST_ENTRIES * 11 // 10:
        return
    for entry in sorted(entries, key=lambda each: each.stat().st_mtime)[:-_MOST_ENTRIES]:
        with suppress(FileNotFoundError):  # another process dropped it
            os.unlink(entry)


def _read(path: Path, purpose: str) -> bytes | None:
    """The content of an entry, which is marked as used; None if there is none of this user's."""
    content = read_kept(path, purpose)
    if content is not None:
        with suppress(OSError):
            os.utime(path)
    return content


def union_of(programs: Sequence[tuple[str, core.Program]], fingerprints: Sequence[str]) -> Union:
    """One program of several with different labels (see `united`), kept like checked programs, under their
    fingerprints."""
    base = folder_if_any()
    key = "\0".join((language_version(), *(label for label, _ in programs), *fingerprints))
    path = base and base / "programs" / _digest(key)
    found = _read_union(path, [program for _, program in programs]) if path else None
    if found is None:
        found = united(programs)
        if path:
            _write(path, found, _OF_SEVERAL)
    return found


def keep_names(fingerprint: str, names: Mapping[str, tuple[str, Mapping[str, str]]]) -> None:
    """Keep how the relations of programs are called in that of several of them with this fingerprint: by label, the
    fingerprint of a program, and the names that are others there."""
    path = _names_file(fingerprint)
    if path is None or _read(path, _NAMES) is not None:
        return
    others = {
        label: (part, {name: there for name, there in known.items() if name != there})
        for label, (part, known) in names.items()
    }
    with suppress(OSError, NotKept):
        folder_of(path.parent.name)
        write_kept(path, json.dumps(others).encode(), _NAMES)


def kept_names(fingerprint: str) -> Mapping[str, tuple[str, Mapping[str, str]]]:
    """What `keep_names` kept for a program of several; nothing if that is not there."""
    path = _names_file(fingerprint)
    content = _read(path, _NAMES) if path else None
    return {label: (part, names) for label, (part, names) in read_object(content or b"{}").items()}


def _names_file(fingerprint: str) -> Path | None:
    base = folder_if_any()
    return base and base / "programs" / _digest(f"{_NAMES}\0{language_version()}\0{fingerprint}")


def _read_union(path: Path, programs: Sequence[core.Program]) -> Union | None:
    content = _read(path, _OF_SEVERAL)
    if content is None:
        return None
    try:
        with without_collection(lasting=True):
            stored: Union = pickle.loads(content)
        functions, lattices = {}, {}
        for name, function in stored.core.functions.items():
            number, there = stored.origins[name]
            functions[name] = replace(function, call=programs[number].functions[there].call)
        for name in stored.core.lattices:
            number, there = stored.origins[f"lattice {name}"]
            lattices[name] = programs[number].lattices[there]
        return replace(stored, core=replace(stored.core, functions=functions, lattices=lattices))
    except Exception:  # noqa: BLE001 - a damaged entry, or one of another version: as good as none
        return None


def _entry(text: str, name: str, directory: Path, options: Options) -> Path | None:
    base = folder_if_any()
    if base is None:
        return None
    key = "\0".join((language_version(), name, str(directory.resolve()), repr(options), text))
    return base / "programs" / _digest(key)


def _digest(key: str) -> str:
    """A hash of a text, in which paths may be that are not UTF-8."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def language_version() -> str:
    """A hash of Python's version and of the source files of the language: with the same one, the same text is the same
    core program."""
    digest = hashlib.sha256(sys.version.encode())
    for folder, _, names in sorted(os.walk(os.path.dirname(__file__))):  # paths as texts: this is done in every run
        for name in sorted(names):
            if name.endswith((".py", ".lark")):
                with open(os.path.join(folder, name), "rb") as file:
                    digest.update(file.read())
    return digest.hexdigest()


def _without_objects(program: core.Program) -> core.Program:
    return replace(
        program,
        functions={name: replace(f, call=_absent) for name, f in program.functions.items()},
        lattices={
            name: lattice.with_calls(lambda functor: _absent) if isinstance(lattice, DeclaredLattice) else None
            for name, lattice in program.lattices.items()
        },
    )


def _with_objects(program: core.Program, bindings: Mapping[str, str], directory: Path) -> core.Program:
    def functor(name: str) -> Any:
        call = resolve(bindings["@" + name], directory)
        if not callable(call):
            raise Unresolved(name)
        return call

    lattices: dict[str, Any] = {
        **exact.LATTICES,
        **{
            name: lattice.with_calls(lambda f: functor(f.name))
            for name, lattice in program.lattices.items()
            if lattice is not None
        },
    }
    for name in bindings:
        if not name.startswith("@"):
            lattice = resolve(bindings[name], directory)
            lattices[name] = lattice() if isinstance(lattice, type) else lattice
    functions = {}
    for name, function in program.functions.items():
        injecting, injects, _ = name.partition(".inject(")
        lattice_name, _, method = name.rpartition(".")
        if name in exact.CALLS:
            call = exact.CALLS[name]
        elif injects:
            call = lattice_named(injecting, lattices).inject
        elif lattice_name in lattices and method in METHODS:
            call = method_of(lattices[lattice_name], method)
        else:
            call = functor(name)
        functions[name] = replace(function, call=call)
    return replace(
        program, functions=functions, lattices={name: lattice_named(name, lattices) for name in program.lattices}
    )


def _absent(*arguments: Any) -> Any:
    raise AssertionError("a function of a stored program that was not found again")
