"""What instructions and temporaries are called, and that an edit renames nothing but what it touches."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from ladder.frontends.java import names, verifier
from ladder.frontends.java.facts import facts_of
from ladder.frontends.java.lower import lower, texts
from ladder.frontends.java.parse import parse

from .edits import edits, rows, unexpected

ROOT = Path(__file__).parents[2]
SOURCES = [*(ROOT / "corpora" / "bookshop").rglob("*.java"), *(Path(__file__).parent / "cases").glob("*.java")]
FETCHED = ROOT / "corpora" / "fetched"

# Statements of a method `Object m(C c, int x, int[] a, List<String> l)` of class C with a field f: the names of their
# instructions, and of the temporaries that these assign.
KINDS = {
    "int y = 0;": ["assign: y"],
    "x = x + 1;": ["assign: x"],
    "x += 2;": ["assign: x"],
    "byte z = 0; z += x;": ["assign: z", "assign: z += x", "cast: z", "$(z += x)"],
    "x++;": ["assign: x++"],
    "g(x++);": ["assign: old value of x++", "assign: x++", "call g", "$(old value of x++)"],
    "boolean b = !c.ok();": ["assign: b", "call ok", "$(c.ok())"],
    "Object o = (String) f;": ["cast: o", "load: f", "$(f)"],
    "boolean b = c instanceof C;": ["assign: b"],
    "Object o = String.class;": ["assign: o"],
    "Object o = null;": ["assign: o"],
    'g("s");': ['assign: "s"', "call g", '$("s")'],
    "f = c;": ["store: f"],
    "this.f = c.f;": ["load: c.f", "store: this.f", "$(c.f)"],
    "a[0] = a[x];": ["load: a[x]", "store: a[0]", "$(a[x])"],
    "System.out.flush();": ["call flush", "load: System", "load: System.out", "$(System)", "$(System.out)"],
    "l.add(c.toString());": ["call add", "call toString", "$(c.toString())"],
    "g(c); g(c);": ["call g", "call g: g(c)"],
    "Object o = new C(x);": ["new C"],
    "f = new C(x);": ["new C", "store: f", "$(new C(x))"],
    "g(new C(x));": ["call g", "new C", "$(new C(x))"],
    "int[] b = {x, 2};": ["new int[]", "store: x"],
    "g(new int[x]);": ["call g", "new int[]", "$(new int[x])"],
    "Runnable r = () -> g(x);": ["lambda: r()"],
    "l.forEach(s -> g(s));": ["call forEach", "lambda: forEach(s)", "$((s)->)"],
    "Runnable r = c::run;": ["reference: r"],
    "if (x < 1) g(c);": ["call g", "if: x < 1"],
    "if (c.ok() && x > 1) { }": ["call ok", "if: c.ok()", "if: x > 1", "$(c.ok())"],
    "while (true) { }": ["nop: while true"],
    "for (int i = 0; i < x; i++) g(i);": ["assign: i", "assign: i++", "call g", "if: i < x"],
    "for (int i : a) { }": [
        "assign: copy of i : a",
        "assign: index of i : a",
        "assign: step of i : a",
        "if: i : a",
        "load: i : a",
        "load: length of i : a",
        "$(copy of i : a)",
        "$(index of i : a)",
        "$(length of i : a)",
    ],
    "for (String s : l) { }": [
        "call hasNext",
        "call iterator",
        "call next",
        "cast: s : l",
        "if: s : l",
        "$(hasNext of s : l)",
        "$(iterator of s : l)",
        "$(next of s : l)",
    ],
    "switch (x) { case 1: g(c); }": ["call g", "switch: x"],
    "Object o = switch (x) { case 1 -> f; default -> c; };": [
        "assign: yield c",
        "assign: yield f",
        "load: f",
        "switch: o",
        "$(f)",
    ],
    "Object o = x > 1 ? c : f;": ["assign: o", "assign: o = f", "if: x > 1", "load: f", "$(f)"],
    "if (f instanceof C d) g(d);": [
        "assign: f instanceof C d",
        "call g",
        "cast: f instanceof C d",
        "if: f instanceof C d",
        "load: f",
        "$(f instanceof C d)",
        "$(f)",
    ],
    "return c;": ["return: c"],
    "if (x > 1) return null;": ["assign: null", "if: x > 1", "return: null", "$(null)"],
    "throw new E(c);": ["new E", "throw: new E(c)", "$(new E(c))"],
    "assert x > 1;": [
        "fork: assert x > 1",
        "if: x > 1",
        "new java.lang.AssertionError",
        "throw: assert x > 1",
        "$(assert x > 1)",
    ],
    "synchronized (c) { g(c); }": ["call g", "monitor: enter c", "monitor: exit c"],
    "try { g(c); } catch (E | F e) { } finally { h(); }": [
        "call g",
        "call h",
        "catch: E | F",
        "finally",
        "fork: finally",
        "throw: finally",
        "$(finally)",
    ],
    "try (R r = open()) { g(c); }": [
        "call close",
        "call g",
        "call open",
        "finally: r",
        "fork: finally r",
        "if: r",
        "throw: finally r",
        "$(finally r)",
    ],
    "int z = x / 2;": ["assign: z"],
    "char z = '/';": ["assign: z"],
}


def in_method(statements: str) -> str:
    return f"class C {{ Object f; Object m(C c, int x, int[] a, List<String> l) {{ {statements} }} }}"


def labels(source: str) -> list[str]:
    """The names of the instructions and variables of `m` in the facts of a file."""
    instructions, variables = instructions_and_variables(source)
    return instructions + variables


def instructions_and_variables(source: str) -> list[list[str]]:
    facts = facts_of(source.encode())
    method = next(row[0] for row in facts.relations["Method"] if row[2] == "m")
    return [
        [str(row[0]).removeprefix(f"{method}/") for row in facts.relations[name] if row[-1] == method]
        for name in ("Instruction", "Var_DeclaringMethod")
    ]


@pytest.mark.parametrize(("statement", "expected"), KINDS.items(), ids=KINDS)
def test_every_kind_is_named_by_what_it_is(statement: str, expected: list[str]) -> None:
    instructions, variables = instructions_and_variables(in_method(statement))
    assert sorted(set(instructions) - {"return: end"}) + [v for v in variables if v.startswith("$(")] == expected


@pytest.mark.parametrize("statement", KINDS, ids=KINDS)
def test_what_stands_before_renames_nothing(statement: str) -> None:
    before = rows(facts_of(in_method(statement).encode()))
    after = rows(facts_of(in_method("int inserted = 0; " + statement).encode()))
    gone = {(name, row) for name in before for row in before[name] - after.get(name, set())}
    come = {(name, row) for name in after for row in after[name] - before.get(name, set())}
    assert {name for name, _ in gone} <= {"Entry"}
    assert all("inserted" in str(row) for _, row in come)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))])
def test_an_edit_of_a_statement_changes_its_rows_alone(seed: int) -> None:
    random = Random(seed)
    done = set()
    for path in random.sample(sorted(SOURCES), 15):
        source = path.read_text("utf-8")
        for what, *edit in islice(edits(source, random), 8):
            assert unexpected(source, *edit) == [], (path.name, what, edit)
            done.add(what)
    assert done >= {"insert", "delete"} and (seed or "change" in done)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["ant", "commons-lang3"])
def test_an_edit_in_a_code_base_changes_its_rows_alone(name: str) -> None:
    if not (FETCHED / name).is_dir():
        pytest.skip(f"{name} is not there: fetch it with corpora/fetch.py")
    random = Random(0)
    for path in random.sample(sorted((FETCHED / name).rglob("*.java")), 300):
        data = path.read_bytes()
        if data.isascii() and b"\r" not in data and b"\\u" not in data:
            for _, *edit in islice(edits(data.decode(), random), 10):
                assert unexpected(data.decode(), *edit) == [], (path, edit)


def test_numbers_shift_among_equal_texts_alone() -> None:
    before = labels(in_method("f(); g(c); h(c); g(x); f(g(c));"))
    after = labels(in_method("f(); g(c); g(c); h(c); g(x); f(g(c));"))
    assert set(after) - set(before) == {"call g: g(c)#2"} and not set(before) - set(after)


def test_a_repeated_call_is_named_by_its_receiver_and_arguments_before_a_number() -> None:
    found = labels(in_method("l.add(c); l.add(x); l.add(x); o.add(x); int y = l.add(1);"))
    calls = [name for name in found if name.startswith("call")]
    wanted = ["call add", "call add: l.add(x)", "call add: l.add(x)#2", "call add: o.add(x)", "call add: y"]
    assert sorted(calls) == sorted(wanted)


def test_one_call_more_renames_at_most_one_other() -> None:
    before = labels(in_method("g(1); g(2); g(3); g(4);"))
    after = labels(in_method("g(0); g(1); g(2); g(3); g(4);"))
    assert {name for name in set(after) - set(before) if name.startswith("call")} == {"call g: g(1)"}


def test_code_in_lambdas_and_arrays_does_not_name_what_holds_it() -> None:
    before = labels(in_method("l.forEach(s -> { g(s); }); Object[] o = { c, x }; use(() -> x);"))
    after = labels(in_method("l.forEach(s -> { g(s); h(s); }); Object[] o = { c, x, l }; use(() -> x + 1);"))
    assert set(after) - set(before) == {"store: l"} and not set(before) - set(after)


def test_an_object_keeps_its_identity_while_its_arguments_change() -> None:
    before = labels(in_method("g(new C(0)); C o = new C(1); f = new C(x); int[] b = {1, 2};"))
    after = labels(in_method("g(new C(9)); C o = new C(2, c); f = new C(c); int[] b = {1, x};"))
    allocations = [name for name in before if name.startswith("new ")]
    assert allocations == ["new C", "new C: f", "new C: o", "new int[]"] and set(allocations) <= set(after)


def test_an_edit_within_a_long_chain_renames_its_links_nearby() -> None:
    links = [f".append(x{i})" for i in range(20)]
    before = set(labels(in_method(f"b{''.join(links)};")))
    links[5] = ".append(y)"
    after = set(labels(in_method(f"b{''.join(links)};")))
    assert {int(name.rpartition("(x")[2].split(")")[0]) for name in before - after if name.startswith("call")} <= {5, 6}


@pytest.mark.parametrize(
    "code",
    [
        "b" + ".append(x)" * 9_000 + ";",
        "b" + ".append(x)[0].f" * 3_000 + ";",
        "f(" * 900 + "x" + ")" * 900 + ";",
        pytest.param("String s = " + " + ".join(f'"x{i}"' for i in range(20_000)) + ";", marks=pytest.mark.slow),
        "int s = " + "".join(f"x == {n} ? {n} : " for n in range(5_000)) + "0;",
        "a" + " = a" * 9_000 + ";",
        f'g("{"long " * 50_000}");',
        f"g({', '.join(['x'] * 50_000)});",
        f"int {'n' * 10_000} = 1;",
        "l." + ".".join(["f"] * 900) + ".g();",
    ],
    ids=[
        "calls",
        "selectors",
        "nested",
        "concatenation",
        "conditionals",
        "assignments",
        "text",
        "list",
        "name",
        "dots",
    ],
)
def test_names_are_short_whatever_the_code(code: str) -> None:
    facts = facts_of(in_method(code).encode())
    assert facts.parser != "none", facts.diagnostics
    own = {str(row[0]).rpartition("/")[2] for row in facts.relations["Instruction"]}
    own |= {name for row in facts.relations["Var_DeclaringMethod"] if "$(" in (name := str(row[0]).rpartition("/")[2])}
    assert max(map(len, own)) < 80


def test_ids_are_unique_even_if_hashes_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "crc32", lambda data: 7)
    calls = "".join(f'g("the same beginning of a long text, and then {i}"); ' for i in range(5))
    unit = lower(parse(in_method(calls).encode()).unit)
    assert verifier.verify(unit) == []
    found = [name for name in labels(in_method(calls)) if name.startswith("call")]
    cut = 'call g: g("the same beginning of a ~0007'
    assert sorted(found) == ["call g", cut, f"{cut}#2", f"{cut}#3", f"{cut}#4"]


def test_variables_with_dollars_are_no_temporaries() -> None:
    source = in_method("int $1 = 0; Object[] $x = {c}; f(g(c), $1); for (Object o : $x) { $x = null; }")
    assert verifier.verify(lower(parse(source.encode()).unit)) == []
    found = labels(source)
    # What is iterated over is copied, since the loop assigns the variable.
    assert {"$1", "$x", "$(g(c))", "$(copy of o : $x)"} <= set(found)


def test_names_hold_no_slashes_of_their_own() -> None:
    facts = facts_of(in_method('g(x / 2, "a/b", \'/\', "\\n\\u0007"); x /= 3; l.map(s -> s + "/");').encode())
    for row in facts.relations["Instruction"]:
        method = str(row[2])
        assert "/" not in str(row[0]).removeprefix(f"{method}/") and str(row[0]).isprintable()
        assert row[1] == names.instruction_kind(str(row[0]), method) and ":" not in str(row[1])


def test_the_same_bytes_give_the_same_names_in_every_process() -> None:
    code = (
        "import sys; from ladder.frontends.java.facts import facts_of; "
        "print(sorted(facts_of(open(sys.argv[1], 'rb').read()).relations.items()))"
    )
    path = str(Path(__file__).parent / "cases" / "nesting.java")
    found = {
        subprocess.run(
            [sys.executable, "-c", code, path], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
