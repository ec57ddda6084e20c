"""Options about how a project is read and its results are shown: --front-end, --temporaries."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ladder.frontends.registry import FRONT_ENDS, front_end

if TYPE_CHECKING:
    from ladder.frontends.protocol import FrontEnd

Command = TypeVar("Command", bound=Callable[..., Any])


def _found(_context: click.Context, _parameter: click.Parameter, name: str | None) -> FrontEnd | None:
    return None if name is None else front_end(name)


def front_end_option(command: Command) -> Command:
    """Add the option to a command, which gets the front end itself, or None to choose it by the project's files."""
    help_text = (
        f"What reads the project's files: {', '.join(FRONT_ENDS)}; by default the first one for which there are any."
    )
    return click.option("--front-end", metavar="NAME", callback=_found, help=help_text)(command)


def temporaries_option(command: Command) -> Command:
    """Add --temporaries, by which rows about temporaries are listed."""
    return click.option(
        "--temporaries", is_flag=True, help="List rows about temporaries, too: of expressions without a name."
    )(command)
