"""What functors of users return and raise: anything ends in rows, or in one message that names the call and its place
in the program.

An input is a number and an expression. The number says of which type the functor is said to be, and who calls it: a
rule, a rule whose component keeps an order, a rule of a recursion, the declaration of a lattice, its join.
"""

from __future__ import annotations

import random
import re
import tempfile
import warnings
from pathlib import Path

from tests.fuzz.running import ran

TYPES = ("number", "unsigned", "float", "symbol", "L", "T", "L several", "number several", "symbol several", "Few")
USES = (
    "r(@f(x)) :- e(x).\n",
    "r(y) :- e(x), y = @f(x), e(z), z != x.\n",
    "c(x, @f(x)) :- e(x).\nr(y) :- c(_, y).\n",
    "r(@f(x)) :- e(x).\nr(@f(1)) :- r(_).\n",
    "r(y) :- e(_), y = @f(x), x = count : { e(_) }.\n",
)
LATTICE = "j(@v(x)) :- e(x).\nr(1) :- j(_).\n"
PRELUDE = """
BIG, LONG, NAN, INF = 10 ** 5000, "x" * 100_000, float("nan"), float("inf")
SURROGATE, STEERING, ZERO = "\\ud800", "\\x1b[2J\\u202e\\r", "\\0"
DEEP = None
for _ in range(3000):
    DEEP = (1, DEEP)
CYCLE = []
CYCLE.append(CYCLE)
LOOP = [1, None]
LOOP[1] = LOOP
TREE = ("B", 1)
class Text(str): pass
class Number(int): pass
class Pair(tuple): pass
class Silent:
    def __repr__(self): raise ValueError("no")
    __str__ = __repr__
class Wrong:
    def __repr__(self): return 3
class Loud:
    def __repr__(self): return "x\\n" * 100_000
class Contrary(int):
    def __eq__(self, other): raise KeyError(self)
    def __lt__(self, other): raise KeyError(self)
    def __hash__(self): raise OSError(self)
    def __index__(self): raise IndexError
    def __int__(self): raise ZeroDivisionError
    def __float__(self): raise AttributeError
class Iterating:
    def __iter__(self): raise LookupError
class Ending:
    def __iter__(self): return self
    def __next__(self): raise RuntimeError("next")
class Mute(Exception):
    def __str__(self): raise SystemExit(9)
    __repr__ = __str__
class Own(BaseException): pass
def boom(error):
    raise error
def late(*values):
    yield from values
    raise ValueError("late")
import decimal, fractions, numpy, datetime
from ladder.errors import LadderError, ProgramError, StateError
"""
VALUES = (
    "1",
    "0",
    "-1",
    "2**31",
    "-2**31 - 1",
    "2**32",
    "2**63",
    "BIG",
    "-BIG",
    "1.5",
    "NAN",
    "INF",
    "-0.0",
    "1e308",
    "True",
    "None",
    "'a'",
    "''",
    "SURROGATE",
    "STEERING",
    "ZERO",
    "LONG",
    "b'x'",
    "()",
    "(1,)",
    "(1, None)",
    "(1, (2, None))",
    "('a', None)",
    "(BIG, None)",
    "DEEP",
    "CYCLE",
    "LOOP",
    "TREE",
    "('A',)",
    "('B',)",
    "('B', 1, 2)",
    "('C', 1)",
    "('B', SURROGATE)",
    "[]",
    "[1, 2]",
    "{}",
    "{1}",
    "{'h': 1, 't': None}",
    "frozenset({1})",
    "Text('a')",
    "Number(3)",
    "Pair((1, None))",
    "Silent()",
    "Wrong()",
    "Loud()",
    "Contrary(1)",
    "Iterating()",
    "Ending()",
    "late(1)",
    "(x for x in (1, 2))",
    "iter([1])",
    "range(3)",
    "range(10**9)",
    "map(boom, [ValueError()])",
    "(yield 1)",
    "lambda: 1",
    "object()",
    "int",
    "NotImplemented",
    "...",
    "decimal.Decimal(1)",
    "fractions.Fraction(1, 2)",
    "1j",
    "numpy.int64(3)",
    "numpy.float32(1)",
    "numpy.array(1)",
    "numpy.array([1])",
    "numpy.str_('a')",
    "numpy.bool_(1)",
    "datetime.date(1, 1, 1)",
    "memoryview(b'a')",
    "bytearray(b'a')",
    "[BIG]",
    "[None]",
    "[SURROGATE]",
    "['a', 1]",
    "[(1, None)]",
    "[[1]]",
    "x",
)
ERRORS = (
    "ValueError()",
    "ValueError(BIG)",
    "ValueError(SURROGATE)",
    "ValueError(STEERING)",
    "ValueError(LONG)",
    "ValueError(Silent())",
    "Mute()",
    "Own()",
    "SystemExit()",
    "SystemExit(3)",
    "SystemExit('bye')",
    "GeneratorExit()",
    "StopIteration(1)",
    "StopAsyncIteration()",
    "MemoryError()",
    "RecursionError()",
    "OSError(28, 'full', 'x')",
    "BrokenPipeError()",
    "FileNotFoundError(2, 'no', 'x')",
    "UnicodeDecodeError('utf-8', b'x', 0, 1, 'y')",
    "ExceptionGroup('g', [ValueError(1)])",
    "BaseExceptionGroup('g', [Own()])",
    "KeyError(1)",
    "AssertionError()",
    "LadderError('a', 'b')",
    "LadderError('')",
    "StateError('x')",
    "ProgramError([])",
    "Warning('w')",
    "EOFError()",
    "ImportError('x')",
    "NameError('x')",
    "BufferError()",
    "ArithmeticError()",
    "TimeoutError()",
    "ConnectionResetError()",
    "3",
    "None",
    "ValueError",
)


