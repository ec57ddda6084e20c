"""Options of the engine that `ladder run` and `analyze` share."""
from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ladder.engine.strategies import STRATEGIES
from ladder.engine.switching import DEFAULT_SHARE
from ladder.errors import LadderError
from ladder.limits import Limits, size_of

if TYPE_CHECKING:
    from ladder.database import Options
    from ladder.engine.local.profile import Profile
    from ladder.program import Program

Command = TypeVar("Command", bound=Callable[..., Any])


def _size(_context: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    try:
        return None if text is None else size_of(text)
    except LadderError as error:
        raise click.BadParameter(str(error), param=parameter) from None


def engine_options(command: Command) -> Command:
    """Add the options to a command."""
    for option in reversed((
        click.option("--strategy", type=click.Choice(STRATEGIES), default="elastic", show_default=True),
        click.option("--switch", type=click.FloatRange(0), default=DEFAULT_SHARE, show_default=True, metavar="SHARE",
                     help="Share of a bootstrap's time after which an update gives way to one; inf: never."),
        click.option("--memory-limit", callback=_size, metavar="SIZE", help="End with exit code 4 rather than hold more memory, like 512M or 4G."),
        click.option("--time-limit", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="End with exit code 3 rather than run longer."),
        click.option("--profile", is_flag=True, help="Tell, on standard error, where the engine's time went: by rule and iteration."),
        click.option("--profile-output", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.html", help="The same as a page."),
    )):
        command = option(command)
    return command


def limits_of(options: Mapping[str, Any]) -> Limits:
    """The limits of the whole command."""
    return Limits(options["memory_limit"], options["time_limit"])


def database_options(options: Mapping[str, Any], jobs: int) -> Options:
    """How the database is made; the time limit is the command's."""
    return {"strategy": options["strategy"], "switch": None if options["switch"] == float("inf") else options["switch"],
            "limits": Limits(memory=options["memory_limit"]), "jobs": jobs or os.cpu_count() or 1,
            "profile": bool(options["profile"] or options["profile_output"])}


def tell_profiles(profiles: Sequence[tuple[str, Profile, Program]], options: Mapping[str, Any]) -> None:
    """Print the profiles that were asked for, (title, profile, program) each, and write their page."""
    from ladder.profiles import as_text, write_page

    if options["profile"]:
        for title, profile, program in profiles:
            print(f"{title}: {as_text(profile, program)}", file=sys.stderr, flush=True)
    if options["profile_output"]:
        write_page(options["profile_output"], profiles)
