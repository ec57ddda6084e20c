"""Paths and names on the command line: an empty one, as of a variable of the shell that is not set, is refused, since
it would stand for the current directory, or for an option that was left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


class NamedPath(click.Path):
    """A path, as `pathlib.Path`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(path_type=Path, **options)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path of a text; a usage error if it is empty."""
        if value == "":
            self.fail("the path is empty. Name a file or directory; . is the current directory.", param, ctx)
        return super().convert(value, param, ctx)


class Text(click.types.StringParamType):
    """A text in UTF-8, as those are that it is compared with."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text; a usage error if it is not UTF-8."""
        text: str = super().convert(value, param, ctx)
        if any("\ud800" <= character <= "\udfff" for character in text):
            self.fail("it is not UTF-8.", param, ctx)
        return text


class Name(click.types.StringParamType):
    """A text that is not empty."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text; a usage error if it is empty."""
        if value == "":
            self.fail("it is empty. Leave the option out, or name something.", param, ctx)
        return super().convert(value, param, ctx)
