"""The options --memory-limit and --time-limit of every command that may take much time or memory."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar

import click

from ladder.cli.reals import Real
from ladder.errors import LadderError
from ladder.support.limits import Limits, guarded, size_of

STARTED = time.perf_counter()
Command = TypeVar("Command", bound=Callable[..., Any])


def _size(_context: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    try:
        return None if text is None else size_of(text)
    except LadderError as error:
        raise click.BadParameter(str(error), param=parameter) from None


def limit_options(command: Command, of_spark: str = "") -> Command:
    """Add the options to a command; `of_spark`: what they mean there."""
    for option in (
        click.option(
            "--time-limit",
            type=Real(0, min_open=True),
            metavar="SECONDS",
            help="End with exit code 3 rather than run longer.",
        ),
        click.option(
            "--memory-limit",
            callback=_size,
            metavar="SIZE",
            help=f"End with exit code 4 rather than hold more memory, like 512M or 4G{of_spark}.",
        ),
    ):
        command = option(command)
    return command


def limited(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command, which is ended when a limit is exceeded."""

    @wraps(command)
    def within(*arguments: Any, memory_limit: int | None, time_limit: float | None, **options: Any) -> Any:
        with whole_command(Limits(memory_limit, time_limit)):
            return command(*arguments, **options)

    return limit_options(within)


@contextmanager
def whole_command(limits: Limits) -> Iterator[None]:
    """A block with a command that is ended when a limit is exceeded, until all its output has been read."""
    with guarded(limits, STARTED):
        yield
        sys.stdout.flush()
