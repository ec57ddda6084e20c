"""The bytes of one class file → its facts: read, lower, and write rows of the schema's relations."""

from __future__ import annotations

from ladder.frontends.bytecode.classfile import Problem, read_class
from ladder.frontends.bytecode.errors import Malformed, place
from ladder.frontends.bytecode.ids import SOURCE, Ids
from ladder.frontends.bytecode.limits import budget_of
from ladder.frontends.bytecode.lower import lower
from ladder.frontends.java.facts import rows_of
from ladder.frontends.java.limits import LimitReached, OutOfTime
from ladder.frontends.protocol import FileFacts, Note

PARSER = "class file"


def facts_of(data: bytes, ids: Ids = SOURCE) -> FileFacts:
    """Return the facts of a class, or diagnostics alone if it cannot be read. Never raises on bad input."""
    budget = budget_of(len(data))
    notes: tuple[Note, ...] = ()
    try:
        file = read_class(data)
        notes = _notes(file.problems)
        unit, problems = lower(file, budget, ids)
        notes = _notes([*file.problems, *problems])
        budget.check_time()
        relations = rows_of(unit)
    except Malformed as error:
        return FileFacts("", (), "none", 0, 0, {}, (*notes, _note(error.description, error.offset)))
    except LimitReached as error:
        limit = (*error.at, "limit", error.description)
        return FileFacts("", (), "none", 0, 0, {}, (*notes, limit), not isinstance(error, OutOfTime))
    except (MemoryError, TimeoutError):  # of the machine, not of the file
        raise
    except Exception as error:  # noqa: BLE001 (one odd file must not end the analysis of the others)
        failure = (*budget.at, "lowering", f"{type(error).__name__}: {error}")
        return FileFacts("", (), "none", 0, 0, {}, (*notes, failure))
    lines = len({row[1] for row in relations.get("Position", ())})
    types = tuple(declaration.id for declaration in unit.types)
    return FileFacts(unit.id, types, PARSER, lines, lines, relations, notes)


def _notes(problems: list[Problem]) -> tuple[Note, ...]:
    return tuple(_note(problem.description, problem.offset) for problem in problems)


def _note(description: str, offset: int) -> Note:
    return (*place(offset), "class file", f"{description[:1].upper()}{description[1:]}")
