"""Rules of ordered components compiled to Python functions: nested loops over hash tables of rows of Python values.

path(x, z) :- path(x, y), edge(y, z).       from what is new in path
→   for r0 in deltas["path"]:
        v0 = r0[0]
        v1 = r0[1]
        for r1 in find0(v1, ()):
            v2 = r1[1]
            row = (v0, v2,)
            if row not in rows: new[row] = None
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import itemgetter
from types import CodeType
from typing import Any

from ladder.engine.ordered.depth import require_shallow
from ladder.engine.ordered.tables import Row, Table, Target
from ladder.errors import LadderError
from ladder.language.core import (
    ORDERED,
    Atom,
    Compare,
    Compute,
    Const,
    Function,
    Generate,
    Kind,
    Literal,
    Not,
    Pack,
    Program,
    Relation,
    Rule,
    Term,
    Type,
    Unpack,
    Var,
    binds,
    needs,
)
from ladder.language.faults import located, no_value, raised, returned
from ladder.language.values import builtins
from ladder.language.values.arithmetic import held
from ladder.language.values.value_order import ValueOrder, holds_floats

OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
SURELY_HELD = (1 << 31) - 1  # without wrapping around, by integers of both kinds
MOST_LOOPS = 18  # within each other: Python allows 20
LookUp = Callable[[tuple[int, ...], str], str]
EXACT = {"+", "-", "*"}  # on integers: Python's operator, wrapped around


class Body:
    """Generates the source of one function over a body, with the objects that it uses."""

    def __init__(self, program: Program, tables: Mapping[str, Table]) -> None:
        self.program, self.tables = program, tables
        self.lines: list[str] = []
        self.depth = 1
        self.objects: dict[str, Any] = {}
        self.variables: dict[Var, str] = {}

    def write(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def open(self, line: str) -> None:
        if self.depth > MOST_LOOPS:
            raise LadderError(
                f"A rule of an ordered relation reads more than {MOST_LOOPS - 2} relations in one body.",
                "Split it in two.",
            )
        self.write(line)
        self.depth += 1

    def use(self, value: Any, name: str) -> str:
        """Make an object known to the function. Returns its name there."""
        self.objects[f"{name}{len(self.objects)}"] = value
        return next(reversed(self.objects))

    def function(self, parameters: str) -> Callable[..., Any]:
        """The compiled function."""
        bound = "".join(f", {name}={name}" for name in self.objects)
        text = "\n".join((f"def run({parameters}{bound}):", *self.lines, ""))
        space = dict(self.objects)
        exec(_compiled(text), space)  # noqa: S102  (text of this module's making, which names the program's values as objects)
        run: Callable[..., Any] = space["run"]
        return run

    # ---- terms

    def term(self, term: Term) -> str:
        if isinstance(term, Var):
            return self.variables[term]
        return repr(term.value) if type(term.value) in (int, str, type(None)) else self.use(term.value, "value")

    def name(self, variable: Var) -> str:
        """The name of a variable that is assigned here."""
        return self.variables.setdefault(variable, f"v{len(self.variables)}")

    def target(self, variable: Var) -> str:
        """The name to which a value computed for a variable is assigned; if the variable has a value already, `agree`
        must follow."""
        return "value" if variable in self.variables else self.name(variable)

    def agree(self, name: str, variable: Var) -> None:
        if name == "value":
            self.write(f"if value != {self.variables[variable]}: continue")

    def row(self, terms: Iterable[Term]) -> str:
        return f"({''.join(f'{self.term(t)}, ' for t in terms)})"

    def known(self, term: Term | None) -> bool:
        return isinstance(term, Const) or term in self.variables

    # ---- literals

    def literals(self, literals: Sequence[Literal], start: int | None, source: str, later: Mapping[int, str]) -> None:
        """Generate a whole body; the atom at `start` iterates over the rows that `source` names, atoms in `later` skip
        new rows."""
        atoms = {i: b for i, b in enumerate(b for b in literals if isinstance(b, Atom))}
        pending: list[Literal] = [b for b in literals if not isinstance(b, Atom)]
        while True:
            self.ready(pending)
            if not atoms:
                return
            position = start if start in atoms else min(atoms, key=lambda i: self.cost(atoms[i], i))
            self.atom(atoms.pop(position), position, source if position == start else None)
            if position in later:
                self.write(f"if r{position} in {later[position]}: continue")

    def ready(self, pending: list[Literal]) -> None:
        """Generate those literals, other than atoms, whose arguments have values, and remove them from the list."""
        while found := next((b for b in pending if all(v in self.variables for v in needs(b))), None):
            pending.remove(found)
            self.literal(found)

    def cost(self, atom: Atom, position: int) -> tuple[int, int, int, int]:
        unknown = sum(not self.known(t) for t in atom.terms)
        known = len(atom.terms) - unknown
        return int(unknown > 0 and known == 0), -known, unknown, position

    def atom(self, atom: Atom, position: int, source: str | None, look_up: LookUp | None = None) -> None:
        """Generate a loop over the rows that match an atom; `look_up(columns, key)`: the expression for those that have
        a key in some columns, an index by default."""
        row, terms = f"r{position}", atom.terms
        rows = source or self.use(self.tables[atom.relation].rows, "rows")
        if all(t is None for t in terms):
            self.write(f"if not {rows}: continue")
            return
        columns = tuple(i for i, t in enumerate(terms) if self.known(t))
        if len(columns) == len(terms):
            self.write(f"{row} = {self.row(t for t in terms if t is not None)}")
            self.write(f"if {row} not in {rows}: continue")
            return
        checked: tuple[int, ...] = ()
        key = shown_key([self.term(t) for i in columns if (t := terms[i]) is not None])
        if look_up is not None:
            self.open(f"for {row} in {look_up(columns, key)}:")
        elif source is not None or not columns:
            self.open(f"for {row} in {rows}:")
            checked = columns
        else:
            found = self.use(self.tables[atom.relation].index(columns).get, "find")
            self.open(f"for {row} in {found}({key}, ()):")
        for i, term in enumerate(terms):
            if i in checked or isinstance(term, Var) and term in self.variables and i not in columns:
                self.write(f"if {row}[{i}] != {self.term(term) if term is not None else None}: continue")
            elif isinstance(term, Var) and term not in self.variables:
                self.write(f"{self.name(term)} = {row}[{i}]")

    def literal(self, literal: Literal) -> None:
        """Generate a test, or the computation of a value."""
        match literal:
            case Not(atom):
                rows = self.use(self.tables[atom.relation].rows, "rows")
                self.write(f"if {self.row(t for t in atom.terms if t is not None)} in {rows}: continue")
            case Compare(operator, left, right) if operator in OPERATORS:
                self.write(f"if not {self.term(left)} {OPERATORS[operator]} {self.term(right)}: continue")
            case Compare(operator, left, right):
                self.write(
                    f"if not {self.use(builtins.holds, 'holds')}({operator!r}, {self.term(left)}, "
                    f"{self.term(right)}): continue"
                )
            case Compute(result, function, arguments, kind):
                self.compute(result, function, arguments, kind)
            case Generate(result, function, arguments):
                declared = self.program.functions.get(function)
                call = self.use(
                    builtins.generate_range if declared is None else called(declared, self.program), "generate"
                )
                shown, name = ", ".join(map(self.term, arguments)), self.target(result)
                self.open(f"for {name} in dict.fromkeys({call}({shown})):")
                self.agree(name, result)
            case Pack(result, fields, _, branch):
                shown = "" if branch is None else f"{branch!r}, "
                made, name = self.row(fields), self.target(result)
                self.write(f"{name} = ({shown}{made[1:]}")
                self.agree(name, result)
            case Unpack(record, unpacked, _, branch):
                value = self.term(record)
                self.write(
                    f"if {value} is None: continue" if branch is None else f"if {value}[0] != {branch!r}: continue"
                )
                for i, part in enumerate(unpacked):
                    if part is not None:
                        name = self.target(part)
                        self.write(f"{name} = {value}[{i + (branch is not None)}]")
                        self.agree(name, part)

    def compute(self, result: Var, function: str, arguments: tuple[Term, ...], kind: Kind) -> None:
        shown = [self.term(a) for a in arguments]
        name, declared = self.target(result), self.program.functions.get(function)
        if declared is None and function in ORDERED:
            self.write(f"{name} = {'draw()' if function == 'autoinc' else 'iteration'}")
        elif declared is None and function in EXACT and kind in (Kind.NUMBER, Kind.UNSIGNED):
            wrap = self.use(builtins.wrap, "wrap")
            self.write(f"{name} = {shown[0]} {function} {shown[1]}")
            self.write(f"if not 0 <= {name} <= {SURELY_HELD}: {name} = {wrap}({name}, {self.use(kind, 'kind')})")
        else:
            call = (
                f"{self.use(called(declared, self.program), 'call')}({', '.join(shown)})"
                if declared is not None
                else (
                    f"{self.use(builtins.compute, 'compute')}({function!r}, ({''.join(s + ', ' for s in shown)}), "
                    f"{self.use(kind, 'kind')})"
                )
            )
            self.write(f"try: {name} = {call}")
            self.write(f"except {self.use(builtins.NoValue, 'none')}: continue")
            if kind is Kind.FLOAT or declared is not None and declared.result.kind is Kind.FLOAT:
                self.write(
                    f"if {name} != {name}: {name} = {self.use(held, 'held')}({name}, {self.use(Kind.FLOAT, 'kind')})"
                )
        self.agree(name, result)

    def take(self, head: Atom, target: Target) -> None:
        """Generate code that keeps a derived row unless it exists or a row with one of its keys does."""
        self.write(f"row = {self.row(t for t in head.terms if t is not None)}")
        new = self.use(target.new, "new")
        if not target.relation.choice:
            self.write(f"if row not in {self.use(target.rows, 'rows')}: {new}[row] = None")
            return
        taken = [self.use(keys, "taken") for keys in target.taken]
        for number, columns in enumerate(target.relation.choice):
            self.write(f"key{number} = {shown_key([f'row[{c}]' for c in columns])}")
        self.write(f"if {' or '.join(f'key{number} in {keys}' for number, keys in enumerate(taken))}: continue")
        self.write("; ".join(f"{keys}.add(key{number})" for number, keys in enumerate(taken)))
        self.write(f"{new}[row] = None")


def shown_key(parts: Sequence[str]) -> str:
    """The expression for a key, as indexes have them: the value of one column, or a tuple of several."""
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def called(function: Function, program: Program) -> Callable[..., Any]:
    """A user functor with errors for exceptions and for results of another type; it raises `NoValue` where it has no
    result."""

    def call(*arguments: Any) -> Any:
        try:
            value = function.call(*arguments)
            values = list(value) if function.several else [value]
        except builtins.NoValue:
            raise
        except BaseException as error:
            raise located(raised(function.name, arguments, error), program, function.name) from error
        try:
            results = [_held(result, function.result, program.types) for result in values]
        except LadderError as error:
            raise located(returned(function.name, arguments, error), program, function.name) from None
        if function.result.kind is Kind.RECORD:
            require_shallow(results)
        return results if function.several else results[0]

    return call


def _held(value: Any, type_: Type, types: Mapping[str, Type]) -> Any:
    """A functor's result converted to a value of its type; `LadderError` if it is none."""
    try:
        return _record(value, type_, types) if type_.kind is Kind.RECORD else _plain(value, type_)
    except Exception:  # noqa: BLE001 - whatever a value's class does when it is looked at
        raise no_value(value, type_) from None


