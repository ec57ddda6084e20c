"""Generated code has methods of thousands of statements: what is derived of one grows with its length, and not with the
square of it."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import Project, analyse
from tests.marks import slow_but

SHORT, GROWTH, MANY = 40, 2.6, 1000
STATEMENTS = {  # parameters of a method, and its statements, with {i} for the number of each
    "sums that are tested": ("int x", "x = x * 7 + {i}; if (x > {i}) x -= {i};"),
    "elements of an array": ("int[] x", "x[{i}] = x[{next}] + {i}; if (x[{i}] > {i}) x[{i}] = 0;"),
    "numbers in a list": ("List<Integer> list", "list.add({i}); if (list.size() == {i}) list.clear();"),
    "a field of the class": ("int[] x", "count = count + {i}; if (count > {i}) count = {i}; x[count] = x[{i}];"),
    "tests of a text": ("String s", 'if (s.equals("k{i}")) System.out.println({i}); else'),
    "tests of a number": ("int n", "if (n == {i}) n = {next}; else"),
    "pieces of a text": ("String s", 'if (s.length() > {i}) s = s + ".{i}"; else s = "{i}." + s;'),
    "a builder": ("StringBuilder b", 'if (b.length() > {i}) b.append("k{i}").append(b.charAt({i}));'),
    "entries of a map": ("Map<String, Object> m", 'm.put("k{i}", new StringBuilder().append({i}).toString());'),
    "streams": (
        "int n",
        'try {{ Reader in = new FileReader("f" + n); n += in.read(); in.close(); }} catch (IOException e) {{ n--; }}',
    ),
    "a stream that is read": ("InputStream in", "if (in.read() == {i}) in.skip({i});"),
    "what may be null": ("Object o", "if (o == null) o = new Object(); o.hashCode(); if (count == {i}) o = null;"),
}
ARGUMENTS = {
    "int x": "args.length",
    "int n": "args.length",
    "int[] x": "new int[args.length]",
    "String s": "args[0]",
    "Object o": "args",
    "InputStream in": 'new FileInputStream("f")',
    "List<Integer> list": "new ArrayList<>()",
    "StringBuilder b": "new StringBuilder(args[0])",
    "Map<String, Object> m": "new HashMap<>()",
}


def program(length: int) -> str:
    """A class with a method of so many statements of each kind, all of which run."""
    methods, calls = [], []
    for number, (parameter, statement) in enumerate(STATEMENTS.values()):
        body = "\n".join(statement.format(i=i, next=i + 1) for i in range(length))
        methods.append(f"static void m{number}({parameter}) throws Exception {{\n{body}\nSystem.out.println();\n}}\n")
        calls.append(f"m{number}({ARGUMENTS[parameter]});\n")
    main = f"public static void main(String[] args) throws Exception {{\n{''.join(calls)}}}\n"
    return f"import java.io.*;\nimport java.util.*;\nclass M {{\nstatic int count;\n{''.join(methods)}{main}}}\n"


def sizes(name: str, length: int) -> dict[str, int]:
    """How many rows each relation has."""
    database = analyse(name, Project.of({"M.java": program(length)})).database
    return {relation: len(database.state(relation)) for relation in database.stored_relations}


@pytest.mark.parametrize("name", slow_but((), ("ranges", "taint", "conditions", "nullness")))
def test_rows_grow_with_the_length_of_methods(name: str) -> None:
    few, many = sizes(name, SHORT), sizes(name, 2 * SHORT)
    assert sum(many.values()) > 100 * SHORT
    assert {
        relation: (few[relation], number)
        for relation, number in many.items()
        if number > max(MANY, GROWTH * few[relation])
    } == {}
