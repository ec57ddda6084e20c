"""Constants and intervals in annotated Java files, and the functors behind them against Java's arithmetic."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from itertools import product
from pathlib import Path

import pytest

from ladder.analyses import java_values as values
from ladder.frontends.java.facts import facts_of
from ladder.lattices import BOTTOM, TOP, within
from ladder.lattices.laws import violations
from tests import java_lowering
from tests.analyses.annotated import Line, Project, Results, analyse, case_project
from tests.java_lowering.interpreter import Recording

OPERATORS = ("+", "-", "*", "/", "%", "<<", ">>", ">>>", "&", "|", "^")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


@pytest.fixture(scope="module")
def project() -> Project:
    return case_project("values")


@pytest.fixture(scope="module")
def constants(project: Project) -> Results:
    return analyse("constprop", project)


@pytest.fixture(scope="module")
def intervals(project: Project) -> Results:
    return analyse("interval", project)


@pytest.mark.slow
def test_constants(project: Project, constants: Results) -> None:
    assigned, wrong, seen = constants.assigned("ConstantAfter"), {}, 0
    for line, found in project.comments(r"(\w+) is ([^;]+)(?:; .*)?"):
        got = {value for (value,) in assigned.get((line, found[1]), set())} or {"any"}
        seen += 1
        if got != {found[2]}:
            wrong[line, found[1]] = got, found[2]
    assert seen > 110
    assert not wrong


@pytest.mark.slow
def test_intervals(project: Project, intervals: Results) -> None:
    assigned, wrong, seen = intervals.assigned("IntervalAfter"), {}, 0
    for line, found in project.comments(r"(\w+) in (any|\[.*\])"):
        got = {f"[{low}, {high}]" for low, high in assigned.get((line, found[1]), set())} or {"any"}
        seen += 1
        if found[2] not in got or (len(got) > 1 and found[1] not in ("i", "j")):
            wrong[line, found[1]] = got, found[2]
    assert seen > 25
    assert not wrong


@pytest.mark.parametrize("by", ["constants", pytest.param("intervals", marks=pytest.mark.slow)])
def test_code_that_does_not_run(project: Project, by: str, request: pytest.FixtureRequest) -> None:
    results: Results = request.getfixturevalue(by)
    want = {line for line, _ in project.comments(f"(?:.*; )?unreachable(?: by {by})?")}
    assert len(want) > 10
    assert {project.places[i][:2] for (i,) in results.rows("UnreachableInstruction")} == want


@pytest.mark.parametrize("by", ["constants", "intervals"])
def test_decided_branches(project: Project, by: str, request: pytest.FixtureRequest) -> None:
    results: Results = request.getfixturevalue(by)
    decided: dict[Line, set[int]] = defaultdict(set)
    for instruction, outcome in results.rows("DecidedBranch"):
        decided[project.places[instruction][:2]].add(outcome)
    outcomes = {"true": {1}, "false": {0}, "true and false": {0, 1}}
    comments = project.comments(f"decided (true|false|true and false)(?: by {by})?(?:; .*)?")
    want = {line: outcomes[found[1]] for line, found in comments}
    assert len(want) >= 6
    assert {line: found for line, found in decided.items() if line[0] == "Branches.java"} == want


SEEN_FROM_OUTSIDE = """
public class A {
    public int open = 1;
    private int hidden = 2;
    public final int fixed = 3;
    public static final int[] TABLE = {4};
    private static final int[] OWN = {5};
    public int get() { return 6; }
    private int own() { return 7; }
    public final int sealed() { return 8; }
    static int parameter(int n) { return n; }
    public void run(int n, Generic<String> g) {
        int a = open;                   // a is any
        int b = hidden;                 // b is 2
        int c = fixed;                  // c is 3
        int d = TABLE[0];               // d is any
        int e = OWN[0];                 // e is 5
        int f = get();                  // f is any
        int h = own();                  // h is 7
        int i = sealed();               // i is 8
        int j = n;                      // j is any
        int k = parameter(9);           // k is 9
        int l = OWN.length;             // l is 1
        String m = new Generic<>("x").value();  // m is any
        int o = boxed();                // o is 1
    }
    private Integer boxed() { return 1; }
}
class Generic<T> {
    private final T it;
    Generic(T it) { this.it = it; }
    final T value() { return it; }
}
record Point(int x, int y) {
    static int sum(Object o) {
        if (o instanceof Point(int x, int y)) {
            int left = x;               // left is any
            return left;
        }
        return 0;
    }
}
"""


def test_callers_outside_write_and_override_what_they_see() -> None:
    project = Project.of({"A.java": SEEN_FROM_OUTSIDE})
    results = analyse("constprop", project, "public")
    assigned = results.assigned("ConstantAfter")
    for line, found in project.comments(r"(\w+) is ([^;]+)"):
        got = {value for (value,) in assigned.get((line, found[1]), set())} or {"any"}
        assert got == {found[2]}, (line, found[1])
    assert results.rows("UnreachableInstruction") == []


EXTENDED_OUTSIDE = """
public abstract class A {
    public void start() { own(3); }
    void own(int k) {
        int i = k + 1;              // i is 4
        System.out.println(i);
    }
}
"""


def test_a_class_outside_inherits_what_an_abstract_class_calls_on_itself() -> None:
    project = Project.of({"A.java": EXTENDED_OUTSIDE})
    assigned = analyse("constprop", project, "public").assigned("ConstantAfter")
    assert {name: {row[0] for row in rows} for (_, name), rows in assigned.items() if name == "i"} == {"i": {"4"}}


def test_constant_variables_are_their_literals() -> None:
    """Stores into fields of objects that are not known may be into any other field of the name."""
    text = """
        class C {
            static final int LIMIT = 5;
            static int other = 6;
            static void lost(Unknown u) { u.LIMIT = 1; u.other = 2; }
            public static void main(String[] a) {
                lost(null);
                int limit = LIMIT, any = other;
            }
        }
    """
    results = analyse("constprop", Project.of({"C.java": text}))
    found = {var.rpartition("/")[2]: value for _, var, value in results.rows("ConstantAfter")}
    assert found["limit"] == "5" and "any" not in found


def test_fields_that_reflection_looks_up_may_be_written() -> None:
    text = """
        class C {
            static boolean test = false, other = false;
            public static void main(String[] a) throws Exception {
                C.class.getDeclaredField("test").setBoolean(null, true);
                System.out.println("other");
                boolean any = test, off = other;
            }
        }
    """
    results = analyse("constprop", Project.of({"C.java": text}))
    found = {var.rpartition("/")[2]: value for _, var, value in results.rows("ConstantAfter")}
    assert found["off"] == "0" and "any" not in found


def test_operations_are_told_apart() -> None:
    text = values.STRING
    assert values.computed_constant("-", "int", 7, 2) == 5 and values.computed_constant("swapped -", "int", 7, 2) == -5
    assert values.computed_constant("unary -", "int", 7, TOP) == -7
    assert values.computed_constant("cast", "byte", 300, TOP) == 44
    assert values.computed_constant("refined <", "", 7, 2) is BOTTOM and values.computed_constant("<", "int", 7, 2) == 0
    assert values.computed_constant("concatenation", f"{text}+int", '"a"', 1) == '"a1"'
    assert values.computed_constant("<java.lang.String: int length()>", "", '"abc"', TOP) == 3
    starts = "<java.lang.String: boolean startsWith(java.lang.String)>"
    assert values.computed_constant(starts, "", '"abc"', '"ab"') == 1
    assert values.computed_range("swapped -", "int", (1, 2), (5, 9)) == (3, 8)
    assert values.computed_range("unary -", "int", (1, 2), (0, 0)) == (-2, -1)
    assert values.computed_range("cast", "byte", (0, 300), (0, 0)) == values.RANGES["byte"]
    assert values.computed_range("refined <", "", (0, 9), (4, 4)) == (0, 3)


def test_strings() -> None:
    text, char = values.STRING, "char"
    assert values.concatenated(text, '"a"', char, 34) == '"a\\""'
    assert values.concatenated(text, '"a"', "boolean", 0) == '"afalse"'
    assert values.concatenated(text, values.NULL, "long", -5) == '"null-5"'
    assert values.concatenated(text, '"a"', char, 0xD83D) is TOP
    assert values.concatenated(text, '"\\ud83d"', text, '"\\ude00"') is TOP
    assert values.concatenated(text, '"a"', text, TOP) is TOP
    assert values.concatenated(text, BOTTOM, text, TOP) is BOTTOM
    assert values.concatenated(text, '"' + "a" * values.LONGEST + '"', text, '"b"') is TOP
    length, equals, at = "int length()>", "boolean equals(java.lang.Object)>", "char charAt(int)>"
    assert values.string_result(f"<java.lang.String: {length}", '"\\n\U0001f600"') == 3
    assert values.string_result(f"<java.lang.String: {length}", values.NULL) is BOTTOM
    assert values.string_compared(f"<java.lang.String: {equals}", '"a"', values.NULL) == 0
    assert values.string_compared(f"<java.lang.String: {at}", '"a\\"b"', 1) == 34
    assert values.string_compared(f"<java.lang.String: {at}", '"a"', 1) is BOTTOM
    assert list(values.outcomes_of_constants("==", '"a"', '"a"')) == [0, 1]  # equal strings may be different objects
    assert list(values.outcomes_of_constants("==", '"a"', '"b"')) == [0]
    assert list(values.outcomes_of_constants("!=", '"a"', values.NULL)) == [1]
    assert list(values.outcomes_of_constants("==", values.NULL, values.NULL)) == [1]


def java(operator: str, type_: str, a: int, b: int) -> int | None:
    """Java's operators written down independently: on the two's complement bits."""
    bits = 64 if type_ == "long" else 32
    mask = (1 << bits) - 1
    signed = lambda n: (n & mask) - (1 << bits) if n & mask & (1 << bits - 1) else n & mask
    if operator in "/%" and b == 0:
        return None
    if operator == "/":
        return signed(int(a / b) if abs(a) < 2**50 else (abs(a) // abs(b)) * (1 if a * b >= 0 else -1))
    if operator == "%":
        return signed(abs(a) % abs(b) * (1 if a >= 0 else -1))
    if operator == ">>>":
        return signed((a & mask) >> (b % bits))
    results = {
        "+": a + b,
        "-": a - b,
        "*": a * b,
        "&": a & b,
        "|": a | b,
        "^": a ^ b,
        "<<": a << (b % bits),
        ">>": a >> (b % bits),
    }
    return signed(results[operator])


EDGES = (
    -(2**31),
    -(2**31) + 1,
    -1000,
    -128,
    -33,
    -2,
    -1,
    0,
    1,
    2,
    3,
    7,
    31,
    32,
    33,
    127,
    255,
    65535,
    2**31 - 2,
    2**31 - 1,
)
LONG_EDGES = (*EDGES, -(2**63), 2**63 - 1, 2**40, -(2**40))


@pytest.mark.parametrize("type_, edges", [("int", EDGES), ("long", LONG_EDGES)])
def test_constant_operators(type_: str, edges: tuple[int, ...]) -> None:
    for operator, a, b in product(OPERATORS, edges, edges):
        want = java(operator, type_, a, b)
        assert values.binary_constant(operator, type_, a, b) == (BOTTOM if want is None else want), (operator, a, b)
    for operator, a in product(OPERATORS, edges):
        assert values.binary_constant(operator, type_, a, BOTTOM) is BOTTOM
        assert values.binary_constant(operator, type_, a, TOP) in (TOP, 0)


RANGES = [(a, b) for a, b in product((-(2**31), -130, -5, -1, 0, 1, 3, 31, 40, 2**31 - 1), repeat=2) if a <= b]


@pytest.mark.parametrize("operator", OPERATORS)
def test_range_operators_contain_all_results(operator: str) -> None:
    for left, right in product(RANGES, RANGES):
        found = values.binary_range(operator, "int", left, right)
        for a, b in product(_samples(left), _samples(right)):
            want = java(operator, "int", a, b)
            if want is not None:
                assert found is not BOTTOM and found[0] <= want <= found[1], (operator, left, right, a, b)


@pytest.mark.parametrize("operator", COMPARISONS)
def test_branches_keep_what_may_hold(operator: str) -> None:
    holds = {"==": int.__eq__, "!=": int.__ne__, "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__}[
        operator
    ]
    for left, right in product(RANGES, RANGES):
        compared = values.binary_range(operator, "boolean", left, right)
        for a, b in product(_samples(left), _samples(right)):
            outcome = int(holds(a, b))
            assert compared[0] <= outcome <= compared[1]
            for position, (value, other), mine in ((1, (left, right), a), (2, (right, left), b)):
                comparison = values.comparison(operator, outcome, position)
                rest = values.refined_range(comparison, value, other)
                assert rest is not BOTTOM and rest[0] <= mine <= rest[1]
                assert value[0] <= rest[0] and rest[1] <= value[1]
                assert values.refined_constant(comparison, mine, a + b - mine) == mine


STRIDES = [
    *((n, n) for n in (-3, 0, 1, 2, 4, 6, 31)),
    *((0, high, by) for high, by in ((6, 2), (12, 4), (30, 6), (2**31 - 2, 2))),
    *((1, 9, 2), (-7, 5, 4), (-(2**31), 2**31 - 4, 4), (-6, 6, 3), (-3, 9), (-(2**31), 2**31 - 1)),
]


@pytest.mark.parametrize("operator", OPERATORS)
def test_results_of_strided_intervals_are_in_theirs(operator: str) -> None:
    for left, right in product(STRIDES, STRIDES):
        found = values.binary_range(operator, "int", left, right)
        for a, b in product(_numbers(left), _numbers(right)):
            want = java(operator, "int", a, b)
            if want is not None:
                assert values.ranges.leq((want, want), found), (operator, left, right, a, b, found)
    for value, type_ in product(STRIDES, ("byte", "char", "int")):
        cast, negated = values.cast_range(type_, value), values.unary_range("~", "int", value)
        for a in _numbers(value):
            assert values.ranges.leq((values.wrap(a, type_),) * 2, cast) and values.ranges.leq((~a, ~a), negated)


@pytest.mark.parametrize("operator", OPERATORS)
def test_results_of_parts_are_parts_of_the_results(operator: str) -> None:
    for left, right in product(STRIDES, STRIDES):
        found = values.binary_range(operator, "int", left, right)
        for less, fewer in product(_parts(left), _parts(right)):
            part = values.binary_range(operator, "int", less, fewer)
            assert values.ranges.leq(part, found), (operator, left, right, less, fewer)


def test_remainders_are_kept() -> None:
    some, even = values.RANGES["int"], (-(2**31), 2**31 - 2, 2)
    assert (
        values.binary_range("*", "int", some, (2, 2)) == even and values.binary_range("<<", "int", some, (1, 1)) == even
    )
    assert values.binary_range("%", "int", even, (2, 2)) == (0, 0) and values.binary_range(
        "&", "int", even, (1, 1)
    ) == (0, 0)
    assert values.binary_range("+", "int", even, (1, 1)) == (-(2**31) + 1, 2**31 - 1, 2)
    assert values.binary_range("*", "int", some, (6, 6)) == even  # 6 does not divide 2^32
    assert values.binary_range("*", "int", (0, 9), (6, 6)) == (0, 54, 6)
    assert values.binary_range("&", "int", some, (4, 4)) == (0, 4, 4)
    assert values.binary_range("|", "int", some, (1, 1)) == (-(2**31) + 1, 2**31 - 1, 2)
    assert values.binary_range("/", "int", (0, 54, 6), (3, 3)) == (0, 18, 2)
    assert values.binary_range(">>", "int", (1, 9, 4), (1, 1)) == (0, 4, 2)
    assert values.refined_range("<", (0, 8, 2), (6, 6)) == (0, 4, 2)
    assert values.refined_range("==", (0, 8, 2), (3, 3)) is BOTTOM
    assert list(values.outcomes_of_ranges("==", (0, 8, 2), (1, 9, 2))) == [0]


def test_sizes() -> None:
    size = values.SIZE
    assert values.range_of('"a\\nb"', size) == (3, 3) and values.range_of("null", size) == values.LENGTHS
    assert values.computed_range("size of texts", "size+int", (2, 3), (-10, 7)) == (3, 6)
    assert values.computed_range("size of texts", "char+boolean", (0, 9), (0, 1)) == (5, 6)
    assert values.computed_range("size from", "size+size", (2, 5), (3, 3)) == (0, 2)
    assert values.computed_range("size from", "size+size", (2, 5), (6, 9)) is BOTTOM
    assert values.computed_range("size between", "size+size", (1, 2), (4, 6)) == (2, 5)
    assert values.computed_range("size between", "size+size", (3, 3), (2, 2)) is BOTTOM
    assert values.computed_range("size times", "size+size", (2, 2), (-1, 3)) == (0, 6)
    assert values.computed_range("size part", size, (2, 4), (0, 0)) == (0, 4)
    assert values.computed_range("size place", "int", (2, 4), (0, 0)) == (-1, 4)
    assert values.default_range(size) == values.LENGTHS and values.cast_range(size, (1, 2)) == (1, 2)


def _parts(value: tuple[int, ...]) -> list[tuple[int, int] | tuple[int, int, int]]:
    """Some numbers of a strided interval, and some pairs of them."""
    some = sorted(_numbers(value))
    return [within(a, b, b - a, a) for a in some[:3] for b in some[-2:] if a <= b]


def _numbers(value: tuple[int, ...]) -> set[int]:
    """Some numbers of a strided interval."""
    low, high, by = value if len(value) == 3 else (*value, 1)
    return {low, high, *(low + by * n for n in (1, 2, 3, (high - low) // by // 2) if low + by * n <= high)}


def _samples(bounds: tuple[int, int]) -> set[int]:
    low, high = bounds
    return {n for n in (low, low + 1, (low + high) // 2, high - 1, high, 0, 1, -1, 31, 32) if low <= n <= high}


@pytest.mark.parametrize("type_", ["byte", "short", "char", "int", "long", "boolean"])
def test_casts(type_: str) -> None:
    low, high = values.RANGES[type_]
    for value in LONG_EDGES:
        cast = values.cast_constant(type_, value)
        assert low <= cast <= high and (cast - value) % (high - low + 1) == 0
    for left, right in product(LONG_EDGES, LONG_EDGES):
        if left <= right:
            found = values.cast_range(type_, (left, right))
            assert all(found[0] <= values.wrap(n, type_) <= found[1] for n in (left, right, (left + right) // 2))


def test_lattices_keep_the_laws() -> None:
    for lattice in (values.ranges, values.widened_ranges, values.constants):
        assert violations(lattice) == []


@pytest.mark.slow
def test_executions_stay_within_the_results() -> None:
    runs = Path(java_lowering.__file__).parent / "runs"
    text = (runs / "Runs.java").read_text(encoding="utf-8")
    machine = Recording(facts_of(text.encode()))
    for line in (runs / "Runs.expected").read_text(encoding="utf-8").splitlines():
        list(machine.results(f"Runs.{line.split()[0]}()"))
    project = Project.of({"Runs.java": text})
    constants = {
        (i, v): int(x)
        for i, v, x in analyse("constprop", project, "all").rows("ConstantAfter")
        if re.fullmatch(r"-?\d+", x)
    }
    intervals = {(i, v): (int(l), int(h)) for i, v, l, h in analyse("interval", project, "all").rows("IntervalAfter")}
    for key, seen in machine.assigned.items():
        assert key not in constants or seen == {constants[key]}, key
        low, high = intervals.get(key, (min(seen), max(seen)))
        assert low <= min(seen) and max(seen) <= high, key
        assert key not in constants or intervals.get(key) == (constants[key], constants[key]), key
    assert len(machine.assigned) > 100 and len(constants.keys() & machine.assigned.keys()) > 50


SEEN = """
package oracle;

