"""The C preprocessor: macros, conditions and textual inclusion, with the original places of the resulting text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

from pcpp import Action, OutputDirective, Preprocessor

from ladder.language.core import Place
from ladder.language.errors import Errors
from ladder.language.options import Options, own_file
from ladder.language.syntax.origins import Origins

Locate = Callable[[str, bool, Path], Path | None]  # what is included, whether by <…>, where → file
_MOST_NESTED = 100
# The library takes these for ends of lines, too; it sees other characters in their place.
_HIDDEN = {ord(end): 0x10FF00 + number for number, end in enumerate("\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")}
_SHOWN = {hidden: end for end, hidden in _HIDDEN.items()}


@dataclass
class Preprocessed:
    """The result of the preprocessor: its `text`; `texts`, `paths`: the included files, as in `Sources`."""

    text: str
    origins: Origins
    texts: dict[str, str] = field(default_factory=dict)
    paths: dict[str, Path] = field(default_factory=dict)


def preprocess(text: str, file: str, directory: Path, options: Options, locate: Locate, errors: Errors) -> Preprocessed:
    """Run the preprocessor over a text; errors in its directives are added to `errors`."""
    return _Run(file, directory, options, locate, errors).run(text)


class _Run(Preprocessor):  # type: ignore[misc]
    """A run of the library's preprocessor; `shown`: the library's names of files → those in messages."""

    def __init__(self, file: str, directory: Path, options: Options, locate: Locate, errors: Errors) -> None:
        super().__init__()
        self.line_directive = None
        self.rewrite_paths: list[Any] = []
        self.expand_filemacro = False
        self.result = Preprocessed("", Origins())
        self.shown: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        self.starts: dict[str, list[int]] = {}
        self.directories = [directory]
        self.current = Place(file, 1, 1)
        self.locate, self.errors = locate, errors
        self.define(f"RAM_DOMAIN_SIZE {options.domain or 32}")
        for name, value in options.macros:
            self.define(f"{name} {value}")

    def run(self, text: str) -> Preprocessed:
        lines = [""]
        last = Place(self.current.file, 1, 1)
        for token in self._tokens(text):
            source = self.shown.get(token.source, last.file)
            place = self._origin(token, source)
            exact = place is not None
            if place is None:
                place = last if (last.file, last.line) == (source, token.lineno) else Place(source, token.lineno, 1)
            for number, part in enumerate(token.value.split("\n")):
                if number:
                    lines.append("")
                    self.result.origins.new_line()
                if part:
                    self.result.origins.add(len(lines[-1]) + 1, place, exact)
                    lines[-1] += part
            last = Place(place.file, place.line, place.column + len(token.value)) if exact else place
        self.result.text = "\n".join(lines).translate(_SHOWN)
        return self.result

    def _tokens(self, text: str) -> Iterator[Any]:
        """The resulting tokens; what stops the library, such as `#if` without a condition, is reported as an error."""
        try:
            self.parse(self._enter(self.current.file, self.current.file, text), self.current.file)
            yield from iter(self.token, None)
        except RecursionError:
            self.errors.add(self.current, "the preprocessor's macros are nested too deeply")
        except Exception:  # noqa: BLE001 - the library tells malformed directives by exceptions of all kinds
            self.errors.add(self.current, "the preprocessor cannot read this line")
            self.errors.incomplete = True

    def _enter(self, source: str, shown: str, text: str) -> str:
        """Register a file, which the library knows by its absolute path. Returns its text as the library counts
        positions in it."""
        text = "\n".join(line.rstrip() for line in text.translate(_HIDDEN).split("\n"))
        absolute = str(Path(source).absolute())
        self.shown[source] = self.shown[absolute] = shown
        self.texts[shown] = text
        self.starts[shown] = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        name = shown.replace("\\", "/").replace('"', "'")
        self.define(f'__FILE__ "{name}"')
        return text

    def _origin(self, token: Any, shown: str) -> Place | None:
        """The place of a token in its file; None for one that a macro made."""
        starts, text = self.starts[shown], self.texts[shown]
        line = bisect_right(starts, token.lexpos)
        if line == token.lineno and text.startswith(token.value, token.lexpos):
            return Place(shown, line, token.lexpos - starts[line - 1] + 1)
        return None

    def include(self, tokens: list[Any], original_line: list[Any]) -> Iterator[Any]:
        """The tokens of a file that `#include` names."""
        written = "".join(token.value for token in tokens).strip()
        match = re.fullmatch(r'"([^"]*)"|<([^>]*)>', written)
        if match is None:
            self.errors.add(self.current, f"#include {written} names no file", 'write #include "file"')
            return
        name = match.group(1) or match.group(2) or ""
        library = match.group(1) is None
        path = self.locate(name, library, self.directories[-1])
        if path is not None and str(path.resolve()) in self.include_once:
            return
        text = None if path is None else self._read(name, path)
        if text is None or path is None or len(self.directories) > _MOST_NESTED:
            self.errors.add(self.current, f"cannot read {name}" if text is None else f"{name} is included without end")
            self.errors.incomplete = True
            return
        shown = f"<{name}>" if library else own_file(str(Path(self.current.file).parent / name))
        self.result.texts[shown], self.result.paths[shown] = text, path
        absolute, file = str(path.resolve()), self.current.file
        self.directories.append(path.parent)
        yield from self.parsegen(self._enter(absolute, shown, text), absolute, absolute)
        self.directories.pop()
        self.current = Place(file, self.current.line, 1)

    def _read(self, name: str, path: Path) -> str | None:
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def on_error(self, file: str, line: int, message: str) -> None:
        words = message.split()
        known = {
            "Unterminated": f"{words[1]} without its #endif" if len(words) > 1 else message,
            "Misplaced": f"{words[-1]} without its #if",
            "Could": "this condition cannot be evaluated",
            "Empty": "this condition is empty",
        }
        place = Place(self.shown.get(file, self.current.file), line or self.current.line, 1)  # 0: pcpp does not know
        self.errors.add(place, known.get(words[0], f"the preprocessor says: {' '.join(words)}"))

    def on_directive_handle(self, directive: Any, tokens: Any, passed: bool, before: Any) -> bool:
        self.current = Place(self.shown.get(directive.source, self.current.file), directive.lineno, 1)
        return True

    def on_directive_unknown(self, directive: Any, tokens: list[Any], passed: bool, before: Any) -> bool:
        rest = "".join(token.value for token in tokens).strip()
        if directive.value == "error":
            self.errors.add(self.current, rest or "#error")
            self.errors.incomplete = True  # what another branch would have declared is missing
        elif not directive.value.isdigit() and directive.value not in ("line", "pragma", "ident", "warning", "!"):
            self.errors.add(
                self.current,
                f"there is no #{directive.value}",
                "the preprocessor has #define, #undef, #include, #if, #ifdef, #ifndef, #elif, #else, #endif, #error",
            )
        raise OutputDirective(Action.IgnoreAndRemove)
