"""Options about what is kept between runs: --state, --trust-state, --no-state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from ladder.cli.paths import NamedPath

Command = TypeVar("Command", bound=Callable[..., Any])


def trust_state_option(command: Command) -> Command:
    """Add --trust-state, by which states are used that somebody else wrote."""
    return click.option("--trust-state", is_flag=True, help="Use the state even if somebody else wrote it.")(command)


def state_options(what: str) -> Callable[[Command], Command]:
    """A decorator that adds the three options to a command, which keeps `what`."""
    state = click.option(
        "--state",
        type=NamedPath(),
        metavar="DIR",
        help=f"Keep {what} here instead of in the user's state directory.",
    )
    no_state = click.option("--no-state", is_flag=True, help="Keep nothing, use nothing kept.")
    return lambda command: state(trust_state_option(no_state(command)))


def refuse_both(options: Mapping[str, Any]) -> None:
    """Raise `UsageError` where the options name a state and ask for none."""
    if options["state"] and options["no_state"]:
        raise click.UsageError("--state and --no-state exclude each other.")
