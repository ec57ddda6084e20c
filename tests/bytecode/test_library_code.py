"""Class files of libraries: the rows of their methods, and which methods a project reaches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ladder.frontends.libraries.bodies import BODIES
from ladder.frontends.libraries.reach import Class, Reached, classes_of, is_kept, reached
from tests.bytecode.assembler import ClassFile


def shop() -> ClassFile:
    """q.Shop: f(), which calls g() of q.Base on a new q.Key; h(), a native method."""
    c = ClassFile("q/Shop")
    c.method(
        "public static f ()Ljava/lang/Object;",
        [
            "new q/Key",
            "dup",
            "invokespecial q/Key <init> ()V",
            "invokevirtual q/Base g ()Ljava/lang/Object;",
            "areturn",
        ],
    )
    c.method("public native h ()I")
    c.field("static last Lq/Key;")
    return c


F = "<q.Shop: java.lang.Object f()>"


def test_rows_belong_to_methods_and_classes() -> None:
    facts = BODIES.facts_of(shop().bytes())
    assert not facts.diagnostics
    rows = facts.relations
    assert [row for row in rows["Method"] if row[0] == F] == [(F, "q.Shop", "f", 0, rows["Method"][0][4], "q.Shop")]
    assert rows["Method_HasBody"] == [(F, F)]
    assert {row[-1] for name in ("ExactInvocation", "NormalHeap", "Return", "Next") for row in rows[name]} == {F}
    assert [row[0] for row in rows["Field"]] == ["<q.Shop: q.Key last>"]
    assert not [row for row in rows["Method"] if "h()" in row[0]], "native methods are left out"
    columns = {relation.name: relation.arity for relation in BODIES.relations()}
    assert all(len(row) == columns[name] for name, each in rows.items() for row in each)


def test_what_decides_what_is_reached() -> None:
    rows = set(BODIES.facts_of(shop().bytes()).relations["Code"])
    assert {
        ("class", "java.lang.Object", "class", "", "q.Shop"),
        ("method", F, "f()", "code public static", "q.Shop"),
        ("call", "q.Key", "<init>()", "void", F),
        ("call", "q.Base", "g()", "java.lang.Object", F),
        ("new", "q.Key", "", "", F),
    } <= rows


def test_what_is_no_class_has_a_diagnostic() -> None:
    facts = BODIES.facts_of(b"nothing")
    assert not facts.relations and facts.diagnostics


# ---- what is reached


class World:
    """Classes of a library, `name: superclass, interfaces`, whose methods have the ids of linking."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str, str, str]] = []
        self.asked: list[Sequence[str]] = []

    def type(
        self, name: str, above: str = "java.lang.Object", *interfaces: str, kind: str = "class", more: str = ""
    ) -> None:
        self.rows.append(("class", above, kind, more, name))
        self.rows += (("interface", each, "", "", name) for each in interfaces)

    def method(
        self, owner: str, signature: str, *needs: tuple[str, ...], more: str = "code", result: str = "void"
    ) -> str:
        id_ = f"<{owner}: {result} {signature}>"
        self.rows.append(("method", id_, signature, more, owner))
        self.rows += ((*need, *("",) * (4 - len(need)), id_) for need in needs)  # type: ignore[misc]
        return id_

    def load(self, names: Sequence[str]) -> Mapping[str, Class]:
        self.asked.append(names)
        known = classes_of(self.rows)
        for name, each in known.items():
            each.bodies = not is_kept(name)
        return {name: known[name] for name in names if name in known}

    def reached(self, *needs: tuple[str, str, str, str]) -> Reached:
        return reached(needs, self.load)


def methods(found: Reached) -> set[str]:
    return {method for each in found.methods.values() for method in each}


def names(found: Iterable[str]) -> set[str]:
    return {each[1:].partition(":")[0] for each in found}


def test_calls_run_methods_of_objects_that_are_made() -> None:
    world = World()
    world.type("q.I", "", kind="interface")
    world.method("q.I", "f()", more="abstract")
    default = world.method("q.I", "d()")
    for name in ("q.Made", "q.Other"):
        world.type(name, "q.Base", "q.I")
        world.method(name, "f()")
    world.type("q.Base")
    inherited = world.method("q.Base", "g()")
    found = world.reached(
        ("call", "q.I", "f()", "void"), ("call", "q.I", "d()", "void"), ("call", "q.Made", "g()", "void"),
        ("new", "q.Made", "", ""),
    )  # fmt: skip
    assert methods(found) == {"<q.Made: void f()>", default, inherited}


