"""One random program by its seed: made, evaluated, changed, and compared with the definition at every step.

outcome = check(seed, folder)     # "fine", "too much" (for the naive evaluator), "unsupported" (by the strategy);
                                  or an exception
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from ladder.engine.reference.evaluate import TooMuch
from ladder.errors import LadderError, ProgramError, Unsupported

from ..engine import programs as joins
from ..engine.programs import Case, Rows
from .programs import EVERYTHING, build
from .sessions import Session, Setting, setting_of

LIMITS = ("the engine holds at most 32", "A rule is too long for the engine", "and an engine's plan has at most")
FINE, TOO_MUCH, UNSUPPORTED = "fine", "too much", "unsupported"


def case_of(seed: int) -> Case:
    """The case of a seed: of all constructs mostly; every eighth has the joins and lattices of `engine.programs`."""
    source = random.Random(f"program {seed}")
    return joins.build(source) if source.random() < 0.125 else build(source, EVERYTHING)


def check(seed: int, folder: Path) -> str:
    """See above; whatever is wrong is raised, with what was done."""
    return check_case(case_of(seed), setting_of(seed), folder)


def check_case(case: Case, setting: Setting, folder: Path) -> str:
    session = None
    try:
        session = Session(case, setting, folder)
        session.run()
    except TooMuch:
        return TOO_MUCH
    except LadderError as error:
        # Some strategies do not maintain all programs; relations have at most 32 columns, those of aggregates among
        # them; plans 64 steps.
        if (
            isinstance(error, Unsupported)
            and setting.strategy != "elastic"
            or any(limit in str(error) for limit in LIMITS)
        ):
            return UNSUPPORTED
        error.add_note("\n".join(session.said) + "\n" + session.text if session else case.text)
        raise
    except Exception as error:
        error.add_note("\n".join(session.said) + "\n" + session.text if session else case.text)
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(folder.with_name(f"{folder.name}-facts"), ignore_errors=True)
    return FINE


def kind_of(error: BaseException) -> str:
    """What makes two failures the same: the exception, and its first words without names and numbers."""
    first = (str(error).splitlines() or [""])[0]
    return f"{type(error).__name__}: {re.sub(r'[^A-Za-z ]+', '', first)[:40]}"


# ---- shrinking


def smallest(case: Case, setting: Setting, folder: Path, most_tries: int = 2_000) -> tuple[Case, Setting]:
    """A case and a setting that fail in the same way, from which no step, line, literal, change or row can be taken."""
    wanted = failure(case, setting, folder)
    assert wanted is not None, "this does not fail"
    for _ in range(most_tries):
        better = next((one for one in _smaller(case, setting) if failure(*one, folder) == wanted), None)
        if better is None:
            break
        case, setting = better
    return case, setting


def failure(case: Case, setting: Setting, folder: Path) -> str | None:
    """The kind of a failure; None where all is well, or the text is no program any more."""
    try:
        check_case(case, setting, folder)
    except ProgramError:
        return None
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        return kind_of(error)
    return None


def _smaller(case: Case, setting: Setting) -> Iterator[tuple[Case, Setting]]:
    """Cases and settings from which something was taken, much first."""
    steps = setting.steps
    for i in range(len(steps)):
        yield case, replace(setting, steps=steps[:i] + steps[i + 1 :])
    for plainer in (
        {"jobs": 1},
        {"files": False},
        {"domain": None},
        {"batch_size": 64},
        {"capacity": 64},
        {"short_logs": False},
        {"replanned_rows": 20_000},
    ):
        if replace(setting, **plainer) != setting:  # type: ignore[arg-type]
            yield case, replace(setting, **plainer)  # type: ignore[arg-type]
    lines = case.text.splitlines()
    size = len(lines) // 2
    while size:
        for start in range(0, len(lines), size):
            yield case._replace(text="\n".join(lines[:start] + lines[start + size :]) + "\n"), setting
        size //= 2
    for name in case.facts:
        for rows in _fewer(case.facts[name]):
            facts = {**case.facts, name: rows}
            if not rows:
                del facts[name]
            yield (
                case._replace(
                    facts=facts, changes=[_without(change, name) if not rows else change for change in case.changes]
                ),
                setting,
            )
    for i, change in enumerate(case.changes):
        yield case._replace(changes=case.changes[:i] + case.changes[i + 1 :]), setting
        for side, relations in change.items():
            for name in relations:
                for rows in _fewer(relations[name]):
                    changed = {**change, side: {**relations, name: rows}}
                    yield case._replace(changes=[*case.changes[:i], changed, *case.changes[i + 1 :]]), setting
    for i, line in enumerate(lines):
        for shorter in _shorter(line):
            yield case._replace(text="\n".join([*lines[:i], shorter, *lines[i + 1 :]]) + "\n"), setting


def _without(change: dict[str, Rows], name: str) -> dict[str, Rows]:
    return {
        side: {other: rows for other, rows in relations.items() if other != name} for side, relations in change.items()
    }


def _fewer(rows: list[joins.Row]) -> Iterator[list[joins.Row]]:
    if len(rows) > 1:
        yield []
        yield rows[: len(rows) // 2]
        yield rows[len(rows) // 2 :]
    for i in range(len(rows)):
        yield rows[:i] + rows[i + 1 :]


def _shorter(line: str) -> Iterator[str]:
    """A clause without one of its literals or heads, or without its plan; with a simpler term."""
    head, arrow, body = line.partition(" :- ")
    if not arrow or line.startswith("."):
        return
    if ". .plan" in body:
        yield head + arrow + body.partition(" .plan")[0]
        return
    for parts, made in (
        (_parts(body.removesuffix(".")), lambda rest: f"{head} :- {rest or 'true'}."),
        (_parts(head), lambda rest: f"{rest} :- {body}"),
    ):
        for i in range(len(parts)):
            if len(parts) > 1 or made("") != line:
                rest = ", ".join(parts[:i] + parts[i + 1 :])
                if rest or made is not None and parts is not None and len(parts) == 1:
                    yield made(rest)
    for found in re.finditer(r"\((?:[^()]|\([^()]*\))*\)", body):
        inner = found[0][1:-1]
        if " ; " in inner:
            for side in inner.split(" ; ", 1):
                yield head + arrow + body[: found.start()] + side + body[found.end() :]


def _parts(text: str) -> list[str]:
    """What commas outside of all brackets part."""
    parts, depth, quoted, last = [], 0, False, 0
    for i, character in enumerate(text):
        if character == '"':
            quoted = not quoted
        elif not quoted and character in "([{":
            depth += 1
        elif not quoted and character in ")]}":
            depth -= 1
        elif not quoted and not depth and character == ",":
            parts.append(text[last:i].strip())
            last = i + 1
    return [*parts, text[last:].strip()]


Check = Callable[[int, Path], str]
