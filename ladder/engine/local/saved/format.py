"""The version of the format of saved states; a state with another version is refused, and computed anew.

Whoever changes one of the following, so that a state that was saved before would be misread, must increase it:

- records that are written as they are (keys, entries, groups, aggregate inputs, waves, timelines), what special values
  in them stand for,
- hashes by which rows, texts and groups are found again, and the parts into which keys fall,
- arrays, headers and tables of its files, and what CURRENT says,
- the classes of core programs, and the canonical form of values.

Nothing else makes a state unusable: neither an edited kernel (plans, which are code, are made anew then) nor another
join order. `tests/database/test_format.py` compares the format with its description from the last increase, and opens a
state that was saved then; `python -m tests.database.state_format` writes both anew.
"""

from __future__ import annotations

from pathlib import Path

from ladder.errors import StateError

FORMAT = 10
KIND_OF_FILE = b"LADDERSTATE"
MAGIC = KIND_OF_FILE + f"{FORMAT}\n".encode()
HINT = "Remove it, or run again to rebuild it."


def refuse_other_format(folder: Path, number: object) -> None:
    """Raise `StateError` if the version of a state's format is not the current one, or is missing."""
    if number != FORMAT or type(number) is not int:
        raise other_format(folder)


def other_format(folder: Path) -> StateError:
    """The error for a state that was saved in another format."""
    return StateError(
        f"The state in {folder} was written by another version of Ladder, in another form than number {FORMAT}.", HINT
    )
