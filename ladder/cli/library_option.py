"""The option --library of every command that analyses a project or looks at a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])
WHICH = "The result of the run that had this --library."


def _library(_context: click.Context, _parameter: click.Parameter, text: str) -> Any:
    from ladder.session.library import library_of

    return library_of(text)


def library_option(help_text: str = WHICH) -> Callable[[Command], Command]:
    """A decorator that adds the option to a command, which gets a `LibraryChoice`."""
    return click.option(
        "--library",
        default="models",
        show_default=True,
        metavar="models|bodies[=PREFIX,…]",
        callback=_library,
        help=help_text,
    )
