"""Runs a Java program under the agent in `agent/`, and reads what it recorded: methods entered, from which calls."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ladder.analyses.library_signatures import PRIMITIVES

HERE = Path(__file__).resolve().parent
ASM = ["--add-exports", "java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED"]
ROUNDS = 20  # of compiling without the files that did not compile


class RunError(Exception):
    """The program cannot be compiled or run; the message says why."""


@dataclass(frozen=True)
class Method:
    """A method that ran: its class by its binary name, its erased types, and the lines of its code."""

    class_: str
    name: str
    parameters: tuple[str, ...]
    result: str
    file: str
    first: int
    last: int

    @property
    def of_lambda(self) -> bool:
        return self.name.startswith("lambda$")

    def __str__(self) -> str:
        return f"<{self.class_}: {self.result} {self.name}({','.join(self.parameters)})>"


@dataclass(frozen=True)
class Site:
    """A call: the method that it stands in, its line, and the method that it names, of a class or an interface."""

    caller: Method
    line: int
    owner: str
    name: str
    parameters: tuple[str, ...]
    of_interface: bool


@dataclass
class Records:
    """What ran. `edges`: of calls, and of None where the library or the virtual machine entered the method by itself.

    `allocations`: (method, line, class) of the objects made by `new`.
    """

    edges: set[tuple[Site | None, Method]] = field(default_factory=set)
    allocations: set[tuple[Method, int, str]] = field(default_factory=set)

    @property
    def methods(self) -> set[Method]:
        return {method for _, method in self.edges}


def compiled(source: Path, into: Path, needed: Collection[Path], classpath: str = "") -> tuple[Path, ...]:
    """Compile the Java files below a folder; those that do not compile, as what they need is missing, are left out and
    returned, but for the `needed` ones."""
    files = sorted(
        file for file in source.rglob("*.java") if file.name not in ("module-info.java", "package-info.java")
    )
    left: set[Path] = set()
    for _ in range(ROUNDS):
        into.mkdir(parents=True, exist_ok=True)
        wrong, said = _compile([file for file in files if file not in left], into, classpath)
        if not wrong:
            return tuple(sorted(left))
        if wrong & set(needed):
            raise RunError(f"The driver does not compile:\n{said}")
        left |= wrong
    raise RunError(f"javac still finds errors after {ROUNDS} rounds")


def _compile(files: Sequence[Path], into: Path, classpath: str) -> tuple[set[Path], str]:
    """Compile the files → those with errors, and what javac says."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as names:
        names.write("\n".join(f'"{file}"' for file in files))
        names.flush()
        options = ["-nowarn", "-g", "-proc:none", "-encoding", "UTF-8", "-Xmaxerrs", "100000"]
        done = subprocess.run(
            ["javac", *options, *(["-classpath", classpath] if classpath else []), "-d", str(into), f"@{names.name}"],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode == 0:
        return set(), ""
    wrong = {Path(found[1]) for found in re.finditer(r"(?m)^(.+\.java):\d+: error: ", done.stderr)} & set(files)
    if not wrong:
        raise RunError(f"javac fails:\n{done.stderr[-2000:]}")
    return wrong, done.stderr[-2000:]


def record(
    classes: Path,
    main: str,
    arguments: Sequence[str],
    classpath: str,
    folder: Path,
    seconds: int,
    *,
    may_fail: bool = False,
) -> Records:
    """Run a main class under the agent, in an empty folder of its own; `may_fail`: it may end with an exception."""
    work, output = folder / "work", folder / "records.tsv"
    work.mkdir(parents=True, exist_ok=True)
    agent = agent_jar(folder)
    command = ["java", *ASM, f"-javaagent:{agent}={classes}\n{output}", "-Djava.awt.headless=true"]
    command += ["-cp", os.pathsep.join(filter(None, [str(classes), classpath])), main, *arguments]
    try:
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        raise RunError(f"{main} did not end within {seconds} seconds") from error
    (folder / "run.log").write_text(done.stdout + done.stderr, encoding="utf-8")
    if (done.returncode != 0 and not may_fail) or not output.is_file():
        raise RunError(f"{main} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-2000:]}")
    return read(output)


def agent_jar(folder: Path) -> Path:
    """The agent, compiled."""
    if shutil.which("javac") is None:
        raise RunError("There is no javac on this machine; install a JDK 17.")
    jar, classes = folder / "agent.jar", folder / "agent"
    if not jar.exists():
        classes.mkdir(parents=True, exist_ok=True)
        sources = [str(file) for file in sorted((HERE / "agent").glob("*.java"))]
        _checked(["javac", *ASM, "-d", str(classes), *sources])
        manifest = folder / "manifest.txt"
        manifest.write_text(f"Premain-Class: Agent\nBoot-Class-Path: {jar.name}\n", encoding="utf-8")
        _checked(["jar", "cfm", str(jar), str(manifest), "-C", str(classes), "."])
    return jar


def _checked(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RunError(f"{command[0]} fails:\n{done.stderr[-2000:]}")


# ---- records


def read(file: Path) -> Records:
    """The records that the agent wrote."""
    methods: dict[int, Method] = {}
    sites: dict[int, Site | None] = {0: None}
    found = Records()
    rows = [line.rstrip("\n").split("\t") for line in file.open(encoding="utf-8")]
    for kind, *columns in sorted(rows, key=lambda row: ("method", "site", "edge", "allocation").index(row[0])):
        if kind == "method":
            number, class_, name, descriptor, source, first, last = columns
            folder = class_.rpartition("/")[0]
            path = f"{folder}/{source}" if folder else source
            methods[int(number)] = Method(
                class_.replace("/", "."), name, *types(descriptor), path, int(first), int(last)
            )
        elif kind == "site":
            number, caller, line, owner, name, descriptor, kind_ = columns
            owner = owner.replace("/", ".")
            parameters = types(descriptor)[0]
            sites[int(number)] = Site(methods[int(caller)], int(line), owner, name, parameters, kind_ == "interface")
        elif kind == "edge":
            found.edges.add((sites[int(columns[0])], methods[int(columns[1])]))
        else:
            method, line, class_ = columns
            found.allocations.add((methods[int(method)], int(line), class_.replace("/", ".")))
    return found


def types(descriptor: str) -> tuple[tuple[str, ...], str]:
    """The parameter types and the result of a method's descriptor, as Java writes them."""
    *parameters, result = (_type(found[0]) for found in re.finditer(r"\[*(?:L[^;]*;|[BCDFIJSZV])", descriptor))
    return tuple(parameters), result


def _type(text: str) -> str:
    plain = text.lstrip("[")
    name = plain[1:-1].replace("/", ".") if plain.startswith("L") else PRIMITIVES[plain]
    return name + "[]" * (len(text) - len(plain))
