"""What the README names exists."""
from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import click
import pytest

import ladder
from ladder.bench.command import engine
from ladder.cli.commands import ladder as commands
from ladder.frontends.registry import front_end
from ladder.session.analyze import programs

README = Path(__file__).parents[2] / "README.md"
PACKAGE = Path(ladder.__file__).parent


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`(ladder/[\w/.*]+|corpora|benchmarks)`", README.read_text("utf-8")))))
def test_paths_exist(path: str) -> None:
    root = PACKAGE.parent if path.startswith("ladder") else README.parent
    assert list(root.glob(path)), path


def test_options_and_commands_exist() -> None:
    text = README.read_text("utf-8")
    context = click.Context(commands)
    found = {name: commands.get_command(context, name) for name in commands.list_commands(context)}
    known = {option for command in (*found.values(), engine) if command for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"(?<!-)(--[a-z][a-z-]+)", text)) <= known
    assert set(re.findall(r"^    ladder (\w+)", text, re.MULTILINE)) <= set(found)


def test_analyses_exist() -> None:
    table = README.read_text("utf-8").split("## Analyses")[1].split("##")[0]
    assert set(re.findall(r"`(\w+)`", table)) - {"ladder"} <= set(programs(front_end()))


def test_importing_the_package_is_light() -> None:
    import subprocess
    import sys
    heavy = "{'numba', 'numpy', 'pyarrow', 'pyspark', 'lark', 'pandas'}"
    done = subprocess.run([sys.executable, "-c", f"import sys, ladder; print({heavy} & set(sys.modules))"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()" and importlib.util.find_spec("ladder")
