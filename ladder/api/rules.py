"""Databases whose program changes: rules are added and removed, or the text was edited since the state was saved.

Rules       a program's rules, with those that were added and without those that were removed
Opening     the program of a saved state that is opened with a program that may have been edited since
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ladder.errors import LadderError, NotOurs

if TYPE_CHECKING:
    from ladder.api.program import Program
    from ladder.engine.local.saved.program import SavedProgram
    from ladder.language import core
    from ladder.language.compile import Clause, Compiled


@dataclass(frozen=True)
class Rules:
    """A program's text with texts that were added to it; `removed`: text of a clause that was removed → how many copies
    of it."""

    program: Program
    added: tuple[str, ...] = ()
    removed: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the rules differ from those of the program's text."""
        return bool(self.added or self.removed)

    def with_added(self, text: str) -> Rules:
        """These rules and those of a text, which may contain declarations."""
        return replace(self, added=(*self.added, text))

    def without(self, text: str) -> Rules:
        """These rules without any copy of those of a text; `LadderError` where there is no such rule."""
        from ladder.language.compile import clauses_of  # the parser is needed here only

        named, there = clauses_of(text), Counter(self.compiled.clauses)
        missing = next((clause for clause in named if clause not in there), None)
        if missing is not None or not named:
            raise LadderError(
                f"The program has no rule {missing or text.strip()}",
                "Rules are compared up to layout; variables must have the same names.",
            )
        counts = tuple(there[clause] if clause not in named[:position] else 0 for position, clause in enumerate(named))
        return replace(self, removed=(*self.removed, (text, counts)))

    @cached_property
    def compiled(self) -> Compiled:
        """The rules, checked and compiled; raises `ProgramError`."""
        from ladder.language.compile import compile_program

        text = "\n".join((self.program.text, *self.added, ""))
        return compile_program(
            text,
            self.program.name,
            self.program.directory,
            self.program.functors,
            self.program.options,
            self._removed_clauses(),
        )

    def _removed_clauses(self) -> Counter[Clause]:
        from ladder.language.compile import clauses_of

        gone: Counter[Clause] = Counter()
        for text, counts in self.removed:
            for clause, count in zip(clauses_of(text), counts, strict=True):
                gone[clause] += count
        return gone

    def description(self) -> dict[str, Any]:
        """The differences from the program's text, in a form that JSON can hold."""
        return {"added": list(self.added), "removed": [[text, list(counts)] for text, counts in self.removed]}

    @staticmethod
    def described(program: Program, description: Mapping[str, Any]) -> Rules:
        """The rules of a program with the differences that `description` returned."""
        return Rules(
            program,
            tuple(description["added"]),
            tuple((text, tuple(counts)) for text, counts in description["removed"]),
        )


@dataclass
class Opening:
    """A saved state that is opened with a program. `rules`: those of the state. `edited`: the functions and lattices
    whose code has changed since.

    `edited` is None where the state is that of the present program. Otherwise the program was edited, or another
    version of Ladder makes another core program of the same text.
    """

    program: Program
    rules: Rules = field(init=False)
    edited: set[str] | None = None

    def __post_init__(self) -> None:
        self.rules = Rules(self.program)

    def core_of(self, saved: SavedProgram) -> core.Program:
        """The core program of the saved state."""
        from ladder.engine.local.saved.core import without_objects  # most runs open no state
        from ladder.language.versions.identity import identities
        from ladder.language.versions.rule_changes import aligned

        program = self.program.core
        if saved.origin.fingerprint != self.program.fingerprint:
            if not set(saved.relations).intersection(program.declared):
                raise NotOurs("The saved state belongs to another program.", "Name another folder, or remove it.")
            own = identities(program)
            self.edited = saved.others(own, program)
            return saved.core(program, own)
        self.rules = Rules.described(self.program, saved.origin.rules)
        fresh = self.core
        if saved.is_of(fresh, self.program.made_by):
            return fresh
        own = identities(fresh)
        old = saved.core(fresh, own)
        new = aligned(fresh, old)
        if without_objects(new) == without_objects(old):
            return new
        self.edited = saved.others(own, fresh)
        return old

    @property
    def core(self) -> core.Program:
        """The core program that the state is changed to: the present program with the rules that were added to the
        state and without those removed."""
        return self.rules.compiled.core if self.rules.changed else self.program.core
