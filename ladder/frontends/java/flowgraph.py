"""The control flow of a body: its blocks, where they go on, and what its instructions read and write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields

from ladder.frontends.java import ir
from ladder.frontends.java.verifier import VARIABLE_FIELDS, targets

STEPS_AT_FIRST = 100_000
STEPS_PER_INSTRUCTION = 50
"""Bodies that take more steps to look at are left as they are."""

_KINDS = (
    ir.AssignConstant, ir.AssignClass, ir.Copy, ir.Cast, ir.CastAs, ir.InstanceOf, ir.Binary, ir.Unary, ir.LoadField,
    ir.StoreField, ir.LoadMember, ir.StoreMember, ir.LoadName, ir.StoreName, ir.LoadComponent, ir.LoadArray,
    ir.StoreArray, ir.NewArray, ir.NewObject, ir.Call, ir.NewLambda, ir.NewReference, ir.If, ir.Switch, ir.Fork,
    ir.Return, ir.Throw, ir.Handler, ir.Monitor, ir.Nop,
)  # fmt: skip
WRITTEN = {kind: found for kind in _KINDS for found in ("target", "result") if found in kind.__slots__}
_READ = {
    kind: tuple(f.name for f in fields(kind) if f.name in VARIABLE_FIELDS and f.name != WRITTEN.get(kind))
    for kind in _KINDS
}


def written(item: ir.Code) -> str | None:
    """Return the variable that an instruction assigns."""
    name = WRITTEN.get(type(item))  # type: ignore[arg-type]
    return None if name is None else getattr(item, name)


def read(item: ir.Code) -> Iterator[str]:
    """Yield the variables that an instruction reads."""
    for name in _READ.get(type(item), ()):  # type: ignore[arg-type]
        content = getattr(item, name)
        if isinstance(content, str):
            yield content
    yield from getattr(item, "arguments", ())


def renamed_reads(item: ir.Code, renamed: Mapping[str, str]) -> dict[str, object]:
    """Return the fields of an instruction in which it reads some variables by other names."""
    changes: dict[str, object] = {
        name: renamed[getattr(item, name)]
        for name in _READ.get(type(item), ())  # type: ignore[arg-type]
        if getattr(item, name) in renamed
    }
    if renamed and "arguments" in type(item).__slots__:
        changes["arguments"] = tuple(renamed.get(argument, argument) for argument in item.arguments)  # type: ignore[union-attr]
    return changes


class TooLong(Exception):
    """Raised when a body would take too many steps."""


class Steps:
    """The steps that may be taken for a body with so many instructions."""

    def __init__(self, instructions: int) -> None:
        self.left = STEPS_AT_FIRST + STEPS_PER_INSTRUCTION * instructions

    def take(self, count: int) -> None:
        """Take steps; raise TooLong where none are left."""
        self.left -= count
        if self.left < 0:
            raise TooLong


@dataclass(slots=True)
class Block:
    """Instructions from `first` to before `last` that run one after another; blocks that follow, and the handlers that
    its exceptions may arrive at."""

    first: int
    last: int
    successors: list[int]
    handlers: set[int]


@dataclass(slots=True)
class FlowGraph:
    """The blocks of a body, and of each instruction the blocks of the handlers around it."""

    blocks: list[Block]
    handlers: list[tuple[int, ...]]


def of(code: list[ir.Code], protected: Mapping[str, tuple[str, ...]]) -> FlowGraph:
    """Return the flow graph of code that is not empty; `protected`: the handlers around each instruction in a `try`."""
    at = {item.id: index for index, item in enumerate(code) if isinstance(item, ir.Handler)}
    starts = sorted({0, *_starts(code)})
    number = {start: block for block, start in enumerate(starts)}
    labels = {item.name: number[index] for index, item in enumerate(code) if isinstance(item, ir.Label)}
    handlers: list[tuple[int, ...]] = [
        tuple(number[at[handler]] for handler in protected.get(getattr(item, "id", ""), ()) if handler in at)
        for item in code
    ]
    blocks = []
    for block, (first, last) in enumerate(zip(starts, [*starts[1:], len(code)])):
        end = code[last - 1]
        if isinstance(end, (ir.Goto, *ir.ENDS)):
            following = [labels[label] for label in targets(end)]
        else:
            following = [block + 1] if last < len(code) else []
        blocks.append(
            Block(first, last, following, {handler for index in range(first, last) for handler in handlers[index]})
        )
    return FlowGraph(blocks, handlers)


def _starts(code: list[ir.Code]) -> Iterable[int]:
    """Yield where blocks begin: at labels and handlers, and behind jumps."""
    for index, item in enumerate(code):
        if isinstance(item, (ir.Label, ir.Handler)):
            yield index
        elif isinstance(item, (ir.Goto, *ir.ENDS)) and index + 1 < len(code):
            yield index + 1


def bits(number: int) -> Iterator[int]:
    """Yield the places of the ones in a set of bits."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
