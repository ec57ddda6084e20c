"""Fuzzing of class files and of archives of them: what is no class, or no archive, is told with its place."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path

import pyspark

from ladder.errors import LadderError
from ladder.frontends.bytecode.facts import facts_of
from ladder.frontends.registry import front_end
from ladder.project.files import Project
from tests.bytecode.samples import example, image
from tests.java_lowering.integrity import problems
from tests.work import calls_in

JARS = Path(pyspark.__file__).parent / "jars"
CLASSES = 40
LARGEST = 6_000
MOST_CALLS = 500  # for each byte: a hundred times what ordinary classes take
CLASS_WORDS = (
    b"Code", b"LineNumberTable", b"LocalVariableTable", b"BootstrapMethods", b"InnerClasses", b"Signature",
    b"(Ljava/lang/Object;)V", b"[[[[I", b"<init>", b"<clinit>", b"\xca\xfe\xba\xbe", b"\xff\xff", b"\x00\x00",
    b"\x00\x00\xff\xff", b"\xaa\x00\x00\x00", b"\xab\x00\x00\x00", b"\xc4\x15\xff\xff", b"\xa8\x00\x03", b"\xa9\x01",
    b"\xba\x00\x01\x00\x00", b"\xbb\x00\x01Y", b"\x01\x00\x01a", b"\x0f\x06\x00\x01", b"\x12\x00\x00\x00\x01",
)  # fmt: skip
ARCHIVE_WORDS = (
    b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07", b"../../x.class", b"/etc/x.class",
    b"A.class", b"\x00", b"\xff\xff\xff\xff", b"\x08\x00", b"\x01\x00", b"META-INF/versions/9/A.class",
)  # fmt: skip


def classes() -> list[bytes]:
    """Small classes of a jar that pyspark brings, and one with something of everything."""
    jar = min(JARS.glob("py4j*.jar"), default=min(JARS.glob("*.jar")))
    with zipfile.ZipFile(jar) as archive:
        entries = [each for each in archive.infolist() if each.filename.endswith(".class") and each.file_size < LARGEST]
        return [example().bytes(), *(archive.read(each) for each in entries[:CLASSES])]


def check_class(data: bytes) -> None:
    """Raise AssertionError where the front end does with these bytes what it must not."""
    facts = facts_of(data)
    assert facts.parser != "none" or facts.diagnostics
    for line, column, kind, message in facts.diagnostics:
        assert kind in ("class file", "limit"), (kind, message)
        assert line >= 1 and 1 <= column <= len(data) + 1 and message, (line, column, message)
    again: list[object] = []
    calls = calls_in(lambda: again.append(facts_of(data)))
    assert calls < MOST_CALLS * (len(data) + 10_000), f"{calls:,} calls for {len(data):,} bytes"
    assert again == [facts], "not the same facts again"
    if facts.parser != "none":
        wrong = next(problems(facts), None)
        assert wrong is None, f"facts do not hold together: {wrong}"


def archives() -> list[bytes]:
    """An archive, stored and deflated, with entries of all kinds."""
    found = []
    for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", compression) as archive:
            for name in ("a/A.class", "META-INF/MANIFEST.MF", "META-INF/versions/9/A.class", "lib/x.jar", "../B.class"):
                archive.writestr(name, example().bytes())
        found.append(data.getvalue())
    return [*found, *(image({"m/a/A.class": example().bytes(), "m/B.class": b""}, order) for order in "<>")]


def check_archive(data: bytes) -> None:
    """Raise AssertionError where listing or reading an archive does what it must not."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "modules")
        path.write_bytes(data)
        try:
            project = Project(path, front_end("bytecode"))
            snapshot = project.snapshot()
            for name, blob in snapshot.files:
                assert ".." not in name and not name.startswith("/")
                project.source.read(name, blob)
        except LadderError as error:
            assert error.message
        assert [each.name for each in Path(folder).iterdir()] == ["modules"]
