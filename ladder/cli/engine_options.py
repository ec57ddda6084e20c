"""Options of the engine that `ladder run` and `analyze` share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ladder.cli.limit_options import limit_options
from ladder.cli.paths import NamedPath
from ladder.cli.reals import Real
from ladder.engine.local.strategies import STRATEGIES
from ladder.errors import LadderError
from ladder.support.counts import counted
from ladder.support.limits import Limits
from ladder.support.machine import cores
from ladder.support.tuning import DEFAULT

if TYPE_CHECKING:
    from ladder.api.options import Options
    from ladder.api.program import Program
    from ladder.engine.local.profile import Profile
    from ladder.engine.spark.report import RunReport
    from ladder.engine.spark.runs import Progress

ENGINES = ("local", "spark", "auto")
MOST_JOBS = 1024  # threads and processes: more gain nothing, and each takes memory
CHECKPOINTS = "checkpoints"  # a folder below that of the state
Command = TypeVar("Command", bound=Callable[..., Any])


def engine_options(command: Command) -> Command:
    """Add the options to a command."""
    for option in reversed(
        (
            click.option(
                "--engine",
                type=click.Choice(ENGINES),
                default="auto",
                show_default=True,
                help="Where a bootstrap runs: local, on Spark, or on Spark only if the facts may not fit this machine "
                "(auto).",
            ),
            click.option(
                "--master",
                metavar="URL",
                help="Spark master: local[4], spark://HOST:7077, yarn, …; this machine unless told otherwise.",
            ),
            click.option(
                "--spark-conf",
                multiple=True,
                metavar="KEY=VALUE",
                callback=spark_settings,
                help="A setting of Spark. Repeatable.",
            ),
            click.option(
                "--checkpoint",
                metavar="DIR",
                help="On Spark, write what is evaluated here every now and then; unless told otherwise, below --state.",
            ),
            click.option(
                "--resume", is_flag=True, help="On Spark, go on from the last checkpoint of a run that was killed."
            ),
            click.option("--strategy", type=click.Choice(list(STRATEGIES)), default="elastic", show_default=True),
            click.option(
                "--switch",
                type=Real(0),
                default=DEFAULT.rebuilding.share,
                show_default=True,
                metavar="SHARE",
                help="Share of the time of starting over after which an update is given up for it; inf: never.",
            ),
            partial(limit_options, of_spark="; on Spark, that of its JVM and Python together"),
            click.option(
                "--profile",
                is_flag=True,
                help="Tell, on standard error, where the engine's time went: by rule and iteration.",
            ),
            click.option(
                "--profile-output",
                type=NamedPath(dir_okay=False),
                metavar="FILE.html",
                help="The same as a page.",
            ),
        )
    ):
        command = option(command)
    return command


def spark_settings(_context: click.Context, parameter: click.Parameter, pairs: tuple[str, ...]) -> dict[str, str]:
    from ladder.spark.settings import parsed

    try:
        return parsed(pairs)
    except LadderError as error:
        raise click.BadParameter(str(error), param=parameter) from None


def limits_of(options: Mapping[str, Any]) -> Limits:
    """The limits of the whole command."""
    return Limits(options["memory_limit"], options["time_limit"])


def database_options(options: Mapping[str, Any], jobs: int) -> Options:
    """The options of the database; the time limit applies to the whole command."""
    return {
        "strategy": options["strategy"],
        "switch": None if options["switch"] == float("inf") else options["switch"],
        "limits": Limits(memory=options["memory_limit"]),
        "jobs": jobs or cores(),
        "profile": bool(options["profile"] or options["profile_output"]),
    }


def spark_options(options: Mapping[str, Any], state: Path | None, progress: Progress | None) -> Options:
    """The further options of a database on Spark."""
    checkpoints = options["checkpoint"] or (str(state / CHECKPOINTS) if state is not None else None)
    if options["resume"] and checkpoints is None:
        raise click.UsageError("--resume needs the directory of the checkpoints: name it with --checkpoint or --state.")
    return {
        "master": options["master"],
        "spark_conf": options["spark_conf"],
        "checkpoints": checkpoints,
        "resume": options["resume"],
        "progress": progress,
    }


def refuse_spark(options: Mapping[str, Any]) -> None:
    """Raise a usage error for options of Spark alone if the local engine was requested, and `Unsupported` for
    strategies that Spark does not have."""
    if options["engine"] == "local":
        named = [
            f"--{name.replace('_', '-')}" for name in ("master", "spark_conf", "checkpoint", "resume") if options[name]
        ]
        if named:
            raise click.UsageError(f"{', '.join(named)}: only Spark heeds that, and --engine local was asked for.")
    elif options["engine"] == "spark":
        from ladder.api.database import refuse_strategy

        refuse_strategy("spark", options["strategy"])


@contextmanager
def spark_session(options: Mapping[str, Any], cores: int) -> Iterator[None]:
    """A block with one Spark session for the whole command, on so many cores of this machine (0: all), which is started
    when it is first needed."""
    from ladder.spark.session import Wanted, one_session
    from ladder.spark.settings import AT_LEAST, SEED, heap_within

    conf = {key: value for key, value in options["spark_conf"].items() if key != SEED}
    # of a limit too small, auto takes none
    limit = (
        options["memory_limit"] if options["engine"] == "spark" or (options["memory_limit"] or 0) >= AT_LEAST else None
    )
    with one_session(Wanted(options["master"], cores, conf, heap_within(limit, cores))):
        yield


def print_progress(relations: str, stage: int, stages: int, iteration: int, rows: int) -> None:
    """Write a line about an iteration on Spark to standard error."""
    from ladder.report.spark_report import shortened

    print(
        f"ladder: stage {stage + 1} of {stages} ({shortened(relations)}), iteration {iteration}: "
        f"{counted(rows, 'row')}",
        file=sys.stderr,
        flush=True,
    )


def tell_spark(reports: Sequence[tuple[str, RunReport]], options: Mapping[str, Any]) -> None:
    """Print the reports of bootstraps on Spark, each (title, report), if that was requested, and write their page."""
    from ladder.report.spark_report import as_text, write_page

    if options["profile"]:
        for title, report in reports:
            print(f"{title}: {as_text(report)}", file=sys.stderr, flush=True)
    if options["profile_output"]:
        write_page(options["profile_output"], reports)


def tell_profiles(profiles: Sequence[tuple[str, Profile, Program]], options: Mapping[str, Any]) -> None:
    """Print the requested profiles, each (title, profile, program), and write their page."""
    from ladder.report.profiles import as_text, write_page

    if options["profile"]:
        for title, profile, program in profiles:
            print(f"{title}: {as_text(profile, program)}", file=sys.stderr, flush=True)
    if options["profile_output"]:
        write_page(options["profile_output"], profiles)
