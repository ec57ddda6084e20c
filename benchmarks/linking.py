"""Compares the method that every call names with javac's choice, on whole code bases.

    python benchmarks/linking.py                      # antlr and commons-lang3
    python benchmarks/linking.py ant --differences 10 # with examples per cause
    python benchmarks/linking.py /a/project           # with what its build files say is on its class path

Needs a JDK. Calls whose method javac cannot tell, for want of the project's dependencies, are not compared.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).parents[1] / "corpora"))
from javac_calls import Comparison, OracleError, compare, javac_calls, read_ours

from ladder.project.dependencies.discovery import discovered
from measure import BenchmarkError, analyze_tables, code_base, save, table

NAMES = ("antlr", "commons-lang3")


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("names", nargs=-1)
@click.option(
    "--analysis", default="pointsto", show_default=True, help="An analysis that writes MethodInvocation_Method."
)
@click.option("--differences", type=click.IntRange(min=0), default=0, help="Show so many differences per cause.")
@click.option("--classpath", default="", help="Jars for javac and us; by default those that the project's files say.")
@click.option("--without", is_flag=True, help="Without the class path on our side.")
@click.option("--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for shares and causes.")
def main(
    names: tuple[str, ...], analysis: str, differences: int, classpath: str, without: bool, output: Path | None
) -> None:
    found: dict[str, Comparison] = {}
    try:
        for name in names or NAMES:
            click.echo(f"{name}: analysing, asking javac", err=True)
            found[name] = linking(name, analysis, classpath, without)
    except (BenchmarkError, OracleError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(
        table(
            (
                "code base",
                "calls",
                "same target %",
                "into the project",
                "same target %",
                "unknown to javac",
                "extra of ours",
            ),
            [
                (name, c.calls, 100 * c.share, c.project_calls, 100 * c.project_share, c.unknown, c.extra)
                for name, c in found.items()
            ],
        )
    )
    for name, comparison in found.items():
        click.echo(f"\n{name}")
        for cause, group in comparison.by_cause().items():
            click.echo(f"{len(group):6,}  {cause}")
            for d in group[:differences]:
                click.echo(f"          {d.call.path}:{d.call.line}:{d.call.column} {d.call.name}")
                click.echo(f"            javac {d.call.method}\n            ours  {' '.join(d.ours) or '-'}")
    save(
        output,
        {
            name: {
                "calls": c.calls,
                "same": c.same,
                "project_calls": c.project_calls,
                "project_same": c.project_same,
                "causes": {cause: len(group) for cause, group in c.by_cause().items()},
            }
            for name, c in found.items()
        },
    )


def linking(name: str, analysis: str, classpath: str = "", without: bool = False) -> Comparison:
    """How far our targets and javac's agree on a code base, or on a project in a folder."""
    project = Path(name).resolve() if os.sep in name else code_base(name)
    jars = classpath or os.pathsep.join(map(str, discovered(project, Path.home()).jars))
    with tempfile.TemporaryDirectory() as folder:
        analyze_tables(project, analysis, Path(folder) / "tables", "--classpath", "none" if without else jars or "none")
        ours = read_ours(Path(folder) / "tables" / "MethodInvocation_Method.csv")
    return compare(ours, javac_calls(project, classpath=jars, module=name if name == "java.base" else None))


if __name__ == "__main__":
    main()
