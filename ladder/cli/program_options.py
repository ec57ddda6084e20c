"""Options of every command that reads a program: those of the preprocessor, and those that select warnings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ladder.cli.paths import NamedPath

Command = TypeVar("Command", bound=Callable[..., Any])


def preprocessor_options(command: Command) -> Command:
    """Add --include-dir, --macro and --no-preprocessor."""
    for option in (
        click.option("--no-preprocessor", is_flag=True, help="Read the program as it is, without macros and #include."),
        click.option(
            "-M",
            "--macro",
            "macros",
            multiple=True,
            metavar="NAME=TEXT",
            help="Macros for the preprocessor, several between blanks. Repeatable.",
        ),
        click.option(
            "-I",
            "--include-dir",
            type=NamedPath(),
            multiple=True,
            metavar="DIR",
            help="Directory of files to include. Repeatable.",
        ),
    ):
        command = option(command)
    return command


def warning_options(command: Command) -> Command:
    """Add --warn and --wno."""
    for option in (
        click.option("--wno", multiple=True, metavar="KIND", help="No warnings of this kind, or all. Repeatable."),
        click.option(
            "-W",
            "--warn",
            multiple=True,
            metavar="KIND",
            help="Show warnings of this kind (all unless --wno). Repeatable.",
        ),
    ):
        command = option(command)
    return command