def _plain(value: Any, type_: Type) -> Any:
    kind = type_.kind
    if kind is Kind.FLOAT and isinstance(value, int | float):
        return builtins.single(value)
    if kind in (Kind.NUMBER, Kind.UNSIGNED):
        fits = isinstance(value, int) and not isinstance(value, bool) and builtins.wrap(value, kind) == value
    else:
        fits = isinstance(value, str) if kind is Kind.SYMBOL else kind is not Kind.FLOAT
    if not fits:
        raise ValueError(value)
    hash(value)
    return value


def _record(record: Any, type_: Type, types: Mapping[str, Type]) -> Any:
    """A record as nested tuples, made without recursion, since lists may be long."""
    made, opened, stack = dict[tuple[int, str], Any](), set[tuple[int, str]](), [(record, type_)]
    while stack:
        value, of = stack[-1]
        key = id(value), of.name
        if of.is_nil(value) or key in made:
            stack.pop()
            continue
        if not isinstance(value, tuple | list):
            raise ValueError(value)  # noqa: TRY004 - as for a tuple of the wrong length
        branch = dict(of.branches)[value[0]] if of.branches else of.fields
        parts = [(part, types[name]) for part, (_, name) in zip(value[bool(of.branches) :], branch, strict=True)]
        missing = [
            (part, t)
            for part, t in parts
            if t.kind is Kind.RECORD and not t.is_nil(part) and (id(part), t.name) not in made
        ]
        if missing and key in opened:
            raise ValueError("it is in itself")
        if missing:
            opened.add(key)
            stack += missing
            continue
        inner = (
            part if t.is_nil(part) else made[id(part), t.name] if t.kind is Kind.RECORD else _plain(part, t)
            for part, t in parts
        )
        made[key] = (*value[: bool(of.branches)], *inner)
    return None if record is None else made[id(record), type_.name]


