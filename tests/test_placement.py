"""Facts in files are told without reading them all; which engine evaluates them, under which limit."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from ladder import Database, Program
from ladder.errors import OutOfMemory
from ladder.language import parse
from ladder.policy.placement import chosen, facts_in
from ladder.spark.settings import AT_LEAST, BESIDES_HEAP, PER_WORKER, SMALLEST_HEAP, heap_within
from ladder.support.limits import Limits
from ladder.support.tuning import DEFAULT, Placing

PROGRAM = """\
.decl a(x: symbol, n: number)
.input a
.decl b(x: symbol, n: number)
.input b
.decl c(x: symbol, n: number)
.input c(IO=jsonfile)
.decl none(x: symbol)
.input none
.decl out(x: symbol)
.output out
out(x) :- a(x, _), b(x, _), c(x, _), none(x).
"""


def test_facts_of_files_are_estimated(tmp_path: Path) -> None:
    lines = [f"some symbol {i % 977}\t{i}\n" for i in range(60_000)]
    text = "".join(lines)
    assert len(text) > 3 * DEFAULT.placing.sample
    (tmp_path / "a.facts").write_text(text)
    (tmp_path / "b.facts").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "c.json").write_text("[" + ",".join(["[1234567, 12345678]"] * 1000) + "]")
    assert abs(facts_in(parse(PROGRAM), tmp_path) - 121_000) < 6_000
    (tmp_path / "a.facts").write_text("x\t1\ny\t2")
    (tmp_path / "b.facts").write_text("")
    (tmp_path / "c.json").unlink()
    assert facts_in(parse(PROGRAM), tmp_path) == 2


def test_the_choice_names_facts_memory_and_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ladder.spark.java.lacking", lambda: "")
    limits = Limits(memory=2 << 30)
    few = (2 << 30) // DEFAULT.placing.per_fact
    many = few + 1
    assert chosen(few, limits).engine == "local"
    assert (
        str(chosen(many, limits).reason)
        == f"{many:,} facts may need 2G of memory, and there are 2G: evaluated on Spark."
    )
    assert chosen(few, limits, extracted=True).engine == "spark"
    assert chosen(many, limits, Placing(per_fact=1)).engine == "local"
    monkeypatch.setattr("ladder.spark.java.lacking", lambda: "no Java runtime was found.")
    assert chosen(many, limits).engine == "local" and "but Spark cannot run: no Java" in chosen(many, limits).reason


@pytest.mark.parametrize(
    ("limit", "machine", "facts", "engine"),
    [
        (250 << 20, 24 << 30, 10_000_000, "local"),
        (AT_LEAST - 1, 24 << 30, 10_000_000, "local"),
        (AT_LEAST, 24 << 30, 10_000_000, "spark"),
        (AT_LEAST, 24 << 30, 1000, "local"),
        (None, 24 << 30, 10_000_000, "local"),
        (None, 24 << 30, 100_000_000, "spark"),
        (None, 1 << 30, 10_000_000, "local"),
        (None, 2 << 30, 10_000_000, "spark"),
    ],
)
def test_spark_is_taken_only_where_it_fits_itself(
    monkeypatch: pytest.MonkeyPatch, limit: int | None, machine: int, facts: int, engine: str
) -> None:
    monkeypatch.setattr("ladder.spark.settings.machine_memory", lambda: machine)
    monkeypatch.setattr("ladder.spark.java.lacking", lambda: "")
    choice = chosen(facts, Limits(memory=limit))
    assert choice.engine == engine
    assert ("that Spark takes by itself" in choice.reason) == (
        engine == "local" and facts > 1000 and (limit or machine) < AT_LEAST
    )


def test_a_limit_is_that_of_the_jvm_and_python_together() -> None:
    assert (
        heap_within(None, 2) is None
        and heap_within(4 << 30, 2) == (4 << 30) - BESIDES_HEAP - 2 * PER_WORKER
        and heap_within(AT_LEAST, 2) == heap_within(AT_LEAST, 64) == SMALLEST_HEAP
        and heap_within(4 << 30, 64) == ((4 << 30) - BESIDES_HEAP + SMALLEST_HEAP) // 2
    )
    program = Program.parse(PROGRAM)
    for limit in (1, 250 << 20, AT_LEAST - 1):
        with pytest.raises(
            OutOfMemory,
            match=r"Spark takes 1.18G of memory at least, and the memory limit is .*\. Allow more with --memory-limit",
        ):
            Database(program, engine="spark", limits=Limits(memory=limit))
        assert Database(program, engine="auto", limits=Limits(memory=limit)).choice is not None


WITHOUT_CHILDREN = """
import subprocess, sys
from ladder import cli
subprocess.Popen = None
cli.main(sys.argv[1:])
"""


def test_a_small_limit_starts_no_jvm(tmp_path: Path) -> None:
    """In a process of its own, whose memory is that of the run alone."""

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = [
            sys.executable,
            "-c",
            WITHOUT_CHILDREN,
            "run",
            str(tmp_path / "p.dl"),
            "-F",
            str(tmp_path),
            "-D",
            "-",
        ]
        return subprocess.run([*command, *options], check=False, capture_output=True, text=True)

    (tmp_path / "p.dl").write_text(
        ".decl e(x: number)\n.input e\n.decl p(x: number)\n.output p\np(x) :- e(x), x < 2.\n"
    )
    (tmp_path / "e.facts").write_text("".join(f"{i}\n" for i in range(200)) * 20_000)
    done = run("--memory-limit", "1100M")
    assert done.returncode == 0 and "0\n1\n" in done.stdout, done.stderr
    assert "less than the 1.18G that Spark takes by itself: evaluated here" in done.stderr
    done = run("--memory-limit", "250M", "--engine", "spark")
    assert done.returncode == 4 and "Spark takes 1.18G of memory at least" in done.stderr
