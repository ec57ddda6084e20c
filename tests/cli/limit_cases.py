"""Programs, facts and projects that would take minutes or gigabytes, and the phase of a command in which each of them
does.

`tests/cli/test_limits.py` has each of them ended by a limit; `benchmarks/limits.py` measures by how much the limit is
missed.
"""

from __future__ import annotations

import gzip
import os
import re
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from ladder.support.limits import memory_of
from tests.cli.limit_probe import ASKED, SLOW_DISK

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
PROBE = ROOT / "tests" / "cli" / "limit_probe.py"
PAUSE = 0.004  # seconds between two looks at memory
SHORTLY = 0.1  # seconds before the time is up at which it is asked what a command is at, …
ASKED_FROM, ASKED_AGAIN = 0.9, 0.04  # … and shares of the memory
CLOSURE = (
    ".decl e(x: number, y: number)\n.input e\n.decl p(x: number, y: number)\np(x, y) :- e(x, y).\np(x, z) :- "
    "p(x, y), e(y, z).\n"
)
Maker = Callable[[Path], list[str]]
RUN = ["ladder", "run", "p.dl"]
ON_SPARK = ["--engine", "spark", "--master", "local[2]", "--quiet"]


def program(text: str | Callable[[], str], functors: str = "", facts: dict[str, str] | None = None) -> Maker:
    """A case of `ladder run`; a long text is made only when its case is run."""

    def make(folder: Path) -> list[str]:
        (folder / "p.dl").write_text(text if isinstance(text, str) else text())
        (folder / "mine.py").write_text(functors)
        for name, content in (facts or {}).items():
            (folder / name).write_text(content)
        return RUN

    return make


def functor(body: str, result: str = "number") -> Maker:
    """A functor that takes too much."""
    return program(
        f'.decl e(x: number)\ne(1).\n.functor f(x: number): {result} = "mine:f"\n.decl q(x: {result})\nq(@f(x)) :- '
        "e(x).\n.output q\n",
        f"def f(x):\n    {body}\n",
    )


def literals(folder: Path) -> list[str]:
    """A rule of almost thirty literals, over facts that make each join order dear."""
    body = ", ".join(f"e(x{i}, x{j})" for i in range(9) for j in range(9) if (i + j) % 3 == 0)
    (folder / "p.dl").write_text(
        f".decl e(x: number, y: number)\n.input e\n.decl q(x: number)\nq(x0) :- {body}.\n.printsize q\n"
    )
    (folder / "e.facts").write_text("".join(f"{i}\t{j}\n" for i in range(60) for j in range(60)))
    return RUN


def components(folder: Path) -> list[str]:
    lines = [
        f".decl r{i}(x: number, y: number)\nr{i}(x, z) :- r{(i * 7 + 1) % 20000}(x, y), "
        f"r{(i * 13 + 5) % 20000}(y, z), x < {i}.\n"
        for i in range(20000)
    ]
    (folder / "p.dl").write_text("".join(lines) + ".output r0\n")
    return RUN


def plans(folder: Path) -> list[str]:
    """Rules of twelve literals that all depend on each other; the program has been checked, and is kept."""
    rules, atoms = 1500, 12
    lines = [".decl e(x: number, y: number)\n.input e\n.printsize r0\n"]
    for i in range(rules):
        body = ", ".join(
            f"r{(i * 7 + j * 13 + 1) % rules}(x{j}, x{(j * 3 + 1) % atoms})"
            if j % 2
            else f"e(x{j}, x{(j + 1) % atoms})"
            for j in range(atoms)
        )
        lines.append(f".decl r{i}(x: number, y: number)\nr{i}(x0, x{atoms - 1}) :- {body}.\n")
    (folder / "p.dl").write_text("".join(lines))
    (folder / "e.facts").write_text("1\t2\n")
    subprocess.run(
        [sys.executable, "-P", "-c", "from ladder.cli import main; main()", "run", "p.dl", "-w", "--show", "syntax"],
        cwd=folder,
        capture_output=True,
        check=True,
        env=ENVIRONMENT,
    )
    return [*RUN, "-w"]


