"""Ten programs in every form of `ladder run --show`, compared with what is kept:
`python -m tests.forms.golden [FORM …]` writes it anew."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from ladder.api.forms import FORMS, shown
from ladder.api.program import Program

HERE = Path(__file__).parent
CASES = HERE.parent / "conformance"
PROGRAMS = (
    "aggregates",
    "aggregates_in_recursion",
    "choice",
    "components",
    "equivalences",
    "functors",
    "inline",
    "records",
    "shortest_paths",
    "variants",
)


def program(name: str) -> Program:
    """One of the conformance cases."""
    return Program.load(CASES / f"{name}.dl")


def kept(form: str, name: str) -> Path:
    """The file of a form of a program."""
    return HERE / form / f"{name}.txt"


def text(form: str, name: str, spark: Any = None) -> str:
    """A program in a form, now; names under which Spark knows functors are hashes, which tell where the
    program lies."""
    return re.sub(
        r"ladder_[0-9a-f]{16}_", "functor_", "".join(f"{block}\n" for block in shown(program(name), form, spark))
    )


def write(forms: tuple[str, ...]) -> None:
    """Write these forms of all programs anew; "sql" starts Spark."""
    from ladder.spark.session import open_session

    for form in forms:
        (HERE / form).mkdir(exist_ok=True)
        if form == "sql":
            with open_session(2) as spark:
                for name in PROGRAMS:
                    kept(form, name).write_text(text(form, name, spark), encoding="utf-8")
        else:
            for name in PROGRAMS:
                kept(form, name).write_text(text(form, name), encoding="utf-8")


@click.command(help=__doc__)
@click.argument("forms", nargs=-1, type=click.Choice(FORMS))
def main(forms: tuple[str, ...]) -> None:
    write(forms or FORMS)


if __name__ == "__main__":
    main()
