"""A cache of checked programs on disk: a text that was checked before is not parsed again.

An entry is used only if the language's own sources, the text, every included file and every module that the program
names are unchanged, and if it is authenticated with this user's key, or came with the installation (`ship`). Python
objects are not stored but resolved again by their bindings. Entries that cannot be read or written are ignored.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import sys
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from ladder.errors import StateError
from ladder.language import core
from ladder.language.errors import Warning
from ladder.language.objects.bindings import Unresolved, load_module, resolve, source_hash
from ladder.language.objects.lattice_tables import METHODS, DeclaredLattice, lattice_named, method_of
from ladder.language.options import DEFAULT, LIBRARY, Options
from ladder.language.values import exact
from ladder.language.versions.union import Union, united
from ladder.support.caches import NotKept, folder_if_any, folder_of, read_kept, write_kept
from ladder.support.collection import without_collection
from ladder.support.json_text import read_object
from ladder.support.private import key_name

SHIPPED = Path(__file__).parent / "compiled"
"""The folder of the programs that an installation comes with, which were checked when its wheel was built."""

_MOST_ENTRIES = 1000
_PURPOSE = "checked program"
_OF_SEVERAL, _NAMES = "program of several", "names of relations in a program of several"
_IN_STATES = "program as states have it"


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
    content = _read(path, _PURPOSE) if path else None
    if content is None and directory.resolve() == LIBRARY.resolve():
        content = _shipped(SHIPPED / _shipped_name(text, name, options))
    if content is None:
        return None
    try:
        with without_collection(lasting=True):
            stored: Checked = pickle.loads(content)
        paths = {shown: LIBRARY / file for shown, file in stored.paths.items()}
        unchanged = all(file.read_text(encoding="utf-8") == stored.texts[shown] for shown, file in paths.items())
        if not unchanged or module_hashes(stored.bindings, directory) != stored.modules:
            return None
        return replace(stored, paths=paths, core=_with_objects(stored.core, stored.bindings, directory))
    except Exception:  # noqa: BLE001 - a damaged entry, or one of another version: as good as none
        return None


def write_checked(checked: Checked, text: str, name: str, directory: Path) -> None:
    """Store a program in the cache, if possible."""
    path = _entry(text, name, directory, checked.options)
    if path is None:
        return
    _write(path, checked, _PURPOSE)


def ship(folder: Path, checked: Checked, text: str, name: str) -> None:
    """Write the program of a file of the library into a folder that becomes `SHIPPED` of installations; the files that
    it includes must be the library's, too. `NotKept` if that fails."""
    paths = {shown: file.resolve().relative_to(LIBRARY.resolve()) for shown, file in checked.paths.items()}
    _ship(folder / _shipped_name(text, name, checked.options), replace(checked, paths=paths))


def ship_union(folder: Path, programs: Sequence[tuple[str, core.Program]], fingerprints: Sequence[str]) -> None:
    """The same of the program of several (see `union_of`)."""
    _ship(folder / _union_name(programs, fingerprints), united(programs))


def _ship(path: Path, program: Checked | Union) -> None:
    write_kept(path, zlib.compress(_pickled(program)))


def _shipped(path: Path) -> bytes | None:
    content = read_kept(path, trusted=True)
    return None if content is None else zlib.decompress(content)


def _shipped_name(text: str, name: str, options: Options) -> str:
    return _name_of(text, name, "", options)  # wherever the library is


def _name_of(text: str, name: str, directory: str, options: Options) -> str:
    """The name of the entry of a program."""
    return _digest("\0".join((language_version(), name, directory, repr(options), text)))


def _pickled(program: Checked | Union) -> bytes:
    stripped = replace(program, core=_without_objects(program.core))
    return pickle.dumps(stripped, protocol=pickle.HIGHEST_PROTOCOL)


def _write(path: Path, program: Checked | Union, purpose: str) -> None:
    """Store a program without what cannot be stored, if possible, and drop entries that were not used for long."""
    try:
        folder_of(path.parent.name)
        write_kept(path, _pickled(program), purpose)
        _drop_unused(path.parent)
    except (OSError, NotKept, RecursionError, pickle.PicklingError, AttributeError, TypeError):
        return


def _keep(path: Path | None, content: bytes, purpose: str) -> None:
    """Write an entry, if possible."""
    if path is not None:
        with suppress(OSError, NotKept):
            folder_of(path.parent.name)
            write_kept(path, content, purpose)


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
    name, parts = _union_name(programs, fingerprints), [program for _, program in programs]
    path = _file_of(name)
    found = _read_union(_read(path, _OF_SEVERAL) if path else None, parts)
    if found is None:
        found = _read_union(_shipped(SHIPPED / name), parts)
    if found is None:
        found = united(programs)
        if path:
            _write(path, found, _OF_SEVERAL)
    return found


def _union_name(programs: Sequence[tuple[str, core.Program]], fingerprints: Sequence[str]) -> str:
    return _digest("\0".join((language_version(), *(label for label, _ in programs), *fingerprints)))


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
    _keep(path, json.dumps(others).encode(), _NAMES)


def kept_names(fingerprint: str) -> Mapping[str, tuple[str, Mapping[str, str]]]:
    """What `keep_names` kept for a program of several; nothing if that is not there."""
    path = _names_file(fingerprint)
    content = _read(path, _NAMES) if path else None
    return {label: (part, names) for label, (part, names) in read_object(content or b"{}").items()}


def keep_form(fingerprint: str, made_by: str, form: bytes) -> None:
    """Keep the bytes that states have of the program with this fingerprint, if possible; `made_by`: what made the
    program of its text, and the bytes of it."""
    _keep(_form_file(fingerprint, made_by), form, _IN_STATES)


def kept_form(fingerprint: str, made_by: str) -> bytes | None:
    """What `keep_form` kept; None if that is not there."""
    path = _form_file(fingerprint, made_by)
    return _read(path, _IN_STATES) if path else None


def _form_file(fingerprint: str, made_by: str) -> Path | None:
    return _file_of(_digest(f"{_IN_STATES}\0{made_by}\0{fingerprint}"))


def _names_file(fingerprint: str) -> Path | None:
    return _file_of(_digest(f"{_NAMES}\0{language_version()}\0{fingerprint}"))


def _read_union(content: bytes | None, programs: Sequence[core.Program]) -> Union | None:
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
    return _file_of(_name_of(text, name, str(directory.resolve()), options))


def _file_of(name: str) -> Path | None:
    """The file of an entry, which another key does not share: whoever cannot authenticate it would replace it."""
    base = folder_if_any()
    if base is None:
        return None
    with suppress(StateError):
        return base / "programs" / _digest(f"{name}\0{key_name()}")
    return None


def _digest(key: str) -> str:
    """A hash of a text, in which paths may be that are not UTF-8."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def language_version() -> str:
    """A hash of the version of Python, without its last part, and of the source files of the language: with the same
    one, the same text is the same core program."""
    digest = hashlib.sha256(repr((sys.implementation.name, sys.version_info[:2])).encode())
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