def uncompiled(folder: Path) -> list[str]:
    """A program on an installation whose kernels have never been compiled (none are shipped for such a processor)."""
    (folder / "p.dl").write_text(CLOSURE + "e(1, 2).\n.printsize p\n")
    (folder / "e.facts").touch()
    return [f"LADDER_CACHE_DIR={folder / 'cache'}", "NUMBA_CPU_NAME=generic", *RUN]


def saved(folder: Path) -> list[str]:
    """A state that is saved on a disk that does not answer."""
    (folder / "p.dl").write_text(CLOSURE + "e(1, 2).\n.printsize p\n")
    (folder / "e.facts").touch()
    return [f"{SLOW_DISK}=1000", *RUN, "--state", "st"]


def zipped(byte: bytes, times: int) -> Maker:
    """A fact file, zipped, that holds a byte so many times 50 MB."""

    def make(folder: Path) -> list[str]:
        (folder / "p.dl").write_text(
            '.decl e(x: symbol)\n.input e(filename="e.facts.gz", compress=true)\n.printsize e\n'
        )
        member = gzip.compress(byte * (50 << 20), 1)
        with (folder / "e.facts.gz").open("wb") as file:
            for _ in range(times):
                file.write(member)
        return RUN

    return make


def sparse(folder: Path) -> list[str]:
    """A fact file of ten gigabytes without a line's end, which takes no room on the disk."""
    (folder / "p.dl").write_text(".decl e(x: symbol)\n.input e\n.printsize e\n")
    with (folder / "e.facts").open("wb") as file:
        file.truncate(10 << 30)
    return RUN


def many_facts(folder: Path) -> list[str]:
    (folder / "p.dl").write_text(
        ".decl e(x: symbol, y: symbol)\n.input e\n.decl q(x: symbol)\nq(cat(x, y)) :- e(x, y).\n.printsize q\n"
    )
    with (folder / "e.facts").open("w") as file:
        for i in range(4_000_000):
            file.write(f"some longer text {i}\tand another one {i * 7}\n")
    return RUN


def outputs(folder: Path) -> list[str]:
    (folder / "p.dl").write_text(
        ".decl n(x: number)\nn(x) :- x = range(0, 12000).\n.decl q(x: number, y: number)\nq(x, y) :- n(x), "
        "n(y).\n.output q\n"
    )
    return RUN


def written(directive: str, *options: str, count: int = 3000) -> Maker:
    """Rows that are made in a moment and take gigabytes when they are written."""

    def make(folder: Path) -> list[str]:
        (folder / "p.dl").write_text(
            '.decl t(n: number, x: symbol)\nt(0, "0123456789").\nt(n + 1, cat(x, x)) :- t(n, x), n < 7.\n'
            f".decl n(x: number)\nn(x) :- x = range(0, {count}).\n"
            ".decl q(x: number, y: number, z: symbol)\nq(x, y, z) :- n(x), n(y), x % 2 = 0, t(7, z).\n.output "
            f"q{directive}\n"
        )
        return [*RUN, *options]

    return make


def rows_of(name: str, directive: str, lines: Callable[[Path], None]) -> Maker:
    """A relation of two numbers in a file of some form."""

    def make(folder: Path) -> list[str]:
        (folder / "p.dl").write_text(
            f'.decl e(x: number, y: number)\n.input e({directive}, filename="{name}")\n.printsize e\n'
        )
        lines(folder / name)
        return RUN

    return make


def json_rows(file: Path) -> None:
    with file.open("w") as out:
        out.write("[")
        for i in range(8_000_000):
            out.write(f"[{i}, {i * 7 % 1000}],\n")
        out.write("[1, 1]]")


def sqlite_rows(file: Path) -> None:
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE e (x INTEGER, y INTEGER)")
        database.executemany("INSERT INTO e VALUES (?, ?)", ((i, i * 7 % 1000) for i in range(8_000_000)))


