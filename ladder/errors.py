"""Errors a user can cause or correct: a sentence that says what is wrong, another that says what to do."""

from __future__ import annotations

from typing import Self


class LadderError(Exception):
    """What went wrong (`message`) and what to do about it (`hint`, may be empty); the command line prints both and no
    trace.

    `place`: file:line:column of the rule in whose evaluation it did, and `excerpt`: that line with a caret; "" where
    they are not known.
    """

    exit_code = 2
    place = excerpt = ""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def at(self, place: str, excerpt: str = "") -> Self:
        """Return the error itself, with this place if it had none."""
        self.place, self.excerpt = self.place or place, self.excerpt or excerpt
        return self

    def __str__(self) -> str:
        if not self.place:
            return f"{self.message} {self.hint}".rstrip()
        return "\n    ".join(
            filter(None, (f"{self.place}: error: {self.message.removesuffix('.')}", self.excerpt, self.hint))
        )


class ProjectError(LadderError):
    """The project or the revision asked for cannot be read."""


class TablesError(LadderError):
    """A fact table is damaged, or was handed rows that do not fit its schema."""


class ExtractionError(LadderError):
    """Facts could not be extracted at all (a single bad file is a diagnostics row instead)."""


class StateError(LadderError):
    """A saved state is damaged, foreign, of another version, or in use by another process."""


class NotOurs(StateError):
    """A saved state is of another program, or written by another user: it is left as it is."""


class ProgramError(LadderError):
    """A Datalog program is refused."""


class Unsupported(LadderError):
    """An option or a construct that this version refuses by name."""


class SparkError(LadderError):
    """Spark cannot be had here, or cannot do what it is asked for."""


class TimedOut(LadderError):
    """The time allowed ran out."""

    exit_code = 3


class OutOfMemory(LadderError):
    """The memory allowed, or the machine's, ran out."""

    exit_code = 4


class LadderWarning(UserWarning):
    """Something that goes on, but hardly as it was meant."""
