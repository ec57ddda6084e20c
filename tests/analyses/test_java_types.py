"""The functors on type expressions, and the signatures of the class library."""

from __future__ import annotations

import pytest

from ladder.analyses import java_library as library
from ladder.analyses import java_types as types

K, V = "{0 a.Map java.lang.Object}", "{1 a.Map java.lang.Object}"


@pytest.mark.parametrize(
    "type_, erased",
    [
        ("int", "int"),
        ("a.B", "a.B"),
        ("a.B<a.C,+a.D<a.E[]>>[]", "a.B[]"),
        (K, "java.lang.Object"),
        ("{0 a.m(T,int) a.B}[][]", "a.B[][]"),
        ("->2", "->2"),
        ("?", "?"),
        ("null", "null"),
    ],
)
def test_erasure(type_: str, erased: str) -> None:
    assert types.erasure(type_) == erased


@pytest.mark.parametrize(
    "type_, view, want",
    [
        (V, "a.Map<a.K,a.V>", "a.V"),
        (f"a.List<{V}>[]", "a.Map<a.K,a.V>", "a.List<a.V>[]"),
        (V, "a.Map<a.K,+a.V>", "a.V"),
        (V, "a.Map<a.K,-a.V>", "java.lang.Object"),
        (f"a.List<{V}>", "a.Map<a.K,+a.V>", "a.List<+a.V>"),
        (f"a.List<+{V}>", "a.Map<a.K,+a.V>", "a.List<+a.V>"),
        (V, "a.Map", "java.lang.Object"),
        (f"a.List<{V}>", "a.Map", "a.List"),
        (f"{V}[]", "a.Map<a.K,+a.V>", "a.V[]"),
        ("a.List<a.X>", "a.Map", "a.List<a.X>"),
        ("{0 b.T b.Bound}", "a.Map<a.K,a.V>", "{0 b.T b.Bound}"),
    ],
)
def test_substitute(type_: str, view: str, want: str) -> None:
    assert types.substitute(type_, "a.Map", view) == want


@pytest.mark.parametrize(
    "type_, path, want",
    [
        ("a.Set<a.Map$Entry<a.K,{0 a.C a.V}>>", ".Element", "a.Map$Entry"),
        ("a.Set<a.Map$Entry<a.K,{0 a.C a.V}>>", ".Element.MapKey", "a.K"),
        ("a.Set<a.Map$Entry<a.K,{0 a.C a.V}>>", ".Element.MapValue", "a.V"),
        ("a.Collector<a.T,?,+a.List<a.T>>", ".MapValue", "a.List"),
        ("a.Map<?,-a.T>", ".MapKey", types.OBJECT),
        ("a.Map<?,-a.T>", ".MapValue", types.OBJECT),
        ("a.Map", ".MapValue", types.OBJECT),
        ("a.List<a.T>[]", ".Element", types.OBJECT),
        ("?", ".Element", types.OBJECT),
    ],
)
def test_parts(type_: str, path: str, want: str) -> None:
    assert types.part_class(type_, path) == want


def test_inference() -> None:
    t = "{0 a.m(T) java.lang.Object}"
    assert types.apply(f"a.List<{t}>", types.bind("", t, "int")) == "a.List<java.lang.Integer>"
    assert types.apply(t, types.bind(types.bind("", t, "null"), t, "a.B")) == "a.B"
    assert types.apply(t, types.bind("", f"a.List<-{t}>", "a.List<a.B>")) == "a.B"
    assert types.apply(t, types.bind("", t, "?")) == t
    assert types.open_owner(f"a.List<{t}>", "a.m(T)") == "a.List<+java.lang.Object>"
    assert types.open_owner(t, "a.m(T)") == types.OBJECT
    assert types.bind("", f"a.List<{t}>", "a.List<+java.lang.Object>") == ""
    assert types.common("a.List<+java.lang.Object>", "a.List<a.B>") == "a.List<a.B>"
    assert types.open_owner(f"a.List<{t}>", "a.other(T)") == f"a.List<{t}>"


@pytest.mark.parametrize(
    "operator, left, right, want",
    [
        ("+", "java.lang.String", "int", "java.lang.String"),
        ("+", "byte", "char", "int"),
        ("*", "int", "long", "long"),
        ("/", "float", "long", "float"),
        ("-", "java.lang.Integer", "double", "double"),
        ("<<", "byte", "long", "int"),
        (">>>", "long", "int", "long"),
        ("&", "boolean", "boolean", "boolean"),
        ("^", "short", "byte", "int"),
        ("<", "int", "long", "boolean"),
        ("-", "?", "int", "?"),
    ],
)
def test_operators(operator: str, left: str, right: str, want: str) -> None:
    assert types.operation(operator, left, right) == want


@pytest.mark.parametrize(
    "left, right, want",
    [
        ("int", "long", "long"),
        ("a.B", "null", "a.B"),
        ("null", "int", "java.lang.Integer"),
        ("byte", "short", "short"),
        ("char", "int", "int"),
        ("char", "int=48", "char"),
        ("int=-1", "char", "int"),
        ("java.lang.Byte", "int=127", "byte"),
        ("int=1", "int=2", "int"),
        ("int=1", "long", "long"),
        ("java.lang.Integer", "int", "int"),
        ("a.B", "a.C", ""),
        ("int", "a.C", ""),
        ("a.B<a.X>", "a.B<a.Y>", ""),
    ],
)
def test_conditional(left: str, right: str, want: str) -> None:
    assert types.conditional(left, right) == want