public class Oracle {
    public static long of(int value) { return value; }
    public static long of(long value) { return value; }
    public static long of(boolean value) { return value ? 1 : 0; }
    public static String of(String value) { 
        return value == null ? "null" : '"' + value.replace("\\\\", "\\\\\\\\").replace("\\"", "\\\\\\"") + '"';
    }
    public static String of(Object value) { return "?"; }

    public static void see(String file, int line, String name, Object value) {
        System.out.println(file + " " + line + " " + name + " " + value);
    }
}
"""
ARGUMENTS = ((), ("1",), ("1", "2"), ("x", "y"), ("1", "2", "3"), ("1", "2", "3", "4"))


def watched(name: str, text: str) -> str:
    """The source with a statement behind every line with a comment about a variable, which tells the variable's
    value."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        found = re.search(r"; +// (?:.*; )?(\w+) (?:is|in) \S", line)
        if found is None or line.lstrip().startswith("for ") or "unreachable" in line:
            lines.append(line)
            continue
        see = f'oracle.Oracle.see("{name}", {number}, "{found[1]}", oracle.Oracle.of({found[1]}));'
        lines.append(line[: found.start() + 1] + " " + see)
    return "\n".join(lines)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("javac") or not shutil.which("java"), reason="needs a JDK")
def test_programs_run_within_the_results(
    tmp_path: Path, project: Project, constants: Results, intervals: Results
) -> None:
    (tmp_path / "Oracle.java").write_text(SEEN, encoding="utf-8")
    for name, lines in project.texts.items():
        (tmp_path / name).write_text(watched(name, "\n".join(lines)), encoding="utf-8")
    subprocess.run(
        ["javac", "-d", "classes", *sorted(path.name for path in tmp_path.glob("*.java"))], cwd=tmp_path, check=True
    )
    assigned, ranges, checked = constants.assigned("ConstantAfter"), intervals.assigned("IntervalAfter"), 0
    for name, lines in project.texts.items():
        main = re.search(r"package (\w+);", "\n".join(lines))
        for arguments in ARGUMENTS if main else ():
            command = ["java", "-cp", "classes", f"{main[1]}.{Path(name).stem}", *arguments]
            run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
            for told in run.stdout.splitlines():
                file, line, var, value = told.split(" ", 3)
                place = (file, int(line)), var
                known = {constant for (constant,) in assigned.get(place, set())}
                within = [(int(low), int(high)) for low, high in ranges.get(place, set())]
                assert not known or value in known, (told, known)
                assert not within or any(low <= int(value) <= high for low, high in within), (told, within)
                checked += 1
    assert checked > 300


