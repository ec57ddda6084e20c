"""`ladder COMMAND`: analyze, analyses, new, models, run, test, check, explain, show, tables, state, bench."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ladder.cli.context_option import context_option
from ladder.cli.entry_option import entry_option
from ladder.cli.front_end_option import front_end_option, temporaries_option
from ladder.cli.imports import spare_pandas
from ladder.cli.library_option import library_option
from ladder.cli.limit_options import limited
from ladder.cli.paths import NamedPath, Text
from ladder.cli.state_options import trust_state_option
from ladder.support.release import release

if TYPE_CHECKING:
    from ladder.frontends.protocol import FrontEnd
    from ladder.session.library import LibraryChoice

PATH = NamedPath()
ELSEWHERE = {
    "analyze": "ladder.cli.analyze",
    "run": "ladder.cli.run",
    "test": "ladder.cli.testing",
    "check": "ladder.cli.check",
    "models": "ladder.cli.models",
    "tables": "ladder.cli.tables",
    "state": "ladder.cli.state",
    "bench": "ladder.cli.bench",
    "analyses": "ladder.cli.analyses",
    "new": "ladder.cli.analyses",
}


class Commands(click.Group):
    """A group whose commands are imported when they are used, since most runs need one of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, sorted."""
        return sorted([*super().list_commands(ctx), *ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name; None if there is none."""
        if cmd_name in ELSEWHERE:
            command: click.Command = getattr(import_module(ELSEWHERE[cmd_name]), cmd_name)
            return command
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name; where there is none of that name, similar ones are named."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            near = " or ".join(get_close_matches(args[0], self.list_commands(ctx), 2))
            raise click.UsageError(error.format_message() + (near and f" Did you mean {near}?"), ctx) from None


class OfRow(click.Command):
    """A command that takes a row, whose columns may begin with a hyphen as options do."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, and say of what is no option how a column of that text is given."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            hint = "Write -- before RELATION if it is a column."
            raise click.UsageError(f"{error.format_message()} {hint}", ctx) from None


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        click.echo(f"ladder, version {release()}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit."
)
def ladder() -> None:
    """Incremental, lattice-aware program analysis in Datalog."""


@ladder.command()
@click.argument("project", type=PATH)
@click.argument("relation")
@click.option(
    "--analysis",
    default="",
    metavar="NAME",
    help="The analysis whose saved result is shown; by default the last that ran and has RELATION.",
)
@entry_option()
@context_option()
@library_option()
@click.option(
    "--state", type=PATH, metavar="DIR", help="The state directory, if it is not in the user's state directory."
)
@trust_state_option
@front_end_option
@click.option("--ids", is_flag=True, help="Show ids as they are inside, which `ladder explain` takes.")
@click.option("--limit", type=click.IntRange(0), default=50, show_default=True, help="Rows shown; 0: all.")
@click.option("--match", type=Text(), metavar="TEXT", help="Only rows in which some column contains this text.")
@temporaries_option
@limited
def show(
    project: Path,
    relation: str,
    analysis: str,
    entry: str,
    context: str,
    library: LibraryChoice,
    state: Path | None,
    trust_state: bool,
    front_end: FrontEnd | None,
    ids: bool,
    limit: int,
    match: str | None,
    temporaries: bool,
) -> None:
    """Show rows of a RELATION from the last analysis of PROJECT."""
    spare_pandas()
    from ladder.report.summary import as_table, left_out
    from ladder.session.inspect import rows, saved

    of_run = analysis, entry, state, trust_state, front_end, context, library
    with saved(project, *of_run, lazily=True, about=relation) as result:
        table, hidden = rows(result, relation, names=not ids, match=match, temporaries=temporaries)
        print(as_table(table, limit or None))
        if hidden:
            print(left_out(hidden))


@ladder.command(cls=OfRow)
@click.argument("project", type=PATH)
@click.argument("relation")
@click.argument("row", nargs=-1, required=True)
@click.option(
    "--analysis",
    default="",
    metavar="NAME",
    help="The analysis whose saved result is explained; by default the last that ran and has RELATION.",
)
@entry_option()
@context_option()
@library_option()
@click.option(
    "--state", type=PATH, metavar="DIR", help="The state directory, if it is not in the user's state directory."
)
@trust_state_option
@front_end_option
@click.option(
    "--depth",
    type=click.IntRange(0),
    default=4,
    show_default=True,
    help="With --full: levels of reasons shown; 0: down to facts.",
)
@click.option("--full", is_flag=True, help="Every row and rule, as they are inside.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "dot"]),
    default="text",
    show_default=True,
    help="Form of the story: lines, a JSON array of its steps, or a graph for Graphviz.",
)
@limited
def explain(
    project: Path,
    relation: str,
    row: tuple[str, ...],
    analysis: str,
    entry: str,
    context: str,
    library: LibraryChoice,
    state: Path | None,
    trust_state: bool,
    front_end: FrontEnd | None,
    depth: int,
    full: bool,
    format_: str,
) -> None:
    """Say why ROW is in RELATION: its columns, as names or ids. Of a finding, RELATION is the rule and ROW its place,
    path:line, where the end of the path is enough.

    The steps are told that led to it, each indented below what it is a reason for, with its place and source line; of a
    finding with a flow, such as those of taint, the steps of the flow in order. With --full, each row is followed by
    the rule that derived it and, indented, by all rows that this needed.
    """
    spare_pandas()
    from ladder.report.stories import FORMATS
    from ladder.session.inspect import explanation, saved
    from ladder.session.why import meant, told

    of_run = analysis, entry, state, trust_state, front_end, context, library
    with saved(project, *of_run, lazily=True, about=relation) as result:
        if not full:
            print(FORMATS[format_](told(result, relation, row)))
            return
        found = explanation(result, *meant(result, relation, row), depth or None)
        print(found)
        if found.cut:
            print("… marks rows of which more is known: --depth shows more levels.")
