"""Components: what instances add to a program, and what is said about wrong ones."""

from __future__ import annotations

import pytest

from ladder.api.database import Database
from ladder.api.program import Program

from .expansion import errors_of, expanded


def nested(levels: int, *names: str) -> str:
    """Components one in each line, each with instances of the next by these names, and an instance of the first."""
    inside = ("".join(f" .init {name} = C{level + 1}" for name in names) for level in range(1, levels))
    return "\n".join(
        [*(f".comp C{level} {{{text} }}" for level, text in enumerate(inside, 1)), f".comp C{levels} {{}} .init c = C1"]
    )


@pytest.mark.parametrize(
    "text, items",
    [
        (".comp C { .decl r(x: number) r(1). }", []),
        (
            ".comp C { .decl r(x: number) r(1). r(x + 1) :- r(x), x < 5. } .init c = C",
            [".decl c.r(x: number)", "c.r(1).", "c.r((x + 1)) :- c.r(x), x < 5."],
        ),
        (
            ".comp C<T, U> { .type P = [a: T, b: U] .decl r(x: P) } .init c = C<number, symbol>",
            [".type c.P = [a: number, b: symbol]", ".decl c.r(x: c.P)"],
        ),
        (
            ".comp C<T> { .type T <: number .decl r(x: T) } .init c = C<Age>",
            [".type c.Age <: number", ".decl c.r(x: c.Age)"],
        ),
        (
            ".comp C { .type T = A { x: number } | B {} .decl r(x: T) r($A(1)). r($B()). } .init c = C",
            [".type c.T = c.A {x: number} | c.B {}", ".decl c.r(x: c.T)", "c.r($c.A(1)).", "c.r($c.B())."],
        ),
        (
            ".comp A { .decl r(x: number) r(1). } .comp B : A { .decl s(x: number) s(x) :- r(x). } .init b = B",
            [".decl b.r(x: number)", ".decl b.s(x: number)", "b.r(1).", "b.s(x) :- b.r(x)."],
        ),
        (
            ".comp A<T> { .decl r(x: T) } .comp B<K> : A<K> { r(1). } .init b = B<number>",
            [".decl b.r(x: number)", "b.r(1)."],
        ),
        (
            (
                ".comp A { .decl r(x: number) overridable r(1). r(2). } .comp B : A { .override r r(3). "
                "} .init b = B .init a = A"
            ),
            [".decl b.r(x: number) overridable", "b.r(3).", ".decl a.r(x: number) overridable", "a.r(1).", "a.r(2)."],
        ),
        (
            ".comp A { .decl r, s(x: number) overridable r(1), s(1). } .comp B : A { .override r } .init b = B",
            [".decl b.r(x: number) overridable", ".decl b.s(x: number) overridable", "b.s(1)."],
        ),
        (
            (
                ".comp A { .decl r(x: number) } .comp B<M> { .init m = M .decl s(x: number) s(x) :- m.r(x). m.r(1). "
                "} .init b = B<A>"
            ),
            [".decl b.m.r(x: number)", ".decl b.s(x: number)", "b.s(x) :- b.m.r(x).", "b.m.r(1)."],
        ),
        (".comp O { .comp I { .decl r() r(). } .init i = I } .init o = O", [".decl o.i.r()", "o.i.r()."]),
        (
            ".decl g(x: number) .comp C { .decl r(x: number) r(1). g(x) :- r(x). } .init c = C",
            [".decl g(x: number)", ".decl c.r(x: number)", "c.r(1).", "g(x) :- c.r(x)."],
        ),
        (
            ".comp C { .decl r(x: number) output .input r(IO=file) } .init c = C",
            [".decl c.r(x: number) output", ".output c.r", '.input c.r(IO="file")'],
        ),
        (
            (
                ".comp C { .decl r(x: number) r(cat(x, 1)) :- s = as(x, T), r(x), s(x), cat(s). "
                ".decl s, cat(x: number) .type T <: number } "
                ".init c = C"
            ),
            [
                ".decl c.r(x: number)",
                ".decl c.s(x: number)",
                ".decl c.cat(x: number)",
                ".type c.T <: number",
                "c.r(cat(x, 1)) :- s = as(x, c.T), c.r(x), c.s(x), c.cat(s).",
            ],
        ),
        (
            (
                ".decl g(x: number) .comp A { .decl r, s(x: number) .type T <: number r(1). } .init a = A "
                ".comp B { .use a .decl s(x: T) s(as(x, T)) :- r(x), g(x), !s(x). .output s } .init b = B"
            ),
            [
                ".decl g(x: number)",
                ".decl a.r(x: number)",
                ".decl a.s(x: number)",
                ".type a.T <: number",
                "a.r(1).",
                ".decl b.s(x: a.T)",
                "b.s(as(x, a.T)) :- a.r(x), g(x), !b.s(x).",
                ".output b.s",
            ],
        ),
        (
            (
                ".comp Base { .use a } .comp B : Base { .comp I { .decl t() t() :- r(). } .init i = I r() :- i.t(). } "
                ".init b = B .comp A { .decl r() } .init a = A"
            ),
            [".decl b.i.t()", "b.i.t() :- a.r().", "a.r() :- b.i.t().", ".decl a.r()"],
        ),
    ],
)
def test_instances(text: str, items: list[str]) -> None:
    assert expanded(text) == items


