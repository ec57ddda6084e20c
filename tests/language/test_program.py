"""`Program`: loading, includes, fingerprints, and the store of checked programs."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from ladder.api.program import Program, checked_program
from ladder.api.shipped import ship_programs
from ladder.api.together import Together
from ladder.errors import LadderWarning
from ladder.language import stored
from ladder.language.errors import ProgramError
from ladder.language.options import DEFAULT, LIBRARY
from ladder.language.stored import Checked
from ladder.language.versions.union import united

TEXT = """
.include "rules/more.dl"
.lattice Few = "ladder.lattices:k_set(2)"
.functor twice(x: number): number = "mine.py:twice"
.functor elements(s: Few): symbol = "ladder.lattices:members" several
.decl a(x: number)
.decl b(x: number)
.decl few(v: number, s: Few<>)
.input a(filename="a.csv", IO=file)
.output b, few
b(@twice(x)) :- a(x).
few(x, lub("e")) :- a(x).
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program with an include and a Python file, and a store of its own."""
    monkeypatch.setenv("LADDER_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "main.dl").write_text(TEXT)
    (tmp_path / "mine.py").write_text("def twice(x):\n    return 2 * x\n")
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "more.dl").write_text('.include "../main.dl"\n.decl c(x: number)\nc(x) :- b(x).\n')
    yield tmp_path


def test_program_of_a_file(folder: Path) -> None:
    program = Program.load(folder / "main.dl")
    assert program.name == "main.dl" and program.text == TEXT
    assert program.inputs == ("a",) and program.outputs == ("b", "few")
    assert program.core.directives[0].parameters == {"filename": "a.csv", "io": "file"}
    assert set(program.sources) == {"main.dl", "rules/more.dl"}
    assert program.core.functions["twice"].call(4) == 8
    assert [str(rule) for rule in program.core.rules] == [
        "c(x) :- b(x).",
        "b($1) :- a(x), $1 = twice(x).",
        'few(x, $1) :- a(x), $1 = Few.inject(symbol)("e").',
    ]


def test_names_of_included_files(folder: Path) -> None:
    """Files of the library keep their <…> in what they include, and `..` is resolved where no link stands before it."""
    (folder / "rules" / "deep").mkdir()
    (folder / "rules" / "deep" / "deep.dl").write_text('.include "../beside.dl"\n')
    (folder / "rules" / "beside.dl").write_text(".decl d()\n")
    (folder / "link").symlink_to(folder / "rules" / "deep")
    (folder / "p.dl").write_text('.include <linking.dl>\n.include "rules/deep/deep.dl"\n')
    sources = Program.load(folder / "p.dl").sources
    assert {"p.dl", "<linking.dl>", "<java/facts.dl>", "rules/deep/deep.dl", "rules/beside.dl"} < set(sources)
    assert not any(".." in name for name in sources)
    (folder / "q.dl").write_text('.include "link/../beside.dl"\n')
    assert set(Program.load(folder / "q.dl").sources) == {"q.dl", "link/../beside.dl"}


def test_second_load_comes_from_the_store_and_is_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Program.load(folder / "main.dl")
    monkeypatch.setattr("ladder.language.compile.compile_program", lambda *_: pytest.fail("parsed again"))
    again = Program.load(folder / "main.dl")
    assert str(again.core) == str(first.core) and again.fingerprint == first.fingerprint
    assert (again.core.rules, again.core.relations, again.core.types) == (
        first.core.rules,
        first.core.relations,
        first.core.types,
    )
    assert again.core.rules[0].place == first.core.rules[0].place
    assert again.core.functions["twice"].call(4) == 8
    assert again.core.functions["Few.inject(symbol)"].call("a") == frozenset("a")
    assert again.core.lattices["Few"].k == 2


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("main.dl", TEXT.replace("few(x, lub", "few(x + 1, lub")),
        ("rules/more.dl", ".decl c(x: number)\nc(x) :- a(x).\n"),
        ("mine.py", "def twice(x):\n    return x + x + 1\n"),
    ],
)
def test_every_change_that_matters_is_seen(folder: Path, file: str, content: str) -> None:
    before = Program.load(folder / "main.dl")
    (folder / file).write_text(content)
    after = Program.load(folder / "main.dl")
    assert after.fingerprint != before.fingerprint
    if file == "mine.py":
        assert after.core.functions["twice"].call(4) == 9
    else:
        assert str(after.core) != str(before.core)


def test_new_process_finds_the_store(folder: Path) -> None:
    code = (
        "import sys; from ladder.api.program import Program; p = Program.load(sys.argv[1]);"
        "print(p.fingerprint, len(p.core.rules), 'lark' in sys.modules, p.core.functions['twice'].call(21))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code, str(folder / "main.dl")], capture_output=True, text=True, check=True
        )
        for _ in range(2)
    ]
    first, second = (run.stdout.split() for run in runs)
    assert first == [first[0], "3", "True", "42"] and second == [first[0], "3", "False", "42"]


def test_users_with_other_keys_keep_their_own_entries(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each state folder has a key: runs by turns with two of them must not replace each other's entries."""
    entries = list[set[str]]()
    for number in (1, 2, 1):
        monkeypatch.setenv("LADDER_KEY", f"{number}" * 64)
        Program.load(folder / "main.dl")
        entries.append({entry.name for entry in (folder / "cache" / "programs").iterdir()})
    assert len(entries[0]) == 1 and len(entries[1]) == 2 and entries[2] == entries[1]


