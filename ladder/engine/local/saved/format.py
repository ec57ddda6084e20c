"""The number of the form in which states are saved; a state of another number is refused, and computed anew.

It is raised on purpose, by whoever changes what a state that was saved before would be misread by:

- records that are written as they are (keys, entries, groups, aggregate inputs, waves, timelines), what special values
  in them stand for,
- hashes by which rows, texts and groups are found again, and the parts into which keys fall,
- arrays, headers and tables of its files, and what CURRENT says,
- the classes of core programs, and the canonical form of values.

Nothing else makes a state worthless: not an edited kernel (plans, which are code, are made anew then), not another join
order. `tests/database/test_format.py` compares the form with the one that was described when the number was raised
last, and opens a state that was saved then; `python -m tests.database.state_format` describes and saves both anew.
"""

from __future__ import annotations

from pathlib import Path

from ladder.errors import StateError

FORMAT = 5
KIND_OF_FILE = b"LADDERSTATE"
MAGIC = KIND_OF_FILE + f"{FORMAT}\n".encode()
HINT = "Remove it, or run again to rebuild it."


def refuse_other_format(folder: Path, number: object) -> None:
    """`StateError` where a state has a number that is not this one's, or none."""
    if number != FORMAT or type(number) is not int:
        raise other_format(folder)


def other_format(folder: Path) -> StateError:
    """A state that was saved in another form."""
    return StateError(
        f"The state in {folder} was written by another version of Ladder, in another form than number {FORMAT}.", HINT
    )
