"""Regular expressions of Java whose time doubles with each character of some text: a functor of `taint_patterns.dl`.

A pattern becomes a position automaton (Glushkov) with as many edges between two positions as there are ways between
them. It is exponentially ambiguous if two different ways lead from a position back to it by the same text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

MOST_POSITIONS = 120
MOST_EDGES = 1000
MOST_PARTS = 2000
LONGEST = 10_000  # signs of a pattern
SIGNS = 1 << 16
NEWLINES = sum(1 << ord(sign) for sign in "\n\r\x85\u2028\u2029")
OTHER = 1 << SIGNS  # every sign that is none of the first
END = 1 << (SIGNS + 1)  # the end of the text
ANY = (1 << (SIGNS + 1)) - 1
UNESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "s": " "}
LITERAL_ESCAPE = re.compile(r"\\(?:u+([0-9a-fA-F]{4})|([0-7]{1,3})|(.))", re.DOTALL)
COUNT = re.compile(r"\{([0-9]{1,10})(,([0-9]{0,10}))?\}")
MOST_COPIES = 3


class NotFollowed(Exception):
    """The pattern has something that is not followed, or is none."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One sign out of a set."""

    set: int


@dataclass(frozen=True, slots=True)
class Sequence:
    """One part after the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part several times, at most `most` (None: as often as wanted)."""

    part: Node
    least: int
    most: int | None
    is_remembered: bool  # Java 9 and later try each place of the text once


Node: TypeAlias = Sign | Sequence | Choice | Repeat


def slowness(literal: str, whole: int) -> int:
    """How slow a pattern, as a literal writes it, may be: 2 if its time doubles with each character of some text, 1 if
    it does so before Java 9, 0 if neither is known; `whole` is 1 if it has to match the whole text."""
    try:
        reader = Reader(unescaped(literal[1:-1]))
        pattern = reader.pattern()
        if not is_exponential(pattern, whole):
            return 0
        return 2 if reader.refers_back or is_exponential(opened(pattern), whole) else 1
    except (NotFollowed, RecursionError):
        return 0


def unescaped(text: str) -> str:
    """What the inside of a string literal means."""

    def meant(escape: re.Match[str]) -> str:
        code, octal, sign = escape.groups()
        return chr(int(code, 16)) if code else chr(int(octal, 8)) if octal else UNESCAPED.get(sign, sign)

    return LITERAL_ESCAPE.sub(meant, text)


def opened(node: Node) -> Node:
    """The pattern without the outermost loops that Java remembers places of: what is slow in it, is slow with them."""
    match node:
        case Sign():
            return node
        case Sequence(parts):
            return Sequence(tuple(map(opened, parts)))
        case Choice(parts):
            return Choice(tuple(map(opened, parts)))
        case Repeat(part, least, most, is_remembered):
            return part if is_remembered else Repeat(part, least, most, False)


