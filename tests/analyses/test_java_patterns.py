"""How slow patterns of Java are: doubling with each character (2), only before Java 9 (1), or neither."""

from __future__ import annotations

import json

import pytest

from ladder.analyses.java_patterns import slowness

ALWAYS = [
    r"((a+)+)+$",
    r"(a+)+?$",
    r"(([a-z]+)*)*$",
    r"(a+)\1?(a+)+$",
    r"(?<name>a+)\k<name>(a+)+$",
    r"/\*(?:.|\s)*?\*/",
    r"^(?:(?:a|b|ab)+c?)+$",
    r"^(([a-z]+)*,?)*$",
    r"^((a|a)+b?){1,3}$",
    r'("(\\.|[^"])*")*;',
]
BEFORE = [
    r"(a+)+$",
    r"(a|a)*$",
    r"(a|aa)+$",
    r"^(\w+\s?)*$",
    r"(a*)*b",
    r"(x+x+)+y",
    r"([^,]*,?)*;",
    r"(\d+|\w)*;",
    r"(\p{L}|[a-z])*;",
    r"(\x61|a)*;",
    r"([\u4e00-\u9fa5]|一)*;",
    r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$",
]
NEVER = [
    r"^[a-z]+$",
    r"^(a,)*$",
    r"(a|b)*c",
    r"(a+)+",
    r"(a+)+b?",
    r"(?>a+)+$",
    r"(a++)+$",
    r"[^,]+(,[^,]+)*$",
    r"^(\d{1,3}\.){3}\d{1,3}$",
    r"^\w+([-.]\w+)*@\w+([-.]\w+)*\.\w+$",
    r"^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$",
    r"/\*([^*]|\*[^/])*\*/",
    r'("(\\.|[^"\\])*"\s*)*;',
    r"([A-Z]|[a-z])*;",
    r"(\Qa+\E|b)*;",
    r"(?=(a+)+)b",
    r"(a+",
    r"\k<",
    r"(" * 5000,
    "(" * 40 + "){3}" * 40,
    "(" + "|".join(f"{sign}+" for sign in "abcdefghijklmnopqrstuvwxyz0123456789") + ")*;",
    r"[",
    r"*",
    r"*|(a+)+$",
    r"((c|c)ab)*",
    r"(x(a|a)b)*",
    r"(一|二)*;",
    r"([\u4e00-\u9fa5]|[\u3040-\u309f])*;",
    r"^([\s\S]|x)*$",
    r"(a{99999999999})*$",
    "(a{" + "9" * 5000 + "})*$",
    "a" * 1_000_000,
    "",
]


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [(text, number) for number, texts in ((2, ALWAYS), (1, BEFORE), (0, NEVER)) for text in texts],
)
def test_patterns_are_as_slow_as_they_are(pattern: str, wanted: int) -> None:
    assert slowness(json.dumps(pattern), 0) == wanted


@pytest.mark.parametrize(
    ("pattern", "wanted"), [("(a+)+", 1), ("(a+)+.*", 1), (r"(?s)(a+)+.*", 0), (r"(a+)+[\s\S]*", 0)]
)
def test_a_whole_text_may_fail_behind_what_a_part_may_end_with(pattern: str, wanted: int) -> None:
    assert slowness(json.dumps(pattern), 1) == wanted