@lru_cache(1024)
def _compiled(text: str) -> CodeType:
    return compile(text, "<rule>", "exec")


def plain_rule(
    rule: Rule, program: Program, tables: Mapping[str, Table], target: Target, start: int | None
) -> Callable[..., None]:
    """The function run(deltas, iteration), which derives the rows of a rule whose order does not matter."""
    body = started(program, tables)
    body.literals(rule.body, start, delta_of(rule, start), {})
    body.take(rule.head, target)
    return body.function("deltas, iteration")


@dataclass(frozen=True)
class OrderedRule:
    """A rule whose order matters, evaluated from the new rows of its atom at `start`, if it is recursive; `own`: the
    relations of the component."""

    rule: Rule
    program: Program
    tables: Mapping[str, Table]
    target: Target
    start: int | None
    own: Collection[str]
    order: ValueOrder

    @cached_property
    def atoms(self) -> dict[int, Atom]:
        """The atoms that have rows of their own, by their positions: those that ask for any value."""
        atoms = [b for b in self.rule.body if isinstance(b, Atom)]
        return {i: atom for i, atom in enumerate(atoms) if any(t is not None for t in atom.terms)}

    @cached_property
    def later(self) -> dict[int, str]:
        """Atoms of the component after `start`, which do not match new rows, with the expression for these."""
        return {
            i: f"deltas[{atom.relation!r}]"
            for i, atom in self.atoms.items()
            if self.start is not None and i > self.start and atom.relation in self.own
        }

    def gather(self, body: Body, literals: Sequence[Literal]) -> None:
        """Generate loops over the matches of these literals."""
        body.literals(literals, self.start, delta_of(self.rule, self.start), self.later)

    def key_of(self, position: int) -> Callable[[Row], Any] | None:
        """By what the rows of an atom are sorted; None for the row itself."""
        return sort_key(self.program.relations[self.atoms[position].relation], self.program, self.order)

    def sorted_by(self, body: Body, position: int) -> str:
        """The expression for what the row of an atom is sorted by."""
        key = self.key_of(position)
        return f"r{position}" if key is None else f"{body.use(key, 'key')}(r{position})"