@pytest.mark.parametrize(
    "text, errors",
    [
        (".init c = C", [(1, "the component C is not declared")]),
        (".comp C<T> {}\n.init c = C", [(2, "the component C has 1 parameter, not 0")]),
        (
            ".comp C : D {}\n.comp D : C {}",
            [(1, "the component C inherits from itself"), (2, "the component D inherits from itself")],
        ),
        (".comp A<T> {\n.init x = T\n}\n.init a = A<A>", [(2, "the instance x contains instances without end")]),
        (".comp A {\n.init x = A\n.init y = A\n}\n.init a = A", [(2, "the instance x contains instances without end")]),
        (
            ".comp A<T> {\n.init x = B<T>\n}\n.comp B<S> {\n.init y = A<S> }\n.init a = A<number>",
            [(5, "the instance y contains instances without end")],
        ),
        (
            nested(16, "x", "y"),
            [(14, "the instance x is one too many: at most 20,000 instances are made")],
        ),
        (
            nested(101, "x"),
            [(100, "the instance x is nested too deep: at most 100 are made one within the other")],
        ),
        (".comp A { .decl r() }\n.comp B : A { .override r }", [(2, "B overrides r, which A does not allow")]),
        (".comp A { .decl r() overridable .override r }", [(1, "A overrides r, which it declares itself")]),
        (
            ".comp A<T> { .init x = T }\n.comp B<K> : A<T> {}\n.init b = B<number>",
            [(1, "the component T is not declared")],
        ),
        (
            ".decl c()\n.comp c {}\n.comp D {}\n.init D = c",
            [(2, "the name c of this component is taken"), (4, "the name D of this instance is taken")],
        ),
        (
            '.comp A {\n.functor f(): number\n.pragma "x"\n}',
            [(2, "a functor inside a component"), (3, "a pragma inside a component")],
        ),
        (".override r", [(1, ".override r outside a component")]),
        (".use r", [(1, ".use r outside a component")]),
        (".comp A {\n.comp B {\n.use b\n} }\n.init a = A", [(3, "the program has no instance b")]),
        (".comp A { .init b = B }\n.comp B { .use a }\n.init a = A", [(3, "the instance a uses itself")]),
        (".comp A {\n.comp B {\n.decl r()\n}", [(1, "a component that is not closed")]),
        (".decl r()\n.printsize r\n.printsize r", [(3, ".printsize r is given twice")]),
        (".comp A { .decl r()\n.input r\n.input r\n}\n.init a = A", [(3, ".input r is given twice")]),
    ],
)
def test_errors(text: str, errors: list[tuple[int, str]]) -> None:
    assert errors_of(text) == errors


def test_a_program_of_components() -> None:
    program = Program.parse("""
        .comp Reachability<Node> {
            .decl edge, path(x: Node, y: Node)
            path(x, y) :- edge(x, y).
            path(x, z) :- path(x, y), edge(y, z).
        }
        .comp Symmetric<Node> : Reachability<Node> { edge(x, y) :- edge(y, x). }
        .init roads = Symmetric<symbol>
        .init calls = Reachability<number>
        roads.edge("a", "b").
        calls.edge(1, 2). calls.edge(2, 3).
        .output roads.path, calls.path
    """)
    database = Database(program)
    database.bootstrap({})
    assert set(database["roads.path"]) == {("a", "b"), ("b", "a"), ("a", "a"), ("b", "b")}
    assert set(database["calls.path"]) == {(1, 2), (2, 3), (1, 3)}
