"""`ladder run`: a program over facts in files, with Soufflé's options and defaults."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from ladder.api.forms import FORMS, shown
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
from ladder.cli.limit_options import whole_command
from ladder.cli.paths import Name, NamedPath
from ladder.cli.program_options import preprocessor_options, warning_options
from ladder.cli.state_options import trust_state_option
from ladder.errors import LadderError, Unsupported
from ladder.support.shown import FAULTS, error_text
from ladder.support.terminal import data_out

if TYPE_CHECKING:
    from ladder.api.database import Database
    from ladder.api.program import Program
    from ladder.language.errors import Warning

PATH = NamedPath()
SHARED_LIBRARIES = (".so", ".dylib", ".dll", ".a", ".o")


@click.command()
@click.argument("program", type=PATH)
@click.option(
    "-F",
    "--facts",
    "--fact-dir",
    type=PATH,
    default=Path("."),
    show_default=True,
    help="Directory of the .facts files.",
)
@click.option(
    "-D",
    "--output",
    "--output-dir",
    type=Name(),
    default=".",
    show_default=True,
    help="Directory for the results, or - for standard output.",
)
@click.option(
    "--output-anywhere",
    is_flag=True,
    help="Let the program's `.output` lines write to files that are not below the directory of -D.",
)
@click.option(
    "-j", "--jobs", metavar="N", default="1", show_default=True, help="Threads of the engine; auto: one per core."
)
@click.option("--functors", type=PATH, help="Python file with the program's functors.")
@preprocessor_options
@click.option(
    "--domain", type=click.Choice(["32", "64"]), help="Bits of numbers (32 unless the program says otherwise)."
)
@click.option("-w", "--no-warn", is_flag=True, help="No warnings; facts that are missing are none.")
@warning_options
@click.option(
    "-P", "--pragma", "pragmas", multiple=True, metavar="KEY:VALUE", help="As .pragma in the program. Repeatable."
)
@click.option(
    "--state",
    type=PATH,
    metavar="DIR",
    help="Keep the state here: the next run computes only what follows from changed facts.",
)
@trust_state_option
@engine_options
@click.option(
    "--parquet", is_flag=True, help="Write R.parquet for each .output R; on Spark, a directory that its workers write."
)
@click.option(
    "--show",
    "form",
    type=click.Choice(FORMS),
    help="Print a form that the program takes on its way, and evaluate nothing: as it was read, as engines read it, "
    "as plans, as kernels run them, as Spark does.",
)
@click.option("--quiet", is_flag=True, help="On Spark, do not tell of every iteration.")
@click.option("-L", "--library-dir", multiple=True, hidden=True)
@click.option("-l", "--libraries", multiple=True, hidden=True)
@click.option("-c", "--compile", "compiled", is_flag=True, hidden=True)
@click.option("-v", "--verbose", is_flag=True, hidden=True)
@click.option("-m", "--magic-transform", hidden=True)
@click.option("--inline-exclude", hidden=True)
@click.option(
    "--legacy", is_flag=True, help="Let rules derive any value of a column's primitive type, as old programs do."
)
@click.option("-o", "--dl-program", hidden=True)
@click.option("-g", "--generate", hidden=True)
@click.option("-t", "--provenance", hidden=True)
def run(program: Path, **options: Any) -> None:
    """Evaluate a Datalog PROGRAM on .facts files.

    Facts are read from, and results written to, the current directory unless -F and -D say otherwise.
    """
    _refuse(options)
    with whole_command(limits_of(options)):
        _run(program, options)


def _run(program: Path, options: Mapping[str, Any]) -> None:
    loaded = load(
        program,
        options["functors"],
        include=options["include_dir"],
        macros=macros_of(options["macros"]),
        preprocess=not options["no_preprocessor"],
        legacy=options["legacy"],
        domain=_domain(options),
    )
    pragmas = _pragmas(loaded, options["pragmas"])
    if "libraries" in pragmas and not options["functors"]:
        raise _shared_library(pragmas["libraries"][0])
    silent = options["no_warn"] or "no-warn" in pragmas
    if silent:
        import warnings

        from ladder.errors import LadderWarning

        warnings.simplefilter("ignore", LadderWarning)
    else:
        _tell(loaded, options["warn"], (*options["wno"], *pragmas.get("wno", ())))
    if options["form"] is not None:
        _show(loaded, options)
        return
    if not silent and not any(d.kind in ("output", "printsize") for d in loaded.core.directives):
        _say("no relation has .output or .printsize, so nothing is shown")
    _evaluate(
        loaded,
        _directory(options, "facts", pragmas, "fact-dir"),
        _directory(options, "output", pragmas, "output-dir"),
        silent,
        options,
    )


def load(program: Path, functors: Path | None, **options: Any) -> Program:
    """The program in a file, with its functors; `LadderError` if one of the files is missing."""
    from ladder.api.program import Program

    if not program.is_file():
        raise LadderError(f"There is no program {program}.", "Name a .dl file.")
    return Program.load(program, functors_of(functors) if functors else None, **options)


def _show(program: Program, options: Mapping[str, Any]) -> None:
    """Print a form of the program."""
    if options["form"] != "sql":
        print(*shown(program, options["form"]), sep="\n")
        return
    from ladder.spark.session import Holder, Wanted

    cores = _cores(options)
    with spark_session(options, cores), Holder(Wanted(options["master"], cores)).session() as spark:
        print(*shown(program, "sql", spark), sep="\n")


def _evaluate(program: Program, facts: Path, output: Path, missing_is_empty: bool, options: Mapping[str, Any]) -> None:
    from ladder.engine.local.kernels.compiling import compiled
    from ladder.facts import files as factfiles

    if not facts.is_dir():
        raise LadderError(f"There is no directory {facts}.", "Name the directory of the .facts files with -F.")
    if str(output) != "-" and output.exists() and not output.is_dir():
        raise LadderError(f"{output} is not a directory.", "Name the directory of the results with -D.")
    program = program.needed()
    engine = _engine(program, facts, options)
    if engine == "local" and not compiled():
        from ladder.engine.local.warm import compile_first

        compile_first(limits_of(options).memory)
    folder = None if str(output) == "-" else output
    if folder is not None and not options["parquet"]:
        factfiles.refuse_outside(program.core, folder, options["output_anywhere"])
    cores = _cores(options)
    with spark_session(options, cores) if engine == "spark" else nullcontext():
        db = _database(program, engine, facts, missing_is_empty, options)
        wanted = {d.relation for d in program.core.directives if d.kind in ("output", "printsize")}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        results = {name: db[name] for name in wanted}
        if options["parquet"] and folder is not None:
            _write_parquet(program, results, folder)
        else:
            factfiles.write_outputs(program.core, results, folder, data_out(), options["output_anywhere"])
        report = db.report
        db.close()
    if report is not None:
        tell_spark([(program.name, report)], options)
    elif db.profile is not None:
        tell_profiles([(program.name, db.profile, program)], options)


def _cores(options: Mapping[str, Any]) -> int:
    """The number of this machine's cores for Spark; 0, which means all, unless --jobs is on the command line."""
    return int(options["jobs"]) if options["jobs"] != "auto" and is_given("jobs") else 0