def matches_in_order(collect: Callable[..., None], deltas: Mapping[str, Any]) -> list[Any]:
    """What a function finds, as pairs of what it is sorted by and values."""
    found: list[Any] = []
    collect(deltas, found.append)
    found.sort(key=itemgetter(0))
    return found


def sorted_rule(ordered: OrderedRule, draw: Callable[[], int]) -> Callable[..., None]:
    """The function run(deltas, iteration), which derives the rows of a rule whose order matters."""
    rule, last = ordered.rule, drawing(ordered.rule)
    gather = started(ordered.program, ordered.tables)
    literals = [b for b in rule.body if b not in last]
    ordered.gather(gather, literals)
    keys = [ordered.sorted_by(gather, i) for i in ordered.atoms]
    generated = [
        f"{gather.use(ordered.order.key, 'key')}({gather.variables[b.result]})"
        for b in literals
        if isinstance(b, Generate)
    ]
    wanted = [v for v in gather.variables if v in rule.head.terms or any(v in needs(b) for b in last)]
    shown = "".join(gather.variables[v] + ", " for v in wanted)
    gather.write(f"append((({''.join(k + ', ' for k in (*keys, *generated))}), ({shown})))")
    collect = gather.function("deltas, append")

    finish = Body(ordered.program, ordered.tables)
    finish.open(f"for _, ({''.join(finish.name(v) + ', ' for v in wanted)}) in found:" if wanted else "for _ in found:")
    for literal in last:
        finish.literal(literal)
    finish.take(rule.head, ordered.target)
    conclude = finish.function("found, draw, iteration")

    def run(deltas: Mapping[str, Any], iteration: int) -> None:
        conclude(matches_in_order(collect, deltas), draw, iteration)

    return run


