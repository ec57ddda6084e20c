"""Nothing that names, symbols, comments and messages hold steers a terminal; data stays exact."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from ladder import cli
from ladder.language.core import Place
from ladder.language.errors import Error, render
from ladder.report import summary as report
from ladder.report.sarif import as_sarif
from ladder.support.columns import aligned
from ladder.support.console import Console
from ladder.support.terminal import Shown, as_json, data_out, safely, visible

EVIL = "\x1b]0;title\x07\x1b[2J\x9b31m\r\x08\x7f\u202eevil\u2066\u200b\ufeff\u2028[bold]<script>"
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


@pytest.mark.parametrize(
    "text, shown",
    [
        ("a\x1b[1mb", r"a\x1b[1mb"),
        ("\x9b\x7f", r"\x9b\x7f"),
        ("\u202e\u2069", r"\u202e\u2069"),
        ("\udcff", r"\xff"),
        ("\ud83d", r"\ud83d"),
        ("\U000e0041", r"\U000e0041"),
        ("a\tb\nc", "a\tb\nc"),
        ("é☃😀 ·", "é☃😀 ·"),
        ("\r\n", "\\r\n"),
        ("\xad", r"\xad"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert json.loads(as_json({text: [text]})) == {text: [text]} and not STEERING.search(as_json(text))


def test_layout_of_names_is_no_layout() -> None:
    assert visible("a\nladder: fine\t", layout=False) == r"a\nladder: fine\t"


def test_streams_that_lack_characters() -> None:
    below = io.TextIOWrapper(io.BytesIO(), encoding="latin-1", write_through=True)
    print("é☃\x1b", file=Shown(below))  # type: ignore[arg-type]
    assert below.buffer.getvalue() == b"\xe9\\u2603\\x1b\n"  # type: ignore[attr-defined]


def test_everything_printed_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with safely(), safely():
        print(EVIL, end="")
        print(EVIL, file=sys.stderr, end="")
        Console().warn(EVIL)
        data_out().write("\x1b")
    out, err = capsys.readouterr()
    assert out == visible(EVIL) + "\x1b" and not STEERING.search(err)


def test_places_and_excerpts() -> None:
    text = render(Error(Place(f"a\n{EVIL}.dl", 1, 5), "wrong"), "\x1b\x1b\x1b\x1bb(x) // " + EVIL)
    lines = text.split("\n")
    assert not STEERING.search(text) and len(lines) == 3
    assert lines[1].index("b(x)") == lines[2].index("^")


def test_tables_and_sarif() -> None:
    table = pa.table({"a": [EVIL, "x\ny"]})
    shown = report.as_table(table)
    assert not STEERING.search(shown) and len(shown.split("\n")) == 3
    assert report.as_table(table, 10**80) == shown
    run = report.Report(
        EVIL, EVIL, 1, 1, 1, 1, "process", 1, {}, [(EVIL + "\udcff", 1, 1, "kind", EVIL)], {}, (1, 1), [], output=EVIL
    )
    for text in (report.as_text(run), report.as_json(run), as_sarif(run)):
        assert not STEERING.search(text)
    assert json.loads(report.as_json(run))["diagnostics"][0]["message"] == EVIL
    assert "%FF" in as_sarif(run)


PROGRAM = """.decl r(x: symbol)
.input r
.output r
r("{evil}").
"""


def evil_program(folder: Path) -> Path:
    name = folder / "evil\x1b[2J\u202e[bold].dl"
    name.write_text(PROGRAM.replace("{evil}", EVIL.replace("\r", "").replace("\u2028", "")))
    (folder / "r.facts").write_text("\x1b[31mred\x9b\n")
    return name


def on_terminal(*arguments: str, cwd: Path) -> str:
    """What a command prints on a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "ladder", *arguments],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    found = b""
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        found += part
    os.close(ours)
    process.wait()
    return found.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def test_data_is_shown_on_a_terminal_and_exact_elsewhere(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = evil_program(tmp_path)
    shown = on_terminal("run", name.name, "-D", "-", cwd=tmp_path)
    assert "\\x1b[31mred\\x9b" in shown and not STEERING.search(shown.replace("\r", "")), shown
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        cli.main(["run", name.name, "-D", "-"])
    out, _ = capfdbinary.readouterr()
    assert "\x1b[31mred\x9b\n".encode() in out


@pytest.mark.parametrize(
    "text",
    [
        "r(x) :- nothing(x). // \x1b[2J\u202e",
        'r("\x1b[2J", 1).',
        '.functor f(x: symbol): symbol = "no\x1b[2J:f"\nr(@f("x")).',
        "\x1b[2J\x9b",
        '#include "\x1b[2J"',
        '.lattice L = "no\x1b[2J\u202e:f"',
    ],
)
@pytest.mark.parametrize("command", ["run", "check", "check --trust", "check --trust --json"])
def test_errors_of_a_hostile_program(
    text: str, command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = evil_program(tmp_path)
    name.write_text(".decl r(x: symbol)\n" + text + "\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as leaving:
        cli.main([*command.split(), name.name])
    out, err = capfd.readouterr()
    assert (leaving.value.code or command == "check") and not STEERING.search(out + err), out + err
    assert out + err


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "no\x1b[2J.dl"],
        ["run", "x.dl", "-F", "no\x1b[2J"],
        ["run", "--no\x1b[2J"],
        ["no\x1b[2J"],
        ["check", "no\x1b[2J"],
        ["run", "x.dl", "-j", "\x1b[2J"],
        ["analyze", "no\x1b[2J", "--analysis", "linking"],
        ["analyze", ".", "--analysis", "\x1b[2J"],
        ["show", "no\x1b[2J", "r", "--analysis", "x"],
        ["tables", "\x1b[2J", "--program", "x.dl"],
        ["test", "\x1b[2J"],
        ["explain", ".", "\x1b[2J", "y", "--analysis", "\x1b[2J"],
    ],
)
def test_arguments_are_told_as_they_can_be_shown(
    arguments: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.dl").write_text(".decl r(x: symbol)\n.input r\n.output r\n")
    with pytest.raises(SystemExit) as leaving:
        cli.main(arguments)
    out, err = capfd.readouterr()
    assert leaving.value.code == 2 and err and not STEERING.search(out + err), out + err


def test_output_that_nobody_reads_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "r.dl").write_text(".decl r(x: number)\nr(x) :- x = range(0, 300000).\n.output r\n")
    command = f"{sys.executable} -P -m ladder run r.dl -D - | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "---------------\n", "")


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    (tmp_path / "r.dl").write_text(".decl r(x: number)\nr(1).\n.output r\n")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "ladder", "run", "r.dl", "-D", "-"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 2 and done.stderr.startswith("ladder: the disk is full") and done.stderr.count("\n") == 1


def test_columns_are_as_wide_as_terminals_show_them() -> None:
    assert aligned([("name", "n"), ("äö", "10"), ("日本", "3")], right={1}, indent=" ") == [
        " name   n",
        " äö    10",
        " 日本   3",
    ]
    assert aligned([(), ()]) == ["", ""]
