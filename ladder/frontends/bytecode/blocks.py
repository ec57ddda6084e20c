"""The instructions of a method's code → its basic blocks: runs of instructions that are entered at the first one only,
and that the same exception handlers cover from the first to the last."""

from __future__ import annotations

from dataclasses import dataclass, field

from ladder.frontends.bytecode.classfile import Catch, Code
from ladder.frontends.bytecode.errors import Malformed
from ladder.frontends.bytecode.instructions import ENDS, GOTO_W, JSR, JSR_W, RET, Instruction

Handlers = tuple[tuple[int, tuple[str, ...]], ...]
"""The handlers around code, in the order in which they are tried: the block that each begins, and the types that it
catches (none: all)."""


@dataclass(slots=True, eq=False)
class Block:
    """Instructions from index `first` up to, but not with, `last`, the blocks that follow, that which a branch jumps to
    first, and the handlers around them; `entries`: how many ways lead to it, exceptions apart."""

    number: int
    at: int
    first: int
    last: int
    successors: list[int] = field(default_factory=list)
    handlers: Handlers = ()
    entries: int = 0
    is_handler: bool = False


@dataclass(slots=True)
class Graph:
    """The blocks of a method by number, of which those in `reached` may run; `at` finds them by place; `returns`: those
    after a jump to a subroutine."""

    blocks: list[Block]
    at: dict[int, int]
    reached: list[int]
    returns: list[int]


def graph_of(code: Code, instructions: list[Instruction]) -> Graph:
    """Return the basic blocks; Malformed if a jump leads into an instruction or out of the code."""
    places = {instruction[0]: index for index, instruction in enumerate(instructions)}
    leaders = _leaders(code, instructions, places)
    starts = sorted(places[leader] for leader in leaders)
    blocks = [
        Block(number, instructions[first][0], first, last)
        for number, (first, last) in enumerate(zip(starts, [*starts[1:], len(instructions)]))
    ]
    at = {block.at: block.number for block in blocks}
    _cover(code, blocks, at)
    returns = [
        at[_after(code, instructions, index)] for index in range(len(instructions)) if _is_jsr(instructions[index])
    ]
    returns = list(dict.fromkeys(returns))
    for block in blocks:
        block.successors = [at[place] for place in _targets(code, instructions, block.last - 1)]
        if instructions[block.last - 1][1] == RET:
            block.successors = list(returns)
    return Graph(blocks, at, _reached(blocks), returns)


def _is_jsr(instruction: Instruction) -> bool:
    return instruction[1] in (JSR, JSR_W)


def _leaders(code: Code, instructions: list[Instruction], places: dict[int, int]) -> set[int]:
    leaders = {0}
    for index, instruction in enumerate(instructions):
        if _jumps(instruction) or instruction[1] in ENDS:
            targets = _targets(code, instructions, index)
            if _is_jsr(instruction):
                targets = [*targets, _after(code, instructions, index)]
            for target in targets:
                if target not in places:
                    raise Malformed(f"a jump leads to {target}, where no instruction is", code.offset + instruction[0])
            leaders.update(targets)
            if index + 1 < len(instructions):
                leaders.add(instructions[index + 1][0])
    for catch in code.catches:
        for place in (catch.start, catch.end, catch.handler):
            if place not in places and not place == catch.end == code.length:
                raise Malformed(f"an exception table names {place}, where no instruction is", code.offset)
            if place < code.length:
                leaders.add(place)
    return leaders


def _jumps(instruction: Instruction) -> bool:
    return 153 <= instruction[1] <= 171 or instruction[1] >= 198


def _after(code: Code, instructions: list[Instruction], index: int) -> int:
    """Return the place of the next instruction, which must be there."""
    if index + 1 == len(instructions):
        raise Malformed("control runs off the end of the code", code.offset + instructions[index][0])
    return instructions[index + 1][0]


def _targets(code: Code, instructions: list[Instruction], index: int) -> list[int]:
    """Return where control goes after an instruction, RET apart; where a branch jumps to comes first."""
    _, opcode, operand, _, jumps = instructions[index]
    if jumps is not None:
        return list(dict.fromkeys([*(target for _, target in jumps.cases), jumps.default]))
    if opcode in (167, JSR, GOTO_W, JSR_W):
        return [operand]
    if opcode in ENDS:
        return []
    following = _after(code, instructions, index)
    return [operand, following] if _jumps(instructions[index]) else [following]


def _cover(code: Code, blocks: list[Block], at: dict[int, int]) -> None:
    """Find the handlers of each block: sweep over the blocks with the entries that cover them, in order."""
    if not code.catches:
        return
    begins: dict[int, list[int]] = {}
    ends: dict[int, list[int]] = {}
    for index, catch in enumerate(code.catches):
        begins.setdefault(catch.start, []).append(index)
        ends.setdefault(catch.end, []).append(index)
        blocks[at[catch.handler]].is_handler = True
    active: set[int] = set()
    known: dict[tuple[int, ...], Handlers] = {}
    for block in blocks:
        active.difference_update(ends.get(block.at, ()))
        active.update(begins.get(block.at, ()))
        if active:
            key = tuple(sorted(active))
            if key not in known:
                known[key] = _handlers([code.catches[index] for index in key], at)
            block.handlers = known[key]


def _handlers(catches: list[Catch], at: dict[int, int]) -> Handlers:
    """Return the handlers that are tried in order; nothing passes one that catches everything."""
    found: list[tuple[int, list[str]]] = []
    for catch in catches:
        block = at[catch.handler]
        if catch.type is None:
            found.append((block, []))
            break
        if found and found[-1][0] == block:
            found[-1][1].append(catch.type)
        else:
            found.append((block, [catch.type]))
    return tuple((block, tuple(types)) for block, types in found)


def _reached(blocks: list[Block]) -> list[int]:
    """Return the numbers of the blocks that may run, a block after one that leads to it; count the ways in."""
    order, seen, waiting = [], {0}, [0]
    blocks[0].entries = 1
    while waiting:
        block = blocks[waiting.pop()]
        order.append(block.number)
        for number in block.successors:
            blocks[number].entries += 1
        ways = [*block.successors, *(number for number, _ in block.handlers)]
        for number in sorted(set(ways), reverse=True):
            if number not in seen:
                seen.add(number)
                waiting.append(number)
    return order
