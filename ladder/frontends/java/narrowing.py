"""Variables behind tests of types and comparisons → variables of their own, which hold only what passed the test.

    before   if (x instanceof A) { f(x); } else { g(x); }
    after    if (x instanceof A) { y = x; f(y); } else { z = x; g(z); }, where y holds instances of A, and z none

These are the pi nodes of e-SSA form (Bodik, Gupta and Sarkar, PLDI 2000), as WALA has them for type tests: an analysis
that looks at no order of instructions filters the copies, and all that uses them is behind the test. So it is with
`x == y` and `x.getClass() == A.class`. Casts, comparisons and further tests stay with the variable, so what a test is
mostly written for, `(A) x`, makes no copy. What `boolean b = x instanceof A` says holds behind a branch on `b`, too,
where `b` and `x` are assigned once: they are assigned before they are used, so both still hold what they held.

    holds    per block: the outcomes of tests on all ways to its start, of variables not assigned since (forward data
             flow over bit sets, met by intersection)
    uses     a use where outcomes of tests of its variable hold reads the copy behind the test that came last
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from ladder.frontends.java import flowgraph, ir
from ladder.frontends.java.flowgraph import Block, Steps, TooLong, bits, read, renamed_reads, written

_STAY = (ir.Cast, ir.CastAs, ir.InstanceOf, ir.If, ir.Switch, ir.Binary, ir.Monitor)
"""Instructions that go on reading the variable itself: they filter by themselves, or compare."""


LOOK_BACK = 3
"""The operands of a test are made just before its branch: the value, what it is compared with, or both."""

INSTANCE, NO_INSTANCE, CLASS, SAME = "Var_InstanceOf", "Var_NoInstanceOf", "Var_ClassIs", "Var_SameAs"
_WORDS = {INSTANCE: "instanceof", NO_INSTANCE: "no instanceof", CLASS: "class", SAME: "same as"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is known of a variable where control goes from a `branch`, the instruction at `place`, to `label`: of an
    object that it holds,

    Var_InstanceOf     that it is an instance of the type `what`
    Var_NoInstanceOf   that it is none
    Var_ClassIs        that the type is its class
    Var_SameAs         that the variable `what` holds the same object
    """

    known: str
    variable: str
    what: str
    place: int
    branch: str
    label: str

    def text(self, what: str) -> str:
        """Return what is known as words, `instanceof T`, where `what` names the type or variable."""
        return f"{_WORDS[self.known]} {what}"


def narrow(
    code: list[ir.Code],
    protected: Mapping[str, tuple[str, ...]],
    passed: Collection[str],
    may_narrow: Callable[[str, str], bool],
    new_copy: Callable[[Outcome], ir.Copy],
) -> list[ir.Code]:
    """Return code in which uses behind tests read copies. `protected`: the handlers around each instruction in a `try`;
    `passed`: the variables that are parameters; `may_narrow` says of which variables, by what is known of them;
    `new_copy` makes the copy for an outcome, into a new variable."""
    outcomes = list(_outcomes(code, passed, may_narrow))
    if not outcomes:
        return code
    try:
        return _Narrowing(code, protected, outcomes).renamed(new_copy)
    except TooLong:
        return code


def _outcomes(
    code: list[ir.Code], passed: Collection[str], may_narrow: Callable[[str, str], bool]
) -> Iterator[Outcome]:
    """Yield what branches tell of variables."""
    tests = _kept_tests(code, passed)
    for place, branch in enumerate(code):
        if isinstance(branch, ir.If) and branch.operator in ("==", "!=") and branch.yes != branch.no:
            labels = {True: branch.yes, False: branch.no}
            for known, variable, what, equal in _told(code, place, branch, tests):
                if may_narrow(variable, known):
                    label = labels[equal is (branch.operator == "==")]
                    yield Outcome(known, variable, what, place, branch.id, label)


def _kept_tests(code: list[ir.Code], passed: Collection[str]) -> dict[str, ir.InstanceOf]:
    """Return the tests of types whose results are in variables that are assigned once, as is what they test."""
    times = Counter(passed)
    times.update(variable for variable in map(written, code) if variable is not None)
    return {
        item.target: item
        for item in code
        if isinstance(item, ir.InstanceOf) and times[item.target] == 1 and times[item.source] <= 1
    }


def _told(
    code: list[ir.Code], place: int, branch: ir.If, tests: Mapping[str, ir.InstanceOf]
) -> Iterator[tuple[str, str, str, bool]]:
    """Yield what is known, of which variable and with respect to what, and whether where the operands are equal."""
    left, right = branch.left, branch.right
    if not isinstance(left, str):
        return
    if isinstance(right, ir.Constant):
        test = (_maker(code, place, left) or tests.get(left)) if right.value == "0" else None
        if isinstance(test, ir.InstanceOf):
            yield INSTANCE, test.source, test.type, False
            yield NO_INSTANCE, test.source, test.type, True
    elif left != right:
        yield SAME, left, right, True
        yield SAME, right, left, True
        for value, literal in ((left, right), (right, left)):
            of = _maker(code, place, literal)
            if isinstance(of, ir.AssignClass) and (base := _asked_class(_maker(code, place, value))) is not None:
                yield CLASS, base, of.type, True


def _asked_class(item: ir.Code | None) -> str | None:
    """Return the base of `base.getClass()`, None for other instructions."""
    return item.base if isinstance(item, ir.Call) and item.name == "getClass" and not item.arguments else None