def sort_key(relation: Relation, program: Program, order: ValueOrder) -> Callable[[Row], Any] | None:
    """The sort key of rows; None if it is the row itself."""
    special = {Kind.FLOAT, Kind.RECORD, Kind.OBJECT, *((Kind.SYMBOL,) if order.mentioned else ())}
    if not any(c.type.kind in special for c in relation.columns):
        return None
    # A cache would take 0.0 for -0.0.
    return (
        order.key
        if any(holds_floats(c.type, program.types) for c in relation.columns)
        else lru_cache(1 << 20)(order.key)
    )


def drawing(rule: Rule) -> list[Literal]:
    """The literals that depend on the counter or the iteration, in an order in which they can be evaluated."""

    def late(literals: list[Literal]) -> list[Literal]:
        bound = frozenset().union(*map(binds, literals))
        return [b for b in rule.body if b in literals or not isinstance(b, Atom) and needs(b) & bound]

    last: list[Literal] = [b for b in rule.body if isinstance(b, Compute) and b.function in ORDERED]
    while len(more := late(last)) > len(last):
        last = more
    known = {v for b in rule.body if b not in last for v in binds(b)}
    done: list[Literal] = []
    while ready := next((b for b in last if b not in done and needs(b) <= known), None):
        done.append(ready)
        known |= binds(ready)
    return done


def domination(
    dominated: Atom, dominating: Atom, literals: Sequence[Literal], program: Program, tables: Mapping[str, Table]
) -> Callable[[Row], bool]:
    """The function run(row), which tells whether a row in the table of `dominating` dominates this row of the relation
    of `dominated`."""
    body = started(program, tables)
    body.literals((dominated, dominating, *literals), 0, "(candidate,)", {})
    body.write("if r0 != r1: return True")
    body.depth = 1
    body.write("return False")
    return body.function("candidate")


def dominations(
    dominated: Atom, dominating: Atom, literals: Sequence[Literal], program: Program, tables: Mapping[str, Table]
) -> Callable[..., None]:
    """The function run(rows, add), which adds each row in the table of `dominated` that one of `rows`, of `dominating`,
    dominates."""
    body = started(program, tables)
    body.literals((dominated, dominating, *literals), 1, "candidates", {})
    body.write("if r0 != r1: add(r0)")
    return body.function("candidates, add")


def started(program: Program, tables: Mapping[str, Table]) -> Body:
    """A body inside a loop with one iteration, so that tests that fail can use `continue`."""
    body = Body(program, tables)
    body.open("for _ in (None,):")
    return body


def delta_of(rule: Rule, start: int | None) -> str:
    """The expression for the new rows of the atom at which a rule starts."""
    if start is None:
        return ""
    atom = [b for b in rule.body if isinstance(b, Atom)][start]
    return f"deltas[{atom.relation!r}]"
