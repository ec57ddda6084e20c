"""Fuzzing of the Java front end, guided by coverage:
`python -m tests.fuzz.java --seconds 60 [--seed N] [--from FOLDER] [--keep FOLDER]`.

Inputs are real files, random programs and what broke before, mutated; an input that reaches lines in an order that was
not seen before is mutated in turn. Each is checked in a child process, which writes down what it is about to read: a
child that dies or does not end leaves the input that did it.
"""

from __future__ import annotations

import hashlib
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any

import click

from ladder.frontends.java import facts as facts_module
from ladder.frontends.java import treesitter
from ladder.frontends.java.facts import facts_of
from ladder.frontends.java.lexer import SourceText
from ladder.frontends.java.limits import Budget, LimitReached
from ladder.frontends.java.parse import UnreadableSource, decode, deep_recursion, parse
from ladder.frontends.java.tree import ArrayAccess, Assignment, FieldAccess, Name
from ladder.frontends.java.visit import difference, verify, walk
from ladder.frontends.protocol import FileFacts
from tests.fuzz.java_programs import program
from tests.java_lowering.integrity import problems
from tests.work import calls_in

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).parent / "corpus_java"
"""Minimal inputs that broke something once."""
SMALL = 4096
"""Bytes up to which an input is traced."""
LARGEST = 1 << 16
SECONDS_EACH = 60
MEMORY = 4 << 30
# For each byte, a hundred times what ordinary source takes: names of nested types and lambdas grow with their depth.
MOST_CALLS = 500
"""Bytes that a child may take beyond what it begins with: it is a copy of this process, which may be a
whole test run."""


def seeds(folders: Iterable[Path] = ()) -> list[bytes]:
    """What is mutated first."""
    patterns = ("tests/java_parser/snippets/*.java", "tests/java_lowering/**/*.java", "corpora/bookshop/**/*.java")
    paths = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
    paths += [path for folder in (CORPUS, *folders) for path in sorted(folder.rglob("*.java")) if path.is_file()]
    return [data for data in (path.read_bytes() for path in paths) if len(data) <= LARGEST]


# Properties


def check(data: bytes) -> None:
    """Raise AssertionError where the front end does with these bytes what it must not."""
    found = facts_of(data)
    _check_diagnostics(data, found)
    again: list[FileFacts] = []
    calls = calls_in(lambda: again.append(facts_of(data)))
    assert calls < MOST_CALLS * (len(data) + 10_000), f"{calls:,} calls for {len(data):,} bytes"
    assert again == [found], "not the same facts again"
    if found.parser != "none":
        wrong = next(problems(found), None)
        assert wrong is None, f"facts do not hold together: {wrong}"
        _check_positions(data, found.relations.get("Position", ()))
    _check_trees(data)


def _check_diagnostics(data: bytes, found: FileFacts) -> None:
    for _, _, kind, message in found.diagnostics:
        assert kind in ("encoding", "syntax", "fallback", "limit", "lowering"), kind
        assert kind != "lowering" or message.startswith("Malformed literal"), message
        assert len(message) < 300, "an endless message"
    assert found.diagnostics or found.parser == "javalang", "no diagnostic"
    _check_positions(data, [("diagnostic", line, column) for line, column, _, _ in found.diagnostics])


def _check_positions(data: bytes, rows: Iterable[tuple[Any, ...]]) -> None:
    text, _ = decode(data)
    starts = [*SourceText(text).line_starts, len(text) + 1]
    for name, line, column in rows:
        assert 1 <= line < len(starts), f"{name} stands in line {line} of {len(starts) - 1}"
        assert 1 <= column <= starts[line] - starts[line - 1] + 1, f"{name} stands in column {column} of line {line}"


