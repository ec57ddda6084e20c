"""Archives as projects: hostile ones, rebuilt ones, and which front end reads what."""

from __future__ import annotations

import io
import os
import struct
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from ladder.errors import ProjectError
from ladder.frontends.registry import front_end
from ladder.project import archives, images
from ladder.project.files import Project, chosen
from ladder.session import workspace
from ladder.session.analyze import Reflection, programs
from ladder.session.run import Request, run
from ladder.support.console import Console
from tests.bytecode.samples import calling, image

CALLS = """
.decl Invocation(invocation: symbol, kind: symbol, name: symbol, arity: number, method: symbol)
.input Invocation
.decl Calls(method: symbol, name: symbol)
.output Calls
Calls(m, n) :- Invocation(_, _, n, _, m).
"""


def archive(path: Path, entries: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, data in entries.items():
            file.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data, compression)
    return path


def reasons(path: Path) -> dict[str, str]:
    return dict(Project(path).snapshot().unreadable)


def test_the_front_end_is_that_of_the_files(tmp_path: Path) -> None:
    jar = archive(tmp_path / "a.jar", {"A.class": calling("A")})
    for folder, files in {"source": ["A.java", "A.class"], "compiled": ["sub/A.class"], "neither": ["x.txt"]}.items():
        for name in files:
            (tmp_path / folder / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / folder / name).touch()
    found = {name: chosen(tmp_path / name).language for name in ("source", "compiled", "neither")}
    assert found == {"source": "Java", "compiled": "Java bytecode", "neither": "Java"}
    assert chosen(jar).language == "Java bytecode"
    with pytest.raises(ProjectError, match="not a directory"):
        Project(jar, front_end("java"))
    with pytest.raises(ProjectError, match="is not under git"):
        Project(jar).revision("HEAD")


def test_the_files_of_an_archive(tmp_path: Path) -> None:
    classes = {"a/A.class": calling("a/A"), "module-info.class": b"x", "a/readme.txt": b"hello"}
    snapshot = Project(archive(tmp_path / "a.jar", classes)).snapshot()
    assert [path for path, _ in snapshot.files] == ["a/A.class", "module-info.class"] and not snapshot.unreadable
    folder = tmp_path / "folder"
    (folder / "a").mkdir(parents=True)
    for name, data in classes.items():
        (folder / name).write_bytes(data)
    assert Project(folder).snapshot().files == snapshot.files  # contents have the same ids as elsewhere


