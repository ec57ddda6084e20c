"""A front end of somebody else's, in all the ways in which files are read; Java's stays as it is."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from ladder import cli
from ladder.errors import ProjectError
from ladder.facts.packs.store import FactTables
from ladder.frontends.protocol import FrontEnd
from ladder.frontends.registry import FRONT_ENDS, front_end
from ladder.project import extraction
from ladder.project.files import Project
from tests.language.documentation import ALL


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FrontEnd:
    """The toy front end of docs/extending.md, and a project of twelve files."""
    (section,) = (section for section in ALL if (section.page, section.title) == ("extending.md", "A front end"))
    for block in section.blocks:
        if block.file in ("toy.py", "reach.dl"):
            (tmp_path / block.file).write_text(block.text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "toy", raising=False)
    monkeypatch.setitem(FRONT_ENDS, "toy", "toy:FRONT_END")
    (tmp_path / "shop").mkdir()
    for number in range(12):
        (tmp_path / f"shop/f{number}.toy").write_text(f"f{number}: f{number + 1}\n", "utf-8")
    (tmp_path / "shop/Other.java").write_text("class Other {}", "utf-8")
    return front_end("toy")


def test_processes_of_their_own_read_its_files(toy: FrontEnd, tmp_path: Path) -> None:
    project = Project(tmp_path / "shop", toy)
    files = project.snapshot().files
    assert len(files) == 12
    tables = FactTables(tmp_path / "facts", extraction.layout(toy))
    done = extraction.extract(files, project.source, toy, tables.folder, "local", jobs=2)
    tables.note(done.entries)
    assert done.where == "local" and tables.missing(hash_ for _, hash_ in files) == []
    rows = tables.read([hash_ for _, hash_ in files], ["Calls"])["Calls"].to_pylist()
    assert {(row["caller"], row["callee"]) for row in rows} == {(f"f{n}", f"f{n + 1}") for n in range(12)}


def test_the_commands_take_it(toy: FrontEnd, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def ladder(*arguments: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as leaving:
            cli.main([str(argument) for argument in arguments])
        return int(leaving.value.code or 0), capfd.readouterr().out

    shop, options = (
        tmp_path / "shop",
        ("--front-end", "toy", "--analysis", tmp_path / "reach.dl", "--state", tmp_path / "state"),
    )
    code, out = ladder("analyze", shop, *options, "--quiet")
    assert code == 0 and "Reaches 78, Unknown 1" in out
    code, out = ladder("show", shop, "Unknown", *options)
    assert code == 0 and "f11.toy:1:6/f12" in out
    code, out = ladder("explain", shop, "Reaches", "f10", "f12", "--full", *options)
    assert code == 0 and "Calls" in out
    (shop / "f5.toy").write_text("f5 f6\n", "utf-8")
    code, out = ladder("analyze", shop, *options, "--quiet", "--verify")
    assert (
        code == 0
        and "equal to a run from scratch" in out
        and "f5.toy:1:1: syntax: f5 f6 is followed by no colon" in out
    )


def test_its_state_is_not_javas(toy: FrontEnd, tmp_path: Path) -> None:
    from ladder.session.workspace import kept_for

    assert kept_for(tmp_path, toy) != kept_for(tmp_path) == kept_for(tmp_path, front_end("java"))


def test_its_facts_are_of_its_own_version(toy: FrontEnd, tmp_path: Path) -> None:
    version = extraction.front_end_version(toy)
    assert version == extraction.front_end_version(toy) != extraction.front_end_version(front_end())
    shutil.copy(tmp_path / "toy.py", tmp_path / "toy2.py")
    with (tmp_path / "toy2.py").open("a", encoding="utf-8") as module:
        module.write("# edited\n")
    FRONT_ENDS["toy2"] = "toy2:FRONT_END"
    try:
        assert extraction.front_end_version(front_end("toy2")) != version
    finally:
        del FRONT_ENDS["toy2"]


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="no front end cobol"):
        front_end("cobol")
    (tmp_path / "A.toy").write_text("a:\n")
    with pytest.raises(ProjectError, match=r"has no Java files \(\*\.java, \*\.jsp, \*\.jspf\)"):
        Project(tmp_path).snapshot()
