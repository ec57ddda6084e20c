"""Warnings: which there are, where, and how they are switched off in the program."""

from __future__ import annotations

import json

import pytest

from ladder.language.check.warnings import KINDS
from ladder.language.compile import compile_program
from ladder.language.errors import findings_json, render

DECLARED = (
    ".decl n(x: number) .decl m(x: number, y: number) .decl out(x: number) .input n, m .output out out(x) :- "
    "n(x), m(x, x).\n"
)


def warnings_of(text: str) -> list[tuple[str, int, str, str | None]]:
    found = compile_program(DECLARED + text, "main.dl").warnings
    assert all(w.kind in KINDS and w.place.line == 2 for w in found)
    return [(w.kind, w.place.column, w.message, w.hint) for w in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "out(x) :- m(x, node).",
            [("var-appears-once", 16, "the variable node occurs once only", "write _ or _node if this is meant")],
        ),
        (
            "out(node) :- m(node, nodes).",
            [("var-appears-once", 22, "the variable nodes occurs once only", "did you mean node?")],
        ),
        (
            "out(x) :- m(x, _y), m(_y, x).",
            [
                (
                    "var-appears-once",
                    16,
                    "the variable _y occurs more than once",
                    "a _ before a name says that it occurs once",
                )
            ],
        ),
        (
            "out(_x) :- n(_x).",
            [
                (
                    "var-appears-once",
                    5,
                    "the variable _x occurs more than once",
                    "a _ before a name says that it occurs once",
                )
            ],
        ),
        (
            "out(x) :- n(x), (m(x, y) ; m(y, x)).",
            [("var-appears-once", 23, "the variable y occurs once only", "write _ or _y if this is meant")],
        ),
        ("out(x) :- n(x), (m(x, y), n(y) ; m(y, x)).", []),
        (
            "out(x) :- n(x), 1 < count : { m(x, y) }.",
            [("var-appears-once", 36, "the variable y occurs once only", "write _y if this is meant")],
        ),
        ("out(x) :- x = sum y : { m(y, _) }.", []),
        ("out(x) :- n(x), !m(x, _).", []),
        (
            ".decl q(x: number) out(x) :- q(x).",
            [("no-rules-nor-facts", 7, "the relation q has no rules, facts or input", None)],
        ),
        (
            ".decl q(x: number) q(1).",
            [("unused-relation", 7, "the relation q is not used", "write .output q to see it")],
        ),
        (
            ".decl q(x: number) q(1). q(x) :- q(x), n(x).",
            [("unused-relation", 7, "the relation q is not used", "write .output q to see it")],
        ),
        (".decl q(x: number) q(1). out(x) :- n(x), x < count : { q(_) }.", []),
        (
            ".decl q(x: number, y: number) btree_delete .output q q(1, 2).",
            [("no-subsumptive-rule", 7, "the relation q is btree_delete without subsumption", None)],
        ),
        (".decl q(x: number, y: number) btree_delete .output q q(1, 2). q(x, y) <= q(x, z) :- y < z.", []),
        (
            ".decl q(x: number) output q(1).",
            [("deprecated-qualifier", 7, "output in a declaration is an old spelling", "write .output q")],
        ),
        (
            ".symbol_type S",
            [("deprecated-type-decl", 14, "an old spelling of a type declaration", "write .type S <: symbol")],
        ),
        ("out($) :- n(_).", [("dollar-sign", 5, "$ is an old spelling of a counter", "write autoinc()")]),
        ("out(autoinc()) :- n(_).", []),
        (
            'out(1) :- n(_), x = "a", match("[a-", x).',
            [
                (
                    "bad-pattern",
                    32,
                    "this pattern is no regular expression, and matches nothing: a set of characters is not closed",
                    "patterns are those of ECMAScript, with the classes of POSIX",
                )
            ],
        ),
        (
            'out(x) :- n(x), 0 = count : { y = "a", !match("(?i)foo.*", y) }.',
            [
                (
                    "bad-pattern",
                    47,
                    "this pattern is no regular expression, and matches nothing: an unknown kind of group at byte 2",
                    "patterns are those of ECMAScript, with the classes of POSIX",
                )
            ],
        ),
        ('out(1) :- n(_), x = "a", match("[a-z]+", x).', []),
        (
            "out(x) :- n(x), m(x, x). .plan 0:(2,1)",
            [("plan-without-effect", 32, "this rule is not recursive: its plan has no effect", None)],
        ),
        (".type out <: number", [("name-clash", -1, "", None)]),
    ],
)
def test_warnings(text: str, expected: list[tuple[str, int, str, str | None]]) -> None:
    if expected and expected[0][1] < 0:
        assert [w.kind for w in compile_program(DECLARED + text, "main.dl").warnings] == [expected[0][0]]
    else:
        assert warnings_of(text) == expected


def test_warnings_about_relations_are_switched_off_by_name_or_all() -> None:
    text = ".decl q(x: number) .decl r(x: number) out(x) :- q(x), r(x), m(x, y)."
    every = [("no-rules-nor-facts", "q"), ("no-rules-nor-facts", "r"), ("var-appears-once", None)]
    for pragma, left in (("", every), ("q", every[1:]), ("q,r", every[2:]), ("*", every[2:])):
        found = compile_program(f'.pragma "suppress-warnings" "{pragma or "none"}"\n' + DECLARED + text).warnings
        assert [(w.kind, w.relation) for w in found] == left


def test_relations_of_included_files_may_stay_unused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "library.dl").write_text(".decl helper(x: number)\nhelper(1).\n")
    assert compile_program(DECLARED + '.include "library.dl"', "main.dl", tmp_path).warnings == ()


def test_a_library_without_output_has_no_unused_relations() -> None:
    assert compile_program(".decl a(x: number) a(1).").warnings == ()


def test_warnings_are_rendered_with_their_line_and_as_json() -> None:
    text = DECLARED + "out(x) :- m(x, left)."
    [warning] = compile_program(text, "main.dl").warnings
    assert render(warning, text) == (
        "main.dl:2:16: warning: the variable left occurs once only\n"
        "    out(x) :- m(x, left).\n"
        "                   ^~~~\n"
        "    write _ or _left if this is meant"
    )
    assert json.loads(findings_json([warning])) == [
        {
            "severity": "warning",
            "file": "main.dl",
            "line": 2,
            "column": 16,
            "message": "the variable left occurs once only",
            "mend": "write _ or _left if this is meant",
            "kind": "var-appears-once",
        }
    ]