def _check_trees(data: bytes) -> None:
    """Nodes lie within each other, and both parsers give the same tree where both read the file."""
    try:
        parsed = parse(data)
    except UnreadableSource:
        return
    verify(parsed.unit)
    # Of `-a = b` and `a / b = c`, which are no Java, our parser makes `(-a) = b` and tree-sitter `-(a = b)`.
    targets = (node.target for node in walk(parsed.unit) if isinstance(node, Assignment))
    unlike = any(not isinstance(target, Name | FieldAccess | ArrayAccess) for target in targets)
    if parsed.parser != "javalang" or unlike:
        return
    try:
        with deep_recursion():
            other = treesitter.parse(SourceText(decode(data)[0]), Budget())
    except (facts_module.LimitReached, LimitReached, treesitter.JavaSyntaxError):
        return
    different = difference(parsed.unit, other)
    assert different is None, f"parsers differ: {different}"


# Coverage


class Coverage:
    """Pairs of lines of the front end that were executed one after the other."""

    def __init__(self) -> None:
        self.seen: set[tuple[CodeType, int, int]] = set()
        self._folder = str(Path(facts_module.__file__).parent)

    def of(self, work: Callable[[], object]) -> bool:
        """Do the work → whether it went a way that is new."""
        before = len(self.seen)
        sys.settrace(self._enter)
        try:
            work()
        finally:
            sys.settrace(None)
        return len(self.seen) > before

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(self._folder):
            return None
        last, add = 0, self.seen.add

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal last
            if event == "line":
                add((code, last, frame.f_lineno))
                last = frame.f_lineno
            return line

        return line


# Mutations

WORDS = b"""( ) { } [ ] < > , ; . ... -> :: ? : @ & | ^ ! ~ + - * / % = == != <= >= << >> >>> && || ++ -- += >>>=
class interface enum record @interface abstract final static public default sealed non-sealed permits extends implements
throws import package module requires open new this super switch case yield when if else for while do try catch finally
synchronized return throw break continue assert instanceof var int long double char boolean void null true false _
0 08 0x 0x_ 0b1 1_000L 1e9999 0x1p9999 .5f 2147483648 9223372036854775808L 'a' '\\u0000' '\\'' "" "a\\tb" // /* */ /**
\\u000a \\u0022 \\uuu0041 \\ud800 \\ud83d\\ude00 \\uXYZ a b.c A<B> A<?> A[] a->a ()->{} A::new""".split()
WORDS += [char.encode() for char in "\0\f\x1a\r\n\u2028\u200c\ufeff\u00e9\U0001d49c\u0663"] + [
    b'"""\n"""',
    b"\r\n",
    b"\xed\xa0\x80",
]
PAIRS = [
    (b"(", b")"),
    (b"{", b"}"),
    (b"[", b"]"),
    (b"A<", b">"),
    (b"f(", b")"),
    (b"@A(", b")"),
    (b"() -> {", b"}"),
    (b"new A() {", b"}"),
    (b"class A {", b"}"),
    (b"if (a) {", b"}"),
    (b"try {", b"} finally { }"),
    (b"switch (a) { default -> ", b"; }"),
    (b"a ? ", b" : b"),
    (b"x -> ", b""),
    (b"- ", b""),
    (b"(A) ", b""),
    (b"a = ", b""),
    (b"for (;;) ", b""),
    (b"else if (a) ", b""),
]


def mutated(random: Random, data: bytes, pool: list[bytes]) -> bytes:
    """The bytes with a few changes."""
    for _ in range(random.choice((1, 1, 2, 3, 6))):
        data = random.choice(MUTATIONS)(random, data, pool)
    return data[:LARGEST]


def _place(random: Random, data: bytes) -> int:
    """Mostly at the edge of a token."""
    at = random.randint(0, len(data))
    while random.random() < 0.9 and 0 < at < len(data) and chr(data[at]).isalnum():
        at += 1
    return at


def _part(random: Random, data: bytes) -> tuple[int, int]:
    start = _place(random, data)
    return start, min(len(data), start + int(random.expovariate(1 / 20)) + 1)


def _insert(random: Random, data: bytes, pool: list[bytes]) -> bytes:
    at = _place(random, data)
    return data[:at] + random.choice((b"", b" ")) + random.choice(WORDS) + random.choice((b"", b" ")) + data[at:]


