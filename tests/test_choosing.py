"""Facts in files are told without reading them all."""
from __future__ import annotations

import gzip
from pathlib import Path

from ladder.choosing import PER_FACT, SAMPLE, chosen, facts_in
from ladder.language import parse
from ladder.limits import Limits

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
    assert len(text) > 3 * SAMPLE
    (tmp_path / "a.facts").write_text(text)
    (tmp_path / "b.facts").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "c.json").write_text("[" + ",".join(["[1234567, 12345678]"] * 1000) + "]")
    assert abs(facts_in(parse(PROGRAM), tmp_path) - 121_000) < 6_000
    (tmp_path / "a.facts").write_text("x\t1\ny\t2")
    (tmp_path / "b.facts").write_text("")
    (tmp_path / "c.json").unlink()
    assert facts_in(parse(PROGRAM), tmp_path) == 2


def test_the_choice_names_facts_memory_and_engine() -> None:
    limits = Limits(memory=1 << 20)
    few, many = (1 << 20) // PER_FACT, (1 << 20) // PER_FACT + 1
    assert chosen(few, limits).engine == "local"
    assert str(chosen(many, limits).reason) == f"{many:,} facts may need 1M of memory, and there are 1M: evaluated on Spark."
    assert chosen(many, limits, "no Java runtime was found.").engine == "local"
    assert chosen(few, limits, per_fact=2 * PER_FACT).engine == "spark"