@dataclass(slots=True)
class Reader:
    """Reads a pattern."""

    text: str
    at: int = 0
    dot: int = ANY & ~NEWLINES
    refers_back: bool = False

    def pattern(self) -> Node:
        """All of the text."""
        if len(self.text) > LONGEST:
            raise NotFollowed
        node = self.choice()
        if self.at < len(self.text):
            raise NotFollowed
        return node

    def choice(self) -> Node:
        """Parts between `|`."""
        parts = [self.sequence()]
        while self.takes("|"):
            parts.append(self.sequence())
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def sequence(self) -> Node:
        """Parts up to `|` or a bracket that closes."""
        parts = list[Node]()
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            parts.append(self.repeated())
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def repeated(self) -> Node:
        """A part and what says how often it comes."""
        is_group = self.text[self.at] == "("
        node = self.part()
        while (count := self.count()) is not None:
            if self.takes("+"):
                raise NotFollowed  # possessive: what it took it keeps
            is_lazy = self.takes("?")
            node = Repeat(node, *count, is_group and not is_lazy and count[1] is None)
            is_group = False
        return node

    def count(self) -> tuple[int, int | None] | None:
        """How often the part before comes, if that is said."""
        for sign, least, most in (("*", 0, None), ("+", 1, None), ("?", 0, 1)):
            if self.takes(sign):
                return least, most
        if (said := COUNT.match(self.text, self.at)) is None:
            return None
        self.at = said.end()
        least = int(said[1])
        if said[2] is None:
            return _few(least, least)
        return _few(least, int(said[3]) if said[3] else None)

    def part(self) -> Node:
        """A sign, a set of them, or a group."""
        sign = self.next()
        if sign == "(":
            return self.group()
        if sign == "[":
            return Sign(self.set())
        if sign == "\\":
            return self.escape()
        if sign == "^":
            return Sequence(())
        if sign == "$":
            return Sign(END)
        if sign in "*+?{":
            raise NotFollowed  # Java refuses these where they repeat nothing
        return Sign(self.dot if sign == "." else one(sign))

    def group(self) -> Node:
        """A group behind its bracket."""
        looks = False
        if self.takes("?"):
            if named := re.compile(r"<[a-zA-Z]\w*>|:").match(self.text, self.at):
                self.at = named.end()
            elif look := re.compile(r"<?[=!]").match(self.text, self.at):
                self.at, looks = look.end(), True
            else:
                return self.flags()
        node = self.choice()
        if not self.takes(")"):
            raise NotFollowed
        return Sequence(()) if looks else node

    def flags(self) -> Node:
        """Flags such as `(?i)`."""
        flags = re.compile(r"([imsu]+)\)").match(self.text, self.at)
        if flags is None:
            raise NotFollowed
        self.at = flags.end()
        if "s" in flags[1]:
            self.dot = ANY
        return Sequence(())

    def escape(self) -> Node:
        """What is behind a backslash."""
        sign = self.next()
        if sign in "bBGA":
            return Sequence(())
        if sign in "zZ":
            return Sign(END)
        if sign == "Q":
            end = self.text.find("\\E", self.at)
            end = len(self.text) if end < 0 else end
            quoted, self.at = self.text[self.at : end], end + 2
            return Sequence(tuple(Sign(one(each)) for each in quoted))
        if sign in "123456789k":
            self.refers_back = True
            if sign == "k" and (named := re.compile(r"<\w+>").match(self.text, self.at)):
                self.at = named.end()
            return Sequence(())
        return Sign(self.escaped(sign))

    def escaped(self, sign: str) -> int:
        """The set that an escape means."""
        if sign in CLASSES:
            return CLASSES[sign]
        if sign in "pP":
            return self.property(sign == "P")
        if sign in "xu":
            length = 2 if sign == "x" else 4
            code, self.at = self.text[self.at : self.at + length], self.at + length
            return one(chr(int(code, 16))) if re.fullmatch(r"[0-9a-fA-F]+", code) else _refuse()
        if sign.isalnum():
            return one(UNESCAPED[sign]) if sign in "ntrf" else _refuse()
        return one(sign)

    def property(self, is_other: bool) -> int:
        """The set of a class such as `\\p{L}`, as far as its signs are among the first."""
        said = re.compile(r"\{(?:Is)?(\w+)\}|(\w)").match(self.text, self.at)
        if said is None or (name := said[1] or said[2]) not in PROPERTIES:
            raise NotFollowed
        self.at = said.end()
        return ANY & ~PROPERTIES[name] if is_other else PROPERTIES[name]

    def set(self) -> int:
        """A set of signs behind its bracket."""
        is_other, found = self.takes("^"), 0
        is_first = True
        while is_first or not self.takes("]"):
            is_first = False
            if self.text.startswith("&&", self.at):
                raise NotFollowed
            sign = self.next()
            if sign == "[":
                found |= self.set()
                continue
            low = self.escaped(self.next()) if sign == "\\" else one(sign)
            found |= low if not self.is_range() else self.range(low)
        return ANY & ~found if is_other else found

    def is_range(self) -> bool:
        """Whether a range goes on here: `-z`."""
        return self.text.startswith("-", self.at) and self.text[self.at + 1 : self.at + 2] not in ("]", "[", "")

    def range(self, low: int) -> int:
        """The signs up to the one behind the dash."""
        self.at += 1
        sign = self.next()
        high = self.escaped(self.next()) if sign == "\\" else one(sign)
        return (high << 1) - low if low & (low - 1) == 0 and low <= high else low | high

    def takes(self, sign: str) -> bool:
        """Whether the sign comes next; then it is read."""
        is_next = self.text.startswith(sign, self.at)
        self.at += is_next
        return is_next

    def next(self) -> str:
        """The next sign."""
        if self.at >= len(self.text):
            raise NotFollowed
        self.at += 1
        return self.text[self.at - 1]


def _refuse() -> int:
    raise NotFollowed


def _few(least: int, most: int | None) -> tuple[int, int | None]:
    """The same count with few copies of the part: more have no other loops."""
    copies = min(least, MOST_COPIES)
    return copies, None if most is None else copies + min(most - least, MOST_COPIES)


def one(sign: str) -> int:
    """The set of the sign."""
    return 1 << ord(sign) if ord(sign) < SIGNS else OTHER


def _all(signs: str) -> int:
    return sum(1 << ord(sign) for sign in set(signs))


LOWER, UPPER, DIGIT = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
SPACE = " \t\n\x0b\f\r"
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
CLASSES = {"d": _all(DIGIT), "w": _all(LOWER + UPPER + DIGIT + "_"), "s": _all(SPACE), "h": _all(" \t\xa0")}
CLASSES |= {name.upper(): ANY & ~signs for name, signs in CLASSES.items()}
PROPERTIES = {
    **dict.fromkeys(("L", "Alpha", "Alphabetic"), _all(LOWER + UPPER)),
    **dict.fromkeys(("Lu", "Upper"), _all(UPPER)),
    **dict.fromkeys(("Ll", "Lower"), _all(LOWER)),
    **dict.fromkeys(("N", "Nd", "Digit"), _all(DIGIT)),
    **dict.fromkeys(("P", "Punct"), _all(PUNCTUATION)),
    "Alnum": _all(LOWER + UPPER + DIGIT),
    "XDigit": _all(DIGIT + "abcdefABCDEF"),
    "Space": _all(SPACE),
    "Blank": _all(" \t"),
}