def test_a_jmod_begins_with_bytes_of_its_own(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.jmod", {"classes/a/A.class": calling("a/A")})
    path.write_bytes(b"JM\x01\x00" + path.read_bytes())
    assert [name for name, _ in Project(path).snapshot().files] == ["classes/a/A.class"]


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    one = calling("A")
    entries = {
        "A.class": one,
        "../B.class": one,
        "/C.class": one,
        "a//D.class": one,
        "a/./E.class": one,
        "C:/F.class": one,
        "META-INF/versions/9/A.class": one,
        "META-INF/versions/9/a/G.class": one,
        "BOOT-INF/lib/x.jar": b"PK",
        "line\nbreak.class": one,
    }
    path = archive(tmp_path / "a.jar", entries)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(path, "a") as file:
            file.writestr("A.class", calling("A", "another"))
    project = Project(path)
    snapshot = project.snapshot()
    assert [name for name, _ in snapshot.files] == ["A.class"]
    assert project.source.read(*snapshot.files[0]) == one
    assert dict(snapshot.unreadable) == {
        **dict.fromkeys(
            ("../B.class", "/C.class", "a//D.class", "a/./E.class", "C:/F.class"), "its path leads elsewhere"
        ),
        "A.class": "the archive has several files of this name",
        "META-INF/versions/9": "2 files for Java 9 and later: the versions for any Java are analysed",
        "BOOT-INF/lib/*.jar": "1 file with files of their own: analyse them one by one",
        "line\\x0abreak.class": "the file's name is not a text",
    }


def changed(path: Path, signature: bytes, offset: int, form: str, value: int) -> None:
    """Change a number in the first header with this signature."""
    data = bytearray(path.read_bytes())
    struct.pack_into(form, data, data.index(signature) + offset, value)
    path.write_bytes(data)


def test_encrypted_damaged_and_unknown_entries(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.jar", {"A.class": calling("A")})
    changed(path, b"PK\1\2", 8, "<H", 1)
    assert reasons(path) == {"A.class": "the file is encrypted"}
    path = archive(tmp_path / "b.jar", {"A.class": calling("A")})
    changed(path, b"PK\1\2", 10, "<H", 77)
    assert "the archive is damaged there" in reasons(path)["A.class"]
    path = archive(tmp_path / "c.jar", {"A.class": calling("A")}, zipfile.ZIP_STORED)
    changed(path, b"\xca\xfe\xba\xbe", 5, "<B", 9)
    assert "the archive is damaged there" in reasons(path)["A.class"]
    path = archive(tmp_path / "d.jar", {"A.class": calling("A")})
    changed(path, b"PK\1\2", 24, "<I", 5)  # the size
    assert reasons(path)["A.class"]
    path = archive(tmp_path / "e.jar", {"A.class": calling("A")})
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ProjectError, match="not an archive that can be read"):
        Project(path).snapshot()


def test_little_that_unpacks_to_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive(
        tmp_path / "a.jar", {"A.class": bytes(40 << 20), "B.class": bytes(1 << 20), "C.class": bytes(1 << 20)}
    )
    assert path.stat().st_size < 1 << 20
    assert reasons(path) == {"A.class": f"the file has {40 << 20} bytes; files of more than {32 << 20} are not read"}
    monkeypatch.setattr(archives, "MOST_BYTES", 1 << 20)
    with pytest.raises(ProjectError, match="The files of .* have 2,097,152 bytes"):
        Project(path).snapshot()


def test_sizes_and_counts_beyond_the_old_format(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file, file.open("A.class", "w", force_zip64=True) as entry:
        entry.write(calling("A"))
    (tmp_path / "a.jar").write_bytes(data.getvalue())
    project = Project(tmp_path / "a.jar")
    (found,) = project.snapshot().files
    assert project.source.read(*found) == calling("A")


@pytest.mark.slow
def test_a_rebuilt_archive_is_an_update_of_what_changed(tmp_path: Path) -> None:
    (tmp_path / "calls.dl").write_text(CALLS)
    classes = {f"p/C{n}.class": calling(f"p/C{n}", "f", "g") for n in range(30)}
    jar = archive(tmp_path / "a.jar", classes)

    def analyse(verify: bool = False) -> tuple[int, str, dict[str, int]]:
        with workspace.opened(Project(jar), tmp_path / "state", print) as kept:
            report = run(Project(jar), Request([str(tmp_path / "calls.dl")], verify=verify), kept, Console(quiet=True))
        (result,) = report.analyses
        return report.extracted_files, result.mode, dict(result.relations)

    assert analyse() == (30, "bootstrap", {"Calls": 60})
    assert analyse()[:2] == (0, "unchanged")
    os.utime(jar, ns=(1, 1))
    assert analyse()[:2] == (0, "unchanged")
    archive(jar, {**classes, "p/C7.class": calling("p/C7", "f", "g", "h"), "p/D.class": calling("p/D", "i")})
    assert analyse(verify=True) == (2, "update", {"Calls": 62})
    archive(jar, {name: data for name, data in classes.items() if name != "p/C9.class"})
    assert analyse(verify=True)[1:] == ("update", {"Calls": 58})


def test_a_broken_class_is_a_diagnostic_and_ends_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "calls.dl").write_text(CALLS)
    jar = archive(tmp_path / "a.jar", {"A.class": calling("A", "f"), "B.class": calling("B", "f")[:-3]})
    with workspace.temporary() as kept:
        report = run(Project(jar), Request([str(tmp_path / "calls.dl")]), kept, Console(quiet=True))
    assert dict(report.analyses[0].relations) == {"Calls": 1}
    ((path, line, column, kind, message),) = report.diagnostics
    assert (path, line, kind) == ("B.class", 1, "class file") and column > 1 and "there are" in message


def test_names_in_files_beside_the_classes(tmp_path: Path) -> None:
    """Analyses that read such names were refused for class files."""
    (tmp_path / "names.dl").write_text(
        ".decl ResourceName(name: symbol)\n.input ResourceName\n"
        ".decl Known(n: symbol)\n.output Known\nKnown(n) :- ResourceName(n).\n"
    )
    files = {
        "META-INF/services/p.S": b"p.One\n",
        "p/x.properties": b"two=p.Two\n",
        "../p/y.properties": b"three=p.Three\n",
        "p/readme.txt": b"p.Four\n",
    }
    jar = archive(tmp_path / "a.jar", {"p/A.class": calling("p/A"), **files})

    def known(reflection: Reflection) -> int:
        with workspace.temporary() as kept:
            request = Request([str(tmp_path / "names.dl")], reflection=reflection)
            (result,) = run(Project(jar), request, kept, Console(quiet=True)).analyses
        return result.relations["Known"]

    assert known("strings") == 0 and known("resources") == 2


@pytest.mark.slow
def test_every_analysis_reads_class_files(tmp_path: Path) -> None:
    jar = archive(tmp_path / "a.jar", {"p/A.class": calling("p/A", "f", "g")})
    names = programs(front_end("bytecode"))
    with workspace.temporary() as kept:
        report = run(Project(jar), Request(names, entry="all"), kept, Console(quiet=True))
    assert [analysis.name for analysis in report.analyses] == names and "pointsto" in names
    assert all(analysis.relations["MethodInvocation_Method"] == 2 for analysis in report.analyses)


# ---- runtime images


@pytest.mark.parametrize("order", "<>")
def test_the_files_of_a_runtime_image(order: str, tmp_path: Path) -> None:
    entries = {
        "java.base/java/lang/A.class": calling("java/lang/A"),
        "java.base/module-info.class": b"x",
        "java.base/java/lang/readme.txt": b"",
        "packages/java/lang/A.class": b"",
    }
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/modules").write_bytes(image(entries, order))
    project = Project(tmp_path / "lib/modules")
    snapshot = project.snapshot()
    assert [path for path, _ in snapshot.files] == ["java.base/java/lang/A.class", "java.base/module-info.class"]
    assert project.source.read(*snapshot.files[0]) == calling("java/lang/A") and not snapshot.unreadable


def test_runtime_images_that_are_compressed_or_damaged(tmp_path: Path) -> None:
    path = tmp_path / "modules"
    whole = image({"m/A.class": calling("A"), "m/../B.class": calling("B")})
    path.write_bytes(image({"m/A.class": calling("A")}, compressed=9))
    assert reasons(path) == {"m/A.class": "the file is compressed"}
    path.write_bytes(whole[:-1])
    assert reasons(path) == {"m/../B.class": "its path leads elsewhere"}
    for size in range(4, len(whole) - 2 * len(calling("A"))):
        path.write_bytes(whole[:size])
        with pytest.raises(ProjectError, match="not an archive that can be read"):
            Project(path).snapshot()


def test_names_of_runtime_images_that_share_their_text_are_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many resources may have one name, and begin anywhere in it: a small file with names of gigabytes."""
    long = "p" * 5000
    path = tmp_path / "modules"
    path.write_bytes(image({f"m/{long}/A{number}.class": calling("A") for number in range(100)}))
    assert path.stat().st_size < 100_000 and len(Project(path).snapshot().files) == 100
    monkeypatch.setattr(images, "MOST_TEXT", 400_000)
    path.touch()
    with pytest.raises(ProjectError, match="its names have more than 400,000 characters"):
        Project(path).snapshot()
