"""Errors a user can cause or correct: a sentence that says what is wrong, another that says what to do."""

from __future__ import annotations

from typing import Self


class LadderError(Exception):
    """An error that a user can correct: what went wrong (`message`) and what to do about it (`hint`, may be ""). The
    command line prints both, without a traceback.

    `place`: file:line:column of the rule whose evaluation failed; `excerpt`: its line with a caret; both "" where they
    are unknown.
    """

    exit_code = 2
    place = excerpt = ""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def at(self, place: str, excerpt: str = "") -> Self:
        """The error itself, with this place if it had none."""
        self.place, self.excerpt = self.place or place, self.excerpt or excerpt
        return self

    def __str__(self) -> str:
        if not self.place:
            return f"{self.message} {self.hint}".rstrip()
        return "\n    ".join(
            filter(None, (f"{self.place}: error: {self.message.removesuffix('.')}", self.excerpt, self.hint))
        )


class ProjectError(LadderError):
    """The project or the requested revision cannot be read."""


class TablesError(LadderError):
    """A fact table is damaged, or rows do not fit its schema."""


class ExtractionError(LadderError):
    """Facts could not be extracted at all. (A single file that cannot be read is a row of the diagnostics instead.)"""


class StateError(LadderError):
    """A saved state is damaged, of another user, of another version, or in use by another process."""


class NotOurs(StateError):
    """A saved state is of another program or another user; it is left as it is."""


class ProgramError(LadderError):
    """A Datalog program has errors."""


class Unsupported(LadderError):
    """An option or construct is not supported by this version or engine."""


class SparkError(LadderError):
    """Spark is not available here, or a job failed."""


class TimedOut(LadderError):
    """The time limit was exceeded."""

    exit_code = 3


class OutOfMemory(LadderError):
    """The memory limit was exceeded, or the machine's memory is exhausted."""

    exit_code = 4


class LadderWarning(UserWarning):
    """A warning: the work goes on, but probably not as intended."""
