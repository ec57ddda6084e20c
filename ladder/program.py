"""`Program`: a checked program with its text and a fingerprint of everything that decides its meaning."""
from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ladder.language import core
from ladder.language.bindings import source_hash
from ladder.language.stored import Checked, module_hashes, read_checked, write_checked

if TYPE_CHECKING:
    from ladder.language.environment import Functors


@dataclass(frozen=True)
class Program:
    """A checked program: `core` is what engines read; `sources`: the text of every file it was made from.

    `directory` and `functors` are what it was checked with: rules added to it later are checked with them, too.
    """

    name: str
    text: str
    core: core.Program
    fingerprint: str
    sources: Mapping[str, str] = field(default_factory=dict, repr=False)
    directory: Path = field(default_factory=Path.cwd, repr=False, compare=False)
    functors: Functors | None = field(default=None, repr=False, compare=False)

    @staticmethod
    def load(path: str | Path, functors: Functors | None = None) -> Program:
        """The program of a file; raises OSError, or `ladder.language.errors.ProgramError` with all its errors.

        `functors` (a module, or name → function) gives functors that the text declares without a function.
        """
        path = Path(path)
        return _program(path.read_text(encoding="utf-8"), path.name, path.parent, functors)

    @staticmethod
    def parse(text: str, name: str = "<text>", functors: Functors | None = None) -> Program:
        """The program of a text; includes and Python files are looked up in the current directory."""
        return _program(text, name, Path.cwd(), functors)

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Relations of `.input` directives."""
        return self._named("input")

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """Relations of `.output` directives."""
        return self._named("output")

    def _named(self, kind: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(d.relation for d in self.core.directives if d.kind == kind))


def _program(text: str, name: str, directory: Path, functors: Functors | None) -> Program:
    checked = read_checked(text, name, directory) if functors is None else None
    if checked is None:
        checked = _check(text, name, directory, functors)
        if functors is None:
            write_checked(checked, text, name, directory)
    return Program(name, text, checked.core, checked.fingerprint, checked.texts, directory, functors)


def _check(text: str, name: str, directory: Path, functors: Functors | None) -> Checked:
    from ladder.language.compile import compile_program   # imports the parser, which a stored program does without

    compiled = compile_program(text, name, directory, functors)
    bindings = compiled.environment.bindings
    return Checked(compiled.core, compiled.sources.texts, compiled.sources.paths, bindings,
                   module_hashes(bindings, directory), _hash_of_given(functors))


def _hash_of_given(functors: Functors | None) -> str:
    """A hash of the sources of functors that the caller gives."""
    if functors is None:
        return ""
    if isinstance(functors, ModuleType):
        return source_hash(functors)
    modules = {name: inspect.getmodule(function) for name, function in sorted(functors.items())}
    return ";".join(f"{name}={source_hash(module) if module else ''}" for name, module in modules.items())
