"""`analyze PROJECT --analysis NAME`: analyse a project, and after a change only what changed."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ladder.cli.context_option import context_option
from ladder.cli.engine_options import (
    MOST_JOBS,
    database_options,
    engine_options,
    limits_of,
    print_progress,
    refuse_spark,
    spark_options,
    spark_session,
    tell_profiles,
    tell_spark,
)
from ladder.cli.entry_option import entry_option
from ladder.cli.front_end_option import front_end_option, temporaries_option
from ladder.cli.imports import spare_pandas
from ladder.cli.library_option import library_option
from ladder.cli.limit_options import STARTED, whole_command
from ladder.cli.paths import Name, NamedPath
from ladder.cli.state_options import refuse_both, state_options
from ladder.errors import LadderError
from ladder.facts.tables import FORMATS as TABLES
from ladder.frontends.registry import front_end as default_front_end
from ladder.language.core import LEVELS
from ladder.report.formats import SUMMARIES, summary_of
from ladder.support.terminal import steered

if TYPE_CHECKING:
    from ladder.api.options import Options as DatabaseOptions
    from ladder.project.files import Project
    from ladder.report.summary import Report
    from ladder.session.workspace import Workspace
    from ladder.support.console import Console


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("project", type=NamedPath())
@click.option(
    "--analysis",
    "analyses",
    multiple=True,
    metavar="NAME",
    help="Analysis to run, of those that `ladder analyses` lists, or a .dl file. Repeatable. By default those that "
    "look for findings, and have the --context: for Java, taint, dead, conditions, resources and ranges.",
)
@front_end_option
@entry_option(
    "Methods that execution may start in: main, tests, frameworks (what these call), public, all, or those that a "
    "PATTERN such as com.acme.Server.* or com.acme.Server.start(*) names; auto: main, tests and frameworks where they "
    "reach half of all methods, else public. Repeatable, or with commas."
)
@click.option(
    "--models",
    type=NamedPath(),
    multiple=True,
    metavar="DIR",
    help="Models of libraries, beside those of the JDK, and what frameworks call beside those known: YAML files in "
    "CodeQL's models-as-data format. Repeatable.",
)
@click.option(
    "--reflection",
    type=click.Choice(["none", "strings", "resources", "casts"]),
    default="strings",
    show_default=True,
    help="What reflection makes and calls: nothing; what class literals and names in the program say; also names in "
    "properties, XML and META-INF/services, and unknown methods; also unknown classes, by casts.",
)
@click.option(
    "--exceptions",
    type=click.Choice(["near", "objects", "types"]),
    default="near",
    show_default=True,
    help="How far an exception is the object thrown, for pointsto: where the throwing method or its caller catches "
    "it, and farther up known by its class alone; everywhere; nowhere, one for each class.",
)
@context_option(
    "Contexts of methods and objects, for analyses that have them, like pointsto: ci (none), 1-call, 2-call, 1-obj, "
    "2-obj+heap, 1-type, 2-type, or selective: where precision is lost without them; constprop and interval have the "
    "first three."
)
@click.option(
    "--classpath",
    metavar="PATH[:PATH…]",
    help="Jars, directories of classes, jmods or lib/modules of a JDK, whose types the project uses; none: no such "
    "types. By default what pom.xml, gradle.lockfile and lib/*.jar say, as far as it is on this machine.",
)
@library_option(
    "What stands for the library: models and opaque objects; or bodies: the code of classes of the class path and of "
    "the JDK, as far as the project may run it, of all classes or of those in a package or class PREFIX."
)
@click.option(
    "--baseline-commit",
    type=Name(),
    metavar="REV",
    help="Report what changed since this commit instead of since the last run.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(list(dict.fromkeys((*SUMMARIES, *TABLES)))),
    default="table",
    show_default=True,
    help="Form of the summary, and of tables written with --output.",
)
@click.option(
    "--output",
    type=NamedPath(),
    help="Write the complete result tables into this directory (csv unless --format says otherwise); "
    "for sarif, the file.",
)
@temporaries_option
@click.option(
    "--extract",
    "extraction",
    type=click.Choice(["auto", "spark", "local"]),
    default="auto",
    show_default=True,
    help="Where facts are extracted: by processes of this machine, or by Spark; "
    "auto: by Spark if --master names a cluster and files are many.",
)
@engine_options
@click.option("--verify", is_flag=True, help="Compare the result, state included, with a run from scratch.")
@state_options("facts and state")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(0, MOST_JOBS),
    default=0,
    metavar="N",
    help="Processes to extract with, and threads of the engine; 0: one per core.",
)
@click.option(
    "--no-generated",
    is_flag=True,
    help="Leave out sources that a build has generated, such as those in target/generated-sources.",
)
@click.option(
    "--exclude",
    multiple=True,
    metavar="PATTERN",
    help="Leave out files that match a pattern as in a .gitignore at the root of the project, such as src/test/ or "
    "*IT.java. Repeatable.",
)
@click.option(
    "--known",
    type=NamedPath(),
    multiple=True,
    metavar="FILE",
    help="Suppress findings that this SARIF log of an earlier run has. Repeatable.",
)
@click.option(
    "--error",
    type=click.Choice(["new", "all", "none", *LEVELS]),
    is_flag=False,
    flag_value="all",
    default="none",
    show_default=True,
    help="Exit with 1 if there are findings or diagnostics: any; of this level or a worse one (diagnostics are "
    "warnings); or new ones, which --baseline-commit did not have, by default the commit where the work left the main "
    "branch. --error alone: all.",
)
@click.option("--quiet", is_flag=True, help="No progress: only the summary, and warnings.")
def analyze(project: Path, analyses: tuple[str, ...], **options: Any) -> int:
    """Analyse the project in PROJECT, a directory or a jar; run again after a change, only what changed is computed."""
    analyses = analyses or _default_analyses(project, options)
    _refuse(analyses, options)
    if options["engine"] != "spark":
        spare_pandas()
    from ladder.support.console import Console

    console = Console(options["quiet"])
    # else extraction has a small session to itself
    shared = options["engine"] == "spark" or options["master"] or options["spark_conf"]
    with whole_command(limits_of(options)):
        with spark_session(options, options["jobs"]) if shared else nullcontext():
            report = _run(project, analyses, options, console)
        if on_spark := [(a.name, a.on_spark) for a in report.analyses if a.on_spark]:
            tell_spark(on_spark, options)
        tell_profiles([(a.name, *a.profile) for a in report.analyses if a.profile and not a.on_spark], options)
        _print(report, options["format_"], options["output"])
    return 1 if fails(report, options["error"]) else 0


def fails(report: Report, error: str) -> bool:
    """Whether a run fails by what `--error` says."""
    shown, diagnostics = report.findings.shown, report.diagnostics
    if error == "none":
        return False
    if error == "new":
        came = diagnostics if report.new_diagnostics is None else report.new_diagnostics
        return bool(came) or any(finding.state in ("", "new") for finding in shown)
    worst = len(LEVELS) if error == "all" else LEVELS.index(error) + 1
    return bool(diagnostics and "warning" in LEVELS[:worst]) or any(f.level in LEVELS[:worst] for f in shown)


def _default_analyses(project: Path, options: dict[str, Any]) -> tuple[str, ...]:
    """The analyses that look for findings in projects like this one, which is said; a usage error if there are none."""
    from ladder.project.files import chosen
    from ladder.support.files import without_links

    front_end = options["front_end"] or (chosen(without_links(project)) if project.exists() else default_front_end())
    found: tuple[str, ...] = getattr(front_end, "findings", ())
    if not found:
        from ladder.session.analyze import programs

        raise click.UsageError(
            "Name at least one analysis with --analysis: "
            f"{', '.join((*programs(front_end), 'or a path to a .dl file'))}."
        )
    said = "which look for findings"
    if options["context"]:
        from ladder.session.analyze import those_with

        having = those_with(options["context"], found, front_end)
        left_out = [name for name in found if name not in having]
        if having and left_out:
            found = having
            said += f" and have contexts {options['context']}; {', '.join(left_out)} have none, and are left out"
    if not options["quiet"]:
        print(f"ladder: no --analysis: {', '.join(found)}, {said}", file=sys.stderr)
    return found


def _refuse(analyses: tuple[str, ...], options: dict[str, Any]) -> None:
    """Raise `Unsupported` or a usage error for combinations of options that are not possible."""
    if len(set(analyses)) < len(analyses):
        raise click.UsageError("An analysis is named twice.")
    refuse_spark(options)
    refuse_both(options)
    if options["format_"] not in SUMMARIES and not options["output"]:
        raise click.UsageError(f"--format {options['format_']} writes tables: name a directory with --output.")


def _run(path: Path, analyses: tuple[str, ...], options: dict[str, Any], console: Console) -> Report:
    from ladder.project.files import Project

    project = Project(
        path, options["front_end"], with_generated=not options["no_generated"], exclude=options["exclude"]
    )
    with _workspace(project, options, console) as workspace:
        from ladder.session.run import Request, run

        request = Request(
            analyses,
            options["entry"],
            options["models"],
            options["reflection"],
            options["exceptions"],
            options["context"],
            _class_path(options["classpath"]),
            options["library"],
            options["verify"],
            options["baseline_commit"] or (project.base() if options["error"] == "new" else None),
            options["extraction"],
            options["jobs"],
            not options["no_state"],
            options["output"],
            _table_format(options),
            _database_options(options, console),
            options["temporaries"],
            options["known"],
        )
        report = run(project, request, workspace, console, STARTED)
    if options["exclude"] and not report.excluded:
        console.warn(f"--exclude leaves out no file: nothing matches {' or '.join(options['exclude'])}.")
    return report


def _class_path(given: str | None) -> list[Path] | None:
    """The entries that `--classpath` names; None for those that the project's files say. `LadderError` for one that
    is not there."""
    if given is None:
        return None
    entries = [] if given == "none" else [Path(path) for path in given.split(os.pathsep) if path]
    if missing := [str(path) for path in entries if not path.exists()]:
        raise LadderError(
            f"There is no {' and no '.join(missing)}.",
            f"Name jars and directories with --classpath, with {os.pathsep} between them.",
        )
    return entries


def _database_options(options: dict[str, Any], console: Console) -> DatabaseOptions:
    """The options of each analysis' database; the engine for `auto` is chosen by the facts of each."""
    settings = database_options(options, options["jobs"])
    if options["engine"] != "local":
        settings |= {
            "engine": options["engine"],
            **spark_options(options, None, None if console.quiet else print_progress),
        }
    return settings


