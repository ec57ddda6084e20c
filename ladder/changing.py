"""Rules of a database: its program's, with those added and without those removed since."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ladder.errors import LadderError

if TYPE_CHECKING:
    from ladder.language.compile import Clause, Compiled
    from ladder.program import Program


@dataclass(frozen=True)
class Rules:
    """A program's text with texts added to it; `removed`: texts of clauses, and of each clause how many copies went."""

    program: Program
    added: tuple[str, ...] = ()
    removed: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def changed(self) -> bool:
        """Whether they are others than the program's."""
        return bool(self.added or self.removed)

    def with_added(self, text: str) -> Rules:
        """These and those of a text, which may declare what it needs."""
        return replace(self, added=(*self.added, text))

    def without(self, text: str) -> Rules:
        """These but for those of a text, all copies of them; `LadderError` where there is no such rule."""
        from ladder.language.compile import clauses_of   # the parser is needed here only

        named, there = clauses_of(text), Counter(self.compiled.clauses)
        missing = next((clause for clause in named if clause not in there), None)
        if missing is not None or not named:
            raise LadderError(f"The program has no rule {missing or text.strip()}",
                              "Rules are compared up to layout; variables must have the same names.")
        counts = tuple(there[clause] if clause not in named[:position] else 0 for position, clause in enumerate(named))
        return replace(self, removed=(*self.removed, (text, counts)))

    @cached_property
    def compiled(self) -> Compiled:
        """Checked; raises `ProgramError`."""
        from ladder.language.compile import compile_program

        text = "\n".join((self.program.text, *self.added, ""))
        return compile_program(text, self.program.name, self.program.directory, self.program.functors, self.program.options,
                               self._removed_clauses())

    def _removed_clauses(self) -> Counter[Clause]:
        from ladder.language.compile import clauses_of

        gone: Counter[Clause] = Counter()
        for text, counts in self.removed:
            for clause, count in zip(clauses_of(text), counts, strict=True):
                gone[clause] += count
        return gone

    def description(self) -> dict[str, Any]:
        """As JSON has it, without the program."""
        return {"added": list(self.added), "removed": [[text, list(counts)] for text, counts in self.removed]}

    @staticmethod
    def described(program: Program, description: Mapping[str, Any]) -> Rules:
        """The rules of a program that were described."""
        return Rules(program, tuple(description["added"]), tuple((text, tuple(counts)) for text, counts in description["removed"]))
