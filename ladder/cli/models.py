"""`ladder models`: models of libraries, proposed from their bytecode."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ladder.cli.limit_options import limited
from ladder.cli.paths import NamedPath
from ladder.cli.state_options import refuse_both, state_options

if TYPE_CHECKING:
    from ladder.session.models import Proposal
    from ladder.support.console import Console

PATH = NamedPath()


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def models() -> None:
    """Models of libraries, as `--models` reads them."""


@models.command()
@click.argument("library", type=PATH)
@click.option(
    "--package",
    "packages",
    multiple=True,
    metavar="PREFIX",
    help="Only methods of this package and of those below it. Repeatable; without it, all.",
)
@click.option(
    "--models",
    "known",
    type=PATH,
    multiple=True,
    metavar="DIR",
    help="Models of libraries that this one uses, beside those of the JDK. Repeatable.",
)
@click.option(
    "--path-length",
    "length",
    type=click.IntRange(1, 8),
    default=3,
    show_default=True,
    metavar="N",
    help="How many fields and contents a row leads through, at most. With more, fewer methods are left without rows, "
    "and time and memory grow.",
)
@click.option(
    "--output", type=PATH, metavar="FILE", help="Write the rows into this file instead of to standard output."
)
@state_options("facts")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Processes to read class files with, and threads of the engine; 0: one per core.",
)
@click.option("--quiet", is_flag=True, help="No progress, and no counts: only the rows, and warnings.")
@limited
def infer(library: Path, **options: Any) -> None:
    """Propose models for the methods of LIBRARY, a jar, a jmod, a runtime image or a directory of class files.

    For each public or protected method of a visible type, the rows (YAML, summaryModel) say which references get from
    where to where when it is called; a method that moves none has a row of neutralModel. Methods of which not all is
    seen, or that do more than rows can say, get none: how many, and why, is told on standard error.
    """
    refuse_both(options)
    from ladder.frontends.registry import front_end
    from ladder.project.files import Project
    from ladder.session import workspace
    from ladder.session.models import Request, as_yaml
    from ladder.session.models import infer as inferred
    from ladder.support.console import Console
    from ladder.support.private import refuse_links

    console = Console(options["quiet"])
    project = Project(library, front_end("bytecode"))
    if options["output"] is not None:
        refuse_links(options["output"], project.root)
    request = Request(
        options["packages"], options["known"], options["length"], options["jobs"], {"jobs": options["jobs"] or 1}
    )
    opened = (
        workspace.temporary()
        if options["no_state"]
        else workspace.opened(project, options["state"], console.warn, options["trust_state"])
    )
    with opened as used:
        found = inferred(project, request, used, console)
    _write(as_yaml(found, project.root.name), options["output"])
    if not options["quiet"]:
        _tell(found, console)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
        return
    from ladder.support.files import FOR_OTHERS, write_atomically

    output.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(output, text, mode=FOR_OTHERS)


def _tell(found: Proposal, console: Console) -> None:
    """Say how many rows there are, and of how many methods there are none."""
    methods = len({row[:5] for row in found.summaries})
    console.say(
        f"{len(found.summaries):,} rows of {methods:,} methods; {len(found.neutral):,} methods that move no references"
    )
    left = len({method for method, _ in found.left})
    console.say(f"{left:,} methods without rows" + (":" if left else ""))
    for reason, number in found.reasons.items():
        console.say(f"  {number:,}: {reason}")