def _maker(code: list[ir.Code], place: int, value: ir.Operand) -> ir.Code | None:
    """Return the instruction just before a branch that made an operand, of what its own operands still hold."""
    assigned: set[str | None] = set()
    for item in reversed(code[max(0, place - LOOK_BACK) : place]):
        if isinstance(item, (ir.Label, ir.Handler)):
            return None
        if written(item) == value:
            return None if assigned.intersection(read(item)) else item
        assigned.add(written(item))
    return None


class _Narrowing:
    """The outcomes that hold in each block of a body; sets of outcomes are bits."""

    def __init__(self, code: list[ir.Code], protected: Mapping[str, tuple[str, ...]], outcomes: list[Outcome]) -> None:
        self.code, self.outcomes = code, outcomes
        self.step = Steps(len(code)).take
        self.blocks = flowgraph.of(code, protected).blocks
        self.of_variable: dict[str, int] = {}
        for number, outcome in enumerate(outcomes):
            self.of_variable[outcome.variable] = self.of_variable.get(outcome.variable, 0) | 1 << number
        labels = {item.name: index for index, item in enumerate(code) if isinstance(item, ir.Label)}
        block_at = {block.first: number for number, block in enumerate(self.blocks)}
        self.begins = [block_at[labels[outcome.label]] for outcome in outcomes]
        self.decided = self._decided()
        self.kept = [self._kept(block) for block in self.blocks]
        self.holds = self._solve()

    def _decided(self) -> dict[tuple[int, int], int]:
        """Return the outcomes that last branches decide, by their blocks and those that follow."""
        block_of = {block.last - 1: number for number, block in enumerate(self.blocks)}
        decided: dict[tuple[int, int], int] = {}
        for number, outcome in enumerate(self.outcomes):
            edge = block_of[outcome.place], self.begins[number]
            decided[edge] = decided.get(edge, 0) | 1 << number
        return decided

    def _kept(self, block: Block) -> int:
        """Return the outcomes that hold behind a block if they do before it."""
        kept = -1
        for item in self.code[block.first : block.last]:
            kept &= ~self.of_variable.get(written(item) or "", 0)
        return kept

    def _solve(self) -> list[int]:
        """Return what holds at the start of each block: what arrives there first, then less and less."""
        holds: list[int | None] = [0] + [None] * (len(self.blocks) - 1)
        waiting = [0]
        while waiting:
            number = waiting.pop()
            block = self.blocks[number]
            self.step(1 + len(block.successors) + len(block.handlers) + (len(self.outcomes) >> 6))
            behind = (holds[number] or 0) & self.kept[number]
            for following in (*block.successors, *block.handlers):
                arrives = behind | self.decided.get((number, following), 0)
                before = holds[following]
                if before is None or before & ~arrives:
                    holds[following] = arrives if before is None else before & arrives
                    waiting.append(following)
        return [held or 0 for held in holds]

    def _copy_for(self, variable: str, holding: int) -> int | None:
        """Return the outcome of `variable` that was decided last, of those that hold at one place: each of them is on
        all ways to the later ones, so most hold where the last one begins."""
        numbers = list(bits(holding & self.of_variable.get(variable, 0)))
        self.step(1 + len(numbers))
        return max(numbers, key=lambda number: self.holds[self.begins[number]].bit_count(), default=None)

    def renamed(self, new_copy: Callable[[Outcome], ir.Copy]) -> list[ir.Code]:
        """Return the code with copies where outcomes begin that a use is behind."""
        reads = self._reads()
        needed = set[int]()
        waiting = [copy for found in reads.values() for copy in found.values()]
        while waiting:
            number = waiting.pop()
            if number not in needed:
                needed.add(number)
                around = self._around(number)
                waiting.extend(() if around is None else (around,))
        if not needed:
            return self.code
        copies = {number: new_copy(self.outcomes[number]) for number in sorted(needed)}
        for number in needed:
            around = self._around(number)
            if around is not None:
                copies[number] = replace(copies[number], source=copies[around].target)
        at: dict[int, list[int]] = {}
        for number in copies:
            at.setdefault(self.blocks[self.begins[number]].first, []).append(number)
        code: list[ir.Code] = []
        for index, item in enumerate(self.code):
            names = {variable: copies[copy].target for variable, copy in reads.get(index, {}).items()}
            code.append(replace(item, **renamed_reads(item, names)) if names else item)  # type: ignore[arg-type]
            code.extend(copies[number] for number in at.get(index, ()))
        return code

    def _around(self, number: int) -> int | None:
        """Return the outcome behind which the copy of an outcome stands."""
        outcome = self.outcomes[number]
        return self._copy_for(outcome.variable, self.holds[self.begins[number]] & ~(1 << number))

    def _reads(self) -> dict[int, dict[str, int]]:
        """Return the instructions that read copies, by their places: of each variable the outcome of its copy."""
        found: dict[int, dict[str, int]] = {}
        for number, block in enumerate(self.blocks):
            holding = self.holds[number]
            if not holding:
                continue
            for index in range(block.first, block.last):
                item = self.code[index]
                if not isinstance(item, _STAY):
                    for variable in read(item):
                        copy = self._copy_for(variable, holding) if variable in self.of_variable else None
                        if copy is not None:
                            found.setdefault(index, {})[variable] = copy
                holding &= ~self.of_variable.get(written(item) or "", 0)
        return found
