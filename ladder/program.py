"""`Program`: a checked program with its text and a fingerprint of everything that decides its meaning."""
from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ladder.language import core
from ladder.language.bindings import Unresolved, load_module, source_hash
from ladder.language.compile import Compiled, compile_program
from ladder.language.environment import Functors


@dataclass(frozen=True)
class Program:
    """A checked program: `core` is what engines read."""

    name: str
    text: str
    core: core.Program
    fingerprint: str
    sources: Mapping[str, str] = field(default_factory=dict, repr=False)

    @staticmethod
    def load(path: str | Path, functors: Functors | None = None) -> Program:
        """The program of a file; raises OSError, or `ladder.language.errors.ProgramError` with all its errors."""
        path = Path(path)
        text = path.read_text(encoding="utf-8")
        return _program(compile_program(text, path.name, path.parent, functors), text, path.name, path.parent)

    @staticmethod
    def parse(text: str, name: str = "<text>", functors: Functors | None = None) -> Program:
        """The program of a text; includes and Python files are looked up in the current directory."""
        directory = Path.cwd()
        return _program(compile_program(text, name, directory, functors), text, name, directory)

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Relations of `.input` directives."""
        return _named(self.core, "input")

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """Relations of `.output` directives."""
        return _named(self.core, "output")


def _named(program: core.Program, kind: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(d.relation for d in program.directives if d.kind == kind))


def _program(compiled: Compiled, text: str, name: str, directory: Path) -> Program:
    return Program(name, text, compiled.core, _fingerprint(compiled, directory), compiled.sources.texts)


def _fingerprint(compiled: Compiled, directory: Path) -> str:
    """A hash of all texts and of the sources of the modules they name."""
    digest = hashlib.sha256()
    for text in compiled.sources.texts.values():
        digest.update(hashlib.sha256(text.encode()).digest())
    for name, binding in sorted(compiled.environment.bindings.items()):
        try:
            digest.update(f"{name}={binding}:{source_hash(load_module(binding, directory)[0])}".encode())
        except Unresolved:
            digest.update(f"{name}={binding}".encode())
    return digest.hexdigest()