@pytest.mark.parametrize(
    "left, right, want",
    [
        ("a.B<a.X>", "a.B<a.X>", "a.B<a.X>"),
        ("a.B<a.X>", "a.B", "a.B"),
        ("a.B<a.X>", "a.B<a.Y>", ""),
        ("a.B<a.X,a.Z>", "a.B<a.Y,a.Z>", "a.B<+java.lang.Object,a.Z>"),
        ("a.B<-a.X>", "a.B<a.Y>", "a.B<+java.lang.Object>"),
    ],
)
def test_common(left: str, right: str, want: str) -> None:
    assert types.common(left, right) == want


def test_library_names() -> None:
    assert library.binary_name("java.util.Map.Entry") == "java.util.Map$Entry"
    assert library.binary_name("com.unknown.Outer.Inner") == "com.unknown.Outer$Inner"
    assert library.type_in_package("java.util", "List") == "java.util.List"
    assert library.type_in_package("java.lang", "AbstractStringBuilder") == ""  # not public
    assert library.member_type("java.util.HashMap", "Entry") == "java.util.Map$Entry"
    assert library.kind("java.util.List") == "interface" and library.kind("com.unknown.X") == ""


@pytest.mark.parametrize("type_", ["java.util.HashMap", "java.util.Map", "java.lang.Thread", "x.Y"])
def test_member_types_are_those_that_can_be_asked_for(type_: str) -> None:
    names = ["Entry", "SimpleEntry", "State", "UncaughtExceptionHandler", "Category", "Builder", "Node"]
    assert {*library.member_types(type_)} >= {name for name in names if library.member_type(type_, name)}
    assert all(library.member_type(type_, name) for name in library.member_types(type_))
    assert bool(library.member_types(type_)) == (type_ != "x.Y")


def test_library_hierarchy() -> None:
    assert "java.util.Collection" in library.supertypes("java.util.ArrayList") and library.supertypes("x.Y") == (
        "x.Y",
        "java.lang.Object",
    )
    assert library.as_super("java.util.ArrayList<a.B>", "java.lang.Iterable") == "java.lang.Iterable<a.B>"
    assert (
        library.as_super("java.util.Properties", "java.util.Map") == "java.util.Map<java.lang.Object,java.lang.Object>"
    )
    assert library.depth("java.util.ArrayList") > library.depth("java.util.List") > library.depth("java.lang.Object")
    assert library.depth("byte") > library.depth("int") > library.depth("double")


@pytest.mark.parametrize(
    "type_, target, phase",
    [
        ("int", "long", 1),
        ("long", "int", 0),
        ("int", "java.lang.Integer", 2),
        ("int", "java.lang.Object", 2),
        ("java.lang.Integer", "long", 2),
        ("java.util.ArrayList", "java.util.List", 1),
        ("java.util.List", "java.util.ArrayList", 0),
        ("null", "a.B", 1),
        ("null", "int", 0),
        ("a.B[]", "java.lang.Object", 1),
        ("java.lang.String[]", "java.lang.Object[]", 1),
        ("int[]", "java.lang.Object[]", 0),
        ("->1", "java.util.function.Function", 1),
        ("->2", "java.util.function.Function", 0),
        ("->0", "java.lang.Runnable", 1),
        ("->1", "java.lang.Object", 0),
        ("x.Unknown", "java.lang.Throwable", 2),
        ("x.Unknown", "java.lang.String", 0),
        ("?", "int", 2),
        ("?", "x.Unknown", 1),
    ],
)
def test_conversions(type_: str, target: str, phase: int) -> None:
    assert library.convert(type_, target) == phase


def test_library_methods() -> None:
    put = "<java.util.Map: java.lang.Object put(java.lang.Object,java.lang.Object)>"
    assert (
        put in library.all_methods("java.util.TreeMap", "put")
        and library.arity(put) == 2
        and library.signature(put) == "put(java.lang.Object,java.lang.Object)"
    )
    assert (
        library.result("<java.util.Map: java.util.Set keySet()>") == "java.util.Set<{0 java.util.Map java.lang.Object}>"
    )
    (as_list,) = library.methods("java.util.Arrays", "asList")
    assert (
        library.is_varargs(as_list)
        and library.is_static(as_list)
        and library.parameter(as_list, 3, 7) == "java.lang.Object"
    )
    assert library.arity("a.B.f(int)") == -1 and library.score("a.B.f(int)") == -1
    assert (
        library.function("java.util.Comparator")
        == "<java.util.Comparator: int compare(java.lang.Object,java.lang.Object)>"
    )
    assert library.function("java.util.List") == "" and library.function("java.util.function.UnaryOperator").startswith(
        "<java.util.function.Function: "
    )
    assert library.field("java.lang.System", "out") == "<java.lang.System: java.io.PrintStream out>"
    assert list(library.bridges("java.util.Comparator<a.B>", "compare", "a.B,a.B")) == [
        "compare(java.lang.Object,java.lang.Object)"
    ]
    assert library.overridden("java.lang.Comparable", "compareTo", "compareTo(a.B)") and not library.overridden(
        "java.lang.Object", "equals", "equals(a.B)"
    )


def test_parts_of_a_variable_are_called_after_it() -> None:
    method = "a.B.f(int)/lambda: k()"
    parts = ("x: call get", "x = null#2", "x#2: new C", "x")
    assert [types.whole_variable(f"{method}/{part}", method) for part in parts] == [
        f"{method}/{whole}" for whole in ("x", "x", "x#2", "x")
    ]