def records(deep: int, many: int, in_file: bool = False) -> Maker:
    """So many long lists as terms of the program, or as facts in a file."""

    def make(folder: Path) -> list[str]:
        value = "[1, " * deep + "nil" + "]" * deep
        (folder / "p.dl").write_text(
            ".type L = [head: number, tail: L]\n.decl e(x: L)\n"
            + (".input e\n" if in_file else f"e({value}).\n" * many)
            + ".printsize e\n"
        )
        if in_file:
            (folder / "e.facts").write_text(f"{value}\n" * many)
        return RUN

    return make


LEVELS = """.type L = [head: number, tail: L]
.functor f(x: L): L = "mine:f"
.decl q(n: number, x: L)
q(0, nil).
q(n + 1, @f(x)) :- q(n, x), n < 2000000.
.printsize q
"""
LOOPING = """.lattice M = "mine:M"
.functor f(x: number): M = "mine:f"
.decl l(v: M<>)
l(@f(x)) :- x = range(0, 3).
.printsize l
"""
LATTICE = """from ladder.lattices import Lattice
def f(x):
    return x
class M(Lattice):
    bottom = -1
    def join(self, a, b):
        while True: pass
    def leq(self, a, b):
        return a <= b
"""
CUBE = """.decl n(x: number)
n(x) :- x = range(0, 800).
.decl q(x: number, y: number)
q(x, (y * z) % 7) :- n(x), n(y), n(z).
.decl last(x: number)
last(1) :- n(x), n(y), n(z), x + y + z = 2397.
.output q, last
"""


def closure(*options: str) -> Maker:
    """The reachable pairs of a graph with as many edges as take a while, on Spark."""

    def make(folder: Path) -> list[str]:
        (folder / "p.dl").write_text(CLOSURE + ".output p\n")
        (folder / "e.facts").write_text(
            "".join(f"{i}\t{(i * 7 + 1) % 3000}\n{i}\t{(i * 13 + 5) % 3000}\n" for i in range(3000))
        )
        return [*RUN, *ON_SPARK, *options]

    return make


def spread(folder: Path) -> list[str]:
    """Facts that take Spark a while to read and to give numbers, and rows that take it a while to hand out."""
    many_facts(folder)
    (folder / "p.dl").write_text(
        ".decl e(x: symbol, y: symbol)\n.input e\n.decl q(x: symbol, y: symbol)\nq(y, x) :- e(x, y).\n.output q\n"
    )
    return [*RUN, *ON_SPARK]


def handed_out(directive: str, *options: str, count: int = 2500) -> Maker:
    """Rows that Spark makes in a moment, and that are handed out one by one."""

    def make(folder: Path) -> list[str]:
        (folder / "p.dl").write_text(
            f".decl n(x: number)\nn(x) :- x = range(0, {count}).\n.decl q(x: number, y: number)\nq(x, y) :- n(x), "
            f"n(y).\n.output q{directive}\n"
        )
        return [*RUN, *ON_SPARK, *options]

    return make


def exported(folder: Path) -> list[str]:
    """A state that Spark has computed, on a disk that does not answer."""
    return [*saved(folder), *ON_SPARK]


