"""Names that the program puts together: every name that begins and ends like them, and no work for the others."""

from __future__ import annotations

from typing import Any

import pytest

from ladder.analyses.java_texts import SPECIFIER, code, code_backward, codes_of_beginnings, codes_of_ends
from ladder.engine.local.profile import UPDATE, Profile
from tests.analyses.annotated import Project, analyse

LETTERS = "ABCDEFGHIJ"
CLASSES = [
    f"{begin}{middle}{end}"
    for begin in ("Red", "Blue", "Grey", "Pink", "Teal")
    for middle in LETTERS
    for end in ("Plug", "Cap")
]
PROGRAM = f"""
    {" ".join(f"class {name} {{ }}" for name in CLASSES)}
    class M {{
        static String end(String middle) {{ return middle + "Plug"; }}
        static void make(String name) throws Exception {{ Class.forName(name); }}
        public static void main(String[] args) throws Exception {{
            make("Red" + end(args[0]));
            make("Blue" + args[1]);
            make(args[2] + "BCap");
            make("Green" + args[3]);
        }}
    }}
"""


def test_values_of_formats() -> None:
    found = [match.groups() for match in SPECIFIER.finditer("%05d%-7s%%%2$s%<s%.3f% %0" + "0" * 200_000)]
    assert found == [
        (None, "0", "5", None, "d"),
        (None, "-", "7", None, "s"),
        (None, "", "", None, "%"),
        ("2", "", "", None, "s"),
        (None, "<", "", None, "s"),
        (None, "", "", ".3", "f"),
        (None, " ", "", None, "%"),
    ]


def test_codes_of_beginnings_and_ends() -> None:
    for name in ("", "a", "org.ant.Färbe", "a\U0001f600b", "\ud83d"):
        assert list(codes_of_beginnings(name)) == [code(name[:n]) for n in range(1, len(name) + 1)]
        assert list(codes_of_ends(name)) == [code_backward(name[-n:]) for n in range(1, len(name) + 1)]
        assert all(-(1 << 31) <= value < 1 << 31 for value in codes_of_beginnings(name))


def named(database: Any) -> set[str]:
    """The classes that texts put together name."""
    return {name for name, _ in database["pointsto.NamedByParts"]}


def test_what_begins_and_ends_like_a_concatenation_is_named() -> None:
    found = analyse("pointsto", Project.of({"M.java": PROGRAM})).database
    assert named(found) == {
        name for name in CLASSES if (name.startswith("Red") and name.endswith("Plug")) or name.startswith("Blue")
    } | {name for name in CLASSES if name.endswith("BCap")}


LETTERS_LEFT = """
    class Onyx { } class Oboe { } class Ogre { }
    class M {
        static void make(String name) throws Exception { Class.forName(name); }
        public static void main(String[] args) throws Exception {
            String first = "Onyx".substring(0, 1), last = "Oboe".substring(3);
            make(args[0] + last);
            make(first + args[0]);
            make(first + args[0] + last);
            make(first + args[0] + "nyx");
        }
    }
"""


def test_a_letter_at_an_end_names_nothing() -> None:
    found = analyse("pointsto", Project.of({"M.java": LETTERS_LEFT})).database
    assert named(found) == {"Onyx"}


@pytest.mark.slow
def test_a_text_that_comes_is_compared_with_the_names_that_it_may_name() -> None:
    results = analyse("pointsto", Project.of({"M.java": PROGRAM}), switch=None)
    database = results.database
    [blue] = [row for row in results.project.facts["AssignStringConstant"] if row[1] == '"Blue"']
    named_before = named(database)
    database.update(delete={"AssignStringConstant": [blue]})
    assert named(database) == {name for name in named_before if not name.startswith("Blue") or name.endswith("BCap")}
    engine = database._ready()
    engine.profile = profile = Profile()
    database.update(insert={"AssignStringConstant": [blue]})
    engine.profile = None
    assert named(database) == named_before
    heads = {"BeginsLike", "EndsLike", "AtEnd"}
    costs = [cost for cost in profile._costs.values() if cost.work == UPDATE and cost.rule is not None]
    looked_at = sum(
        cost.total.matches
        for cost in costs
        if cost.rule is not None and cost.rule.head.relation.removeprefix("pointsto.") in heads
    )
    assert 20 <= looked_at < 4 * 20  # twenty names, by two rules