def assert_constants(text: str) -> Results:
    """Compare the constants of a program with its comments, `// x is 1`."""
    project = Project.of({"M.java": text})
    results = analyse("constprop", project)
    assigned, comments = results.assigned("ConstantAfter"), list(project.comments(r"(\w+) is ([^;]+)"))
    got = {
        (line[1], found[1]): {row[0] for row in assigned.get((line, found[1]), {("any",)})} for line, found in comments
    }
    assert got == {(line[1], found[1]): {found[2]} for line, found in comments}
    return results


DEFAULTS_OF_FUNCTIONS = """
class M {
    interface Step {
        Step next();
        default boolean done() { return false; }
        default int left() { return 1; }
        static Step end() { return new End(); }
    }
    static class End implements Step {
        public Step next() { return this; }
        public boolean done() { return true; }
        public int left() { return 0; }
    }
    interface Plain {
        void run();
        default int kind() { return 1; }
    }
    static class Other implements Plain {
        public void run() { }
        public int kind() { return 2; }
    }
    public static void main(String[] a) {
        Step s = a.length > 0 ? () -> Step.end() : Step::end;
        int left = s.left();    // left is any
        while (!s.done())
            s = s.next();
        Plain p = new Other();
        int kind = p.kind();    // kind is 2
    }
}
"""


