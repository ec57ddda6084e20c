"""Analyses that look for findings: lines of the samples that end in `// found RULE`, or `# found RULE` in rows of a
policy, are found by it, and no others."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from ladder.analyses.java_values import condition_named
from tests.marks import sampled
from tests.session.projects import analyse

CASES = Path(__file__).parent / "cases" / "findings"
FOUND = re.compile(r"(?://|#) found ([\w/, -]+)$")
EDITS = {
    "dead": ("Shop.java", "        shop.add(args[0]);\n", ""),
    "effects": ("Effects.java", "        seen++;\n", ""),
    "dependencies": ("tools/Names.java", "shop.model.Item.label()", 'trimmed("a")'),
    "resources": ("Owners.java", "        found.load(new FileInputStream(name)); // found unclosed-resource\n", ""),
    "ranges": ("Divisors.java", "n != 0 ? 100", "n != 1 ? 100"),
    "conditions": ("Bounds.java", "if (count > 3)", "if (count > 1)"),
    "taint": ("UncheckedServers.java", '            throw new CertificateException("no certificate");\n', ""),
    "nullness": ("Checks.java", "            System.out.println(a.name()); // found null-dereference\n", ""),
}


def expected(folder: Path) -> Counter[tuple[str, int, str]]:
    return Counter(
        (path.relative_to(folder).as_posix(), number, rule)
        for path in sorted((*folder.rglob("*.java"), *folder.rglob("*.yml")))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if (match := FOUND.search(line))
        for rule in match[1].split(", ")
    )


def models(root: Path) -> list[Path]:
    """The rows that are given with a sample."""
    return [folder for folder in [root / "policy"] if folder.is_dir()]


def at(root: Path, path: str) -> str:
    """A path in the project; rows of a policy are named by where the user says that they are."""
    return Path(path).relative_to(root).as_posix() if Path(path).is_absolute() else path


@pytest.mark.slow
@pytest.mark.parametrize("analysis", sorted(EDITS))
def test_marked_lines_are_found(analysis: str, tmp_path: Path) -> None:
    root = tmp_path / "project"
    shutil.copytree(CASES / analysis, root)
    report = analyse(root, analyses=[analysis], entry="main", models=models(root), verify=False)
    found = Counter((at(root, f.spot.path), f.spot.line, f.rule) for f in report.findings.found if f.spot)
    assert found == expected(root)
    assert len(report.findings.found) == found.total()
    assert all(rule.help and rule.title for rule in report.findings.rules.values())
    levels = {f.spot.path: f.level for f in report.findings.found if f.spot and f.rule == "unclosed-resource"}
    assert all((level == "note") == path.endswith("Test.java") for path, level in levels.items())


@pytest.mark.parametrize("analysis", sampled(sorted(EDITS), slow=["nullness"]))
def test_findings_after_an_edit_are_those_from_scratch(analysis: str, tmp_path: Path) -> None:
    root = tmp_path / "project"
    shutil.copytree(CASES / analysis, root)
    analyse(root, analyses=[analysis], entry="main", models=models(root), verify=False)
    file, before, after = EDITS[analysis]
    text = (root / file).read_text("utf-8")
    assert before in text
    (root / file).write_text(text.replace(before, after), "utf-8")
    report = analyse(root, analyses=[analysis], entry="main", models=models(root))
    assert report.analyses[0].verified
    fresh = analyse(root, analyses=[analysis], entry="main", models=models(root), keep=False, verify=False)
    keys = [
        [(f.rule, f.message, f.spot, f.fingerprint, f.by_line) for f in r.findings.present] for r in (report, fresh)
    ]
    assert keys[0] == keys[1] and any(f.state in ("new", "absent") for f in report.findings.found)


def test_conditions_are_called_by_their_text() -> None:
    assert condition_named("L.run(int[])/if: done#2") == "`done`"
    assert condition_named("L.run(int[])/if: a.length < 0") == "`a.length < 0`"
    assert condition_named("L.run(int[])/if: done in !done#2") == "`done`"
    assert condition_named("L.run(int[])/if: done in all || done") == "`done` in `all || done`"
    assert condition_named("L.run(int[])/if: a.getAllOfThem(1, 2)~91cd") == "this condition"


@pytest.mark.slow
def test_types_of_the_same_name_are_told_with_their_packages(tmp_path: Path) -> None:
    for package in ("old", "young"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "Way.java").write_text(f"package {package}; public enum Way {{ ON, BACK }}", "utf-8")
    main = "class Main { static boolean same(old.Way way) { return young.Way.ON.equals(way); } }"
    (tmp_path / "Main.java").write_text(main, "utf-8")
    report = analyse(tmp_path, analyses=["conditions"], keep=False, verify=False)
    assert [f.message for f in report.findings.found] == ["young.Way and old.Way are never equal"]


HELPERS = [
    ("if (divisor == 0) {", "if (divisor == 7) {"),
    ("return number == 0;", "return number == 0 || number > 3;"),
    ("if (number <= 0) {", "if (number < 0) {"),
    ("check(!bad);", "check(bad);"),
    ("if (divisor == 7) {", "if (divisor == 0) {"),
    ("return number > -5;", "return true;"),
    ("        checkDivisor(value);\n", ""),
    ("Math.abs(number) < 0.001", "number < 0.001"),
]


@pytest.mark.nightly
def test_what_helpers_check_is_followed_through_edits(tmp_path: Path) -> None:
    root = tmp_path / "project"
    shutil.copytree(CASES / "ranges", root)
    analyse(root, analyses=["ranges", "conditions"], entry="main", verify=False)
    file, changed = root / "Helpers.java", 0
    for before, after in HELPERS:
        text = file.read_text("utf-8")
        assert before in text
        file.write_text(text.replace(before, after), "utf-8")
        report = analyse(root, analyses=["ranges", "conditions"], entry="main")
        assert all(analysis.verified for analysis in report.analyses)
        changed += any(f.state in ("new", "absent") for f in report.findings.found)
    assert changed >= 6


LIBRARY = {
    "Parts.java": """
        package parts;
        public class Parts {
            public int size() { return helped(); }
            private int helped() { return Inner.zero(); }
            private int forgotten() { return 1; }
            int near() { return 2; }
            static class Inner { static int zero() { return 0; } }
        }
    """,
    "PartsTest.java": """
        package parts;
        import org.junit.jupiter.api.Test;
        import org.junit.jupiter.params.provider.MethodSource;
        class PartsTest {
            @Test void made() { new Parts().hashCode(); new Parts().toString(); used(); }
            void used() { }
            void lost() { }
            @Test @MethodSource("sizes") void sized() { }
            static int[] sizes() { return new int[] {1}; }
        }
    """,
}


@pytest.mark.slow
def test_clients_of_a_library_call_what_is_public(tmp_path: Path) -> None:
    assert _unused(tmp_path / "library") == ["Parts.forgotten()", "Parts.near()", "PartsTest.lost()"]
    assert "Parts.size()" in _unused(tmp_path / "asked", entry="tests")
    module = {"module-info.java": "module parts { exports parts; }"}
    calls = " ".join(f"static void m{n}() {{ m{n + 1}(); }}" for n in range(6)) + " static void m6() { }"
    starts = {"Main.java": f"package own; class Main {{ public static void main(String[] a) {{ m0(); }} {calls} }}"}
    assert "Parts.size()" in _unused(tmp_path / "application", **starts)
    assert "Parts.size()" not in _unused(tmp_path / "module", **starts, **module)
    found = "Class.forName(a[0]).getMethod(a[1]).invoke(null);"
    by_name = {
        name: text.replace("{ m0(); }", f"throws Exception {{ m0(); {found} }}") for name, text in starts.items()
    }
    names = _unused(tmp_path / "by name", **by_name)
    assert "Parts.size()" not in names and "Parts.forgotten()" in names
    beans = {
        "Beans.java": """
            package parts;
            import org.junit.jupiter.api.Test;
            public class Beans {
                @Test void made() { }
                public void setName(String name) { }
                public void forgottenTest() { }
                void hidden(int n) { }
            }
        """
    }
    assert {"Beans.forgottenTest()", "Beans.hidden(int)"} == _of(
        "Beans", _unused(tmp_path / "used", **by_name, **beans)
    )
    assert "Beans.setName(String)" in _unused(tmp_path / "unused", **starts, **beans)


def _of(type_: str, names: list[str]) -> set[str]:
    return {name for name in names if name.startswith(f"{type_}.")}


def _unused(root: Path, *, entry: str = "auto", **files: str) -> list[str]:
    """What the methods are called that never run, of the library, with these files besides, or instead."""
    root.mkdir()
    for name, text in {**LIBRARY, **files}.items():
        (root / name).write_text(text, "utf-8")
    report = analyse(root, analyses=["dead"], entry=entry, keep=False, verify=False)
    return sorted(f.message.partition(" never")[0] for f in report.findings.found if f.rule == "unused-method")
