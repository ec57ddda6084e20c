"""Single tokens of Java files deleted or inserted, and whether the facts of what is still read are those of the intact
file: `python -m tests.java_parser.mutations FOLDER… [--number 300] [--seed 0]` measures both.

A fact of a mutated file is wrong if the intact file does not have it and it is not about the member that holds the
mutated token, or, for a token between members, about those beside it. All initialisers of a type are one member, since
they are one method; that code is left out is said of any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import click

from ladder.frontends.java import tree
from ladder.frontends.java.facts import facts_of
from ladder.frontends.java.lexer import JavaLexer, SourceText
from ladder.frontends.java.parse import deep_recursion, parse_javalang
from ladder.frontends.protocol import FileFacts, Row

INSERTED = ("{", "}", "(", ")", ";", ",", "=", "class", "static", "x", "1", "@", '"', "->", "if", "new", "<", "#")
Fact = tuple[str, Row]


@dataclass(frozen=True)
class Outcome:
    """A broken file: how many facts the intact file has, how many of these it still has, and which it has besides."""

    mutation: str
    facts: int
    kept: int
    wrong: tuple[Fact, ...]
    read: bool


class Intact:
    """A file as it is, with its facts."""

    def __init__(self, text: str) -> None:
        self.text = text
        source = SourceText(text)
        self.tokens = JavaLexer(source).tokenize()
        with deep_recursion():
            self.unit = parse_javalang(source)
        self.facts = set(_facts(facts_of(text.encode())))
        self.starts = source.line_starts

    def mutants(self, random: Random) -> Iterator[tuple[str, str, tree.Position]]:
        """Yield what was done, the text and the place, for ever; a deleted token leaves blanks."""
        while True:
            i = random.randrange(len(self.tokens.values) - 1)
            place = self.tokens.starts[i]
            at, end = self._offset(place), self._offset(self.tokens.ends[i])
            if random.random() < 0.5:
                yield f"{self.tokens.values[i]!r} deleted", self.text[:at] + " " * (end - at) + self.text[end:], place
            else:
                word = random.choice(INSERTED)
                yield f"{word!r} inserted", f"{self.text[:at]}{word} {self.text[at:]}", place

    def _offset(self, place: tree.Position) -> int:
        return int(self.starts[place[0] - 1]) + place[1] - 1

    def outcome(self, mutation: str, text: str, place: tree.Position) -> Outcome | None:
        """What is read of a mutant; None if it has no syntax error."""
        found = facts_of(text.encode())
        if found.parser in ("javalang", "tree-sitter") or any(kind == "lowering" for *_, kind, _ in found.diagnostics):
            return None
        assert any(kind == "syntax" for *_, kind, _ in found.diagnostics), (mutation, place, found.diagnostics)
        facts = set(_facts(found))
        about = About(self, place, facts)
        wrong = tuple(sorted(fact for fact in facts - self.facts if not about.concerns(fact)))
        name = f"{mutation} at {place[0]}:{place[1]}"
        return Outcome(name, len(self.facts), len(facts & self.facts), wrong, found.parser != "none")


class About:
    """The ids of what a mutation at a place concerns."""

    def __init__(self, intact: Intact, place: tree.Position, facts: set[Fact]) -> None:
        self.line = place[0]
        spans = list(_concerned(intact.unit.types, place))
        self.ids = {
            str(row[0])
            for name, row in [*intact.facts, *(fact for fact in facts if fact[1][1:2] == (self.line,))]
            if name == "Position" and any(start <= row[1:] <= end for start, end in spans)
        }

    def concerns(self, fact: Fact) -> bool:
        """Return whether a fact is about what the mutation concerns; where types are first used does not count."""
        name, row = fact
        if name == "Method_LeftOut":
            return True
        if name == "Position" and ("/type " in str(row[0]) or "/name " in str(row[0]) or row[1] == self.line):
            return True
        return any(isinstance(value, str) and self._concerned(value) for value in row)

    def _concerned(self, value: str) -> bool:
        if any(value.endswith(end) or f"{end}/" in value for end in (".<clinit>()", ".<init-block>()")):
            return True
        while value:
            if value in self.ids:
                return True
            value = value.rpartition("/")[0]
        return False


def _concerned(members: Iterable[tree.Node], place: tree.Position) -> Iterator[tuple[tree.Position, tree.Position]]:
    """Yield the spans of the members that hold a place, or are beside it."""
    members = list(members)
    inside = [member for member in members if member.position <= place <= member.end]
    beside = [member for member in members if member.end < place][-1:] + [m for m in members if place < m.position][:1]
    for member in inside or beside:
        if not isinstance(member, tree.TypeDeclaration):
            yield member.position, member.end
        elif member in inside:
            constants = getattr(member, "constants", ())
            first = min((part.position for part in [*member.members, *constants]), default=member.end)
            if place < first:
                yield member.position, member.end
            else:
                yield from _concerned([*constants, *member.members], place)


def _facts(found: FileFacts) -> Iterator[Fact]:
    for name, rows in found.relations.items():
        for row in rows:
            yield name, row


def outcomes(paths: Iterable[Path], number: int, random: Random) -> Iterator[tuple[Path, Outcome]]:
    """Yield the outcomes of `number` broken files, each made of one of the files at random."""
    paths = sorted(paths)
    while number:
        path = random.choice(paths)
        text = path.read_text(errors="replace")
        if facts_of(text.encode()).parser != "javalang":
            continue
        intact = Intact(text)
        outcome = next(filter(None, (intact.outcome(*mutant) for mutant in intact.mutants(random))))
        number -= 1
        yield path, outcome


@click.command()
@click.argument("folders", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--number", default=300)
@click.option("--seed", default=0)
def main(folders: tuple[Path, ...], number: int, seed: int) -> None:
    """Print wrong facts and how many facts are kept."""
    paths = [path for folder in folders for path in folder.rglob("*.java") if path.stat().st_size < 200_000]
    found = []
    for path, outcome in outcomes(paths, number, Random(seed)):
        found.append(outcome)
        if outcome.wrong:
            click.echo(f"{path}: {outcome.mutation}: {len(outcome.wrong)} wrong, such as {outcome.wrong[0]}")
    shares = sorted(outcome.kept / outcome.facts for outcome in found if outcome.facts)
    kept, facts = sum(outcome.kept for outcome in found), sum(outcome.facts for outcome in found)
    click.echo(
        f"{len(found)} files: {kept / facts:.1%} of {facts:,} facts kept, median {shares[len(shares) // 2]:.1%}, "
        f"lowest tenth {shares[len(shares) // 10]:.1%}; {sum(not outcome.read for outcome in found)} refused, "
        f"{sum(bool(outcome.wrong) for outcome in found)} with wrong facts"
    )


if __name__ == "__main__":
    main()
