"""`ladder tables`: the relations of a saved state as tables: a list of them, SQL over them, Parquet files of them."""
from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ladder.cli.engine_options import spark_settings
from ladder.errors import LadderError, StateError

if TYPE_CHECKING:
    import pyarrow as pa

    from ladder.database import Database

PATH = click.Path(path_type=Path)
FORMATS = ("table", "csv", "json")


@click.command()
@click.argument("source", type=PATH)
@click.option("--program", type=PATH, metavar="FILE", help="SOURCE is a state that `ladder run --state` left of this program.")
@click.option("--analysis", metavar="NAME", help="SOURCE is a project; its last result of this analysis.")
@click.option("--entry", type=click.Choice(["auto", "main", "public", "all"]), default="auto", show_default=True)
@click.option("--state", type=PATH, metavar="DIR", help="The state directory of a project, if not PROJECT/.ladder.")
@click.option("--functors", type=PATH, help="Python file with the program's functors.")
@click.option("--relation", "relations", multiple=True, metavar="NAME", help="Only this relation, in the list and in --export. Repeatable.")
@click.option("--sql", metavar="QUERY", help="Print what a query of Spark SQL over the tables gives.")
@click.option("--export", type=PATH, metavar="DIR", help="Write a Parquet file per table.")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("--limit", type=click.IntRange(0), default=50, show_default=True, help="Rows shown as a table; 0: all.")
@click.option("--master", metavar="URL", help="Spark master for --sql: local[4], spark://HOST:7077, …; this machine unless told otherwise.")
@click.option("--spark-conf", multiple=True, metavar="KEY=VALUE", callback=spark_settings, help="A setting of Spark. Repeatable.")
def tables(source: Path, **options: Any) -> None:
    """The relations of a saved state as tables.

    Without --sql and --export they are listed: their columns with types of SQL, and their rows. Only --sql needs Spark.
    """
    if (options["program"] is None) == (options["analysis"] is None):
        raise click.UsageError("Name either the --program of a state of `ladder run` or the --analysis of a project.")
    with _opened(source, options) as db:
        if options["export"] is not None:
            _export(db, options)
        if options["sql"] is not None:
            _print(_answer(db, options), options)
        elif options["export"] is None:
            _print(_listed(db, options), {**options, "limit": 0})


@contextmanager
def _opened(source: Path, options: Mapping[str, Any]) -> Iterator[Database]:
    """The database of a saved state."""
    if options["program"] is not None:
        from ladder.cli.run import load
        from ladder.database import Database
        from ladder.language.needed import needed
        from ladder.locks import locked

        program = load(options["program"], options["functors"])
        if not (source / "CURRENT").exists():
            raise LadderError(f"There is no state in {source}.", "Name the directory that `ladder run --state` was given.")
        with locked(source / "lock", f"The state in {source}"):
            try:
                db = Database.open(source, replace(program, core=needed(program.core)))
            except StateError:      # one that a Python program saved has relations that no result needs, too
                db = Database.open(source, program)
            yield db
        return
    from ladder.session.inspect import saved

    with saved(source, options["analysis"], options["entry"], options["state"]) as result:
        yield result.outcome.db


def _listed(db: Database, options: Mapping[str, Any]) -> pa.Table:
    import pyarrow as pa

    from ladder.views import views_of

    views = views_of(db, options["relations"] or None)
    return pa.table({"table": [view.name for view in views], "rows": [view.rows for view in views],
                     "columns": [", ".join(f"{name} {type_}" for name, type_ in view.columns) for view in views]})


def _export(db: Database, options: Mapping[str, Any]) -> None:
    from ladder.views import write_views

    views = write_views(db, options["export"], options["relations"] or None)
    print(f"ladder: {len(views)} tables with {sum(view.rows for view in views):,} rows are in {options['export']}.", file=sys.stderr)


def _answer(db: Database, options: Mapping[str, Any]) -> pa.Table:
    """The rows of a query; `LadderError` where Spark refuses it."""
    from ladder.spark.session import cause, open_session
    from ladder.views import named_in, register_views

    with open_session(master=options["master"], conf=options["spark_conf"]) as spark:
        from pyspark.errors import PySparkException

        register_views(spark, db, relations=named_in(options["sql"], db))
        try:
            return spark.sql(options["sql"]).toArrow()
        except PySparkException as error:
            raise LadderError(f"Spark refuses the query: {cause(error)}") from None


def _print(table: pa.Table, options: Mapping[str, Any]) -> None:
    """A table on standard output."""
    if options["format_"] == "table":
        from ladder.report import as_table

        print(as_table(table, options["limit"] or None))
    elif options["format_"] == "csv":
        import pyarrow.csv

        sink = sys.stdout.buffer
        sys.stdout.flush()
        pyarrow.csv.write_csv(table, sink, pyarrow.csv.WriteOptions(quoting_style="needed"))
        sink.flush()
    else:
        import json

        print(json.dumps(table.to_pylist(), ensure_ascii=False, indent=0, default=str))
