"""`docs/cli.md`, made of the commands' own help: `python -m tests.cli.documentation` writes it anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from ladder.cli.commands import ladder

FILE = Path(__file__).parents[2] / "docs" / "cli.md"
WIDTH = 100
HEAD = """# Commands

What `--help` says of each. `analyze` is the same as `ladder analyze`; this page is made of the commands
themselves by `python -m tests.cli.documentation`.
"""


def commands(command: click.Command, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """(name with those of its groups, help) of a command and those in it."""
    context = click.Context(
        command,
        info_name=" ".join(names),
        terminal_width=WIDTH,
        max_content_width=WIDTH,
        help_option_names=["-h", "--help"],
    )
    yield " ".join(names), command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, (*names, name))


def text() -> str:
    """The page."""
    return HEAD + "".join(f"\n## {name}\n\n```help\n{help_}\n```\n" for name, help_ in commands(ladder, ("ladder",)))


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
