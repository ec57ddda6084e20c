"""What `ladder check` finds in programs with lattices, and what it must not find."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ladder import checks, lattices
from ladder.language.compile import compile_program
from ladder.language.errors import Error, Warning

BOTTOM, TOP = ("No",), ("All",)


def join(a: Any, b: Any) -> Any:
    return a if a == b or b == BOTTOM else b if a == BOTTOM else TOP


def meet(a: Any, b: Any) -> Any:
    return a if a == b or b == TOP else b if a == TOP else BOTTOM


FUNCTORS: dict[str, Any] = {
    "join": join,
    "meet": meet,
    "left": lambda a, b: a,
    "turned": lambda a: {"Even": ("Odd",), "Odd": ("Even",)}.get(a[0], a),
    "guess": lambda a: ("Even",) if a == TOP else a,
    "is_top": lambda a: int(a == TOP),
    "is_even": lambda a: int(a == ("Even",)),
    "parities": lambda a: {"No": [], "All": ["odd", "even"]}.get(a[0], [a[0].lower()]),
    "sure": lambda a: [] if a in (BOTTOM, TOP) else [a[0].lower()],
    "most": max,
    "least": min,
    "mod": lambda n: n % 2,
    "members": lattices.members,
    "hull": lambda a, b: (min(a[0], b[0]), max(a[1], b[1])),
    "overlap": lambda a, b: (max(a[0], b[0]), min(a[1], b[1])) if max(a[0], b[0]) <= min(a[1], b[1]) else (1, 0),
    "hull_or_none": lambda a, b: a if b == (1, 0) else b if a == (1, 0) else (min(a[0], b[0]), max(a[1], b[1])),
    "up": lambda a: a if a == (1, 0) else (a[0] + 1, a[1] + 1),
    "up_to_9": lambda a: a if a == (1, 0) else (min(a[0] + 1, 9), min(a[1] + 1, 9)),
}
PARITY = """\
.type Parity = No{} | Even{} | Odd{} | All{}
.functor join(a: Parity, b: Parity): Parity
.functor meet(a: Parity, b: Parity): Parity
.functor turned(a: Parity): Parity
.functor guess(a: Parity): Parity
.functor is_top(a: Parity): number
.functor is_even(a: Parity): number
.functor parities(a: Parity): symbol several
.functor sure(a: Parity): symbol several
.lattice Parity<> { Bottom -> $No(), Top -> $All(), Lub -> @join(_, _), Glb -> @meet(_, _) }
.decl edge(a: symbol, b: symbol)
.input edge
.decl at(a: symbol, x: Parity<>)
.output at
at("start", $Even()).
"""


def found(text: str, examples: int = 150) -> list[Error]:
    return checks.check(compile_program(text, "p.dl", functors=FUNCTORS), examples)


def messages(text: str) -> list[str]:
    return [
        f"{'warning' if isinstance(e, Warning) else 'error'} {e.place.line}:{e.place.column} {e.message}"
        for e in found(text)
    ]


@pytest.mark.parametrize(
    "rule",
    [
        "at(b, x) :- at(a, x), edge(a, b).",
        "at(b, @turned(x)) :- at(a, x), edge(a, b).",
        "at(b, $Odd()) :- at(a, $Even()), edge(a, b).",  # Even or more: stays true
        "at(b, $Odd()) :- at(a, x), @is_top(x) = 1, edge(a, b).",
        "at(b, $Odd()) :- at(a, x), x != $No(), edge(a, b).",
        "at(b, x) :- at(a, x), at(c, x), edge(a, b), edge(c, b).",  # the meet grows with its arguments
        ".decl way(a: symbol)\n.output way\nway(a) :- at(a, _).\nat(b, $Odd()) :- way(a), edge(a, b).",
        (
            ".decl may(a: symbol, p: symbol)\n.output may\nmay(a, p) :- at(a, x), p = @parities(x).\nat(b, $Odd()) :- "
            'may(a, "odd"), edge(a, b).'
        ),
        # not seen outside
        ".decl seen(a: symbol, x: Parity)\nseen(a, x) :- at(a, x).\nat(b, x) :- seen(a, x), edge(a, b).",
    ],
)
def test_nothing_is_found_in_monotone_recursion(rule: str) -> None:
    assert messages(PARITY + rule) == []


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (
            "at(b, @guess(x)) :- at(a, x), edge(a, b).",
            (
                "error 16:7 the functor guess is not monotone: @guess($Odd) = $Odd, but @guess($All) = $Even, which is "
                "not above"
            ),
        ),
        (
            "at(b, $Odd()) :- at(a, x), @is_even(x) = 1, edge(a, b).",
            (
                "warning 16:28 this rule may stop firing: what it derives for x = $Even, which may have grown to "
                "$All, is neither derived "
                "nor dominated then"
            ),
        ),
        (
            "at(b, $Odd()) :- at(a, x), x != $All(), edge(a, b).",
            (
                "warning 16:28 this rule may stop firing: what it derives for x = $No, which may have grown to $All, "
                "is neither derived "
                "nor dominated then"
            ),
        ),
        (
            (
                ".decl p(a: symbol, s: symbol)\n.output p\np(a, s) :- at(a, x), s = @sure(x).\nat(b, $Odd()) :- "
                'p(a, "even"), edge(a, b).'
            ),
            (
                "warning 18:26 p keeps rows made of values that are not final: what is derived for x = $Even, which "
                "may have grown to $All, "
                "is not derived then, but stays"
            ),
        ),
        (
            (
                ".decl p(a: symbol, x: Parity)\n.decl q(a: symbol)\n.output q\np(a, x) :- at(a, x).\nq(a) :- "
                "p(a, $Even()).\n"
                "at(b, $Odd()) :- q(a), edge(a, b)."
            ),
            (
                "warning 19:1 p, and q, which is made of it, keeps rows made of values that are not final: what is "
                "derived for x = $No, "
                "which may have grown to $Even, is not derived then, but stays"
            ),
        ),
        (
            ".decl low(a: symbol, x: Parity)\nlow(b, glb(x)) :- at(a, x), edge(a, b).\nat(a, x) :- low(a, x).",
            "warning 16:7 at and low depend on each other, and values of Parity grow in one and shrink in the other",
        ),
    ],
)
def test_what_may_fall_in_recursion_is_told(rule: str, expected: str) -> None:
    assert expected in messages(PARITY + rule)


def test_functors_of_other_strata_need_not_be_monotone() -> None:
    assert (
        messages(
            PARITY + ".decl out(x: Parity<>)\nout(@guess(x)) :- at(_, x).\n"
            ".decl even(a: symbol)\neven(a) :- at(a, x), @is_even(x) = 1.\nat(b, x) :- at(a, x), edge(a, b)."
        )
        == []
    )


def test_a_broken_lattice_is_told_at_its_operator() -> None:
    text = PARITY.replace(".functor join", ".functor left").replace("@join", "@left")
    assert (
        "error 10:60 Parity is no lattice: @left is not commutative: @left($No, $Even) = $No, @left($Even, $No) = $Even"
        in messages(text)
    )
    assert "error 10:31 Parity is no lattice: bottom is not neutral: @left($No, $Even) = $No" in messages(text)


RANGE = """\
.type Range = [low: number, high: number]
.functor hull(a: Range, b: Range): Range
.functor hull_or_none(a: Range, b: Range): Range
.functor overlap(a: Range, b: Range): Range
.functor up(a: Range): Range
.functor up_to_9(a: Range): Range
.lattice Range<> { Bottom -> [1, 0], Lub -> @hull_or_none(_, _), Glb -> @overlap(_, _) }
.decl n(n: number)
.input n
.decl at(a: symbol, r: Range<>)
at("in", [n, n]) :- n(n).
"""


@pytest.mark.slow
def test_values_are_those_that_the_program_makes() -> None:
    """The type has values like [5, 3], for which the laws do not hold, but no rule makes them."""
    assert messages(RANGE) == []
    assert messages(RANGE + 'at("in", [a, b]) :- n(a), n(b), a <= b.') == []
    assert any("error 7:" in m for m in messages(RANGE + 'at("in", [a, b]) :- n(a), n(b).'))


def test_a_bottom_that_is_not_neutral() -> None:
    text = RANGE.replace("Lub -> @hull_or_none", "Lub -> @hull")
    assert any(
        m.startswith("error 7:30 Range is no lattice: bottom is not neutral: @hull([1, 0], ") for m in messages(text)
    )


@pytest.mark.slow
def test_endless_climbs_are_told() -> None:
    assert messages(RANGE + 'at("in", @up_to_9(r)) :- at("in", r).') == []
    climbing = found(RANGE + 'at("in", @up(r)) :- at("in", r).')
    assert [(e.place.line, e.message.split(":")[0], e.hint) for e in climbing] == [
        (12, "at may climb without end", "add Widen -> @functor(_, _) to the lattice")
    ]


def test_python_lattices() -> None:
    few = (
        '.lattice Few = "ladder.lattices:k_set(2)"\n.functor members(s: Few): symbol several\n.decl '
        "e(a: symbol, b: symbol)\n.input e\n"
    )
    assert messages(few + ".decl p(a: symbol, s: Few<>)\np(a, lub(b)) :- e(a, b).\np(a, s) :- p(b, s), e(a, b).") == []
    stops = messages(
        few
        + ".decl p(a: symbol, s: Few<>)\np(a, lub(b)) :- e(a, b).\np(a, lub(o)) :- p(b, s), o = @members(s), e(a, b)."
    )
    assert (
        len(stops) == 1 and "warning 7:30 this rule may stop firing" in stops[0] and "may have grown to Top" in stops[0]
    )


def test_functors_on_the_carrier_of_a_lattice() -> None:
    text = """\
