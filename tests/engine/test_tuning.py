"""Thresholds: one home, nothing in it that nobody reads, and rows that do not depend on them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, replace
from importlib import import_module
from pathlib import Path

import pytest

import ladder
from ladder.api.database import Database
from ladder.api.program import Program
from ladder.support.tuning import DEFAULT, Evaluating, Planning, Rebuilding, Saving, Tuning

from .closures import CLOSURE, pairs

PACKAGE, TESTS = Path(ladder.__file__).parent, Path(__file__).parents[1]
GROUPS = [type(getattr(DEFAULT, field.name)) for field in fields(Tuning)]


@pytest.mark.slow
def test_every_number_is_read_somewhere() -> None:
    read = {
        node.attr
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
    }
    names = {field.name for group in GROUPS for field in fields(group)}
    assert len(names) > 30 and names - read == set()


def test_every_number_says_what_it_is() -> None:
    """Above it, or above those that it stands together with."""
    lines = (PACKAGE / "support" / "tuning.py").read_text("utf-8").splitlines()
    number = re.compile(r"    \w+: (bool|int|float|tuple\[float, \.\.\.\]) = ")
    numbers = [i for i, line in enumerate(lines) if number.match(line)]
    assert len(numbers) == sum(len(fields(group)) for group in GROUPS)
    together = [i for i in numbers if not lines[i - 1].strip().startswith("#")]
    assert all(i - 1 in numbers for i in together)


def test_they_are_not_changed_in_place() -> None:
    with pytest.raises(FrozenInstanceError):
        DEFAULT.evaluating.capacity = 3  # type: ignore[misc]


# Of what is refused, what an array can hold, or what clocks tell, there is no more than one value: tests lower these
# where they stand.
LIMITS = {
    "ladder.facts.packs.layout.MOST_TEXT",
    "ladder.facts.packs.rows.LARGEST_KEY",
    "ladder.frontends.bytecode.webs.STEPS_AT_FIRST",
    "ladder.frontends.bytecode.webs.STEPS_PER_INSTRUCTION",
    "ladder.frontends.libraries.pack.MOST",
    "ladder.project.archives.MOST_BYTES",
    "ladder.project.dependencies.gradle.MOST_LINES",
    "ladder.project.dependencies.maven.MOST_POMS",
    "ladder.project.extraction.batch.MOST_BYTES",
    "ladder.project.files.MOST_ENTRIES",
    "ladder.project.git_packs.KEPT_BYTES",
    "ladder.project.git_packs.MOST_DELTAS",
    "ladder.project.git_packs.MOST_UNPACKED",
    "ladder.project.images.MOST_TEXT",
    "ladder.support.looks.UNSETTLED",
}


def set_in(path: Path) -> Iterator[str]:
    """Names of this package, dotted, that a test sets: by `setattr`, by `patch.object`, or by an assignment."""
    tree = ast.parse(path.read_text("utf-8"))
    modules = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and not node.level
        for alias in node.names
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Attribute(attr="setattr" | "object"), [ast.Constant(str(name)), *_]):
                yield name
            case ast.Call(
                ast.Attribute(attr="setattr" | "object"), [ast.Name(module), ast.Constant(str(name)), *_]
            ) | ast.Assign([ast.Attribute(ast.Name(module), name)]):
                yield f"{modules.get(module, '')}.{name}"


def is_a_number_of_ours(name: str) -> bool:
    module, _, constant = name.rpartition(".")
    if not (module.startswith("ladder.") and constant.isupper()):
        return False
    value = getattr(import_module(module), constant)
    return isinstance(value, int | float) and not isinstance(value, bool)


@pytest.mark.slow
def test_no_other_number_is_set_where_it_stands() -> None:
    found = {name for path in TESTS.rglob("*.py") for name in set_in(path)}
    assert len(found) > 20 and set(filter(is_a_number_of_ours, found)) == LIMITS


# Huge pages for every array would fill the memory.
LOWERED = [field.name for field in fields(Evaluating) if field.type == "int" and field.name != "huge_pages"]
LOW = Evaluating(
    **dict.fromkeys(LOWERED, 1),  # type: ignore[arg-type]
    look_after=0.001,
    soon=0.0,
    late=0.0,
)
HIGH = Evaluating(large_pool=1 << 30, replanned_rows=1 << 30, shared_rows=1 << 30, compacted_from=1 << 30)
LOW_SAVING = Saving(most_logs=0, slack=1, threads=1, hashed_by_threads=0)
LOW_PLANNING = Planning(**{field.name: 0 for field in fields(Planning)})  # type: ignore[arg-type]
HIGH_PLANNING = Planning(**{field.name: 1 << 30 for field in fields(Planning)})  # type: ignore[arg-type]


@pytest.mark.parametrize(("evaluating", "planning"), [(LOW, LOW_PLANNING), (HIGH, HIGH_PLANNING)], ids=["low", "high"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_rows_are_the_same_with_any(evaluating: Evaluating, planning: Planning, jobs: int, tmp_path: Path) -> None:
    program, expected = Program.parse(CLOSURE), Database(Program.parse(CLOSURE))
    tuning = replace(DEFAULT, evaluating=evaluating, planning=planning, saving=LOW_SAVING)
    db = Database(program, jobs=jobs, tuning=tuning)
    for one in (db, expected):
        one.bootstrap({"e": pairs(30, 20, 1)})
        one.update(insert={"e": [(1, 100), (100, 2)]}, delete={"e": pairs(30, 20, 1)[:5]})
    assert {name: set(db[name]) for name in db.relations} == {name: set(expected[name]) for name in db.relations}
    db.save(tmp_path)
    opened = Database.open(tmp_path, program, tuning=tuning)
    opened.update(delete={"e": [(1, 100)]})
    expected.update(delete={"e": [(1, 100)]})
    opened.save(tmp_path)
    assert {path.name for path in tmp_path.glob("*-*")} == {"base-2"}  # no logs
    assert set(opened["p"]) == set(expected["p"])


def test_what_decides_about_updates_is_given_along() -> None:
    """With a bar as low as that, no change is an update."""
    tuning = Tuning(rebuilding=Rebuilding(least_seconds=0.0, measured_from=1, least_factor=1e12))
    db = Database(Program.parse(CLOSURE), tuning=tuning)
    db.bootstrap({"e": pairs(30, 20, 1)})
    assert db.update(insert={"e": [(1, 100)]}).mode == "bootstrap"
    usual = Database(Program.parse(CLOSURE))
    usual.bootstrap({"e": pairs(30, 20, 1)})
    assert usual.update(insert={"e": [(1, 100)]}).mode == "update"