def test_initialisers_run_with_static_members_and_objects() -> None:
    world = World()
    for name in ("q.Called", "q.Used", "q.Made", "q.Named"):
        world.type(name)
        world.method(name, "<clinit>()", more="code static")
        world.method(name, "s()", more="code static")
    found = world.reached(("call", "q.Called", "s()", "void"), ("use", "q.Used", "", ""), ("new", "q.Made", "", ""))
    assert names(methods(found)) == {"q.Called", "q.Used", "q.Made"}


def test_what_unseen_methods_return_may_be_made() -> None:
    world = World()
    world.type("q.Native")
    world.method("q.Native", "n()", more="native", result="q.Result")
    world.type("q.Result")
    world.method("q.Result", "f()")
    found = world.reached(("call", "q.Native", "n()", "q.Result"), ("call", "q.Result", "f()", "void"))
    assert methods(found) == {"<q.Result: void f()>"}


def test_static_fields_of_unseen_classes_may_hold_objects_of_their_type() -> None:
    world = World()
    for name in ("q.Result", "q.Other"):
        world.type(name)
        world.method(name, "f()")
    world.type("q.Seen")
    roots = (("call", "q.Result", "f()", "void"), ("call", "q.Other", "f()", "void"))
    found = world.reached(*roots, ("use", "java.lang.Class", "", "q.Result"), ("use", "q.Seen", "", "q.Other"))
    assert methods(found) == {"<q.Result: void f()>"}


def test_classes_are_read_when_they_are_needed() -> None:
    world = World()
    world.type("q.A")
    world.method("q.A", "f()", ("call", "q.B", "f()", "void"), ("new", "q.C"), more="code static")
    for name in ("q.B", "q.C", "q.D"):
        world.type(name, "q.Above")
        world.method(name, "f()", more="code static")
    world.type("q.Above")
    world.reached(("call", "q.A", "f()", "void"))
    asked = [set(each) for each in world.asked]
    assert asked[0] >= {"q.A"} and {"q.B", "q.C"} <= asked[1] | asked[2] and not any("q.D" in each for each in asked)


def test_classes_that_rules_describe_are_kept() -> None:
    assert all(map(is_kept, ("java.lang.Class", "java.lang.reflect.Method", "java.util.ServiceLoader$Provider")))
    assert not any(map(is_kept, ("java.lang.ClassCastException", "java.lang.Thread", "java.lang.StringCoding")))


def test_casts_make_objects_where_calls_return_unknown_ones() -> None:
    world = World()
    world.type("q.Native")
    world.method("q.Native", "n()", more="native", result="java.lang.Object")
    for name in ("q.Cast", "q.Other"):
        world.type(name)
        world.method(name, "f()")
        world.method("q.Use", f"u{name[2:]}()", ("cast", name), more="code static")
    world.type("q.Use")
    call = ("call", "q.Native", "n()", "java.lang.Object")
    with_call = world.method("q.Use", "both()", ("cast", "q.Cast"), call, more="code static")
    calls = [("call", "q.Use", signature, "void") for signature in ("uCast()", "uOther()", "both()")]
    found = world.reached(*calls, ("call", "q.Cast", "f()", "void"), ("call", "q.Other", "f()", "void"))
    assert with_call in methods(found) and "<q.Cast: void f()>" in methods(found)
    assert "<q.Other: void f()>" not in methods(found), "nothing unknown is cast to it"


def test_privileged_actions_run() -> None:
    world = World()
    world.type("java.security.AccessController")
    world.type("java.security.PrivilegedAction", "", kind="interface")
    world.method("java.security.PrivilegedAction", "run()", more="abstract", result="java.lang.Object")
    world.type("q.Action", "java.lang.Object", "java.security.PrivilegedAction")
    run = world.method("q.Action", "run()", result="java.lang.Object")
    signature = "doPrivileged(java.security.PrivilegedAction)"
    world.method("java.security.AccessController", signature, more="code static", result="java.lang.Object")
    call = ("call", "java.security.AccessController", signature, "java.lang.Object")
    assert run in methods(world.reached(call, ("new", "q.Action", "", "")))
