"""`Program`: a checked program with its text and a fingerprint of everything that its meaning depends on."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ladder.errors import LadderError
from ladder.language import core
from ladder.language.errors import Warning
from ladder.language.objects.bindings import source_hash
from ladder.language.options import DOMAINS, Options
from ladder.language.stored import Checked, language_version, module_hashes, read_checked, write_checked

if TYPE_CHECKING:
    from ladder.language.check.environment import Functors


@dataclass(frozen=True)
class Program:
    """A checked program. `core`: the program as engines read it; `sources`: file → text of every file that it was made
    from.

    `directory`, `functors` and `options` are those that it was checked with; rules that are added later are checked
    with them, too. `warnings`: the warnings about it; `pragmas`: the keys and values of its `.pragma` lines.
    `narrowed`: whether the core program lacks what no output needs (see `needed`).
    """

    name: str
    text: str
    core: core.Program
    fingerprint: str
    sources: Mapping[str, str] = field(default_factory=dict, repr=False)
    directory: Path = field(default_factory=Path.cwd, repr=False, compare=False)
    functors: Functors | None = field(default=None, repr=False, compare=False)
    options: Options = field(default=Options(), repr=False)
    warnings: tuple[Warning, ...] = field(default=(), repr=False, compare=False)
    pragmas: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    narrowed: bool = field(default=False, repr=False)

    @staticmethod
    def load(
        path: str | Path,
        functors: Functors | None = None,
        *,
        include: Iterable[str | Path] = (),
        instead: Mapping[Path, Path] | None = None,
        macros: Mapping[str, str] | None = None,
        preprocess: bool = True,
        domain: int | None = None,
        legacy: bool = False,
    ) -> Program:
        """Read and check a program. Raises `LadderError` where the file cannot be read, and
        `ladder.language.errors.ProgramError` with all errors of the program.

        `functors` (a module, or name → function) are the Python functions of functors that the program declares without
        naming one; for the other parameters see `Options`. A program is code: the Python modules that it names for
        lattices and functors are imported, and their objects called, so load only programs that you would run. Without
        `--trust`, `ladder check` checks a program and imports nothing.
        """
        path = Path(path)
        options = Options(
            tuple(map(Path, include)),
            tuple(sorted((instead or {}).items())),
            tuple(sorted((macros or {}).items())),
            preprocess,
            domain,
            legacy,
        )
        return _program(_text(path), path.name, path.parent, functors, options)

    @staticmethod
    def parse(
        text: str, name: str = "<text>", functors: Functors | None = None, *, domain: int | None = None
    ) -> Program:
        """Check the text of a program, as `load` does; files that it includes or names are looked up in the current
        directory."""
        return _program(text, name, Path.cwd(), functors, Options(domain=domain))

    def needed(self) -> Program:
        """The program without the relations and rules that no output needs: its outputs have the same rows."""
        from ladder.language.normalise.needed import needed

        return replace(self, core=needed(self.core), narrowed=True)

    @property
    def made_by(self) -> str:
        """What made the core program of the text: programs of which this and the fingerprint are the same are equal."""
        return language_version() + (" needed" if self.narrowed else "")

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Names of the relations that have an `.input` directive."""
        return self._named("input")

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """Names of the relations that have an `.output` directive."""
        return self._named("output")

    def _named(self, kind: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(d.relation for d in self.core.directives if d.kind == kind))


def _text(path: Path) -> str:
    """The text of a file; `LadderError` where there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise LadderError(f"There is no program {path}.", "Name a .dl file.") from None
    except UnicodeDecodeError:
        raise LadderError(f"{path} is not UTF-8 text.", "Convert the file.") from None
    except OSError as error:
        raise LadderError(f"The program {path} cannot be read: {error.strerror}.") from None


def _program(text: str, name: str, directory: Path, functors: Functors | None, options: Options) -> Program:
    if options.domain not in (None, *DOMAINS):
        raise LadderError(f"Numbers have 32 or 64 bits, not {options.domain!r}.")
    storable = functors is None and options.domain != 64
    checked = read_checked(text, name, directory, options) if storable else None
    if checked is None:
        checked = checked_program(text, name, directory, functors, options)
        if storable:
            write_checked(checked, text, name, directory)
    return Program(
        name,
        text,
        checked.core,
        checked.fingerprint,
        checked.texts,
        directory,
        functors,
        options,
        checked.warnings,
        checked.pragmas,
    )


def checked_program(text: str, name: str, directory: Path, functors: Functors | None, options: Options) -> Checked:
    """Check the text of a program, whether or not a cache has it; raises `ProgramError`."""
    from ladder.language.compile import compile_program  # imports the parser, which a stored program does without

    compiled = compile_program(text, name, directory, functors, options)
    bindings = compiled.environment.bindings
    return Checked(
        compiled.core,
        compiled.sources.texts,
        compiled.sources.paths,
        bindings,
        module_hashes(bindings, directory),
        _hash_of_functors(functors),
        compiled.warnings,
        compiled.pragmas,
        options,
    )


def _hash_of_functors(functors: Functors | None) -> str:
    """A hash of the sources of functors that the caller passes."""
    if functors is None:
        return ""
    if isinstance(functors, ModuleType):
        return source_hash(functors)
    modules = {name: inspect.getmodule(function) for name, function in sorted(functors.items())}
    return ";".join(f"{name}={source_hash(module) if module else ''}" for name, module in modules.items())
