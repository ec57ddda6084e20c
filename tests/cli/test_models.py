"""`ladder models infer`: rows that `--models` reads, what is told, and bad input."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from ladder.analyses import library_models
from ladder.cli import main
from tests.bytecode.assembler import ClassFile

pytestmark = pytest.mark.slow
OBJECT = "Ljava/lang/Object;"


def jar(folder: Path) -> Path:
    c = ClassFile("shop/Box")
    c.field(f"private x {OBJECT}")
    c.method(f"public get (){OBJECT}", ["aload_0", f"getfield shop/Box x {OBJECT}", "areturn"])
    c.method(f"public put ({OBJECT})V", ["aload_0", "aload_1", f"putfield shop/Box x {OBJECT}", "return"])
    c.method(f"public native other ({OBJECT})V")
    path = folder / "box.jar"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("shop/Box.class", c.bytes())
        file.writestr("shop/Bad.class", b"\xca\xfe\xba\xbe and so on")
    return path


def call(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([*map(str, arguments)])
    return int(ended.value.code or 0)


def test_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("models", "infer", jar(tmp_path), "--no-state", "--output", tmp_path / "rows.yml", "-j", 1) == 0
    out, err = capsys.readouterr()
    assert not out and "2 rows of 2 methods" in err and "1: native" in err
    assert "Left out: shop/Bad.class:1:" in err
    read = library_models.read(library_models.files([tmp_path / "rows.yml"]))
    assert not read.left_out and len(read.rows["SummaryModel"]) == 2
    assert call("models", "infer", jar(tmp_path), "--no-state", "--quiet", "-j", 1) == 0
    out, err = capsys.readouterr()
    assert out == (tmp_path / "rows.yml").read_text() and "rows of" not in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["box.jar", "--package", "shop.x"], "box.jar has no package shop.x. It has shop."),
        (["none.jar"], "There is no project at"),
        (["broken.jar"], "is not an archive that can be read"),
        (["box.jar", "--models", "none"], "There is no folder"),
    ],
)
def test_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    jar(tmp_path)
    (tmp_path / "broken.jar").write_bytes(b"PK\x03\x04")
    paths = [tmp_path / each if each.endswith(".jar") or each == "none" else each for each in arguments]
    assert call("models", "infer", *paths, "--no-state", "-j", 1) == 2
    out, err = capsys.readouterr()
    assert not out and said in err and err.count("ladder: ") <= 2