@dataclass(slots=True)
class Automaton:
    """Positions, the signs that lead to each, and how many ways lead from one to the next."""

    sets: list[int] = field(default_factory=list)
    edges: Counter[tuple[int, int]] = field(default_factory=Counter)
    added: int = 0

    def add(self, node: Node) -> Part:
        """The positions of the node, with the edges inside of it."""
        self.added += 1
        if self.added > MOST_PARTS:
            raise NotFollowed
        match node:
            case Sign(signs):
                if len(self.sets) == MOST_POSITIONS:
                    raise NotFollowed
                self.sets.append(signs)
                here = Counter({len(self.sets) - 1: 1})
                return Part(here, here.copy(), False)
            case Sequence(parts):
                return self.joined(map(self.add, parts))
            case Choice(parts):
                return _either([self.add(part) for part in parts])
            case Repeat(part, least, most, _):
                return self.times(part, least, most)

    def joined(self, parts: Iterator[Part]) -> Part:
        """One part after the other."""
        whole = Part(Counter(), Counter(), True)
        for part in parts:
            self.connect(whole, part)
            first = whole.first + part.first if whole.is_optional else whole.first
            last = whole.last + part.last if part.is_optional else part.last
            whole = Part(first, last, whole.is_optional and part.is_optional)
        return whole

    def times(self, node: Node, least: int, most: int | None) -> Part:
        """A part several times."""
        parts = [self.add(node) for _ in range(max(least, 1) if most is None else most)]
        if most is None:
            self.connect(parts[-1], parts[-1])
            parts[-1].is_optional |= least == 0
            return self.joined(iter(parts))
        rest = Part(Counter(), Counter(), True)
        for part in reversed(parts[least:]):
            rest = self.joined(iter((part, rest)))
            rest.is_optional = True
        return self.joined(iter((*parts[:least], rest)))

    def connect(self, before: Part, behind: Part) -> None:
        """Edges from where the one ends to where the other begins."""
        for source, ways in before.last.items():
            for target, others in behind.first.items():
                self.edges[source, target] += ways * others


@dataclass(slots=True)
class Part:
    """Where a part of the pattern begins and ends, and whether it may be empty."""

    first: Counter[int]
    last: Counter[int]
    is_optional: bool


def _either(parts: list[Part]) -> Part:
    first, last = Counter[int](), Counter[int]()
    for part in parts:
        first += part.first
        last += part.last
    return Part(first, last, any(part.is_optional for part in parts))


def is_exponential(pattern: Node, whole: int) -> bool:
    """Whether some text leads on two ways from a position back to it, and matching may fail behind it."""
    automaton = Automaton()
    part = automaton.add(pattern)
    if len(automaton.edges) > MOST_EDGES:
        raise NotFollowed
    following: dict[int, list[int]] = {position: [] for position in range(len(automaton.sets))}
    for source, target in automaton.edges:
        following[source].append(target)
    # Where a part of the text is enough, a way is tried no further once it has come to where the pattern may end.
    kept = [position for position in following if whole or position not in part.last]
    inside = {position: [target for target in following[position] if target in kept] for position in kept}
    return any(may_fail(automaton.sets, part, following, position, whole) for position in ambiguous(automaton, inside))


def may_fail(sets: list[int], part: Part, following: dict[int, list[int]], position: int, whole: int) -> bool:
    """Whether the text may fail to match behind a position, which makes all ways to it be tried: not each sign leads to
    where it may end."""
    found = 0
    for target in following[position]:
        if (whole and target in part.last) or any(sets[end] == END for end in following[target] if end in part.last):
            found |= sets[target]
    return found & ANY != ANY


def ambiguous(automaton: Automaton, following: dict[int, list[int]]) -> Iterator[int]:
    """The positions from which two ways lead back by the same text: on a circle of pairs of positions that one text
    leads to, from the pair of twice this position, some pair is of two, or there are two edges."""
    sets, edges = automaton.sets, automaton.edges
    before: dict[int, list[int]] = {position: [] for position in following}
    for source, targets in following.items():
        for target in targets:
            before[target].append(source)
    done = set[int]()
    for position in following:
        start = position, position
        if position in done or start not in (behind := _reached(start, following, sets)):
            continue
        circle = behind & _reached(start, before, sets)
        on_circle = {left for left, right in circle if left == right}
        done |= on_circle
        if any(left != right for left, right in circle) or any(
            edges[left, target] > 1 for left in on_circle for target in following[left] if target in on_circle
        ):
            yield from on_circle


def _reached(start: tuple[int, int], steps: dict[int, list[int]], sets: list[int]) -> set[tuple[int, int]]:
    """The pairs that one text leads to from the pair, in one step or more."""
    reached, ahead = set[tuple[int, int]](), [start]
    while ahead:
        left, right = ahead.pop()
        for pair in product(steps[left], steps[right]):
            if pair not in reached and sets[pair[0]] & sets[pair[1]]:
                reached.add(pair)
                ahead.append(pair)
    return reached