def seeds() -> list[bytes]:
    """Each value for some types and users of it, and each error."""
    source = random.Random(1)
    expressions = [*VALUES, *(f"boom({error})" for error in ERRORS), *(f"[1, boom({error})]" for error in ERRORS[:4])]
    return [bytes([source.randrange(256)]) + text.encode() for text in expressions for _ in range(3)]


WORDS = tuple(
    word.encode()
    for word in (
        *VALUES,
        *ERRORS,
        "boom(",
        "late(",
        "(",
        ")",
        ",",
        "[",
        "]",
        "lambda: ",
        " or ",
        " if x else ",
        " + ",
        "'B', ",
        "(",
    )
)
_ALLOWED = re.compile(r"[\w\s()\[\]{},.:'=+-]*")


def check(data: bytes) -> None:
    """Run a program with such a functor."""
    number, expression = (data[0] if data else 0), data[1:].decode("utf-8", "replace").replace("\n", " ")
    if (
        not _ALLOWED.fullmatch(expression)
        or "__" in expression
        or "import" in expression
        or "while" in expression
        or " for " in expression.replace("(x for x in (1, 2))", "")
    ):
        return
    kind, use = TYPES[number % len(TYPES)], number // len(TYPES) % (len(USES) + 1)
    with tempfile.TemporaryDirectory() as name:
        here = Path(name)
        (here / "p.dl").write_text(program(kind, use))
        (here / "fn.py").write_text(
            f"{PRELUDE}\ndef f(x, *more):\n    return ({expression}\n    )\ndef v(x):\n    return x\n"
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Python's compiler about the expression
            code, out, said = ran(["run", "p.dl", "--functors", "fn.py", "-D", "-"], here)
        judge(code, out, said)


def program(kind: str, use: int) -> str:
    """A program whose functor f has a type and a use."""
    type_, _, several = kind.partition(" ")
    lattice = use == len(USES)
    declared = "number" if lattice else type_
    text = (
        ".type L = [h: number, t: L]\n.type T = A {} | B {x: number}\n.lattice Few = "
        '"ladder.lattices:k_set(2)"\n.decl e(x: number)\ne(1). e(2). e(7).\n'
    )
    text += (
        f".functor f({'a: number, b: number' if lattice else 'x: number'}): {declared} "
        f"{'' if lattice else several}\n.decl r(y: {declared})\n.output r\n"
    )
    if lattice:
        return text + (
            ".functor v(x: number): number\n.type N <: number\n.lattice N<> { Bottom -> 0, Lub -> @f(_, _) "
            "}\n.functor w(x: number): N\n.decl j(s: N<>)\n" + "j(as(x, N)) :- e(x).\nr(as(s, number)) :- j(s).\n"
        )
    return text + (f".decl c(x: number, y: {declared}) choice-domain x\n" if use == 2 else "") + USES[use]


def judge(code: int, out: str, said: str) -> None:
    """Rows, or one message with the place."""
    assert code in (0, 2, 3, 4), (code, said[-500:])
    assert "Traceback" not in said and "defect" not in said, said[-1000:]
    if code:
        first = said.split("\n")[0]
        assert re.match(
            r"p\.dl:\d+:\d+: |ladder: fn\.py cannot be used: |ladder: A value of the class \w+ cannot be written: "
            r"|ladder: A record of \w+ is nested too deeply ",
            first,
        ), said[:500]
        assert said.count(": error: ") <= 12 and len(said) < 20_000, said[:500]
    else:
        assert "r\n" in out, out[-300:]
