"""Local variables → webs: a variable that is assigned several times becomes several variables, if no use may read what
two of its assignments stored.

    before   x = new A(); f(x); x = new B(); g(x)
    after    x = new A(); f(x); y = new B(); g(y), where y is called `x: new B`

So an analysis that looks at no order of instructions tells the uses apart, as Doop's and Tai-e's do, whose front ends
split variables in this way. The first web that is read keeps the name of the variable (of a parameter, what is passed);
others are named by their first assignments, so that an edit renames no web but those that it concerns. Temporaries are
assigned once; variables that lambdas and local classes capture are, too; and values of primitive types are told apart
by flow.dl.

    live   variables whose value may be read from a block's start on (backward data flow over bit sets)
    walk   per block: the node of what each variable holds; an assignment makes a new node, and where control goes on,
           the nodes of live variables are united with those that the next block begins with
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from ladder.frontends.java import flowgraph, ir
from ladder.frontends.java.flowgraph import WRITTEN, Block, Steps, TooLong, bits, read, renamed_reads, written
from ladder.support.disjoint_sets import DisjointSets


def split(
    code: list[ir.Code],
    protected: Mapping[str, tuple[str, ...]],
    may_split: Callable[[str], bool],
    parameters: Collection[str],
    new_name: Callable[[str, str], str],
) -> list[ir.Code]:
    """Return code in which variables are webs. `protected`: the handlers around each instruction in a `try`;
    `may_split` says of variables with several assignments whether they may be split; `new_name` makes the id of a web
    from that of its variable and of the instruction that is the first to assign it."""
    assigned: dict[str, int] = dict.fromkeys(parameters, 1)
    for item in code:
        variable = written(item)
        if variable is not None:
            assigned[variable] = assigned.get(variable, 0) + 1
    candidates = [variable for variable, count in assigned.items() if count > 1 and may_split(variable)]
    if not candidates:
        return code
    try:
        found = _Finder(code, protected, candidates, parameters)
        found.walk(found.live())
        return found.renamed(new_name)
    except TooLong:
        return code


class _Finder:
    """The webs of some variables, which are numbered; sets of them are bits."""

    def __init__(
        self,
        code: list[ir.Code],
        protected: Mapping[str, tuple[str, ...]],
        candidates: list[str],
        parameters: Collection[str],
    ) -> None:
        self.code, self.candidates = code, candidates
        self.numbers = {variable: number for number, variable in enumerate(candidates)}
        self.step = Steps(len(code)).take
        graph = flowgraph.of(code, protected)
        self.blocks, self.handlers = graph.blocks, graph.handlers
        self.reads, self.writes = zip(*map(self._accesses, self.blocks))
        self.webs = DisjointSets()
        self.entry: dict[tuple[int, int], int] = {}
        self.nodes: list[tuple[dict[int, int], int | None]] = [({}, None)] * len(code)
        self.passed = {self.numbers[v]: self.webs.new() for v in candidates if v in parameters}

    def _accesses(self, block: Block) -> tuple[int, int]:
        """Return the variables that a block reads before it writes them, and those that it writes."""
        self.step(1 + len(block.successors) + len(block.handlers))
        reads = writes = 0
        for item in self.code[block.first : block.last]:
            for variable in read(item):
                known = self.numbers.get(variable)
                if known is not None and not writes >> known & 1:
                    reads |= 1 << known
            assigned = self.numbers.get(written(item) or "")
            if assigned is not None:
                writes |= 1 << assigned
        return reads, writes

    def live(self) -> list[int]:
        """Return the variables that are live at the start of each block."""
        before: list[list[int]] = [[] for _ in self.blocks]
        for number, block in enumerate(self.blocks):
            for following in (*block.successors, *block.handlers):
                before[following].append(number)
        live = list(self.reads)
        waiting = list(range(len(self.blocks)))
        queued = set(waiting)
        while waiting:
            number = waiting.pop()
            queued.discard(number)
            block = self.blocks[number]
            after = caught = 0
            for following in block.successors:
                after |= live[following]
            for handler in block.handlers:
                caught |= live[handler]
            self.step(1 + len(block.successors) + len(block.handlers) + (after.bit_length() >> 6))
            now = self.reads[number] | after & ~self.writes[number] | caught
            if now != live[number]:
                live[number] = now
                fresh = [earlier for earlier in before[number] if earlier not in queued]
                queued.update(fresh)
                waiting.extend(fresh)
        return live

    def _at_entry(self, block: int, variable: int) -> int:
        """Return the node of what a variable holds at the start of a block."""
        key = block, variable
        if key not in self.entry:
            self.entry[key] = self.webs.new()
        return self.entry[key]

    def walk(self, live: list[int]) -> None:
        """Find the node of each use and assignment, and unite those of the same web."""
        for variable, node in self.passed.items():
            if live[0] >> variable & 1:
                self.webs.unite(node, self._at_entry(0, variable))
        for number, block in enumerate(self.blocks):
            held: dict[int, int] = {}
            told: tuple[int, ...] = ()
            for index in range(block.first, block.last):
                # What variables hold when an exception is thrown arrives at the handlers; so may what is just assigned.
                handlers = self.handlers[index]
                if handlers != told:
                    self._arrive(number, held, handlers, live)
                    told = handlers
                reads = {
                    variable: held[variable] if variable in held else self._at_entry(number, variable)
                    for variable in map(self.numbers.get, read(self.code[index]))
                    if variable is not None
                }
                assigned = self.numbers.get(written(self.code[index]) or "")
                if assigned is not None:
                    held[assigned] = self.webs.new()
                    for handler in handlers:
                        if live[handler] >> assigned & 1:
                            self.webs.unite(held[assigned], self._at_entry(handler, assigned))
                if reads or assigned is not None:
                    self.nodes[index] = reads, None if assigned is None else held[assigned]
            self._arrive(number, held, block.successors, live)

    def _arrive(self, number: int, held: dict[int, int], blocks: Iterable[int], live: list[int]) -> None:
        """Unite what variables hold with what they hold at the start of the blocks that control goes on to."""
        for following in blocks:
            self.step(1 + live[following].bit_count())
            for variable in bits(live[following]):
                node = held[variable] if variable in held else self._at_entry(number, variable)
                self.webs.unite(node, self._at_entry(following, variable))

    # Names

    def renamed(self, new_name: Callable[[str, str], str]) -> list[ir.Code]:
        """Return the code with a variable for each web."""
        web_names, owners = self._first_webs()
        apart = False
        for index, (_, assigned) in enumerate(self.nodes):
            if assigned is None or self.webs.find(assigned) in web_names:
                continue
            item = self.code[index]
            name = written(item)
            assert name is not None and isinstance(item, ir.Instruction)
            if self.numbers[name] in owners:
                name, apart = new_name(name, item.id), True
            web_names[self.webs.find(assigned)] = name
        if not apart:
            return self.code
        return [self._with_names(item, *self.nodes[index], web_names) for index, item in enumerate(self.code)]

    def _first_webs(self) -> tuple[dict[int, str], set[int]]:
        """Return the webs that keep the names of their variables, and these variables: the web of what is passed or
        caught, else the first that is read. What is never read is not split."""
        read = {self.webs.find(node) for reads, _ in self.nodes for node in reads.values()}
        read.update(
            self.webs.find(node)
            for item, (_, node) in zip(self.code, self.nodes)
            if node is not None and isinstance(item, ir.Handler)
        )
        owners = set(self.passed)
        web_names = {self.webs.find(node): self.candidates[variable] for variable, node in self.passed.items()}
        for index, (_, assigned) in enumerate(self.nodes):
            variable = self.numbers.get(written(self.code[index]) or "")
            if (
                assigned is not None
                and variable is not None
                and variable not in owners
                and self.webs.find(assigned) in read
            ):
                owners.add(variable)
                web_names[self.webs.find(assigned)] = self.candidates[variable]
        return web_names, owners

    def _with_names(
        self, item: ir.Code, reads: dict[int, int], assigned: int | None, web_names: dict[int, str]
    ) -> ir.Code:
        """Return an instruction in which webs stand for variables; a use that no assignment reaches keeps its name."""
        renamed = {
            self.candidates[variable]: web_names.get(self.webs.find(node), self.candidates[variable])
            for variable, node in reads.items()
        }
        changes = renamed_reads(item, renamed)
        if assigned is not None:
            changes[WRITTEN[type(item)]] = web_names[self.webs.find(assigned)]  # type: ignore[index]
        changes = {name: value for name, value in changes.items() if value != getattr(item, name)}
        return replace(item, **changes) if changes else item  # type: ignore[arg-type]
