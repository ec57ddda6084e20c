"""The program of a saved state, as it is saved with it: enough to tell what has changed in another version of it."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

from ladder.engine.classes import classes_of
from ladder.engine.local.saved.core import packed, unpacked, without_objects
from ladder.engine.local.saved.format import FORMAT
from ladder.errors import LadderError, StateError
from ladder.language.core import Program
from ladder.language.normalise.wide import join_named
from ladder.language.objects.lattice_tables import lattice_named
from ladder.language.stored import keep_form, kept_form
from ladder.language.values import exact
from ladder.language.versions.identity import identities, identity, redefined

KEPT_FROM = 500  # rules of a program that is large
DIGITS = 64  # of a version


@dataclass(frozen=True)
class Origin:
    """Where a program comes from: a hash of everything that decides its meaning, and the changes of its rules since
    (see `Rules`). `language`: the version of the language, if the core program is the one that it makes of the text; ""
    otherwise."""

    fingerprint: str
    rules: Mapping[str, Any]
    language: str = ""


@dataclass(frozen=True)
class SavedProgram:
    """The program of a state. `identities`: identities of its functions and lattices, by which changes are found;
    `packed`: the core program without them.

    `relations`: the names of those that are stored. `version`: of the core program, see `version_of`.
    """

    origin: Origin
    relations: Collection[str]
    identities: Mapping[str, str]
    version: str
    packed: bytes

    @staticmethod
    def of(program: Program, origin: Origin, relations: Collection[str]) -> SavedProgram:
        """What is saved of a program; `LadderError` if it contains values that cannot be saved."""
        return SavedProgram(origin, relations, identities(program), *_form_of(program, origin))

    def description(self) -> dict[str, Any]:
        """Return what tells versions of the program apart, as values for JSON, without the relations and the core
        program."""
        return {
            "program": self.origin.fingerprint,
            "rules": self.origin.rules,
            "identities": self.identities,
            "version": self.version,
            "language": self.origin.language,
        }

    @staticmethod
    def described(
        description: Mapping[str, Any], relations: Collection[str], data: bytes, ours: bool, folder: Path
    ) -> SavedProgram:
        """The program with this description; ValueError if the description is malformed.

        `StateError` if somebody else has added rules, because their text is code.
        """
        fingerprint, rules, known, version, language = (
            description["program"],
            description["rules"],
            description["identities"],
            description["version"],
            description.get("language", ""),
        )
        added, removed = rules.get("added", []), rules.get("removed", [])
        texts = [
            fingerprint,
            version,
            language,
            *known,
            *known.values(),
            *relations,
            *added,
            *(text for text, _ in removed),
        ]
        if not all(isinstance(text, str) for text in texts) or not all(
            type(n) is int for _, counts in removed for n in counts
        ):
            raise ValueError("its program is not described")
        if added and not ours:
            raise StateError(
                f"Rules were added to the program of the state in {folder}, and rules of others are not run.",
                "Have them written into the program, and the state saved with it.",
            )
        return SavedProgram(Origin(fingerprint, rules, language), relations, known, version, data)

    def core(self, program: Program, own: Mapping[str, str]) -> Program:
        """The core program of the state, with the functions and lattices of `program`, another version, whose
        identities are `own`.

        Functions that are different or missing there raise an error when they are called; different or missing lattices
        raise `StateError` at once.
        """
        others = redefined(self.identities, own)
        core = unpacked(self.packed, classes_of(program))
        lattices = {name: _lattice(name, program) for name in core.lattices}
        for name, lattice in lattices.items():
            if (
                lattice is None
                or f"lattice {name}" in others
                or identity(lattice) != self.identities.get(f"lattice {name}")
            ):
                raise StateError(f"The lattice {name} is another one than when the state was saved.")
        functions = {
            name: replace(
                f,
                call=program.functions[name].call if name in program.functions and name not in others else _gone(name),
            )
            for name, f in core.functions.items()
        }
        return replace(core, functions=functions, lattices=lattices)

    def is_of(self, program: Program, made_by: str) -> bool:
        """Whether the core program of the state is this one, which has the same text. `made_by`: what made it of
        that (see `ladder.api.program.Program.made_by`)."""
        return self.origin.language == made_by or self.version == version_of(program)

    def others(self, own: Mapping[str, str], program: Program) -> set[str]:
        """The functions and lattices that have changed: their code is different, or they are gone."""
        gone = {name for name in self.identities if not name.startswith("lattice ") and name not in program.functions}
        return redefined(self.identities, own) | gone


Opener = Callable[[SavedProgram], Program]


def _form_of(program: Program, origin: Origin) -> tuple[str, bytes]:
    """(version, packed form) of a program; those of a large one are kept for other states of it: to make them anew
    takes seconds."""
    if not origin.language or len(program.rules) < KEPT_FROM:
        return version_of(program), packed(program)
    made_by = f"{origin.language} {FORMAT}"
    form = kept_form(origin.fingerprint, made_by)
    if form is None:
        form = version_of(program).encode() + packed(program)
        keep_form(origin.fingerprint, made_by, form)
    return form[:DIGITS].decode(), form[DIGITS:]


def version_of(program: Program) -> str:
    """A hash of a core program without its Python objects. Programs with the same hash are equal; equal programs mostly
    have the same hash, whether they were just compiled or read from the cache: parts are written out each time they
    occur, so that it does not matter which of them are one object.

    It is only compared: nothing is ever read from what is hashed.
    """
    written = io.BytesIO()
    pickler = pickle.Pickler(written, protocol=5)
    pickler.fast = True  # programs are trees, which this mode is right for
    pickler.dump(without_objects(program))
    return sha256(written.getbuffer()).hexdigest()


def _lattice(name: str, program: Program) -> Any:
    """A lattice of the state, which the other version may have in another form only, or use nowhere: sums of floats,
    `L.widen`, `L.dual`, joins of 64 bits."""
    for found in (lambda: lattice_named(name, {**exact.LATTICES, **program.lattices}), lambda: join_named(name)):
        with suppress(KeyError):
            return found()
    return None


def _gone(name: str) -> Callable[..., Any]:
    def call(*_: Any) -> NoReturn:
        raise LadderError(
            f"The function {name} of the saved state is no longer there.",
            "Remove the state, or run again to rebuild it.",
        )

    return call


def inputs_of(program: Program) -> tuple[str, ...]:
    """The relations with `.input` directives."""
    return tuple(dict.fromkeys(d.relation for d in program.directives if d.kind == "input"))
