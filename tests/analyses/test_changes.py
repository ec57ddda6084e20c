"""After a change of a file every analysis has the rows, and the state, of a run from scratch."""

from __future__ import annotations

import pytest

from ladder.api.database import Database
from tests.analyses.annotated import CASES, Project, Results, analyse, program

EDITS = {
    "pointsto": [
        ("Main.java", 'a.set("one");', "a.set(new Special());"),
        (
            "Main.java",
            "class Special extends Item {",
            "class Special extends Item { void set(Object o) { next = this; } ",
        ),
        (
            "Main.java",
            "static Object wrap(Object o) {",
            "static Object wrap(Object o, int i) { return o; } static Object wrap(Object o) {",
        ),
        ("Main.java", "import java.util.List;\n", ""),
        ("Main.java", "class Oops extends RuntimeException {", "class Oops extends Exception {"),
    ],
    "values": [
        ("Numbers.java", "static final int LIMIT = 10;", "static final int LIMIT = 11;"),
        ("Numbers.java", "for (int i = 0; i < 10; i++)", "for (int i = 1; i < 100; i += 3)"),
        ("Numbers.java", "int called = twice(4);", "int called = twice(mutable);"),
        ("Numbers.java", "x = 9;", "while (x < 9) x++;"),
        ("Numbers.java", "int virtual() { return 2; }", ""),
        ("Branches.java", "DEBUG = false;", "DEBUG = true;"),
        ("Branches.java", "z = 7; ", "z = 7; i--; "),
        ("Branches.java", "dead() {", "dead(int n) { dead(n + 1);"),
        ("Fields.java", "int same = 6;", "int same = 6; { same = 7; }"),
        ("Fields.java", "Early() { show(); }", "Early() { }"),
        ("Arrays.java", "alias[0] = 7;", "alias = leak(alias);"),
        (
            "Arrays.java",
            "static int[] make(int n) {",
            "static int[] leak(int[] a) { return a; } static int[] make(int n) {",
        ),
        ("Strings.java", 'mode = "fast";', 'mode = "slow";'),
    ],
    "taint": [
        ("Values.java", 'other = "constant";', 'other = name + "constant";'),
        ("Values.java", "int number = 7;", "int number = name.length();"),
        ("Objects.java", 'second = new Box("constant")', "second = new Box(name)"),
        ("Sinks.java", "encoded = Encode.forHtml(name);", "encoded = name;"),
        ("Users.java", "@RequestBody User user", "User user"),
        ("Documents.java", 'disallow-doctype-decl", true', 'disallow-doctype-decl", false'),
        ("Answers.java", ', produces = "application/json"', ""),
        ("Containers.java", "        cleared.clear();\n", ""),
    ],
}
SLOW = [("kupdate1", "pointsto"), ("constprop", "values"), ("kupdate", "pointsto"), ("taint", "taint")]
RUNS = [
    ("pointsto", "pointsto"),
    ("interval", "values"),
    *(pytest.param(*run, marks=pytest.mark.nightly) for run in SLOW),
]


@pytest.mark.slow
@pytest.mark.parametrize("analysis, folder", RUNS)
def test_update_equals_from_scratch(analysis: str, folder: str) -> None:
    sources = {path.name: path.read_text(encoding="utf-8") for path in sorted((CASES / folder).glob("*.java"))}
    project = Project.of(sources)
    changed = analyse(analysis, project, "public").database
    for name, old, new in EDITS[folder]:
        assert old in sources[name]
        edited = Project.of({**sources, name: sources[name].replace(old, new, 1)})
        _update(changed, project, edited)
        scratch = analyse(analysis, edited, "public")
        for relation in program(analysis).outputs:
            assert set(Results(edited, changed).rows(relation)) == set(scratch.rows(relation)), (new, relation)
        _update(changed, edited, project)
    scratch = analyse(analysis, project, "public")
    for relation in changed.stored_relations:
        assert _state(changed, relation) == _state(scratch.database, relation), relation


def test_layout_changes_nothing() -> None:
    sources = {path.name: path.read_text(encoding="utf-8") for path in sorted((CASES / "pointsto").glob("*.java"))}
    spaced = {name: "// a comment\n\n" + text.replace("\n    ", "\n\n        ") for name, text in sources.items()}
    before, after = Project.of(sources), Project.of(spaced)
    assert {name: set(rows) for name, rows in before.facts.items() if name != "Position"} == {
        name: set(rows) for name, rows in after.facts.items() if name != "Position"
    }


def _state(database: Database, relation: str) -> set[tuple[object, ...]]:
    return set(zip(*database.state(relation).to_pydict().values(), strict=True))


def _update(database: Database, before: Project, after: Project) -> None:
    inputs = set(database.program.inputs)
    names = {name for name in (*before.facts, *after.facts) if name in inputs}
    old = {name: set(before.facts.get(name, ())) for name in names}
    new = {name: set(after.facts.get(name, ())) for name in names}
    database.update(
        insert={name: list(new[name] - old[name]) for name in names},
        delete={name: list(old[name] - new[name]) for name in names},
    )