def test_default_methods_run_on_lambdas() -> None:
    results = assert_constants(DEFAULTS_OF_FUNCTIONS)
    assert not results.rows("DecidedBranch") and not results.rows("UnreachableInstruction")


REFLECTION = """
import java.io.*;
import java.lang.reflect.*;
class M {
    interface Gauge { int level(); }
    interface Scale { int level(); }
    static class Fixed implements Gauge, Scale { public int level() { return 1; } }
    static class Handler implements InvocationHandler {
        public Object invoke(Object p, Method m, Object[] a) { return 2; }
    }
    static class Plugin { final int size; Plugin(int n) { size = n; } int size() { return size; } }
    static class Bean {
        int named = 1, kept = 2;
        private int called, other;
        void call(int n) { called = n; }
        void another(int n) { other = n; kept = 2; }
    }
    static class Saved implements Serializable {
        transient int cache = 5;
        int stored = 6;
        void reset() { cache = 5; stored = 6; }
    }
    static void put(Object o, String name, Object v) throws Exception { o.getClass().getDeclaredField(name).set(o, v); }
    static Object read(InputStream in) throws Exception { return new ObjectInputStream(in).readObject(); }
    public static void main(String[] a) throws Exception {
        Gauge g = (Gauge) Proxy.newProxyInstance(M.class.getClassLoader(), new Class<?>[] {Gauge.class}, new Handler());
        int proxied = g.level();    // proxied is any
        Scale s = new Fixed();
        int own = s.level();        // own is 1
        Object made = Class.forName(a[0]).getConstructors()[0].newInstance(3);
        int size = ((Plugin) made).size();  // size is any
        if (size > 2)
            System.out.println(size);
        Bean b = new Bean();
        put(b, "named", 4);
        int named = b.named;        // named is any
        int kept = b.kept;          // kept is 2
        Bean.class.getDeclaredMethod("call", int.class).invoke(b, 7);
        b.call(3);
        b.another(4);
        int called = b.called;      // called is any
        Saved t = a.length > 1 ? new Saved() : (Saved) read(null);
        t.reset();
        int cache = t.cache;        // cache is any
        int stored = t.stored;      // stored is 6
    }
}
"""


