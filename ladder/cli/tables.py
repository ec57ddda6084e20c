"""`ladder tables`: the relations of a saved state as tables: a list of them, SQL over them, Parquet files of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ladder.cli.context_option import context_option
from ladder.cli.engine_options import spark_settings
from ladder.cli.entry_option import entry_option
from ladder.cli.front_end_option import front_end_option
from ladder.cli.library_option import library_option
from ladder.cli.limit_options import limited
from ladder.cli.paths import NamedPath
from ladder.cli.state_options import trust_state_option
from ladder.errors import LadderError
from ladder.support.counts import counted
from ladder.support.private import check_state, refuse_links
from ladder.support.terminal import as_json, data_out

if TYPE_CHECKING:
    import pyarrow as pa

    from ladder.api.database import Database

PATH = NamedPath()
FORMATS = ("table", "csv", "json")


@click.command()
@click.argument("source", type=PATH)
@click.option(
    "--program", type=PATH, metavar="FILE", help="SOURCE is a state that `ladder run --state` left of this program."
)
@click.option("--analysis", metavar="NAME", help="SOURCE is a project; its last result of this analysis.")
@entry_option()
@context_option()
@library_option()
@click.option(
    "--state",
    type=PATH,
    metavar="DIR",
    help="The state directory of a project, if it is not in the user's state directory.",
)
@trust_state_option
@front_end_option
@click.option("--functors", type=PATH, help="Python file with the program's functors.")
@click.option(
    "--relation",
    "relations",
    multiple=True,
    metavar="NAME",
    help="Only this relation, in the list and in --export. Repeatable.",
)
@click.option("--sql", metavar="QUERY", help="Print what a query of Spark SQL over the tables gives.")
@click.option("--export", type=PATH, metavar="DIR", help="Write a Parquet file per table.")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("--limit", type=click.IntRange(0), default=50, show_default=True, help="Rows shown as a table; 0: all.")
@click.option(
    "--master",
    metavar="URL",
    help="Spark master for --sql: local[4], spark://HOST:7077, …; this machine unless told otherwise.",
)
@click.option(
    "--spark-conf", multiple=True, metavar="KEY=VALUE", callback=spark_settings, help="A setting of Spark. Repeatable."
)
@limited
def tables(source: Path, **options: Any) -> None:
    """The relations of a saved state as tables.

    Without --sql and --export they are listed: their columns with types of SQL, and their rows. Only --sql needs Spark.
    """
    if (options["program"] is None) == (options["analysis"] is None):
        raise click.UsageError("Name either the --program of a state of `ladder run` or the --analysis of a project.")
    _refuse_options_of_the_other(options)
    with _opened(source, options) as db:
        if options["export"] is not None:
            if options["analysis"] is not None:
                refuse_links(options["export"], source.resolve())
            _export(db, options)
        if options["sql"] is not None:
            _print(_answer(db, options), options)
        elif options["export"] is None:
            _print(_listed(db, options), {**options, "limit": 0})


def _refuse_options_of_the_other(options: Mapping[str, Any]) -> None:
    """Raise a usage error for an option of projects where a program is named, or of programs where an analysis is."""
    of_project = "entry", "context", "library", "state", "front_end"
    others, kind = (("functors",), "--program") if options["program"] is None else (of_project, "--analysis")
    context = click.get_current_context()
    for name in others:
        if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name.replace('_', '-')} is an option beside {kind}.")


@contextmanager
def _opened(source: Path, options: Mapping[str, Any]) -> Iterator[Database]:
    """A block with the database of a saved state."""
    if options["program"] is not None:
        from ladder.api.database import Database
        from ladder.cli.run import load
        from ladder.support.locks import locked

        program = load(options["program"], options["functors"])
        if not (source / "CURRENT").exists():
            raise LadderError(
                f"There is no state in {source}.", "Name the directory that `ladder run --state` was given."
            )
        trusted = options["trust_state"]
        check_state(source, trusted)
        with locked(source / "lock", f"The state in {source}", trusted=trusted):
            db = Database.open(source, program.needed(), trust=trusted)
            if db.opening is not None:  # the state that a Python program saved has relations that no result needs, too
                whole = Database.open(source, program, trust=trusted)
                db = whole if whole.opening is None else db
            yield db
        return
    from ladder.session.inspect import saved

    of_run = ("analysis", "entry", "state", "trust_state", "front_end", "context", "library")
    with saved(source, *(options[name] for name in of_run)) as result:
        yield result.outcome.db


def _listed(db: Database, options: Mapping[str, Any]) -> pa.Table:
    import pyarrow as pa

    from ladder.api.views import views_of

    views = views_of(db, options["relations"] or None)
    return pa.table(
        {
            "table": [view.name for view in views],
            "rows": [view.rows for view in views],
            "columns": [", ".join(f"{name} {type_}" for name, type_ in view.columns) for view in views],
        }
    )


def _export(db: Database, options: Mapping[str, Any]) -> None:
    from ladder.api.views import write_views

    views = write_views(db, options["export"], options["relations"] or None)
    print(
        f"ladder: wrote {counted(len(views), 'table')} with {counted(sum(view.rows for view in views), 'row')} to "
        f"{options['export']}.",
        file=sys.stderr,
    )


def _answer(db: Database, options: Mapping[str, Any]) -> pa.Table:
    """The rows of a query; `LadderError` if Spark rejects it."""
    from ladder.api.views import named_in, register_views, views_of
    from ladder.engine.spark.failures import explained, explanation
    from ladder.spark.queries import refusal, refuse_changes
    from ladder.spark.session import open_session

    query = options["sql"]
    refuse_changes(query)
    with explained(), open_session(master=options["master"], conf=options["spark_conf"]) as spark:
        register_views(spark, db, relations=named_in(query, db))
        try:
            return spark.sql(query).toArrow()
        except Exception as error:  # noqa: BLE001 - Spark's are of several kinds, and all of them are reported
            known = explanation(error)
            if known is not None and not _is_of_the_query(error):
                raise known from None
            raise refusal(
                error, query, {view.name: [name for name, _ in view.columns] for view in views_of(db)}
            ) from None


def _is_of_the_query(error: Exception) -> bool:
    """Whether an error of Spark is about the query itself, because it has a named condition of its language, and not
    about its execution."""
    from pyspark.errors import PySparkException

    return isinstance(error, PySparkException) and bool(error.getCondition())


def _print(table: pa.Table, options: Mapping[str, Any]) -> None:
    """Print a table to standard output."""
    if options["format_"] == "table":
        from ladder.report.summary import as_table

        print(as_table(table, options["limit"] or None))
    elif options["format_"] == "csv":
        import pyarrow.csv

        sink = BytesIO()
        pyarrow.csv.write_csv(table, sink, pyarrow.csv.WriteOptions(quoting_style="needed"))
        data_out().write(sink.getvalue().decode())
    else:
        print(as_json(table.to_pylist(), indent=0, default=str))
