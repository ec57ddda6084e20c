"""Programs that are damaged, and what must be true of everything that is told about them."""

from __future__ import annotations

import random
import re
from pathlib import Path

import ladder.analyses
from ladder.language.compile import compile_program
from ladder.language.errors import ProgramError

from ..conformance.cases import HERE as CASES
from ..conformance.cases import text_of

TESTS = Path(__file__).parents[1]
LIBRARY = Path(ladder.analyses.__file__).parent
PROGRAMS = sorted(TESTS.rglob("*.dl"))
LARGE = sorted(LIBRARY.rglob("*.dl"))
PAGE = TESTS.parent / "docs/language.md"
EXAMPLES = re.findall(r"^```datalog.*\n((?:.*\n)*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE)
TOKEN = re.compile(r'"[^"\n]*"|\s+|[.@$#]?\w+|:-|[<>!]=|.', re.DOTALL)
STRANGE = (
    "\0",
    "\ufeff",
    "é",
    "𝔘",
    "\u2028",
    "\r",
    "\x0b",
    "\x85",
    "\u202e",
    '"',
    "\\",
    "/*",
    "*/",
    "//",
    "#",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ".",
    ",",
    ";",
    ":",
    ":-",
    "!",
    "_",
    "$",
    "@",
    "|",
    "=",
    "<=",
    "nil",
    "as",
    "count",
    "sum",
    "max",
    "mean",
    "range",
    ".decl",
    ".type",
    ".comp",
    ".init",
    ".lattice",
    ".functor",
    ".plan",
    ".include",
    ".override",
    ".use",
    ".once",
    "#define",
    "#include",
    "#if",
    "#ifdef",
    "#endif",
    "#else",
    "99999999999999999999",
    "1e5",
    "0x",
    "-",
    "^",
    "1.5",
    "3u",
    '"',
    "'",
)


def source_of(path: Path) -> str:
    """The program of a file, without what a conformance case expects of it: to damage a comment finds nothing."""
    return text_of(path.stem) if path.parent == CASES else path.read_text("utf-8")


def damaged(text: str, source: random.Random) -> str:
    """A text of which a few tokens are left out, doubled, exchanged, replaced or made strange, or that is cut."""
    tokens = TOKEN.findall(text) or [" "]
    for _ in range(source.choice((1, 1, 2, 4, 8))):
        here, there = source.randrange(len(tokens)), source.randrange(len(tokens))
        match source.randrange(8):
            case 0:
                tokens[here] = " "
            case 1:
                tokens.insert(here, tokens[there])
            case 2:
                tokens[here], tokens[there] = tokens[there], tokens[here]
            case 3:
                tokens[here] = tokens[there]
            case 4:
                tokens[here] = source.choice(STRANGE)
            case 5:
                tokens.insert(here, source.choice(STRANGE))
            case 6:
                first, last = sorted((here, there))
                tokens[first:last] = tokens[first:last][: source.randrange(6)]
            case 7:
                word = tokens[here]
                tokens[here] = word[: source.randrange(len(word) + 1)]
        tokens = tokens or [" "]
    return "".join(tokens[: source.randrange(len(tokens) + 1)] if source.random() < 0.1 else tokens)


def check(text: str, file: str = "<text>", directory: Path | None = None) -> None:
    """Compiles it: anything but acceptance and located errors fails."""
    try:
        compile_program(text, file, directory)
    except ProgramError as refused:
        assert refused.errors
        for error in refused.errors:
            lines = refused.sources[error.place.file].split("\n")
            assert 1 <= error.place.line <= len(lines), error
            assert 1 <= error.place.column <= len(lines[error.place.line - 1]) + 1, error
            assert error.message and "\n" not in error.message
        assert refused.render() and refused.to_json()