def _delete(random: Random, data: bytes, pool: list[bytes]) -> bytes:
    start, end = _part(random, data)
    return data[:start] + data[end:]


def _repeat(random: Random, data: bytes, pool: list[bytes]) -> bytes:
    start, end = _part(random, data)
    return data[:end] + data[start:end] * random.choice((1, 2, 5, 100, 1500)) + data[end:]


def _nest(random: Random, data: bytes, pool: list[bytes]) -> bytes:
    start, end = _part(random, data)
    times = random.choice((1, 1, 2, 3, 50, 150, 300, 1001, 4000))
    before, after = random.choice(PAIRS)
    return data[:start] + before * times + data[start:end] + after * times + data[end:]


def _move(random: Random, data: bytes, pool: list[bytes]) -> bytes:
    start, end = _part(random, data)
    at = _place(random, data)
    return data[:at] + data[start:end] + data[at:]


def _splice(random: Random, data: bytes, pool: list[bytes]) -> bytes:
    other = random.choice(pool)
    start, end = _part(random, other)
    at = _place(random, data)
    return data[:at] + other[start : end + random.choice((0, 0, 200))] + data[at:]


def _byte(random: Random, data: bytes, pool: list[bytes]) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + bytes([random.randrange(256)]) + data[at + random.randint(0, 1) :]


def _cut(random: Random, data: bytes, pool: list[bytes]) -> bytes:
    return data[: _place(random, data)]


def _escape(random: Random, data: bytes, pool: list[bytes]) -> bytes:
    """Some characters as unicode escapes."""
    start, end = _part(random, data)
    return data[:start] + b"".join(b"\\u%04x" % byte for byte in data[start:end]) + data[end:]


def _newlines(random: Random, data: bytes, pool: list[bytes]) -> bytes:
    return data.replace(b"\n", random.choice((b"\r", b"\r\n", b"\n\r", b"\\u000a", b" ")))


def _encoding(random: Random, data: bytes, pool: list[bytes]) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(random.choice(("utf-16", "utf-16-le", "utf-8-sig", "utf-32", "latin-1")), "replace")


MUTATIONS = [_insert] * 6 + [_delete] * 4 + [_splice] * 4 + [_move] * 3 + [_repeat, _nest] * 2 + [_byte, _cut, _escape]
RARE = [_newlines, _encoding]


def inputs(random: Random, pool: list[bytes]) -> Iterator[bytes]:
    """Inputs without end: random programs, and mutations of those and of what is in the pool, which may
    grow meanwhile."""
    while True:
        way = random.random()
        if way < 0.15:
            yield program(random)
        elif way < 0.3:
            yield mutated(random, program(random), pool)
        elif way < 0.32:
            yield random.choice(RARE)(random, random.choice(pool), pool)
        else:
            yield mutated(random, random.choice(pool[-200:] if way < 0.6 else pool), pool)


# Children


@dataclass
class Outcome:
    """What a round of fuzzing did: inputs checked, inputs that went new ways, lines in order that were seen, and what
    broke."""

    inputs: int = 0
    kept: int = 0
    ways: int = 0
    broken: dict[str, bytes] = field(default_factory=dict)


