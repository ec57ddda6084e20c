"""What the fetch script says when it cannot do what it is asked, and that it does a thing once only."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import clients
import fetch
import pygit2
import pytest
import series
from click.testing import CliRunner


def invoke(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(fetch.command, list(arguments))
    return result.exit_code, result.output


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    code, output = invoke("ant", "nonsense")
    assert code == 2
    assert "nonsense" in output and "commons-lang3" in output


def test_an_existing_repository_is_refused(tmp_path: Path) -> None:
    code, output = invoke("--git", str(tmp_path))
    assert code == 2
    assert "exists already" in output


def test_a_missing_client_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, client in (("ant", "apt-get"), ("cordova-android", "npm")):
        code, output = invoke("--into", str(tmp_path / "into"), name)
        assert code == 1
        assert f"{client} is not on this machine" in output
        assert not (tmp_path / "into" / name).exists()


def test_it_appears_complete_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def half(work: Path, target: Path) -> None:
        calls.append("half")
        (target / "A.java").write_text("class A { }\n")
        if len(calls) == 1:
            raise clients.FetchError("the network went away")

    monkeypatch.setattr(fetch, "CODE_BASES", {"half": fetch.CodeBase("a test", half)})
    with pytest.raises(clients.FetchError):
        fetch.fetch("half", tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert fetch.fetch("half", tmp_path) is False
    assert fetch.fetch("half", tmp_path) is True
    assert len(calls) == 2
    assert fetch.summary(tmp_path / "half") == "1 Java files, 1 lines"


def test_a_tarball_loses_its_one_outer_folder(tmp_path: Path) -> None:
    for names, expected in ((["p-1.0/a", "p-1.0/b/c"], {"a", "b"}), (["a", "b/c"], {"a", "b"})):
        path = tmp_path / "t.tar"
        with tarfile.open(path, "w") as archive:
            for name in names:
                archive.addfile(tarfile.TarInfo(name), io.BytesIO())
        target = tmp_path / f"to-{len(names[0])}"
        fetch.unpack_tar(path, target)
        assert {entry.name for entry in target.iterdir()} == expected


def test_source_packages_come_from_where_binary_ones_do() -> None:
    one_line = "# mine\ndeb [signed-by=/k.gpg] mirror stable main\n"
    assert clients.with_sources(one_line, ".list").splitlines() == [
        "deb [signed-by=/k.gpg] mirror stable main",
        "deb-src [signed-by=/k.gpg] mirror stable main",
    ]
    stanza = "Types: deb\nURIs: mirror\nSuites: stable\n"
    assert clients.with_sources(stanza, ".sources") == "Types: deb deb-src\nURIs: mirror\nSuites: stable\n"


def test_versions_become_commits_oldest_first(tmp_path: Path) -> None:
    for version, text in (("9.0.0", "old"), ("10.0.0", "new")):
        folder = tmp_path / "all" / version / "src"
        folder.mkdir(parents=True)
        (folder / "A.java").write_text(text)
    folders = fetch.version_folders(tmp_path / "all")
    assert [folder.name for folder in folders] == ["9.0.0", "10.0.0"]
    commits = series.commit_series(tmp_path / "git", folders)
    repository = pygit2.Repository(str(tmp_path / "git"))
    texts = [repository[repository[commit].tree["src/A.java"].id].data for commit in commits]
    assert texts == [b"old", b"new"]
    assert (tmp_path / "git" / "src" / "A.java").read_text() == "new"
    assert commits == series.commit_series(tmp_path / "again", folders)
