"""The bytes of a method's code → its instructions (JVMS chapter 6)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ladder.frontends.bytecode.errors import Malformed

GOTO, JSR, RET, TABLESWITCH, LOOKUPSWITCH, RETURN, ATHROW, WIDE, IINC, GOTO_W, JSR_W = (
    167, 168, 169, 170, 171, 177, 191, 196, 132, 200, 201,
)  # fmt: skip
INVOKEINTERFACE, INVOKEDYNAMIC, MULTIANEWARRAY = 185, 186, 197

NONE, BYTE, SHORT, LOCAL, CONSTANT, CONSTANT_2, JUMP, JUMP_4, UNKNOWN = range(9)


def _forms() -> list[int]:
    """Return the form of the operands of each opcode; those with forms of their own are UNKNOWN."""
    forms = [NONE] * 202 + [UNKNOWN] * 54
    forms[16], forms[17], forms[18], forms[188] = BYTE, SHORT, CONSTANT, BYTE
    for opcode in (*range(21, 26), *range(54, 59), RET):
        forms[opcode] = LOCAL
    for opcode in (19, 20, *range(178, 185), 187, 189, 192, 193):
        forms[opcode] = CONSTANT_2
    for opcode in (*range(153, 169), 198, 199):
        forms[opcode] = JUMP
    forms[GOTO_W] = forms[JSR_W] = JUMP_4
    return forms


FORMS = _forms()
WIDENED = frozenset((*range(21, 26), *range(54, 59), RET))
ENDS = frozenset((GOTO, GOTO_W, RET, TABLESWITCH, LOOKUPSWITCH, *range(172, 178), ATHROW))
"""Opcodes that control does not fall through; JSR and JSR_W come back by RET."""


@dataclass(frozen=True, slots=True)
class Jumps:
    """The cases of a switch, each with the place in the code that it goes to, and the place of the default."""

    cases: tuple[tuple[int, int], ...]
    default: int


Instruction = tuple[int, int, int, int, Jumps | None]
"""Its place in the code, its opcode, its operands (a number, an index, a local or a place that is jumped to; the second
one of IINC and MULTIANEWARRAY), and the cases of a switch."""


def decode(code: bytes, offset: int) -> list[Instruction]:
    """Return the instructions of a method's code, which begins at `offset` of its file."""
    found: list[Instruction] = []
    at, end = 0, len(code)
    try:
        while at < end:
            opcode = code[at]
            form = FORMS[opcode]
            if opcode in _OWN_FORM:
                instruction, size = _with_own_form(code, at, offset)
            elif form == NONE:
                instruction, size = (at, opcode, 0, 0, None), 1
            elif form in (LOCAL, CONSTANT):
                instruction, size = (at, opcode, code[at + 1], 0, None), 2
            elif form == CONSTANT_2:
                instruction, size = (at, opcode, code[at + 1] << 8 | code[at + 2], 0, None), 3
            elif form == BYTE:
                instruction, size = (at, opcode, _signed(code, at + 1, 1), 0, None), 2
            elif form == SHORT:
                instruction, size = (at, opcode, _signed(code, at + 1, 2), 0, None), 3
            elif form == JUMP:
                instruction, size = (at, opcode, at + _signed(code, at + 1, 2), 0, None), 3
            elif form == JUMP_4:
                instruction, size = (at, opcode, at + _signed(code, at + 1, 4), 0, None), 5
            else:
                raise Malformed(f"there is no instruction {opcode}", offset + at)
            found.append(instruction)
            at += size
    except IndexError:
        raise Malformed("the code ends within an instruction", offset + at) from None
    if at > end:
        raise Malformed("the code ends within an instruction", offset + found[-1][0])
    return found


_OWN_FORM = frozenset((IINC, TABLESWITCH, LOOKUPSWITCH, INVOKEINTERFACE, INVOKEDYNAMIC, WIDE, MULTIANEWARRAY))


def _with_own_form(code: bytes, at: int, offset: int) -> tuple[Instruction, int]:
    """Return the instruction at a place, which is followed by operands like no other's, and its size."""
    opcode = code[at]
    if opcode == IINC:
        return (at, opcode, code[at + 1], _signed(code, at + 2, 1), None), 3
    if opcode == MULTIANEWARRAY:
        return (at, opcode, _u2(code, at + 1), code[at + 3], None), 4
    if opcode in (INVOKEINTERFACE, INVOKEDYNAMIC):
        if code[at + 4] or (opcode == INVOKEDYNAMIC and code[at + 3]):
            raise Malformed("the last bytes of a call are not 0", offset + at)
        return (at, opcode, _u2(code, at + 1), 0, None), 5
    if opcode == WIDE:
        widened = code[at + 1]
        if widened == IINC:
            return (at, IINC, _u2(code, at + 2), _signed(code, at + 4, 2), None), 6
        if widened not in WIDENED:
            raise Malformed(f"the instruction {widened} cannot be widened", offset + at)
        return (at, widened, _u2(code, at + 2), 0, None), 4
    return _switch(code, at, offset)


def _switch(code: bytes, at: int, offset: int) -> tuple[Instruction, int]:
    """Return a switch and its size, which is known from its first bytes and must be there."""
    start = (at + 4) & ~3
    default = at + _signed(code, start, 4)
    if code[at] == TABLESWITCH:
        low, high = _signed(code, start + 4, 4), _signed(code, start + 8, 4)
        count, first, width = high - low + 1, start + 12, 4
    else:
        low, count, first, width = 0, _signed(code, start + 4, 4), start + 8, 8
    if count < 0 or first + count * width > len(code):
        raise Malformed(f"a switch says that it has {count} cases, which the code has no room for", offset + at)
    if code[at] == TABLESWITCH:
        cases = tuple((low + i, at + _signed(code, first + 4 * i, 4)) for i in range(count))
    else:
        cases = tuple((_signed(code, p, 4), at + _signed(code, p + 4, 4)) for p in range(first, first + 8 * count, 8))
        if any(one[0] >= other[0] for one, other in pairwise(cases)):
            raise Malformed("the cases of a switch are not in order", offset + at)
    return (at, code[at], 0, 0, Jumps(cases, default)), first + count * width - at


def _u2(code: bytes, at: int) -> int:
    return code[at] << 8 | code[at + 1]


def _signed(code: bytes, at: int, size: int) -> int:
    if at + size > len(code):
        raise IndexError
    return int.from_bytes(code[at : at + size], "big", signed=True)