def reason(data: bytes) -> str:
    """Why these bytes break the front end, as a child process finds; "" if they do not."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "told")
        status = _child(lambda: file.write_text(_objection(data), "utf-8", "backslashreplace"))
        return file.read_text("utf-8") if file.exists() else f"the process ended with status {status}"


def _objection(data: bytes) -> str:
    signal.alarm(SECONDS_EACH)
    try:
        check(data)
    except AssertionError as error:
        return str(error)
    except BaseException as error:  # noqa: BLE001 - whatever is raised is the finding
        return f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
    return ""


def _child(work: Callable[[], Any]) -> int:
    """Do the work in a forked process of limited memory → its status."""
    limit = MEMORY + resource.getpagesize() * int(Path("/proc/self/statm").read_text().split()[0])
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def fuzz(seconds: float, seed: int, folders: Iterable[Path] = (), keep: Path | None = None) -> Outcome:
    """Check inputs for so long; `keep` takes the inputs that went new ways, from which another run may start."""
    outcome, until = Outcome(), time.monotonic() + seconds
    start = seeds(folders)
    for round in count(seed):
        if time.monotonic() > until:
            return outcome
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            status = _child(partial(_work, folder, start, round, until, keep))
            outcome.inputs += _number(folder / "inputs")
            outcome.kept += _number(folder / "kept")
            outcome.ways = max(outcome.ways, _number(folder / "ways"))
            for file in folder.glob("*.broken"):
                objection, _, data = file.read_bytes().partition(b"\n")
                outcome.broken.setdefault(objection.decode("utf-8", "replace"), data)
            if status:
                outcome.broken.setdefault(f"the process ended with status {status}", (folder / "current").read_bytes())
    raise AssertionError("counting ends")


def _number(file: Path) -> int:
    return int(file.read_text()) if file.exists() else 0


def _work(folder: Path, pool: list[bytes], seed: int, until: float, keep: Path | None) -> None:
    """Check inputs, each written down before, until the time is over."""
    random, coverage, kinds = Random(seed), Coverage(), set[str]()
    pool = random.sample(pool, len(pool))
    kept = 0
    for number, data in enumerate(inputs(random, pool), 1):
        (folder / "current").write_bytes(data)
        objection = _objection(data)
        kind = "".join("#" if c.isdigit() else c for c in objection)[:80]
        if objection and kind not in kinds:
            kinds.add(kind)
            (folder / f"{len(kinds)}.broken").write_bytes(
                objection.replace("\n", " ").encode("utf-8", "backslashreplace") + b"\n" + data
            )
        if not objection and len(data) <= SMALL and coverage.of(partial(facts_of, data)):
            pool.append(data)
            kept += 1
            if keep is not None:
                (keep / f"{hashlib.sha256(data).hexdigest()[:16]}.java").write_bytes(data)
        if number % 20 == 0 or time.monotonic() > until:
            for name, figure in (("inputs", number), ("kept", kept), ("ways", len(coverage.seen))):
                (folder / name).write_text(str(figure))
        if time.monotonic() > until:
            return


def minimal(data: bytes, seconds: float = 60) -> bytes:
    """A part of the bytes that breaks the front end in the same way."""
    until = time.monotonic() + seconds
    wanted = _kind(reason(data))
    size = max(len(data) // 2, 1)
    while size and time.monotonic() < until:
        start, smaller = 0, False
        while start < len(data) and time.monotonic() < until:
            without = data[:start] + data[start + size :]
            if _kind(reason(without)) == wanted:
                data, smaller = without, True
            else:
                start += size
        if not smaller or size > len(data):
            size //= 2
    return data


def _kind(objection: str) -> str:
    """What is said, without what differs from input to input."""
    return "".join(c for c in objection.partition(" at (")[0] if not c.isdigit())[:40]


@click.command(help=__doc__)
@click.option("--seconds", default=60.0)
@click.option("--seed", default=0)
@click.option(
    "--from",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="Folders of further Java files.",
)
@click.option(
    "--keep", type=click.Path(path_type=Path, file_okay=False), help="Where inputs that went new ways are kept."
)
@click.option(
    "--broken", type=click.Path(path_type=Path, file_okay=False), help="Where what broke is written, made small."
)
def main(seconds: float, seed: int, folders: tuple[Path, ...], keep: Path | None, broken: Path | None) -> None:
    for folder in (keep, broken):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    outcome = fuzz(seconds, seed, [*folders, *([keep] if keep else [])], keep)
    click.echo(
        f"seed {seed}: {outcome.inputs} inputs, {outcome.kept} kept, {outcome.ways} pairs of lines, "
        f"{len(outcome.broken)} broken"
    )
    for objection, data in outcome.broken.items():
        small = minimal(data)
        click.echo(f"  {objection[:300]}\n    {small[:300]!r}")
        if broken is not None:
            (broken / f"{hashlib.sha256(small).hexdigest()[:12]}.java").write_bytes(small)


if __name__ == "__main__":
    main()