def _engine(program: Program, facts: Path, options: Mapping[str, Any]) -> str:
    """The requested engine or, for `auto`, the one chosen by the number of facts."""
    if options["engine"] != "auto":
        return str(options["engine"])
    from ladder.policy.placement import chosen, facts_in

    choice = chosen(facts_in(program.core, facts), limits_of(options))
    if choice.engine == "spark" or choice.doubtful:
        _say(choice.reason)
    return choice.engine


def _database(
    program: Program, engine: str, facts: Path, missing_is_empty: bool, options: Mapping[str, Any]
) -> Database:
    """The database of the program over the facts, evaluated from scratch or updated from the saved state."""
    from ladder.api.database import Database

    settings = database_options(options, 0 if options["jobs"] == "auto" else int(options["jobs"]))
    if engine == "spark":
        settings |= {
            "engine": engine,
            **spark_options(options, options["state"], None if options["quiet"] else print_progress),
        }
    if options["state"] is None:
        db = Database(program, **settings)
        db.load(facts, missing_is_empty)
        return db
    from ladder.session.maintained import maintained, summary

    db, delta = maintained(program, facts, options["state"], settings, _say, missing_is_empty, options["trust_state"])
    _say(summary(db, delta))
    return db


def _write_parquet(program: Program, results: Mapping[str, Any], folder: Path) -> None:
    """Write each `.output` relation R to R.parquet, which from Spark is a directory that its workers write."""
    from ladder.facts.files.channels import below

    for directive in program.core.directives:
        if directive.kind == "output":
            target = folder / f"{directive.relation}.parquet"
            below(folder, target, f"the results of {directive.relation}")
            results[directive.relation].write_parquet(target)
        elif directive.kind == "printsize":
            data_out().write(f"{directive.relation}\t{len(results[directive.relation])}\n")


def _say(message: str) -> None:
    print(f"ladder: {message}", file=sys.stderr, flush=True)