def analysed(*command: str) -> Maker:
    """A command about a project whose analysis takes a while and has been made."""

    def make(folder: Path) -> list[str]:
        (folder / "project").mkdir()
        (folder / "project" / "C.java").write_text("class C { int m(int a) { return a * 3; } }")
        (folder / "p.dl").write_text(CUBE)
        done = subprocess.run(
            [
                sys.executable,
                "-P",
                "-c",
                "from ladder.cli import analyze_main; analyze_main()",
                "project",
                "--analysis",
                "p.dl",
                "--state",
                "st",
                "--quiet",
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            env=ENVIRONMENT,
        )
        assert done.returncode == 0, done.stderr
        return [*command, "--analysis", "p.dl", "--state", "st"]

    return make


def java(folder: Path) -> list[str]:
    for i in range(40):
        (folder / f"C{i}.java").write_text(
            f"class C{i} {{ int m(int a) {{ " + "a = a * 3 + (a ^ 7) - (a << 2); " * 6000 + "return a; } }"
        )
    return ["analyze", ".", "--analysis", "constprop", "--no-state", "--quiet", "--extract", "local"]


def gigantic(folder: Path) -> list[str]:
    """Java files of which each is as large as a file may be, and one that is larger."""
    line = "class %s { int m(int a) { return a; } }\n"
    for i in range(4):
        (folder / f"C{i}.java").write_text("".join(line % f"C{i}_{j}" for j in range(600_000)))
    return ["analyze", ".", "--analysis", "linking", "--no-state", "--quiet", "--extract", "local"]


@dataclass(frozen=True)
class Case:
    """What would take too long (`time`) or too much (`memory`), and a part of the calls in which it does; `nightly`:
    not by default."""

    name: str
    make: Maker
    phase: str
    time: bool = True
    memory: bool = False
    nightly: bool = False
    options: tuple[str, ...] = ()
    seconds: int = 0  # enough to come to the phase; 0: the usual number
    megabytes: int = 300  # of memory, likewise
    spark: bool = False

    @property
    def least_seconds(self) -> int:
        """Enough to come to the phase that is meant."""
        return self.seconds or (5 if self.nightly else 2)


KERNELS = "engine/local/engine.py"
CASES = [
    Case("planning", plans, "ladder/plan/", nightly=True, seconds=5),
    Case("compiling", uncompiled, "local/warm.py"),
    Case("saving", saved, "local/saved/"),
    Case(
        "range", program(".decl q(x: number)\nq(x) :- x = range(0, 400000000).\n.printsize q\n"), KERNELS, memory=True
    ),
    Case("fixpoint", program(".decl a(x: number)\na(0).\na(x + 1) :- a(x).\n.printsize a\n"), KERNELS),
    Case("joins", outputs, KERNELS, memory=True, nightly=True),
    Case(
        "backtracking",
        program(
            '.decl q(x: symbol)\n.decl t(x: symbol)\nt("'
            + "a" * 40
            + '!").\nq(x) :- t(x), match("(a|aa)*(?=b)b", x).\n.printsize q\n'
        ),
        "language/values/builtins.py",
    ),
    Case(
        "cat",
        program(
            '.decl q(n: number, x: symbol)\nq(0, "0123456789").\nq(n + 1, cat(x, x)) :- q(n, x), n < 40.\n.printsize '
            "q\n"
        ),
        "engine/local/values/symbols.py",
        time=False,
        memory=True,
    ),
    Case("functor loops", functor("while True: pass"), "mine.py", nightly=True),
    Case("functor in c", functor("return len(str(7 ** (10 ** 8)))"), "mine.py", nightly=True),
    Case("functor sleeps", functor("__import__('time').sleep(1000)"), "mine.py", nightly=True),
    Case(
        "functor swallows",
        functor("""
    while True:
        try:
            while True: pass
        except BaseException:
            pass"""),
        "mine.py",
    ),
    Case(
        "functor allocates",
        functor("return len(bytearray(b'x') * 10 ** 10)"),
        "mine.py",
        time=False,
        memory=True,
        nightly=True,
    ),
    Case(
        "functor gathers",
        functor("return len([object() for _ in range(10 ** 9)])"),
        "mine.py",
        memory=True,
        nightly=True,
    ),
    Case("functor text", functor("return 'x' * 10 ** 10", "symbol"), "mine.py", time=False, memory=True, nightly=True),
    Case("functor of deep records", program(LEVELS, "def f(x):\n    return (1, x)\n"), "engine/local", nightly=True),
    Case("join of a lattice", program(LOOPING, LATTICE), "mine.py", nightly=True),
    Case("many literals", literals, KERNELS, nightly=True),
    Case("components", components, "ladder/language/", nightly=True),
    Case(
        "parsing",
        program(lambda: "".join(f"p{i}(x) :- q{i}(x), r{i}(x, y), y = x + {i}.\n" for i in range(60_000))),
        "language/",
        nightly=True,
    ),
    Case(
        "program of 50 MB",
        program(lambda: ".decl p(x: number)\n" + "".join(f"p({i}).\n" for i in range(4_500_000))),
        "language/",
        memory=True,
        nightly=True,
    ),
    Case(
        "comment of 50 MB",
        program(lambda: "/* " + "x " * (25 << 20) + "*/ .decl p(x: number)\np(1).\n.output p\n" + CUBE),
        "ladder/",
        memory=True,
        nightly=True,
    ),
    Case(
        "sums of terms",
        program(lambda: ".decl q(x: number)\n" + f"q({'1 + ' * 300}1).\n" * 20_000 + ".output q\n"),
        "language/",
        memory=True,
        nightly=True,
    ),
    Case("brackets", records(200, 10_000), "language/", memory=True, nightly=True),
    Case("gzip bomb", zipped(b"x", 40), "facts/files/", time=False, memory=True, nightly=True),
    Case("zipped line of 10 GB", zipped(b"x", 200), "facts/files/", memory=True, nightly=True),
    Case("zipped zeros of 10 GB", zipped(b"\0", 200), "facts/files/", memory=True, nightly=True),
    Case("line of 10 GB", sparse, "facts/files/", memory=True, nightly=True, options=("--engine", "local")),
    Case("facts", many_facts, "facts/files/", memory=True, nightly=True, options=("--engine", "local"), seconds=1),
    Case(
        "json facts",
        rows_of("e.json", "IO=jsonfile", json_rows),
        "facts/files/",
        memory=True,
        nightly=True,
        options=("--engine", "local"),
    ),
    Case(
        "sqlite facts",
        rows_of("e.sqlite", "IO=sqlite", sqlite_rows),
        "facts/files/",
        memory=True,
        nightly=True,
        options=("--engine", "local"),
    ),
    Case(
        "deep facts",
        records(1_000_000, 20, True),
        "facts/files/",
        memory=True,
        nightly=True,
        options=("--engine", "local"),
    ),
    Case("output", written("", "-D", "-", count=7000), "facts/files/", nightly=True, seconds=6),
    Case("output file", written(""), "facts/files/", nightly=True),
    Case("zipped output", written("(compress=true)"), "facts/files/", nightly=True),
    Case("json output", written("(IO=jsonfile)"), "facts/files/", memory=True, nightly=True),
    Case("sqlite output", written("(IO=sqlite)"), "facts/files/", nightly=True),
    Case("parquet output", written("", "--parquet", count=9000), "cli/run.py", nightly=True),
    Case("extraction", java, "project/extraction/", memory=True, nightly=True),
    Case("extraction in one process", java, "project/extraction/", memory=True, nightly=True, options=("-j", "1")),
    Case("large java files", gigantic, "project/extraction/", memory=True, nightly=True),
    Case(
        "ordered",
        program(
            ".type T = A {} | B { t : T }\n.decl n(x: number)\nn(x) :- x = range(0, 30000000).\n.decl "
            "c(x: number, y: number) choice-domain x\n"
            "c(x, y) :- n(x), n(y).\n.printsize c\n"
        ),
        "engine/",
        memory=True,
        nightly=True,
    ),
    Case("state", outputs, "engine/local", nightly=True, options=("--state", "st")),
    Case("profile", outputs, KERNELS, nightly=True, options=("--profile",)),
    Case("verify", analysed("analyze", "project", "--verify", "--quiet"), "bootstrapped", nightly=True),
    Case("explain", analysed("ladder", "explain", "project", "last", "1"), "engine/local/explain.py", nightly=True),
    Case("spark", closure(), "ladder/", nightly=True, spark=True, seconds=15),
    Case("spark reads", spread, "ladder/", memory=True, nightly=True, spark=True, seconds=15, megabytes=1300),
    Case(
        "spark results",
        handed_out("(IO=jsonfile)"),
        "engine/spark/results.py",
        nightly=True,
        spark=True,
        seconds=30,
    ),
    Case("spark exports", exported, "engine/spark/export.py", nightly=True, spark=True, seconds=30),
]


@dataclass(frozen=True)
class Measured:
    """A run: its exit code, what it said, seconds before its limits began to count and after their time was up, bytes
    of memory of all its processes at most, and its calls when its time was up, or every now and then."""

    code: int
    said: str
    before: float
    seconds: float
    peak: int
    calls: str

    def over(self, limit: float) -> float:
        """Seconds beyond a limit of the time."""
        return self.seconds - limit


def measured(folder: Path, command: Sequence[str], seconds: float | None = None, memory: int | None = None) -> Measured:
    """Run a command of a case's folder with limits; NAME=VALUE before it is put into the environment."""
    notes = folder / "notes"
    notes.mkdir(exist_ok=True)
    for name in ("began", "calls"):
        (notes / name).unlink(missing_ok=True)
    settings = list(takewhile(lambda word: re.match(r"[A-Z_]+=", word), command))
    options = [
        *(["--time-limit", f"{seconds:g}"] if seconds is not None else []),
        *(["--memory-limit", str(memory)] if memory is not None else []),
    ]
    with (folder / "err").open("w+") as err:
        started = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-P", PROBE, notes, *command[len(settings) :], *options],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=err,
            env={**ENVIRONMENT, **dict(word.split("=", 1) for word in settings)},
        )
        family = Family(process.pid, notes, seconds, memory)
        process.wait()
        ended = time.perf_counter()
        peak = family.stop()
        err.seek(0)
        began = family.began or started
        calls = (notes / "calls").read_text() if (notes / "calls").exists() else ""
        return Measured(process.returncode, err.read(), began - started, ended - began, peak, calls)