def test_what_reflection_and_streams_of_objects_do() -> None:
    results = assert_constants(REFLECTION)
    assert not results.rows("DecidedBranch") and not results.rows("UnreachableInstruction")


ENUMERATED = """
import java.lang.annotation.*;
import java.lang.reflect.*;
class M {
    @Retention(RetentionPolicy.RUNTIME) @interface On { }
    @interface Note { }
    static int seen = 1, noted = 1, free = 1;
    static class Listener {
        @On public void on(int n) { seen = n; }
        @Note public void note(int n) { noted = n; }
        void unused(int n) { free = n; }
    }
    static class Options {
        int option = 4;
        int level = 4;
        final int fixed;
        Options(int n) { fixed = n; }
        void raise() { level = 4; }
    }
    public static void main(String[] a) throws Exception {
        Listener l = new Listener();
        l.on(1);
        l.note(1);
        for (Method m : l.getClass().getDeclaredMethods()) if (m.isAnnotationPresent(On.class)) m.invoke(l, 2);
        Options o = new Options(3);
        o.raise();
        for (Field f : o.getClass().getDeclaredFields()) if (f.getType() == int.class) f.setInt(o, 9);
        int s = seen;           // s is any
        int n = noted;          // n is 1
        int u = free;           // u is any
        int p = o.option;       // p is any
        int x = o.fixed;        // x is 3
    }
}
"""


