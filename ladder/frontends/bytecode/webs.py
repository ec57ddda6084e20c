"""Which variables the places for local variables (slots) hold.

A slot is used for one variable after another. Assignments and uses belong to the same variable if a use may read what
the assignment stored: a web, in the words of register allocation. Uses and assignments within the range of the same
entry of the LocalVariableTable belong together, too, so that variables are those of the source where that is known.

    live   slots whose value may be read from a block's start on (backward data flow over bit sets)
    walk   per block: the node of what each slot holds; an assignment makes a new node, and where control goes on, the
           nodes of live slots are united with those that the next block begins with

Webs are found in time that is linear for all code that compilers make. Where the numbers of blocks and live slots would
make it quadratic, each slot is one variable.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from ladder.frontends.bytecode.blocks import Graph
from ladder.frontends.bytecode.classfile import Code, LocalVariable
from ladder.frontends.bytecode.instructions import IINC, Instruction
from ladder.frontends.java.flowgraph import bits
from ladder.support.disjoint_sets import DisjointSets

STEPS_AT_FIRST = 100_000
STEPS_PER_INSTRUCTION = 50


class _TooLong(Exception):
    """Raised when webs would take too many steps."""


@dataclass(slots=True)
class Webs:
    """The variable, by number, of each use and assignment of a slot (by index of the instruction) and of parameters (by
    slot); the names of variables, in the order in which they appear."""

    used: dict[int, int]
    assigned: dict[int, int]
    parameters: dict[int, int]
    names: dict[int, str]


def slot_used(instruction: Instruction) -> int | None:
    """Return the slot that an instruction reads."""
    opcode = instruction[1]
    if 21 <= opcode <= 25 or opcode in (IINC, 169):
        return instruction[2]
    return (opcode - 26) % 4 if 26 <= opcode <= 45 else None


def slot_assigned(instruction: Instruction) -> int | None:
    """Return the slot that an instruction writes."""
    opcode = instruction[1]
    if 54 <= opcode <= 58 or opcode == IINC:
        return instruction[2]
    return (opcode - 59) % 4 if 59 <= opcode <= 78 else None


def webs_of(code: Code, instructions: list[Instruction], graph: Graph, parameters: list[int]) -> Webs:
    """Return the variables of a method whose parameters, `this` included, are in these slots."""
    try:
        found = _Finder(code, instructions, graph, parameters)
        found.walk(found.live())
        return found.named()
    except _TooLong:
        return _per_slot(code, instructions, graph, parameters)


class _Finder:
    def __init__(self, code: Code, instructions: list[Instruction], graph: Graph, parameters: list[int]) -> None:
        self.code, self.instructions, self.graph, self.slots = code, instructions, graph, parameters
        self.nodes = DisjointSets()
        self.used: dict[int, int] = {}
        self.assigned: dict[int, int] = {}
        self.parameters = {slot: self.nodes.new() for slot in parameters}
        self.entry: dict[tuple[int, int], int] = {}
        self.left = STEPS_AT_FIRST + STEPS_PER_INSTRUCTION * len(instructions)

    def step(self, count: int) -> None:
        """Count steps."""
        self.left -= count
        if self.left < 0:
            raise _TooLong

    def live(self) -> dict[int, int]:
        """Return the bit set of the slots that are live at the start of each block that may run."""
        blocks = self.graph.blocks
        needs: dict[int, int] = {}
        gives: dict[int, int] = {}
        before: dict[int, list[int]] = {}
        for number in self.graph.reached:
            reads = writes = 0
            for index in range(blocks[number].first, blocks[number].last):
                used, assigned = slot_used(self.instructions[index]), slot_assigned(self.instructions[index])
                if used is not None and not writes >> used & 1:
                    reads |= 1 << used
                if assigned is not None:
                    writes |= 1 << assigned
            self.step(reads.bit_length() + writes.bit_length() >> 6)
            needs[number], gives[number], before[number] = reads, writes, []
        for number in self.graph.reached:
            for following in (*blocks[number].successors, *(handler for handler, _ in blocks[number].handlers)):
                self.step(1)
                before[following].append(number)
        live = dict(needs)
        waiting, queued = list(self.graph.reached), set(self.graph.reached)
        while waiting:
            number = waiting.pop()
            queued.discard(number)
            after = caught = 0
            for following in blocks[number].successors:
                after |= live[following]
            for handler, _ in blocks[number].handlers:
                caught |= live[handler]
            self.step(1 + len(blocks[number].successors) + (after.bit_length() >> 6))
            now = needs[number] | after & ~gives[number] | caught
            if now != live[number]:
                live[number] = now
                for earlier in before[number]:
                    if earlier not in queued:
                        queued.add(earlier)
                        waiting.append(earlier)
        return live

    def at_entry(self, number: int, slot: int) -> int:
        """Return the node of what a slot holds at the start of a block."""
        key = number, slot
        if key not in self.entry:
            self.entry[key] = self.nodes.new()
        return self.entry[key]

    def walk(self, live: dict[int, int]) -> None:
        """Find the node of each use and assignment, and unite those of the same web."""
        unite = self.nodes.unite
        live_slots = {number: _bits(live[number], self.step) for number in self.graph.reached}
        for slot in live_slots[0]:
            if slot in self.parameters:
                unite(self.parameters[slot], self.at_entry(0, slot))
        for number in self.graph.reached:
            block = self.graph.blocks[number]
            held: dict[int, int] = {}
            handlers = [handler for handler, _ in block.handlers]
            for handler in handlers:
                self.step(len(live_slots[handler]))
                for slot in live_slots[handler]:
                    unite(self.at_entry(number, slot), self.at_entry(handler, slot))
            for index in range(block.first, block.last):
                instruction = self.instructions[index]
                used, assigned = slot_used(instruction), slot_assigned(instruction)
                if used is not None:
                    node = held[used] if used in held else self.at_entry(number, used)
                    self.used[index] = held[used] = node
                if assigned is not None:
                    node = self.nodes.new()
                    if used is not None:
                        unite(node, self.used[index])
                    self.assigned[index] = held[assigned] = node
                    self.step(len(handlers))
                    for handler in handlers:
                        if live[handler] >> assigned & 1:
                            unite(node, self.at_entry(handler, assigned))
            for following in block.successors:
                self.step(len(live_slots[following]))
                for slot in live_slots[following]:
                    unite(held[slot] if slot in held else self.at_entry(number, slot), self.at_entry(following, slot))

    def named(self) -> Webs:
        """Unite what the LocalVariableTable says is one variable, and name the variables."""
        tables = _tables(self.code)
        first: dict[int, int] = {}
        names: dict[int, str] = {}
        marks = [(slot, 0, node) for slot, node in self.parameters.items()]
        for index, node in sorted([*self.used.items(), *self.assigned.items()]):
            instruction = self.instructions[index]
            slot = slot_assigned(instruction) if index in self.assigned else slot_used(instruction)
            assert slot is not None
            following = index + 1
            after = self.instructions[following][0] if following < len(self.instructions) else self.code.length
            marks.append((slot, after if index in self.assigned else instruction[0], node))
        spoken: dict[int, str] = {}
        for slot, at, node in marks:
            entry = _entry(tables.get(slot), at)
            if entry is not None:
                if id(entry) in first:
                    self.nodes.unite(node, first[id(entry)])
                first.setdefault(id(entry), node)
                spoken.setdefault(node, entry.name)
        for _, _, node in marks:
            web = self.nodes.find(node)
            names[web] = names.get(web) or spoken.get(node, "")
        for slot, _, node in marks:
            web = self.nodes.find(node)
            names[web] = names[web] or f"l{slot}"
        find = self.nodes.find
        return Webs(
            {index: find(node) for index, node in self.used.items()},
            {index: find(node) for index, node in self.assigned.items()},
            {slot: find(node) for slot, node in self.parameters.items()},
            names,
        )


def _bits(number: int, step: Callable[[int], None]) -> list[int]:
    """Return the places of the ones in a number."""
    step(number.bit_count() + (number.bit_length() >> 6))
    return list(bits(number))


def _tables(code: Code) -> dict[int, tuple[list[int], list[LocalVariable]]]:
    """Return the entries of the LocalVariableTable by slot: their starts, and the entries in this order."""
    by_slot: dict[int, list[LocalVariable]] = {}
    for entry in sorted(code.variables, key=lambda entry: entry.start):
        by_slot.setdefault(entry.slot, []).append(entry)
    return {slot: ([entry.start for entry in entries], entries) for slot, entries in by_slot.items()}


def _entry(table: tuple[list[int], list[LocalVariable]] | None, at: int) -> LocalVariable | None:
    """Return the entry that holds at a place of the code, or begins there (and at once ends, if nothing reads it)."""
    if table is None:
        return None
    index = bisect_right(table[0], at) - 1
    return table[1][index] if index >= 0 and (at < table[1][index].end or at == table[0][index]) else None


def _per_slot(code: Code, instructions: list[Instruction], graph: Graph, parameters: list[int]) -> Webs:
    """Return one variable per slot."""
    used: dict[int, int] = {}
    assigned: dict[int, int] = {}
    names = {slot: f"l{slot}" for slot in parameters}
    for entry in sorted(code.variables, key=lambda entry: -entry.start):
        if entry.start == 0 and entry.slot in names:
            names[entry.slot] = entry.name
    for number in graph.reached:
        for index in range(graph.blocks[number].first, graph.blocks[number].last):
            for slots, slot in ((used, slot_used(instructions[index])), (assigned, slot_assigned(instructions[index]))):
                if slot is not None:
                    slots[index] = slot
                    names.setdefault(slot, f"l{slot}")
    return Webs(used, assigned, {slot: slot for slot in parameters}, names)
