"""What must hold for every file: soundness of the rows, independence from layout, locality of edits, and depth."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ladder.frontends.java.facts import facts_of
from ladder.frontends.protocol import FileFacts

from ..work import calls_in
from .integrity import problems

CASES = sorted((Path(__file__).parent / "cases").glob("*.java"))


def without_positions(facts: FileFacts) -> dict[str, list[tuple[str | int, ...]]]:
    return {name: rows for name, rows in facts.relations.items() if name != "Position"}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_rows_hold_together(path: Path) -> None:
    assert list(problems(facts_of(path.read_bytes()))) == []


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_layout_and_comments_change_positions_alone(path: Path) -> None:
    source = path.read_text()
    spread = "/* top */\n\n" + re.sub(r"(?<=[;{}]) ", " // comment } {\n\t", source)
    before, after = facts_of(source.encode()), facts_of(spread.encode())
    assert spread.count("\n") > source.count("\n") + 10
    assert without_positions(before) == without_positions(after)
    assert before.relations["Position"] != after.relations["Position"]
    assert {row[0] for row in before.relations["Position"]} == {row[0] for row in after.relations["Position"]}


@pytest.mark.parametrize(
    ("before", "after", "method"),
    [
        ("int sum = 0;", "int sum = 0, more = n * 2; if (more > 1) done();", "Control.loops(int)"),
        ("return false;", "Runnable r = () -> { old(1, null); }; return r == null;", "Control.done()"),
        ("n--;", "", "Control.loops(int)"),
    ],
)
def test_an_edit_in_one_method_touches_its_rows_alone(before: str, after: str, method: str) -> None:
    source = (Path(__file__).parent / "cases" / "control.java").read_text()
    assert source.count(before) == 1
    old, new = (
        without_positions(facts_of(source.encode())),
        without_positions(facts_of(source.replace(before, after).encode())),
    )
    changed = 0
    for name in old.keys() | new.keys():
        for row in set(old.get(name, ())) ^ set(new.get(name, ())):
            changed += 1
            own = any(str(value) == method or str(value).startswith(f"{method}/") for value in row)
            # A type that the class had not named before is one more name to resolve in the class's scope.
            assert own or "/type " in str(row[0]) or "/name " in str(row[0]), (name, row)
    assert changed > 0


def test_equal_bytes_give_equal_facts() -> None:
    for path in CASES:
        assert facts_of(path.read_bytes()) == facts_of(path.read_bytes())


def test_rows_are_sorted_and_distinct() -> None:
    for path in CASES:
        for rows in facts_of(path.read_bytes()).relations.values():
            assert rows == sorted(set(rows)) and rows


DEEP = {
    "concatenation": "String s = " + " + ".join(f'"x{i}" + i' for i in range(5000)) + ";",
    "additions": "int s = " + " + ".join(["i"] * 5000) + ";",
    "conjunction": "boolean s = " + " && ".join(["i > 0"] * 5000) + ";",
    "call chain": "Object s = b" + ".append(i)" * 3000 + ";",
    "else if": "if (i == 0) f();" + "".join(f" else if (i == {n}) f();" for n in range(3000)),
    "conditionals": "int s = " + "".join(f"i == {n} ? {n} : " for n in range(1500)) + "0;",
    "parentheses": "int s = " + "(" * 300 + "i" + ")" * 300 + ";",
    "array": "int[] s = {" + ",".join(map(str, range(20000))) + "};",
    "blocks": "{" * 300 + "f();" + "}" * 300,
}


@pytest.mark.parametrize("code", DEEP.values(), ids=DEEP.keys())
def test_deep_code_is_lowered(code: str) -> None:
    found = facts_of(f"class C {{ void m(int i, StringBuilder b) {{ {code} }} }}".encode())
    assert found.parser != "none", found.diagnostics
    assert list(problems(found)) == []
    assert found.count > 30


def test_nested_finally_blocks_do_not_multiply() -> None:
    def nested(depth: int) -> FileFacts:
        code = "f();"
        for level in range(depth):
            code = f"try {{ if (x == {level}) return; {code} }} finally {{ g{level}(); }}"
        return facts_of(f"class C {{ void m(int x) {{ {code} }} }}".encode())

    small, large = nested(10), nested(20)
    assert sum(row[2].startswith("g") for row in large.relations["Invocation"]) == 20
    assert large.count < 5 * small.count


@pytest.mark.slow
def test_work_grows_with_the_code() -> None:
    def calls(statements: int) -> int:
        """How many functions are called, those that are not written in Python included."""
        body = "".join(f"try {{ x = f(x + {i}, y); }} catch (E e) {{ g(e); }} " for i in range(statements))
        data = f"class C {{ int x, y; void m() {{ {body} }} }}".encode()
        return calls_in(lambda: facts_of(data))

    # Eight times the code may take eight times the calls; a quadratic step would take 64 times.
    assert calls(2000) < 12 * calls(250)