def test_members_that_reflection_goes_through() -> None:
    assert_constants(ENUMERATED)
    quiet = ENUMERATED.replace("m.invoke(l, 2);", "System.out.println(m);").replace("f.setInt(o, 9);", "f.getInt(o);")
    assert_constants(quiet.replace("is any", "is 1").replace("p is 1", "p is 4"))


LENGTHS = """
import java.util.*;
class M {
    static <T> T same(T t) { return t; }
    static int size(Object[] a) { return a.length; }
    static int first(Integer[] boxes) { return boxes[0]; }
    public static void main(String[] a) {
        int given = size(new String[3]);        // given is 3
        int outer = new int[2][5].length;       // outer is 2
        int[][] rows = {{1}, {}};
        int inner = rows[0].length;             // inner is any
        int passed = same(new String[4]).length;    // passed is any
        Object o = new String[4];
        int cast = ((String[]) o).length;       // cast is any
        int asked = new ArrayList<String>().toArray(new String[0]).length;  // asked is any
        Integer[] boxes = new Integer[1];
        boxes[0] = 7;
        int boxed = first(boxes);               // boxed is any
    }
}
"""


def test_arrays_of_references_have_lengths() -> None:
    assert_constants(LENGTHS)


def test_fields_of_constants_that_are_called_like_types_have_one_type() -> None:
    text = """class M {
        enum Feature { WithMask(1), Other(2); final int mask; Feature(int mask) { this.mask = mask; } }
        int features;
        void add() { features = features | Feature.WithMask.mask; }
        public static void main(String[] a) { new M().add(); }
    }"""
    results = analyse("constprop", Project.of({"M.java": text}))
    types = [t for v, t in results.rows("linking.ExpressionType") if "WithMask.mask" in v]
    assert types and set(types) == {"int"}


def test_what_an_operator_gives_for_an_operand_of_unknown_type_is_not_known() -> None:
    text = """import missing.Lib;
    class M {
        static int sum(int n) { return n | Lib.get().size; }
        public static void main(String[] a) { if (sum(1) == 5) { System.out.println(); } }
    }"""
    assert not analyse("constprop", Project.of({"M.java": text})).rows("UnreachableInstruction")
