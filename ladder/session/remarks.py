"""What a file says about findings in it: comments and annotations that suppress some, and that a generator wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import ladder.analyses
from ladder.frontends.protocol import Suppressions
from ladder.session.facts import Facts, Files
from ladder.session.names import Owners

RULE = r"[\w./*-]+"
COMMENT = re.compile(
    rf"(?://|/\*|#|<%--|<!--)\s*ladder:\s*ignore\b[ \t]*(?P<rules>(?:{RULE}(?:[ \t]*,[ \t]*{RULE})*)?)(?P<reason>.*)"
)
COMMENT_END = re.compile(r"\*/|--%?>")
GENERATED_HEADER = re.compile(
    r"\b(?:auto(?:matically)?[- ]?)?generated (?:by|from)\b"
    r"|\bdo not (?:edit|modify)(?: (?:(?:this|the) (?:file|code|class)|it))?(?: (?:by hand|manually|directly))?\W*$",
    re.IGNORECASE,
)
GENERATED = re.compile(
    r"\bthis (?:file|code|source|class|interface|enum|record) (?:is|was|has been) (?:auto\w*[- ]?)?generated\b"
    r"|^@(?:[\w.]+\.)?Generated\b",
    re.IGNORECASE,
)
PACKAGE = re.compile(r"\s*(?:package|import)\b")
DECLARATION = re.compile(r"(?!\s*(?:\*|//|/\*)).*\b(?:class|interface|enum|record)\s+\w")
DECLARED = re.compile(r'^\.finding\s+\w+\(\s*rule="([^"]+)"', re.MULTILINE)


@dataclass(frozen=True)
class Comment:
    """A comment that suppresses findings of a rule, `*` for all, "" if it names none; `alone`: whether nothing stands
    before it in its line."""

    line: int
    column: int
    rule: str
    reason: str
    alone: bool


@dataclass(frozen=True)
class Remarks:
    """The comments of a file in order, its declarations with the rules that annotations of them suppress, and the line,
    stripped, that says that a generator wrote it, "" if there is none."""

    comments: tuple[Comment, ...] = ()
    annotations: Mapping[str, frozenset[str]] = field(default_factory=dict)
    generated: str = ""

    def stored(self) -> list[Any]:
        """The remarks as values for JSON."""
        comments = [[c.line, c.column, c.rule, c.reason, c.alone] for c in self.comments]
        annotations = {declaration: sorted(rules) for declaration, rules in self.annotations.items()}
        return [comments, annotations, self.generated]

    @staticmethod
    def of_stored(comments: Sequence[Any], annotations: Mapping[str, Sequence[str]], generated: str) -> Remarks:
        """The remarks that `stored` returned."""
        return Remarks(
            tuple(Comment(*comment) for comment in comments),
            {declaration: frozenset(rules) for declaration, rules in annotations.items()},
            generated,
        )


def comments_of(lines: Sequence[str]) -> tuple[Comment, ...]:
    """The comments in a file with these lines; one that names several rules is one of each."""
    found = []
    for number, line in enumerate(lines, start=1):
        match = COMMENT.search(line) if "ladder:" in line else None
        if match is not None:
            alone = not line[: match.start()].strip()
            reason = COMMENT_END.split(match["reason"], maxsplit=1)[0].strip()
            for rule in match["rules"].split(","):
                found.append(Comment(number, match.start() + 1, rule.strip(), reason, alone))
    return tuple(found)


def generated_line(lines: Sequence[str]) -> str:
    """The line, before the first declaration of a type, that says that a generator wrote the file, "" if none does: a
    comment in front of the package and the imports, or what stands at the declaration."""
    header = True
    for line in lines:
        header = header and PACKAGE.match(line) is None
        text = line.strip()
        if GENERATED.search(text.lstrip("/* ")) or (header and GENERATED_HEADER.search(text)):
            return text.strip("/* ")
        if DECLARATION.match(line):
            return ""
    return ""


@cache
def shipped_rules() -> frozenset[str]:
    """The rules of the analyses that come with Ladder, as their programs declare them."""
    programs = Path(ladder.analyses.__file__).parent.glob("*.dl")
    return frozenset(name for program in programs for name in DECLARED.findall(program.read_text(encoding="utf-8")))


def annotations_of(facts: Facts, files: Files, paths: Iterable[str]) -> dict[str, dict[str, frozenset[str]]]:
    """By path, the declarations of files with the rules that annotations of them suppress, as far as there are any."""
    reader: Suppressions | None = getattr(facts.front_end, "suppressions", None)
    blobs = [files.active[path] for path in paths if path in files.active]
    if reader is None or not blobs:
        return {}
    tables = facts.reading(lambda: facts.tables.read(blobs, list(reader.relations)), [files])
    rules = reader.of({name: list(zip(*(c.to_pylist() for c in t.columns), strict=True)) for name, t in tables.items()})
    owners = Owners(files, facts.front_end.display)
    found: dict[str, dict[str, frozenset[str]]] = {}
    for declaration, suppressed in rules.items():
        found.setdefault(owners.path(declaration) or "", {})[declaration] = suppressed
    return found