def _workspace(project: Project, options: dict[str, Any], console: Console) -> AbstractContextManager[Workspace]:
    from ladder.session import workspace
    from ladder.support.private import refuse_links

    for written in (options["output"], options["profile_output"]):
        if written is not None:
            refuse_links(Path(written), project.root)
    if options["no_state"]:
        return workspace.temporary()
    return workspace.opened(project, options["state"], console.warn, options["trust_state"])


def _table_format(options: dict[str, Any]) -> str | None:
    """The format of tables below --output; None if --output gets something else."""
    source = click.get_current_context().get_parameter_source("format_")
    if options["format_"] == "table" and source is click.core.ParameterSource.DEFAULT:
        return "csv"
    return options["format_"] if options["format_"] in TABLES else None


def _print(report: Report, format_: str, output: Path | None) -> None:
    if format_ == "table" and not output and sys.stdout.isatty() and "NO_COLOR" not in os.environ:
        from ladder.report.findings import coloured
        from ladder.report.summary import as_text

        print(as_text(report, coloured), file=steered(sys.stdout))
        return
    text = summary_of(format_)(report)
    explicit = click.get_current_context().get_parameter_source("format_") is not click.core.ParameterSource.DEFAULT
    if output and format_ not in TABLES and explicit:
        from ladder.support.files import FOR_OTHERS, write_atomically

        output.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(output, text + "\n", mode=FOR_OTHERS)
    else:
        sys.stdout.write(text + "\n")