.type Level <: number
.functor most(a: Level, b: Level): Level
.functor least(a: Level, b: Level): Level
.functor mod(a: number): number
.lattice Level<> { Bottom -> 0, Lub -> @most(_, _), Glb -> @least(_, _) }
.decl at(a: symbol, n: Level<>)
at("a", 1). at("b", 2).
at(a, as(@mod(n), Level)) :- at(a, n).
"""
    assert messages(text)[0] == (
        "error 8:10 the functor mod is not monotone: @mod(1) = 1, but @mod(2) = 0, which is not above"
    )
    assert messages(text.replace("@mod(n)", "n % 2"))[0].startswith(
        "warning 8:1 this rule may stop firing: what it derives for n = 1, which may have grown to 2"
    )


def test_lattices_without_values_are_told(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mine:\n    def join(self, a, b):\n        return a | b\n")
    compiled = compile_program('.lattice Mine = "mine.py:Mine"\n.decl r(x: Mine<>)\n', "p.dl", tmp_path)
    warnings = checks.check(compiled)
    assert [w.kind for w in warnings if isinstance(w, Warning)] == ["untested-lattice"]


def test_all_kinds_of_warnings_have_names() -> None:
    import re

    from ladder.language.check.warnings import KINDS

    mentioned = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', Path(checks.__file__).read_text()))
    assert mentioned <= set(KINDS), mentioned - set(KINDS)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("def join(self, a, b): raise ValueError('no')", "L is no lattice: join raised ValueError: no, with 1, 1"),
        ("def join(self, a, b): return [a, b]", "L is no lattice: join(1, 1) = [1, 1] is not hashable"),
        ("def join(self, a, b): return self.join(b, a)", "L is no lattice: join raised RecursionError"),
        ("def values(self): return [1]", "the values of the lattice L cannot be had: TypeError: values() must return"),
        ("def values(self): raise RuntimeError('x')", "the values of the lattice L cannot be had: RuntimeError: x"),
        ("def show(self, v): return 1 / 0", "L is no lattice: show raised ZeroDivisionError"),
    ],
)
def test_faulty_code_of_a_lattice_is_told(tmp_path: Path, body: str, message: str) -> None:
    (tmp_path / "mine.py").write_text(
        "from ladder.lattices import Lattice\n\n\nclass L(Lattice):\n    def join(self, a, b):\n        return "
        "max(a, b)\n\n"
        f"    def examples(self):\n        return [1, 2]\n\n    {body}\n"
    )
    compiled = compile_program(
        '.lattice L = "mine.py:L"\n.decl a(x: L<>)\n.decl b(x: L)\n.input b\na(x) :- b(x) ; a(x).\n', "p.dl", tmp_path
    )
    errors = checks.check(compiled, 50)
    assert errors[0].message.startswith(message) and errors[0].place.line == 1


@pytest.mark.slow
def test_values_of_declared_types_are_written_as_in_the_program(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def join(self, a, b):\n        return b if a == ('None',) else a\n"
    )
    compiled = compile_program(
        '.type Mine = None{} | At{n: number}\n.lattice Mine = "mine.py:Mine"\n.decl a(x: Mine<>)\na($None()).\n'
        ".decl b(n: number)\n.input b\na($At(n)) :- b(n).\n",
        "p.dl",
        tmp_path,
    )
    assert checks.check(compiled)[0].message == (
        "Mine is no lattice: join is not commutative: join($At(0), $At(1)) = $At(0), join($At(1), $At(0)) = $At(1)"
    )
