"""Preprocessor lines: what is left of a text, where its pieces stood, and what is said about malformed lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.language import parse
from ladder.language.errors import Errors, ProgramError
from ladder.language.options import Options
from ladder.language.sources import Sources, read_program
from ladder.language.syntax import nodes as s

DEFAULT = Options()


def read(text: str, directory: Path = Path("."), options: Options = DEFAULT) -> tuple[Sources, Errors]:
    errors = Errors()
    return read_program(text, "p.dl", directory, errors, options), errors


def items(text: str, directory: Path = Path("."), options: Options = DEFAULT) -> list[str]:
    sources, errors = read(text, directory, options)
    errors.raise_if_any(sources.texts)
    return [str(item) for item in sources.items]


def places(text: str, directory: Path = Path(".")) -> list[tuple[str, int, int]]:
    """Places of the errors of a text."""
    return sorted((e.place.file, e.place.line, e.place.column) for e in read(text, directory)[1].found)


@pytest.mark.parametrize(
    "text, shown",
    [
        ('#define N 3\na(N). a("N").', ["a(3).", 'a("N").']),
        (
            "#define PAIR(x, y) e(x, y). \\\n  e(y, x).\nPAIR(1, 2)\nPAIR(3, f(4, 5))",
            ["e(1, 2).", "e(2, 1).", "e(3, f(4, 5)).", "e(f(4, 5), 3)."],
        ),
        ("#define D(n) .decl n##_of(x: number)\nD(age)", [".decl age_of(x: number)"]),
        (
            (
                "#define A\n#ifdef A\na(1).\n#else\na(2).\n#endif\n#ifndef A\na(3).\n#endif\n#undef A\n#ifdef "
                "A\na(4).\n#endif"
            ),
            ["a(1)."],
        ),
        ("#if RAM_DOMAIN_SIZE == 32 && !defined(X)\na(32).\n#elif 1\na(0).\n#endif", ["a(32)."]),
        ('# 1 "other.dl"\n#line 7\n#pragma once\n#!shebang\na(1).', ["a(1)."]),
        ("a(1). # the rest of a line\na(2).", ["a(1).", "a(2)."]),
        ('a("#define N 3").\n// #define N 4\na(N) :- b(N).', ['a("#define N 3").', "a(N) :- b(N)."]),
        ("\na(__LINE__, __FILE__).", ['a(2, "p.dl").']),
        ("#define X\n\na(__LINE__, __FILE__).", ['a(3, "p.dl").']),
        (
            "#define N 1\na(?x, $A(N), @f(1.5, 0x1F, 10.0.0.1)) :- b(?x), !c(N), ?x != N ^ 2.",
            ["a(?x, $A(1), @f(1.5, 0x1f, 0xa000001)) :- b(?x), !c(1), ?x != (1 ^ 2)."],
        ),
    ],
)
def test_what_is_left(text: str, shown: list[str]) -> None:
    assert items(text) == shown


def test_options() -> None:
    assert items("a(N, M).", options=Options(macros=(("N", "1"), ("M", "2")))) == ["a(1, 2)."]
    assert items("#define N 1\n#if 0\na(N).\n#endif", options=Options(preprocess=False)) == ["a(N)."]


def test_inclusion(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "facts.dl").write_text('e(N).\n#include "deep.dl"\n')
    (tmp_path / "more" / "deep.dl").write_text('#pragma once\n.include "plain.dl"\ne(N, 2).\n#define M 5\n')
    (tmp_path / "more" / "plain.dl").write_text("e(N, 3).\n")
    text = '#define N 1\n#include "more/facts.dl"\n#include "more/deep.dl"\ne(M).'
    assert items(text, tmp_path) == ["e(1).", "e(N, 3).", "e(1, 2).", "e(5)."]
    sources, _ = read(text, tmp_path)
    assert [item.place.file for item in sources.items] == ["more/facts.dl", "more/plain.dl", "more/deep.dl", "p.dl"]
    assert set(sources.paths) == {"more/facts.dl", "more/deep.dl", "more/plain.dl"} and set(sources.paths) < set(
        sources.texts
    )
    assert items('#include "facts.dl"', tmp_path, Options(include=(tmp_path / "more",)))[0] == "e(N)."


def test_inclusion_once_for_each_component(tmp_path: Path) -> None:
    (tmp_path / "r.dl").write_text('.decl r()\n.include "r.dl"\n')
    (tmp_path / "once.dl").write_text(".once\n.decl o()\n")
    both = '.include "r.dl"\n.include "r.dl"\n.include "once.dl"'
    shown = items(f".comp A {{ {both} }}\n.comp B {{ {both} }}\n.init a = A\n.init b = B\n{both}", tmp_path)
    assert sorted(shown) == [".decl a.o()", ".decl a.r()", ".decl b.r()", ".decl r()"]


@pytest.mark.parametrize(
    "text, where",
    [
        ("#define N 1\na(N, ,).", [(2, 6)]),
        ("#define LONG 1 + 2 + 3\n  a(LONG, LONG) :- b(x) c(x).", [(2, 25)]),
        ("#define BAD(x) a(x\nb(1).\nBAD(1) :- c(1).", [(3, 8)]),
        ("#define A(x) \\\n  b(x).\n/* a\n comment */ a(1 2).", [(4, 17)]),
        ("#define E\nE a(1). E b(1 2).", [(2, 15)]),
        ("#if 0\na(1 2).\n#endif\na(3 4).", [(4, 5)]),
        ('#define\x0b X\x0c\n\x0ca("\u2028", 1 2).', [(2, 11)]),
        ("#foo\na(1).", [(1, 1)]),
        ("#if 1\na(1).", [(1, 1)]),
        ("a(1).\n#endif", [(2, 1)]),
        ("#ifdef\na(1).\n#endif", [(1, 1)]),
        ("#if 1 +\n#endif", [(1, 1)]),
        ('\n#include "missing.dl"', [(2, 1)]),
        ("#include missing", [(1, 1)]),
        ('#error "not for you"', [(1, 1)]),
    ],
)
def test_places_of_errors(text: str, where: list[tuple[int, int]]) -> None:
    assert [(line, column) for _, line, column in places(text)] == where


def test_what_a_branch_with_an_error_would_declare_is_not_asked_for() -> None:
    text = '#ifdef ARM\n.decl a(x: number)\n#else\n#error "which machine?"\n#endif\n.decl b(x: number)\nb(x) :- a(x).'
    with pytest.raises(ProgramError) as refused:
        parse(text)
    assert [(e.place.line, e.message) for e in refused.value.errors] == [(4, '"which machine?"')]


def test_places_in_included_files(tmp_path: Path) -> None:
    (tmp_path / "in.dl").write_text("#define M \\\n  2\n\n  a(M, M M).\n")
    assert places('#include "in.dl"\na(,).', tmp_path) == [("in.dl", 4, 10), ("p.dl", 2, 3)]
    (tmp_path / "loop.dl").write_text('#include "loop.dl"\n')
    _, errors = read('#include "loop.dl"', tmp_path)
    assert [e.message for e in errors.found] == ["loop.dl is included without end"]


WORDS = (
    "a(x) :- b(x).",
    " ",
    "\n",
    "#define N 1\n",
    "N",
    "/* c */",
    "// d\n",
    '"s"',
    "N(",
    ")",
    "#if 1\n",
    "#endif\n",
    "\\\n",
    "\t",
)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(WORDS), max_size=12).map("".join))
def test_places_are_in_the_text(text: str) -> None:
    _, errors = read("#define A 1\n" + text)
    lines = ("#define A 1\n" + text).split("\n")
    for error in errors.found:
        assert 1 <= error.place.line <= len(lines) and 1 <= error.place.column <= len(lines[error.place.line - 1]) + 1


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.sampled_from(('a(x, y) :- b(x), !c("k").', "  ", "\n", "/* c\n d */ ", "e(1.5, 0x2f).", "// f\n")),
        max_size=10,
    )
)
def test_places_without_macros_are_those_of_the_text(parts: list[str]) -> None:
    text = "".join(parts)

    def all_places(source: str, shift: int) -> list[tuple[int, int]]:
        return [(c.place.line - shift, c.place.column) for c in read(source)[0].items if isinstance(c, s.Clause)]

    assert all_places("#define UNUSED 1\n" + text, 1) == all_places(text, 0)
