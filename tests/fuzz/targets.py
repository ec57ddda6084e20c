"""What is fuzzed: texts of programs, values, fact files of every form, packs, tables, expressions that name lattices,
functors, command lines.

A target has inputs to begin with, words that its inputs are made of, and a check that raises where an input is neither
taken nor refused as it should be: with one sentence and its place, the right exit code, in time, and nothing written
elsewhere.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import random
import re
import shlex
import signal
import sqlite3
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import click

from ladder import Database, Program
from ladder.cli.analyze import analyze
from ladder.cli.commands import ladder
from ladder.errors import LadderError, LadderWarning
from ladder.facts.files import read_facts
from ladder.facts.files.reading import Unreadable, read_value
from ladder.language import parse
from tests.fuzz import classes, functors, parquet
from tests.fuzz.running import ran
from tests.language import damage as robustness
from tests.random_programs.checking import case_of

SECONDS = 10  # for any input


class TooSlow(AssertionError):
    """An input took more than `SECONDS`."""


@dataclass(frozen=True)
class Target:
    seeds: Callable[[], list[bytes]]
    words: tuple[bytes, ...]
    check: Callable[[bytes], None]


def examine(name: str, data: bytes) -> None:
    """Raises where the target does with an input what it must not."""

    def late(_number: int, _frame: FrameType | None) -> None:
        raise TooSlow(f"more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        TARGETS[name].check(data)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


# ---- programs


def _programs() -> list[bytes]:
    texts = [text for text in map(robustness.source_of, robustness.PROGRAMS) if len(text) < 4_000][::4]
    return [text.encode() for text in (*texts, *robustness.EXAMPLES, *(case_of(seed).text for seed in range(60)))]


def _program(data: bytes) -> None:
    robustness.check(data.decode("utf-8", "replace"))


def _bindings() -> list[bytes]:
    return [
        text.encode()
        for text in (
            "k_set(2)",
            "flat",
            "interval((-10, 0, 10))",
            "interval(None)",
            "strided((-10, 0, 10))",
            "product(sign, congruence)",
            "pointwise(k_set(3))",
            "dual(sign)",
            "powerset",
            "lexicographic(minimum, k_set(2))",
            "finite(('a', 'b'), ((0, 1), (1, 1)))",
            "product(pointwise(product(sign, dual(parity))), flat)",
            "interval((5,))",
        )
    ]


def _binding(data: bytes) -> None:
    """An expression over the supplied lattices; the text is data, so what is no such expression is refused."""
    expression = data.decode("utf-8", "replace").translate({ord(c): " " for c in '"\\\r\n'})
    robustness.check(f'.lattice L = "ladder.lattices:{expression}"\n.decl e(x: number)\n.decl r(x: L<>)\n')


# ---- facts

TYPES = (
    ".type P = [x: number, s: symbol]\n.type T = A {} | B {x: number, t: T} | C {s: symbol, p: P}\n.type L = [h: "
    "float, t: L]\n"
    ".type E = On {} | Off {}\n"
)
COLUMNS = ("n: number", "n: number, s: symbol", "u: unsigned, f: float", "p: P, t: T", "l: L, e: E, s: symbol", "")
FORMS = (
    "",
    'delimiter=","',
    "rfc4180=true",
    "headers=true",
    'IO="jsonfile"',
    'IO="jsonfile", format="object"',
    'columns="1:0"',
    "compress=true",
)
ROWS: dict[str, list[tuple[Any, ...]]] = {
    COLUMNS[0]: [(1,), (-2,), (2**31 - 1,)],
    COLUMNS[1]: [(1, "a"), (2, "b c"), (3, "é\u2028")],
    COLUMNS[2]: [(0, 0.5), (2**32 - 1, -1e30)],
    COLUMNS[3]: [((1, "a"), ("A",)), (None, ("B", 2, ("C", "x", (3, "y"))))],
    COLUMNS[4]: [((1.5, (2.5, None)), ("On",), "z"), (None, ("Off",), "")],
    COLUMNS[5]: [()],
}


def _fact_program(number: int) -> tuple[str, str, str]:
    """(columns, form, program) of a number."""
    columns, form = COLUMNS[number % len(COLUMNS)], FORMS[number // len(COLUMNS) % len(FORMS)]
    parameters = f"({form})" if form else ""
    return columns, form, f"{TYPES}.decl e({columns})\n.input e{parameters}\n.output e{parameters}\n"


def _facts() -> list[bytes]:
    """Files as Ladder writes them, each after the number of its program."""
    found = []
    with tempfile.TemporaryDirectory() as name:
        for number in range(len(COLUMNS) * len(FORMS)):
            columns, _, text = _fact_program(number)
            db = Database(_parsed(text))
            db.load_rows("e", ROWS[columns])
            folder = Path(name) / str(number)
            try:
                from ladder.facts.files import write_outputs

                folder.mkdir()
                write_outputs(db.program.core, {"e": db["e"]}, folder, io.StringIO())  # type: ignore[dict-item]
            except LadderError:
                continue
            found += [bytes([number]) + path.read_bytes() for path in folder.iterdir()]
    return found


_KNOWN: dict[str, Program] = {}


def _parsed(text: str) -> Program:
    if text not in _KNOWN:
        _KNOWN[text] = Program.parse(text, functors={})
    return _KNOWN[text]


def _fact_file(data: bytes) -> None:
    """A file of facts is read, or refused with its name, in one sentence; what is read can be written and
    read again."""
    number, content = (data[0], data[1:]) if data else (0, b"")
    _, form, text = _fact_program(number)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / ("e.json" if "jsonfile" in form else "e.facts")
        file.write_bytes(gzip.compress(content) if number % 5 == 4 else content)
        before = sorted(folder.rglob("*"))
        _load(text, folder, file.name)
        assert sorted(folder.rglob("*")) == before


def _database_file(data: bytes) -> None:
    """A file in the place of a database of SQLite."""
    text = f'{TYPES}.decl e(n: number, s: symbol)\n.input e(IO="sqlite", dbname="e.sqlite")\n'
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "e.sqlite"
        file.write_bytes(data)
        _load(text, Path(name), file.name)


def _databases() -> list[bytes]:
    with tempfile.TemporaryDirectory() as name:
        made = []
        for number, (columns, rows) in enumerate(
            (("n INTEGER, s TEXT", [(1, "a"), (2, "b")]), ("'0' INTEGER, '1' INTEGER", [(1, 0)]), ("n TEXT", [("x",)]))
        ):
            file = Path(name) / str(number)
            with contextlib.closing(sqlite3.connect(file)) as database:
                database.execute(f"CREATE TABLE e ({columns})")
                database.execute("CREATE TABLE __SymbolTable (id INTEGER PRIMARY KEY, symbol TEXT)")
                database.execute("INSERT INTO __SymbolTable VALUES (0, 'a')")
                database.executemany(f"INSERT INTO e VALUES ({', '.join('?' * len(rows[0]))})", rows)
                database.commit()
            made.append(file.read_bytes())
        return made


def _load(text: str, folder: Path, name: str) -> None:
    program = _parsed(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LadderWarning)  # surplus columns are told, and left out
            for _, rows in read_facts(program.core, folder):
                db = Database(program)
                db.load_rows("e", rows)
                assert len(list(db["e"])) == len(db["e"])
    except LadderError as error:
        assert name in str(error) or "has a column" in str(error) or "columns=" in str(error), error
        _is_a_sentence(str(error.message))


def _value(data: bytes) -> None:
    """A value as fact files have it."""
    types = parse(TYPES + ".decl e(p: P, t: T, l: L, e: E, n: number, u: unsigned, f: float, s: symbol)\n").types
    text = data[1:].decode("utf-8", "replace")
    type_ = types[("P", "T", "L", "E", "number", "unsigned", "float", "symbol")[(data[0] if data else 0) % 8]]
    try:
        read_value(text, type_, types)
    except Unreadable as refused:
        assert 0 <= refused.at <= len(text) and str(refused)


def _values() -> list[bytes]:
    return [
        bytes([number]) + text
        for number, text in (
            (0, b"[1, a]"),
            (1, b"$B(2, $C(x, [3, y]))"),
            (2, b"[1.5, [2, nil]]"),
            (3, b"$On"),
            (4, b"-12"),
            (4, b"0x1F"),
            (5, b"4294967295"),
            (6, b"1e-5"),
            (7, b"text"),
            (0, b'["a", 1]'),
            (0, b"nil"),
        )
    ]


def _is_a_sentence(message: str) -> None:
    assert message and "\n" not in message.strip() and "Traceback" not in message, message


# ---- command lines

LEFT_OUT = frozenset(
    ("bench", "sql", "master", "spark_conf", "checkpoint", "resume", "progress", "profile_output", "help", "version")
)
VALUES = (
    "",
    "-",
    ".",
    "p.dl",
    "q.dl",
    "missing",
    "facts",
    "project",
    "out",
    "e",
    "r",
    "1",
    "2",
    "0",
    "-1",
    "3.5",
    "nan",
    "1e9",
    "999999999999999999999",
    "auto",
    "local",
    "64",
    "32",
    "512M",
    "20M",
    "0K",
    "linking",
    "pointsto",
    "csv",
    "json",
    "table",
    "sarif",
    "parquet",
    "main",
    "public",
    "all",
    "HEAD",
    "HEAD~9",
    "N=1",
    "=",
    "é\u202e",
    "a\tb",
    "../..",
    "/dev/null",
    "KEY:VALUE",
    "elastic",
    "bf",
    "recompute",
    "@",
    "--",
    "'",
    '"',
    "\n",
    "(1, 2)",
    "Reachable",
    "0.5",
)
COMMANDS = {"run", "check", "analyze", "show", "explain", "tables", "test", "state"}


def _words_of(command: click.Command) -> Iterator[str]:
    for parameter in command.params:
        if parameter.name not in LEFT_OUT and isinstance(parameter, click.Option):
            yield from parameter.opts
            if isinstance(parameter.type, click.Choice):
                yield from (str(choice) for choice in parameter.type.choices if choice != "spark")


def _command_words() -> tuple[bytes, ...]:
    commands = [command for name, command in ladder.commands.items() if name in COMMANDS] + [analyze]
    return tuple(
        word.encode() + b"\n"
        for word in dict.fromkeys(
            (*COMMANDS, *(w for c in commands for w in _words_of(c)), *(v for v in VALUES if "\n" not in v))
        )
    )


def _command_lines() -> list[bytes]:
    lines = (
        "run p.dl",
        "run p.dl -F facts -D out",
        "run p.dl -D -",
        "run p.dl --state s -j 2",
        "check p.dl --json",
        "analyze project --analysis linking --no-state --quiet",
        "analyze project --analysis linking --format json --state s",
        "show project Reachable --analysis linking",
        "explain project Reachable x --analysis linking",
        "tables project --analysis linking",
        "tables s --program p.dl",
        "test facts",
        "run p.dl --memory-limit 512M --time-limit 5",
        "run p.dl --domain 64 --profile",
        "state project",
        "run q.dl -w",
        "run p.dl -M N=1 --parquet -D out",
    )
    return ["\n".join(shlex.split(line)).encode() for line in lines]


def _command_line(data: bytes) -> None:
    """Arguments, one a line: an exit code that is said, one message, and nothing written but below the directory."""
    arguments = data.decode("utf-8", "replace").replace("\0", "").split("\n")
    if (
        not arguments
        or arguments[0] not in COMMANDS
        or any(
            part in ("spark", "--sql", "--master", "--spark-conf")
            or part.startswith(("--sql", "--m", "--sp", "--eng", "--ext"))
            and not part.startswith("--memory")
            for part in arguments
        )
    ):
        return
    with tempfile.TemporaryDirectory() as name:
        root, here = Path(name), Path(name) / "here"
        _write_project(here)
        before = {path for path in root.iterdir()}
        code, _, said = ran(arguments, here)
        assert code in (0, 1, 2, 3, 4), (code, said[-500:])
        assert "Traceback" not in said and "defect" not in said, said[-1000:]
        assert code in (0, 1) or said.strip(), "no message"
        assert {path for path in root.iterdir()} == before, "written elsewhere"


def _write_project(here: Path) -> None:
    (here / "facts").mkdir(parents=True)
    (here / "project").mkdir()
    (here / "p.dl").write_text(
        ".decl e(x: number, y: number)\n.input e\n.decl r(x: number, y: number)\n.output r\nr(x, y) :- "
        "e(x, y).\nr(x, z) :- r(x, y), e(y, z).\n"
    )
    (here / "q.dl").write_text(".decl e(x: number)\ne(1.\n")
    for folder in (here, here / "facts"):
        (folder / "e.facts").write_text("1\t2\n2\t3\n")
    (here / "project/A.java").write_text(
        "class A { int f; void m(A a) { a.f = 1; a.m(this); } public static void main(String[] s) { new A().m(null); "
        "} }\n"
    )


TARGETS: dict[str, Target] = {
    "classes": Target(classes.classes, classes.CLASS_WORDS, classes.check_class),
    "archives": Target(classes.archives, classes.ARCHIVE_WORDS, classes.check_archive),
    "packs": Target(parquet.packs, parquet.PACK_WORDS, parquet.check_pack),
    "tables": Target(parquet.tables, parquet.TABLE_WORDS, parquet.check_table),
    "functors": Target(functors.seeds, functors.WORDS, functors.check),
    "programs": Target(_programs, tuple(word.encode() for word in robustness.STRANGE), _program),
    "bindings": Target(
        _bindings,
        (
            b"(",
            b")",
            b",",
            b"'a'",
            b"sign",
            b"flat",
            b"k_set",
            b"product",
            b"None",
            b"-1",
            b"1e9",
            b"[",
            b"]",
            b"lambda",
            b".",
            b"__class__",
            b"**",
            b"{}",
            b".a" * 3000,
            b"-" * 3000,
            b"(" * 300,
            b"{[]}",
            b"\0",
            b"0_x",
        ),
        _binding,
    ),
    "facts": Target(
        _facts,
        (
            b"\t",
            b"\n",
            b"\r\n",
            b'"',
            b",",
            b"[",
            b"]",
            b"$A",
            b"$B(1, $A)",
            b"nil",
            b"{",
            b"}",
            b":",
            b"null",
            b"true",
            b"1e400",
            b"nan",
            b"-1",
            b"0x1f",
            b"99999999999999999999",
            b"\0",
            b"\xff",
            b"\xef\xbb\xbf",
            b"\xe2\x80\xae",
            b"\\",
            b"[" * 500,
            b'{"n":' * 100,
            b"\x1f\x8b",
        ),
        _fact_file,
    ),
    "databases": Target(
        _databases, (b"SQLite format 3\0", b"\0", b"\xff", b"CREATE TABLE", b"VIEW", b"e"), _database_file
    ),
    "values": Target(
        _values,
        (
            b"[",
            b"]",
            b"(",
            b")",
            b"$",
            b"$B",
            b"nil",
            b'"',
            b"\\",
            b",",
            b" ",
            b"-",
            b"0b",
            b"0x",
            b"1e9",
            b"inf",
            b"[" * 300,
        ),
        _value,
    ),
    "commands": Target(_command_lines, (), _command_line),
}


def words_of(name: str) -> tuple[bytes, ...]:
    return _command_words() if name == "commands" else TARGETS[name].words


# ---- mutation


def mutated(data: bytes, other: bytes, words: tuple[bytes, ...], source: random.Random, lines: bool = False) -> bytes:
    """An input with some of its parts left out, doubled, exchanged, replaced by a word or by a part of
    another input."""
    parts = re.findall(rb"[^\n]*\n?", data)[:-1] if lines else re.findall(rb"\w+|\s+|[^\w\s]", data)
    others = re.findall(rb"[^\n]*\n?", other)[:-1] if lines else re.findall(rb"\w+|\s+|[^\w\s]", other)
    parts = parts or [b""]
    for _ in range(source.choice((1, 1, 2, 3, 6))):
        here, there = source.randrange(len(parts)), source.randrange(len(parts))
        match source.randrange(9):
            case 0:
                del parts[here]
            case 1:
                parts.insert(here, parts[there])
            case 2:
                parts[here], parts[there] = parts[there], parts[here]
            case 3 | 4:
                parts.insert(here, source.choice(words))
            case 5:
                parts[here] = source.choice(words)
            case 6:
                first = source.randrange(len(others) + 1)
                parts[here:here] = others[first : first + source.randint(1, 8)]
            case 7 if not lines:
                cut = bytearray(parts[here] or b" ")
                cut[source.randrange(len(cut))] = source.randrange(256)
                parts[here] = bytes(cut)
            case 8:
                first, last = sorted((here, there))
                parts[first:last] = []
        parts = parts or [b""]
    return b"".join(parts)