@pytest.mark.parametrize("damage", [b"", b"nonsense", pickle.dumps(7)])
def test_damaged_entries_are_ignored(folder: Path, damage: bytes) -> None:
    Program.load(folder / "main.dl")
    for entry in (folder / "cache" / "programs").iterdir():
        entry.write_bytes(damage)
    assert len(Program.load(folder / "main.dl").core.rules) == 3


@pytest.fixture
def shipped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the programs that the installation comes with."""
    monkeypatch.setattr(stored, "SHIPPED", folder / "compiled")
    ship_programs(folder / "compiled", ["linking"], ["linking", "kupdate1"])
    yield folder / "compiled"


def test_programs_of_an_installation_are_not_compiled(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone or together they are the same as if they were."""
    names = ("linking", "kupdate1")
    expected = [checked_program((LIBRARY / f"{n}.dl").read_text(), f"{n}.dl", LIBRARY, None, DEFAULT) for n in names]
    union = united([(name, part.core) for name, part in zip(names, expected, strict=True)])
    monkeypatch.setattr("ladder.language.compile.compile_program", lambda *_: pytest.fail("parsed again"))
    monkeypatch.setattr(stored, "united", lambda *_: pytest.fail("united again"))
    programs = {name: Program.load(LIBRARY / f"{name}.dl") for name in names}
    for program, checked in zip(programs.values(), expected, strict=True):
        assert str(program.core) == str(checked.core) and program.fingerprint == checked.fingerprint
        assert program.core.rules[0].place == checked.core.rules[0].place
    assert str(Together.of(programs).whole.core) == str(union.core)


def test_of_an_installation_only_what_is_its_library_is_used(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy elsewhere may include other files; what was changed, damaged, or has other options is compiled."""
    compiled = list[str]()

    def compile_instead(text: str, name: str, directory: Path, *_: object) -> Checked:
        compiled.append(str(directory))
        raise ProgramError([], {})

    monkeypatch.setattr("ladder.api.program.checked_program", compile_instead)
    copy = shipped.parent / "copy"
    shutil.copytree(LIBRARY, copy)
    for directory in (copy, LIBRARY):
        with suppress(ProgramError):
            Program.load(directory / "linking.dl")
    assert compiled == [str(copy)]
    with suppress(ProgramError):
        Program.load(LIBRARY / "linking.dl", domain=32)
    assert compiled == [str(copy), str(LIBRARY)]
    for entry in shipped.iterdir():
        entry.write_bytes(entry.read_bytes()[:-1])
    with suppress(ProgramError), pytest.warns(LadderWarning, match="is damaged: what it has is compiled anew"):
        Program.load(LIBRARY / "linking.dl")
    assert compiled == [str(copy), str(LIBRARY), str(LIBRARY)]


def test_without_a_store_everything_works(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "folder_if_any", lambda: None)
    assert len(Program.load(folder / "main.dl").core.rules) == 3


def test_functors_may_be_given(folder: Path) -> None:
    text = ".functor f(x: number): number\n.decl a(x: number)\na(@f(3))."
    assert Program.parse(text, functors={"f": abs}).core.functions["f"].call(-3) == 3
    with pytest.raises(ProgramError, match="the functor f has no function"):
        Program.parse(text)
    assert (
        Program.parse(text, functors={"f": abs}).fingerprint
        != Program.parse(text, functors={"f": stored.write_checked}).fingerprint
    )


def test_missing_includes_are_located(folder: Path) -> None:
    (folder / "rules" / "more.dl").write_text('.decl c(x: number)\n  .include "absent.dl"\n')
    with pytest.raises(ProgramError) as refused:
        Program.load(folder / "main.dl")
    assert refused.value.render() == (
        "rules/more.dl:2:12: error: cannot read absent.dl: No such file or directory\n"
        '      .include "absent.dl"\n'
        "               ^~~~~~~~~~~\n"
        "    the path is relative to the file that includes it"
    )


def test_errors_of_all_files_come_together(folder: Path) -> None:
    (folder / "rules" / "more.dl").write_text("c(x :- b(x).\n")
    (folder / "main.dl").write_text('.include "rules/more.dl"\n.decl a(x: number)\na(1))\n')
    with pytest.raises(ProgramError) as refused:
        Program.load(folder / "main.dl")
    assert [(e.place.file, e.place.line) for e in refused.value.errors] == [("main.dl", 3), ("rules/more.dl", 1)]


def test_a_module_is_the_file_beside_the_program_first(folder: Path) -> None:
    (folder / "main.dl").write_text(TEXT.replace("mine.py:twice", "mine:twice"))
    assert Program.load(folder / "main.dl").core.functions["twice"].call(4) == 8


def test_a_module_that_is_not_beside_the_program_is_imported(folder: Path) -> None:
    (folder / "main.dl").write_text(TEXT.replace("mine.py:twice", "operator:neg"))
    assert Program.load(folder / "main.dl").core.functions["twice"].call(4) == -4
