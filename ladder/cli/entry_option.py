"""The option --entry of every command that analyses a project or looks at a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])
WHICH = "The result of the run that had this --entry."


def _text(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> str:
    from ladder.session.entries import entry_text

    return entry_text(texts)


def entry_option(help_text: str = WHICH) -> Callable[[Command], Command]:
    """A decorator that adds the option to a command, which gets one text for all that is given."""
    return click.option(
        "--entry",
        multiple=True,
        default=["auto"],
        show_default="auto",
        metavar="POLICY|PATTERN",
        callback=_text,
        help=help_text,
    )
