"""The option --context of every command that analyses a project or looks at a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])
USUAL = "selective for taint and dead, ci for others"
WHICH = "The result of the run that had this --context."


def context_option(help_text: str = WHICH) -> Callable[[Command], Command]:
    """A decorator that adds the option to a command, which gets "" where it is left out."""
    return click.option("--context", default="", metavar="NAME", show_default=USUAL, help=help_text)
