"""Why a row is there, as a story: the steps that a person knows, with their source lines, and nothing of how they were
put together.

An explanation is a tree of rows. Told of it are rows of public relations, which results show, and facts about a
statement (a call, an assignment, a cast, a branch), as that line of source; rows of helper relations and of linking are
folded into what they are reasons for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ladder.report.findings import Spot
from ladder.support.columns import aligned
from ladder.support.counts import counted
from ladder.support.terminal import as_json, visible

SCREEN = 24  # lines of a story
WIDEST = 80  # characters of a source line beside a step


class Reason(Protocol):
    """An explanation, as engines give it (see `ladder.engine.local.explain.Explanation`)."""

    @property
    def relation(self) -> str: ...
    @property
    def row(self) -> tuple[Any, ...]: ...
    @property
    def because(self) -> Sequence[Reason]: ...


@dataclass(frozen=True)
class Step:
    """A step of a story: how deep it is, what is said, where it is, the source line there; `on_way`: whether it is one
    of the steps, side by side and in order, of a way that leads to the step above."""

    level: int
    text: str
    spot: Spot | None = None
    source: str = ""
    on_way: bool = False


@dataclass(frozen=True)
class Teller:
    """What a story needs: `is_told`: of which relations rows are told; `text`: what is said of a row; `spot`: where it
    is; `is_statement`: whether rows of a relation of facts are about a statement; `source`: the line of a place."""

    is_told: Callable[[str], bool]
    text: Callable[[str, tuple[Any, ...]], str]
    spot: Callable[[str, tuple[Any, ...]], Spot | None]
    is_statement: Callable[[str], bool]
    source: Callable[[Spot], str]


def story(reason: Reason, teller: Teller) -> list[Step]:
    """The steps of an explanation, a row before its reasons; what was told is not told again.

    walk the tree, the row itself first
        told relation → a step one level deeper than the one it is a reason for
        fact about a statement → a step without words: its line
        other rows → none; their reasons take their place
    """
    steps: list[Step] = []
    rows: set[tuple[str, tuple[Any, ...]]] = set()
    lines: set[tuple[str, int]] = set()
    waiting: list[tuple[Reason, int]] = [(reason, 0)]
    while waiting:
        part, level = waiting.pop()
        key = (part.relation, part.row)
        if key in rows:
            continue
        rows.add(key)
        inner = level
        if not steps or teller.is_told(part.relation):
            steps.append(_told(part, level, teller))
            inner += 1
        elif not part.because and teller.is_statement(part.relation):
            spot = teller.spot(part.relation, part.row)
            if spot is not None and (spot.path, spot.line) not in lines:
                lines.add((spot.path, spot.line))
                steps.append(Step(level, "", spot, teller.source(spot)))
        waiting += [(because, inner) for because in reversed(part.because)]
    return steps


def _told(reason: Reason, level: int, teller: Teller) -> Step:
    spot = teller.spot(reason.relation, reason.row)
    return Step(level, teller.text(reason.relation, reason.row), spot, teller.source(spot) if spot else "")


def as_text(steps: Sequence[Step], most: int = SCREEN) -> str:
    """A line for each step, with its place before it, indented below what it is a reason for; and its source line where
    that was not shown yet. Of a long story the beginning, of a long way the beginning and the end, and how much more
    there is."""
    shown: set[tuple[str, int]] = set()
    rows = []
    first, last = _shown(steps, most)
    for step in (*first, *last):
        line = visible(step.source.strip(), layout=False)
        told = "  " * step.level + (visible(step.text, layout=False) or line)
        if step.spot and step.text and line and (step.spot.path, step.spot.line) not in shown:
            told += f"   | {line[:WIDEST]}{'…' * (len(line) > WIDEST)}"
        if step.spot:
            shown.add((step.spot.path, step.spot.line))
        rows.append((visible(str(step.spot), layout=False) if step.spot else "", told))
    lines = aligned(rows) if rows else []
    if left := len(steps) - len(first) - len(last):
        more = f"… and {counted(left, 'more step')}; {'--format json has all' if last else '--full shows every row'}"
        lines.insert(len(first), more)
    return "\n".join(lines)


def _shown(steps: Sequence[Step], most: int) -> tuple[Sequence[Step], Sequence[Step]]:
    """The steps at the beginning and at the end that fit on a screen. A way has an end: its steps stand side by side
    below what they lead to."""
    if len(steps) <= most:
        return steps, ()
    is_way = all(step.on_way for step in steps[1:])
    half = most // 2 if is_way else most
    return steps[:half], steps[len(steps) - (most - half) :]


def as_json_text(steps: Sequence[Step]) -> str:
    """The steps as a JSON array of objects."""
    return as_json(
        [
            {"level": step.level, "text": step.text, "source": step.source.strip()}
            | ({"path": step.spot.path, "line": step.spot.line, "column": step.spot.column} if step.spot else {})
            for step in steps
        ],
        indent=2,
    )


def as_dot(steps: Sequence[Step]) -> str:
    """The steps as a graph in the language of Graphviz: an edge leads from a step to the one it is a reason for, or to
    the next one of a way."""
    return "\n".join(("digraph story {", '  node [shape=box, fontname="monospace"];', *_nodes(steps), "}"))


def _nodes(steps: Sequence[Step]) -> Iterator[str]:
    above: list[int] = []
    for number, step in enumerate(steps):
        label = "\n".join(filter(None, (step.text or step.source.strip(), str(step.spot) if step.spot else "")))
        yield f"  s{number} [label={_quoted(label)}];"
        del above[step.level :]
        if step.on_way and number + 1 < len(steps) and steps[number + 1].on_way:
            yield f"  s{number} -> s{number + 1};"
        elif above:
            yield f"  s{number} -> s{above[-1]};"
        above.append(number)


def _quoted(text: str) -> str:
    escaped = visible(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


FORMATS: dict[str, Callable[[Sequence[Step]], str]] = {"text": as_text, "json": as_json_text, "dot": as_dot}
