"""`ladder check`: what is wrong with a program, or may be, without running it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ladder.cli.limit_options import limited
from ladder.cli.paths import NamedPath
from ladder.cli.program_options import preprocessor_options, warning_options
from ladder.cli.run import functors_of, is_wanted, macros_of
from ladder.errors import LadderError
from ladder.support.counts import counted
from ladder.support.supervision import in_temporary_folder

if TYPE_CHECKING:
    from ladder.language.compile import Compiled
    from ladder.language.errors import Error

BROKEN = 1  # exit code where the program can be read, but a lattice or functor breaks its laws
PATH = NamedPath()


@click.command()
@click.argument("program", type=PATH)
@click.option(
    "--examples",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    metavar="N",
    help="Values drawn to test each law.",
)
@click.option("--json", "as_json", is_flag=True, help="Errors and warnings as a JSON array on standard output.")
@click.option(
    "--trust", is_flag=True, help="Import the Python code that the program names, and run it to test its laws."
)
@click.option("--functors", type=PATH, help="Python file with the program's functors; it is imported.")
@preprocessor_options
@click.option("-w", "--no-warn", is_flag=True, help="No warnings.")
@warning_options
@limited
def check(program: Path, examples: int, as_json: bool, **options: Any) -> int:
    """Check a PROGRAM: syntax, types, stratification; the laws of its lattices; monotone recursion through them.

    Laws are tested with drawn values; the smallest counterexample is told. Code that the program names is read, but not
    run without --trust: its lattices and functors are not tested then. Files of Ladder that it includes are left out:
    Ladder's tests check them. Exit code 0: nothing but warnings, 1: a broken law or a functor that is not monotone, 2:
    the program cannot be read.
    """
    from ladder.language.errors import ProgramError, Warning

    try:
        compiled = _compiled(program, options)
    except ProgramError as refused:
        if not as_json:
            raise
        _print_json(refused.errors)
        return refused.exit_code
    from ladder import checks

    with _nothing_left_behind():
        found = checks.check(compiled, examples)
    shown = [
        finding
        for finding in checks.in_order((*compiled.warnings, *found))
        if not isinstance(finding, Warning)
        or finding.place.file not in compiled.sources.library
        and not options["no_warn"]
        and is_wanted(finding, options["warn"], options["wno"])
    ]
    broken = sum(not isinstance(finding, Warning) for finding in shown)
    if as_json:
        _print_json(shown)
    else:
        _print(program, compiled, shown, broken)
    return BROKEN if broken else 0


@contextmanager
def _nothing_left_behind() -> Iterator[None]:
    """A block in which hypothesis stores its files in a temporary directory."""
    from hypothesis.configuration import set_hypothesis_home_dir

    with in_temporary_folder("ladder-check-") as home:
        set_hypothesis_home_dir(home)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)


def _compiled(program: Path, options: Mapping[str, Any]) -> Compiled:
    from ladder.language.compile import compile_program
    from ladder.language.options import Options

    if not program.is_file():
        raise LadderError(f"There is no program {program}.", "Name a .dl file.")
    try:
        text = program.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise LadderError(f"{program} is not UTF-8 text.", "Convert the file.") from None
    functors = functors_of(options["functors"]) if options["functors"] else None
    reading = Options(
        include=tuple(options["include_dir"]),
        macros=tuple(macros_of(options["macros"]).items()),
        preprocess=not options["no_preprocessor"],
        trust=options["trust"],
    )
    return compile_program(text, program.name, program.parent, functors, reading)


def _print(program: Path, compiled: Compiled, findings: Sequence[Error], broken: int) -> None:
    from ladder.language.errors import render

    for finding in findings:
        print(render(finding, compiled.sources.texts.get(finding.place.file)), file=sys.stderr)
    core, environment = compiled.core, compiled.environment
    counts = [
        counted(len(environment.relations), "relation"),
        counted(len(core.rules), "rule"),
        counted(len(environment.lattices), "lattice"),
    ]
    found = ((broken, "error"), (len(findings) - broken, "warning"))
    outcome = ", ".join(counted(number, what) for number, what in found if number) or "fine"
    print(f"{program}: {', '.join(counts)}: {outcome}")


def _print_json(findings: Sequence[Error]) -> None:
    from ladder.language.errors import findings_json

    print(findings_json(findings, indent=2))
