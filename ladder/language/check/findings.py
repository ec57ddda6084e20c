"""Findings: `.finding` says that the rows of a relation are what a person should look at, under which rule, in which
words, and where.

    .finding Divides(rule="division-by-zero", message="{divisor} may be 0 here", at=operation)

What it says is checked like the rest of a program: options, columns and the relation of steps are there, no rule is
declared twice, and the page of help can be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

from ladder.language.check.environment import Environment
from ladder.language.core import LEVELS, Directive, Finding, Kind, Place, Relation
from ladder.language.errors import Errors, did_you_mean
from ladder.language.syntax import nodes as s

OPTIONS: Mapping[str, str] = {
    "rule": "the name of the rule, such as sql-injection",
    "message": "what is wrong, with columns in braces",
    "at": "the column whose id has a place, or columns of a path, a line and a column",
    "level": "error, warning or note, or a column that has one of these; a warning if it is not given",
    "title": "what the rule finds, in a few words",
    "related": "further places: column: what it is; …",
    "flow": "steps that lead to it: Steps(first, last), a relation with columns from and to, and two of these columns",
    "identity": "the columns that tell findings of the rule apart; all if it is not given",
    "tags": "tags, with commas, such as CWE-89",
    "help": "the file with a page about the rule, beside the program",
}
REQUIRED = ("rule", "message", "at")
STEPS = ("from", "to")  # the columns that a relation of steps has; `at`, of an id with a place, and `text` it may have
_RULE = re.compile(r"[A-Za-z0-9][\w./-]*")
_FLOW = re.compile(r"\s*([\w?.]+)\s*\(\s*([\w?]+)\s*,\s*([\w?]+)\s*\)\s*")
MOST_HELP = 1 << 20  # bytes of a page


def declare_findings(
    items: Iterable[s.Item], environment: Environment, folder_of: Callable[[str], Path], errors: Errors
) -> dict[str, tuple[Path, str]]:
    """Add the findings that a program declares to its environment, and what is wrong with them to the errors. Returns
    the pages of help: name → path and text.

    Their relations become outputs, unless the program says how they are written. `folder_of`: a file of the program →
    the folder that names in it are relative to.
    """
    first: dict[tuple[str, str], Place] = {}
    pages: dict[str, tuple[Path, str]] = {}
    for item in items:
        if not isinstance(item, s.DirectiveItem) or item.kind != s.FINDING:
            continue
        relation = environment.relations.get(item.relation)
        if relation is None:
            errors.add_undeclared(
                item.place,
                item.relation,
                f"the relation {item.relation} of .{s.FINDING} is not declared",
                did_you_mean(item.relation, environment.relations),
            )
            continue
        finding = _Declaration(item, relation, environment, errors, folder_of, pages).finding()
        if finding is None:
            continue
        for key in (("relation", finding.relation), ("rule", finding.rule)):
            earlier = first.setdefault(key, item.place)
            if earlier is not item.place:
                errors.add(
                    item.place,
                    f"the findings of the {key[0]} {key[1]} are declared twice",
                    f"they are already declared in {earlier}",
                )
        environment.findings.append(finding)
        if not any((d.kind, d.relation) == ("output", relation.name) for d in environment.directives):
            environment.directives.append(Directive("output", relation.name, {}, item.place))
    return pages


@dataclass
class _Declaration:
    """One `.finding`, while it is read."""

    item: s.DirectiveItem
    relation: Relation
    environment: Environment
    errors: Errors
    folder_of: Callable[[str], Path]
    pages: dict[str, tuple[Path, str]]

    def __post_init__(self) -> None:
        places = self.item.places or (self.item.place,) * len(self.item.parameters)
        self.given = {key: value for key, value in self.item.parameters}
        self.places = dict(zip((key for key, _ in self.item.parameters), places, strict=True))
        self.columns = {column.name: column.type for column in self.relation.columns}

    def finding(self) -> Finding | None:
        """What is declared; None if it has errors."""
        before = self.errors.noted
        for key in self.given.keys() - OPTIONS.keys():
            known = did_you_mean(key, OPTIONS) or f"it has {', '.join(OPTIONS)}"
            self._wrong(key, f".{s.FINDING} has no option {key}", known)
        for key in REQUIRED:
            if not self.given.get(key, "").strip():
                self._wrong(key, f".{s.FINDING} {self.item.relation} has no {key}", f"{key} is {OPTIONS[key]}")
        found = Finding(
            self.item.relation,
            self._rule(),
            self._level(),
            self.given.get("title", ""),
            self._message(),
            self._at(),
            self._related(),
            self._flow(),
            self._columns_of("identity"),
            tuple(_listed(self.given.get("tags", ""))),
            self._help(),
            self.item.place,
        )
        return found if self.errors.noted == before else None

    def _wrong(self, key: str, message: str, hint: str | None = None) -> None:
        self.errors.add(self.places.get(key, self.item.place), message, hint)

    def _rule(self) -> str:
        rule = self.given.get("rule", "")
        if rule and not _RULE.fullmatch(rule):
            self._wrong(
                "rule",
                f"{rule!r} cannot be the name of a rule",
                "names have letters, digits and the characters . _ / -",
            )
        return rule

    def _level(self) -> str:
        level = self.given.get("level", "warning")
        if level in self.columns and self.columns[level].kind is not Kind.SYMBOL:
            self._wrong("level", f"the column {level} holds no symbols", f"level is {OPTIONS['level']}")
        elif level not in LEVELS and level not in self.columns:
            self._wrong("level", f"there is no level {level}", f"levels are {', '.join(LEVELS)}")
        return level

    def _message(self) -> tuple[str | tuple[str], ...]:
        """Texts and columns, in order."""
        parts: list[str | tuple[str]] = []
        text = self.given.get("message", "")
        try:
            pieces = list(Formatter().parse(text))
        except ValueError:
            self._wrong("message", "the braces of the message do not match", "write {{ and }} for braces in the text")
            return ()
        for literal, column, form, conversion in pieces:
            if literal:
                parts.append(literal)
            if column is None:
                continue
            if form or conversion:
                self._wrong("message", f"{{{column}}} in the message has a form", f"write {{{column}}} alone")
            elif self._known("message", column):
                parts.append((column,))
        return tuple(parts)

    def _at(self) -> tuple[str, ...]:
        names = self._columns_of("at")
        if len(names) > 3:
            self._wrong("at", "a place has a path, a line and a column at most", f"at is {OPTIONS['at']}")
        wanted = (Kind.SYMBOL, Kind.NUMBER, Kind.NUMBER)
        for name, kind in zip(names, wanted, strict=False):
            if name in self.columns and self.columns[name].kind is not kind:
                self._wrong("at", f"the column {name} holds no {kind.value}s", f"at is {OPTIONS['at']}")
        return names

    def _related(self) -> tuple[tuple[str, str], ...]:
        found = []
        for part in filter(None, map(str.strip, self.given.get("related", "").split(";"))):
            column, _, text = (side.strip() for side in part.partition(":"))
            if self._known("related", column):
                if self.columns[column].kind is not Kind.SYMBOL:
                    self._wrong(
                        "related", f"the column {column} holds no symbols", "related columns hold ids with places"
                    )
                found.append((column, text or column))
        return tuple(found)

    def _flow(self) -> tuple[str, str, str] | None:
        if not (text := self.given.get("flow", "")):
            return None
        match = _FLOW.fullmatch(text)
        if match is None:
            self._wrong("flow", f"{text!r} is no flow", f"flow is {OPTIONS['flow']}")
            return None
        name, first, last = match.groups()
        for column in (first, last):
            self._known("flow", column)
        steps = self.environment.relations.get(name)
        if steps is None:
            hint = did_you_mean(name, self.environment.relations)
            self._wrong("flow", f"the relation {name} of flow is not declared", hint)
        elif missing := [column for column in STEPS if column not in (c.name for c in steps.columns)]:
            self._wrong("flow", f"the relation {name} has no column {missing[0]}", f"flow is {OPTIONS['flow']}")
        return name, first, last

    def _columns_of(self, key: str) -> tuple[str, ...]:
        names = tuple(_listed(self.given.get(key, "")))
        for name in names:
            self._known(key, name)
        return names

    def _known(self, key: str, column: str) -> bool:
        """Whether the relation has a column; an error is added if not."""
        if column in self.columns:
            return True
        hint = did_you_mean(column, self.columns) or f"it has {', '.join(self.columns)}"
        self._wrong(key, f"the relation {self.relation.name} has no column {column}", hint)
        return False

    def _help(self) -> str:
        """The text of the page of help."""
        if not (name := self.given.get("help", "")):
            return ""
        file = self.item.place.file
        path = self.folder_of(file) / name
        try:
            with path.open("rb") as opened:
                text = opened.read(MOST_HELP + 1).decode()
        except (OSError, UnicodeDecodeError) as problem:
            reason = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
            self._wrong("help", f"cannot read {name}: {reason}", "the path is relative to the file that names it")
            return ""
        if len(text) > MOST_HELP:
            self._wrong("help", f"{name} has more than {MOST_HELP:,} bytes", "a page of help is shorter")
            return ""
        self.pages[f"{file}: {name}"] = path, text
        return text


def _listed(text: str) -> Iterable[str]:
    """The parts of a text that are separated by commas."""
    return filter(None, map(str.strip, text.split(",")))
