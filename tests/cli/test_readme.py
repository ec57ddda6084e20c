"""What the README, and the pages that say how Ladder is used, name exists; what comes out of the sample is what the
README shows."""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path

import click
import pytest

import ladder
from ladder.cli import analyze_main
from ladder.cli.bench import bench
from ladder.cli.commands import ladder as commands
from ladder.frontends.registry import front_end
from ladder.session.analyze import programs

ROOT = Path(__file__).parents[2]
README, USAGE = ROOT / "README.md", ROOT / "docs/usage.md"
PAGES = (README, USAGE, ROOT / "docs/python.md")
TEXT = "\n".join(page.read_text("utf-8") for page in PAGES)
PACKAGE = Path(ladder.__file__).parent


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`(ladder/[\w/.*]+|corpora|benchmarks)`", TEXT))))
def test_paths_exist(path: str) -> None:
    root = PACKAGE.parent if path.startswith("ladder") else README.parent
    assert list(root.glob(path)), path


def test_options_and_commands_exist() -> None:
    context = click.Context(commands)
    found = {name: commands.get_command(context, name) for name in commands.list_commands(context)}
    known = {
        option
        for command in (*found.values(), *bench.commands.values())
        if command
        for parameter in command.params
        for option in parameter.opts
    }
    assert set(re.findall(r"(?<!-)(--[a-z][a-z-]+)", TEXT)) <= known
    assert set(re.findall(r"^    ladder (\w+)", TEXT, re.MULTILINE)) <= set(found)


def test_analyses_exist() -> None:
    table = USAGE.read_text("utf-8").split("## Analyses")[1].split("\n\n")[1]
    assert table.count("\n| `") == 14
    assert set(re.findall(r"`(\w+)`", table)) <= set(programs(front_end()))


def test_importing_the_package_is_light() -> None:
    import subprocess
    import sys

    heavy = "{'numba', 'numpy', 'pyarrow', 'pyspark', 'lark', 'pandas'}"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, ladder; print({heavy} & set(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "set()" and importlib.util.find_spec("ladder")


def test_the_readme_is_one_page_with_two_commands() -> None:
    lines = README.read_text("utf-8").splitlines()
    assert len(lines) <= 80
    commands_ = [line.strip() for line in lines if line.startswith("    python3 ")]
    assert [line.split(" && ")[0] for line in commands_] == ["python3 -m venv venv"] * 2
    assert commands_[0].endswith("venv/bin/analyze corpora/bookshop --analysis pointsto") and commands_[1].endswith(
        "venv/bin/pytest"
    )


@pytest.mark.slow
def test_what_comes_out_is_what_the_readme_shows(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shop = tmp_path / "bookshop"
    shutil.copytree(ROOT / "corpora/bookshop", shop, ignore=shutil.ignore_patterns(".ladder"))
    first, second = re.findall(r"<!-- (?:first|second) run -->\n```\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert comparable(first)[1:-1] == analyzed(shop, capfd)[1 : len(comparable(first)) - 1]
    edited = shop / "src/bookshop/app/Script.java"
    edited.write_text(edited.read_text("utf-8").replace(".warehouse().reorder()", ".warehouse()"), "utf-8")
    found = analyzed(shop, capfd)
    assert (
        comparable(second) == [line for line in found if line in comparable(second)]
        and sum(line.startswith("    ") for line in found) == 30
    )


def analyzed(shop: Path, capfd: pytest.CaptureFixture[str]) -> list[str]:
    with pytest.raises(SystemExit) as leaving:
        analyze_main([str(shop), "--analysis", "pointsto", "--state", str(shop.parent / "state"), "--quiet", "-j", "2"])
    assert not leaving.value.code
    return comparable(capfd.readouterr().out)


def comparable(text: str) -> list[str]:
    """The lines of a summary without the time that it took."""
    return [re.sub(r"\d+\.\d{3} s", "… s", line) for line in text.splitlines()]
