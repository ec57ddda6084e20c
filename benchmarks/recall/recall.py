"""Runs programs under an agent that records calls and allocations, and says how much of them `pointsto` finds.

    python benchmarks/recall/recall.py                         # every program known here, of corpora/fetch.py
    python benchmarks/recall/recall.py jsoup ant --reflection casts --examples 5
    python benchmarks/recall/recall.py --sources DIR --driver DIR --main Main

Needs a JDK 17. A program is source code of a project and a driver, a main class with the files that it needs. What of
the project does not compile without further libraries is analysed, but does not run.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]

import matching
from recorded import HERE, Records, RunError, compiled, record

from ladder.frontends.registry import front_end
from measure import FETCHED, BenchmarkError, analyze_tables, table

DRIVERS = HERE / "drivers"


@dataclass(frozen=True)
class Program:
    """A project's sources and resources, folders below the code base; the folder that stands for each in the project;
    and the folder of its driver, a main class with its files.

    `arguments`: `{driver}` in them is the driver's folder, `{work}` the one that it runs in.
    """

    base: str
    sources: Sequence[str]
    within: str
    driver: str
    main: str
    arguments: Sequence[str] = ()


PROGRAMS = {
    "jsoup": Program("jsoup", ("src/main/java",), "", "jsoup", "JsoupDriver"),
    "commons-lang3": Program("commons-lang3", ("src/main/java",), "", "commons-lang3", "LangDriver"),
    "ant": Program(
        "ant", ("src/main",), "", "ant", "org.apache.tools.ant.Main", ("-f", "{driver}/build.xml", "-Dbasedir={work}")
    ),
    "commons-csv": Program("commons-csv", ("src/main/java",), "", "commons-csv", "CsvDriver"),
    "commons-codec": Program(
        "commons-codec", ("src/main/java", "src/main/resources"), "", "commons-codec", "CodecDriver"
    ),
    "args4j": Program("args4j", ("args4j/src",), "", "args4j", "ArgsDriver"),
    "jcommander": Program("jcommander", ("src/main/java",), "", "jcommander", "CommanderDriver"),
    "antlr": Program("antlr", ("antlr",), "antlr", "antlr", "antlr.Tool", ("{driver}/calculator.g",)),
}


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("names", nargs=-1)
@click.option(
    "--corpora", type=click.Path(path_type=Path, file_okay=False), default=FETCHED, help="Of corpora/fetch.py."
)
@click.option(
    "--sources", multiple=True, type=click.Path(path_type=Path, exists=True, file_okay=False), help="Of a program."
)
@click.option(
    "--driver", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Files of the main class."
)
@click.option("--main", "main_class", help="The main class.")
@click.option("--argument", "arguments", multiple=True, help="Of the main class.")
@click.option("--classpath", default="", help="Jars, as for javac.")
@click.option("--entry", default="main", show_default=True)
@click.option("--reflection", multiple=True, default=("strings",), show_default=True, help="Repeatable.")
@click.option("--examples", type=click.IntRange(min=0), default=2, show_default=True, help="Of each cause.")
@click.option("--seconds", type=click.IntRange(min=1), default=600, show_default=True, help="That a program may run.")
@click.option("--keep", type=click.Path(path_type=Path, file_okay=False), help="Folder for records and tables.")
def main(
    names: tuple[str, ...],
    corpora: Path,
    sources: tuple[Path, ...],
    driver: Path | None,
    main_class: str | None,
    arguments: tuple[str, ...],
    classpath: str,
    entry: str,
    reflection: tuple[str, ...],
    examples: int,
    seconds: int,
    keep: Path | None,
) -> None:
    if unknown := sorted(set(names) - set(PROGRAMS)):
        raise click.BadParameter(f"{', '.join(unknown)}; known are {', '.join(PROGRAMS)}", param_hint="NAMES")
    if sources and (main_class is None or names):
        raise click.UsageError("--sources goes with --main and without names")
    runs: list[tuple[str, Sequence[Path], Path | None, Program]] = []
    if sources:
        runs.append((main_class or "", sources, driver, Program("", (), "", "", main_class or "", arguments)))
    for name in () if sources else names or tuple(PROGRAMS):
        program = PROGRAMS[name]
        folders: Sequence[Path] = [corpora / program.base / folder for folder in program.sources]
        runs.append((name, folders, DRIVERS / program.driver, program))
    rows, missed = [], []
    try:
        with tempfile.TemporaryDirectory() as temporary:
            for name, below, files, program in runs:
                folder = (keep or Path(temporary)).resolve() / name
                records, project = ran(program, below, files, classpath, folder, seconds)
                for option in reflection:
                    click.echo(f"{name}: analysing with --entry {entry} --reflection {option}", err=True)
                    found = compared(records, project, folder / f"tables-{option}", entry, option)
                    rows.append(
                        (name, option, *share(*found.edges), *share(*found.methods), *share(*found.allocations))
                    )
                    missed.append((f"{name}, --reflection {option}", found.missed))
    except (RunError, BenchmarkError) as error:
        raise click.ClickException(str(error)) from error
    columns = ("program", "reflection", "edges", "found %", "methods", "reached %", "allocations", "found %")
    click.echo(table(columns, rows))
    for title, causes in missed:
        click.echo(f"\n{title}")
        for cause, those in causes.items():
            click.echo(f"{len(those):6,}  {cause}")
            for example in sorted(those)[:examples]:
                click.echo(f"          {example}")


def ran(
    program: Program, sources: Sequence[Path], driver: Path | None, classpath: str, folder: Path, seconds: int
) -> tuple[Records, Path]:
    """Compile and run a program → (what was recorded, the folder with what is to be analysed)."""
    missing = [source for source in sources if not source.is_dir()]
    if missing:
        raise RunError(f"There is no folder {missing[0]}; `python corpora/fetch.py` fetches code bases.")
    shutil.rmtree(folder, ignore_errors=True)
    project, classes = folder / "project", folder / "classes"
    for source in sources:
        shutil.copytree(source, project / program.within, dirs_exist_ok=True)
    if driver is not None:
        shutil.copytree(driver, project, dirs_exist_ok=True)
    click.echo(f"{program.main}: compiling and running", err=True)
    needed = [project / file.relative_to(driver) for file in driver.rglob("*.java")] if driver is not None else []
    left = compiled(project, classes, needed, classpath)
    if left:
        click.echo(f"  {len(left):,} files do not compile and do not run", err=True)
    for file in project.rglob("*"):
        if file.is_file() and file.suffix != ".java":
            target = classes / file.relative_to(project)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    arguments = [
        argument.replace("{driver}", str(driver)).replace("{work}", str(folder / "work"))
        for argument in program.arguments
    ]
    return record(classes, program.main, arguments, classpath, folder, seconds), project


def compared(records: Records, project: Path, output: Path, entry: str, reflection: str) -> matching.Recall:
    """Analyse the project and compare."""
    analyze_tables(project, "pointsto", output, "--entry", entry, "--reflection", reflection)
    paths = frozenset(file.relative_to(project).as_posix() for file in project.rglob("*.java"))
    found = matching.graph(output, {}, paths)
    files = {m.file for m in records.methods if m.of_lambda or m.name == "<clinit>"}
    lambdas, initialisers = _declared(project, filter(None, map(found.path, sorted(files))))
    return matching.Comparison(records, replace(found, lambdas=lambdas, initialisers=initialisers)).recall()


def _declared(project: Path, paths: Iterable[str]) -> tuple[Mapping[str, Sequence[tuple[int, str]]], frozenset[str]]:
    """What some files declare: class → the lines and names of the lambdas in it, in the order of lines; and the classes
    with static initialisers."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    initialised: set[str] = set()
    for path in paths:
        facts = front_end().facts_of((project / path).read_bytes()).relations
        lines = {identity: int(line) for identity, line, _ in facts["Position"]}
        class_of = {method: str(type_) for method, type_ in facts.get("Method_DeclaringType", ())}
        for heap, method in facts.get("Lambda", ()):
            found[class_of[method]].append((lines[heap], str(method)))
        initialised |= {str(type_) for _, type_, name, *_ in facts.get("Method", ()) if name == "<clinit>"}
    return {class_: sorted(lambdas) for class_, lambdas in found.items()}, frozenset(initialised)


def share(seen: int, all_: int) -> tuple[int, str]:
    """(how many, how many per cent of them are seen)."""
    return all_, f"{100 * seen / all_:.2f}" if all_ else "-"


if __name__ == "__main__":
    main()