class Family:
    """Looks at the memory of a process and of all that it starts, mapped files not counted, until it is stopped; asks
    for the calls that it is in just before a limit is reached."""

    def __init__(self, pid: int, notes: Path, seconds: float | None, memory: int | None) -> None:
        self.began = 0.0
        self._pid, self._notes, self._seconds, self._memory = pid, notes, seconds, memory
        self._worker, self._peak, self._ended = 0, 0, threading.Event()
        self._asked_at = ASKED_FROM
        self._looking = threading.Thread(target=self._look, daemon=True)
        self._looking.start()

    def stop(self) -> int:
        """Bytes at most."""
        self._ended.set()
        self._looking.join()
        return self._peak

    def _look(self) -> None:
        while not self._ended.wait(PAUSE):
            used = sum(own_memory(pid) for pid in descendants(self._pid))
            self._peak = max(self._peak, used)
            if not self._worker and (self._notes / "began").exists():
                began, worker = (self._notes / "began").read_text().split()
                self.began, self._worker = float(began), int(worker)
            if (
                self._worker
                and self._seconds is not None
                and time.perf_counter() > self.began + self._seconds - SHORTLY
            ):
                self._seconds = None
                self._ask()
            elif self._worker and self._memory is not None and used > self._asked_at * self._memory:
                self._asked_at += ASKED_AGAIN
                self._ask()

    def _ask(self) -> None:
        with suppress(OSError):
            os.kill(self._worker, ASKED)


def own_memory(pid: int) -> int:
    """Bytes that are a process's own; 0 where it is gone."""
    with suppress(OSError):
        return memory_of(Path(f"/proc/{pid}/status"))
    return 0


def descendants(pid: int) -> Iterator[int]:
    """A process and all that it started, directly or not."""
    yield pid
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            for child in Path(f"/proc/{pid}/task/{thread}/children").read_text().split():
                yield from descendants(int(child))