def _refuse(options: Mapping[str, Any]) -> None:
    """Raise `Unsupported` for combinations of options that are not possible."""
    refuse_spark(options)
    if options["parquet"] and options["output"] == "-":
        raise click.UsageError("--parquet writes files: name a directory with -D.")
    if options["dl_program"] or options["generate"]:
        raise Unsupported(
            "Programs are not translated to C++.", "Leave out -o and -g: `ladder run` evaluates the program."
        )
    if options["provenance"] not in (None, "none"):
        raise Unsupported("--provenance is not supported.", "In Python, Database.explain says why a row is there.")
    if options["libraries"] and not options["functors"]:
        raise _shared_library(options["libraries"][0])
    jobs = options["jobs"]
    if not (jobs.isdecimal() or jobs == "auto"):
        raise click.BadParameter(f"{jobs} is not a number of threads.", param_hint="-j")
    if jobs != "auto" and (len(jobs) > len(str(MOST_JOBS)) or int(jobs) > MOST_JOBS):
        raise click.BadParameter(f"At most {MOST_JOBS:,} threads are started.", param_hint="-j")


def _shared_library(name: object) -> Unsupported:
    return Unsupported(
        f"The shared library {name} cannot be used: functors are Python functions.",
        "Write them into a Python file and name it with --functors.",
    )


def macros_of(given: tuple[str, ...]) -> dict[str, str]:
    """`A=1 B` → {"A": "1", "B": "1"}."""
    pairs = (macro.removeprefix("-D").partition("=") for text in given for macro in text.split())
    return {name: text if equals else "1" for name, equals, text in pairs}


def _pragmas(program: Program, given: tuple[str, ...]) -> dict[str, list[str]]:
    """The pragmas, key → values; those of the command line replace those of the program with the same key."""
    pragmas: dict[str, list[str]] = {}
    for text in given:
        key, _, value = text.partition(":")
        pragmas.setdefault(key, []).append(value)
    own: dict[str, list[str]] = {}
    for key, value in program.pragmas:
        own.setdefault(key, []).append(value)
    pragmas = {**own, **pragmas}
    return pragmas


def _domain(options: Mapping[str, Any]) -> int | None:
    """The bits of numbers according to the command line; None if it does not say."""
    given = [text.partition(":")[2] for text in options["pragmas"] if text.startswith("RamDomain:")]
    text = options["domain"] or (given[-1] if given else None)
    if text not in (None, "32", "64"):
        raise LadderError(f"Numbers have 32 or 64 bits, not {text}.")
    return int(text) if text else None


def _directory(options: Mapping[str, Any], name: str, pragmas: Mapping[str, list[str]], key: str) -> Path:
    """The directory that the command line names, else a pragma, else the current one."""
    return Path(pragmas[key][-1]) if key in pragmas and not is_given(name) else Path(options[name])


def is_given(name: str) -> bool:
    """Whether an option is on the command line."""
    return click.get_current_context().get_parameter_source(name) is not click.core.ParameterSource.DEFAULT


def _tell(program: Program, shown: tuple[str, ...], hidden: tuple[str, ...]) -> None:
    """Print the warnings that are not switched off."""
    if not (shown or hidden or program.warnings):
        return
    from ladder.language.check.warnings import KINDS
    from ladder.language.errors import did_you_mean, render

    for kind in (*shown, *hidden):
        if kind not in (*KINDS, "all", "none"):
            raise LadderError(
                f"There is no kind of warning {kind}.",
                (did_you_mean(kind, KINDS) or f"there are {', '.join(KINDS)}.").capitalize(),
            )
    for warning in program.warnings:
        if is_wanted(warning, shown, hidden):
            print(render(warning, program.sources.get(warning.place.file)), file=sys.stderr)


def is_wanted(warning: Warning, shown: tuple[str, ...], hidden: tuple[str, ...]) -> bool:
    """Whether a warning is shown, depending on the kinds that are requested and those that are switched off."""
    if warning.kind in shown:
        return True
    return "all" not in hidden and warning.kind not in hidden and (not shown or "all" in shown)


def functors_of(file: Path) -> ModuleType:
    """The module of a Python file with functors."""
    import importlib.util

    if file.suffix in SHARED_LIBRARIES:
        raise _shared_library(file)
    spec = importlib.util.spec_from_file_location(file.stem, file) if file.is_file() else None
    if spec is None or spec.loader is None:
        raise LadderError(f"There are no functors at {file}.", "Name a Python file, NAME.py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(file.stem, module)
    try:
        spec.loader.exec_module(module)
    except FAULTS as error:
        raise LadderError(
            f"{file} cannot be used: {error_text(error)}.",
            "It must be a Python module that can be imported.",
        ) from error
    return module
