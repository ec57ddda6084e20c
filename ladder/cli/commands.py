"""`ladder COMMAND`: analyze, run, test, check, explain, show."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ladder.cli.analyze import STRATEGIES, analyze
from ladder.cli.testing import test
from ladder.errors import LadderError, Unsupported

PATH = click.Path(path_type=Path)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ladder-analysis", prog_name="ladder")
def ladder() -> None:
    """Incremental, lattice-aware program analysis in Datalog."""


ladder.add_command(analyze)
ladder.add_command(test)


@ladder.command()
@click.argument("program", type=PATH)
@click.option("-F", "--facts", type=PATH, default=Path("."), show_default=True, help="Directory of the .facts files.")
@click.option("-D", "--output", default=".", show_default=True, help="Directory for the results, or - for standard output.")
@click.option("-j", "--jobs", type=click.IntRange(0), default=0, help="Accepted for compatibility: the local engine uses one thread.")
@click.option("--state", type=PATH, help="Not supported yet.")
@click.option("--strategy", type=click.Choice(STRATEGIES), default="elastic", show_default=True)
@click.option("--engine", type=click.Choice(["local", "spark", "auto"]), default="auto", show_default=True)
@click.option("--functors", type=PATH, help="Python file with the program's functors.")
def run(program: Path, facts: Path, output: str, jobs: int, state: Path | None, strategy: str, engine: str, functors: Path | None) -> None:
    """Evaluate a Datalog PROGRAM on .facts files."""
    if state:
        raise Unsupported("`ladder run --state` is not supported yet.", "In Python, Database.save and Database.open keep a state.")
    _require_local(engine, strategy)
    import ladder as api
    from ladder import factfiles
    loaded = _load(program, functors)
    if not facts.is_dir():
        raise LadderError(f"There is no directory {facts}.", "Name the directory of the .facts files with -F.")
    db = api.Database(loaded, strategy=strategy, engine="local")
    for name, rows in factfiles.read_facts(loaded.core, facts):
        db.load_rows(name, rows)
    wanted = {d.relation for d in loaded.core.directives if d.kind in ("output", "printsize")}
    folder = None if output == "-" else Path(output)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    factfiles.write_outputs(loaded.core, {name: db[name] for name in wanted}, folder, sys.stdout)


@ladder.command()
@click.argument("program", type=PATH)
def check(program: Path) -> int:
    """Check a PROGRAM: syntax, types, stratification, lattice laws."""
    loaded = _load(program, None)
    from ladder.lattices.base import Lattice
    from ladder.lattices.laws import violations
    broken = [f"{program}: lattice {name}: {sentence}" for name, lattice in loaded.core.lattices.items()
              if isinstance(lattice, Lattice) for sentence in violations(lattice)]
    for sentence in broken:
        print(sentence, file=sys.stderr)
    if broken:
        return LadderError.exit_code
    core = loaded.core
    print(f"{program}: {len(core.relations)} relations, {len(core.rules)} rules, {len(core.lattices)} lattices: fine")
    return 0


@ladder.command()
@click.argument("project", type=PATH)
@click.argument("relation")
@click.option("--analysis", required=True, metavar="NAME", help="The analysis whose saved result is shown.")
@click.option("--entry", type=click.Choice(["auto", "main", "public", "all"]), default="auto", show_default=True)
@click.option("--state", type=PATH, metavar="DIR", help="The state directory, if not PROJECT/.ladder.")
@click.option("--ids", is_flag=True, help="Show ids as they are inside, which `ladder explain` takes.")
@click.option("--limit", type=click.IntRange(0), default=50, show_default=True, help="Rows shown; 0: all.")
@click.option("--match", help="Only rows in which some column contains this text.")
def show(project: Path, relation: str, analysis: str, entry: Any, state: Path | None, ids: bool, limit: int, match: str | None) -> None:
    """Show rows of a RELATION from the last analysis of PROJECT."""
    from ladder.report import as_table
    from ladder.session.inspect import rows, saved
    with saved(project, analysis, entry, state) as result:
        table = rows(result, relation, names=not ids, match=match)
        print(as_table(table, limit or None))


@ladder.command()
@click.argument("project", type=PATH)
@click.argument("relation")
@click.argument("row", nargs=-1, required=True)
@click.option("--analysis", required=True, metavar="NAME", help="The analysis whose saved result is explained.")
@click.option("--entry", type=click.Choice(["auto", "main", "public", "all"]), default="auto", show_default=True)
@click.option("--state", type=PATH, metavar="DIR", help="The state directory, if not PROJECT/.ladder.")
def explain(project: Path, relation: str, row: tuple[str, ...], analysis: str, entry: Any, state: Path | None) -> None:
    """Say why ROW (its columns, as `ladder show --ids` prints them) is in RELATION."""
    from ladder.session.inspect import explanation, saved
    with saved(project, analysis, entry, state) as result:
        print(explanation(result, relation, row))


def _load(program: Path, functors: Path | None) -> Any:
    from ladder.program import Program
    if not program.is_file():
        raise LadderError(f"There is no program {program}.", "Name a .dl file.")
    return Program.load(program, _module(functors)) if functors else Program.load(program)


def _module(file: Path) -> Any:
    import importlib.util
    if not file.is_file():
        raise LadderError(f"There are no functors at {file}.", "Name a Python file.")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _require_local(engine: str, strategy: str) -> None:
    if engine == "spark":
        raise Unsupported("--engine spark is not supported yet.", "Leave it out: evaluation is local.")
    if strategy not in ("elastic", "recompute"):
        raise Unsupported(f"--strategy {strategy} is not supported yet.", "There is elastic, the default.")
