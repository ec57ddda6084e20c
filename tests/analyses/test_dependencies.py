"""Dependencies: what rows of policies mean, what is refused, and what of the JDK and of unknown libraries may run."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.analyses import library_models
from ladder.analyses.java_dependencies import declared_in, matches, member, package_of, without_dimensions
from ladder.errors import LadderError
from tests.analyses.annotated import CASES, Project, analyse

SAMPLE = CASES / "findings" / "dependencies"
HEAD = "extensions:\n  - addsTo: {pack: p, extensible: dependencyPolicy}\n    data:\n"


def policy(folder: Path, *rows: str) -> Path:
    """A file with rows of a policy."""
    file = folder / "policy.yml"
    file.write_text(HEAD + "".join(f"      - {row}\n" for row in rows), "utf-8")
    return file


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('["a.*", "b.*", "deny", "c"]', "4: a rule is allow, forbid, unreachable, not deny."),
        ('["a.*", "b.*", "forbid", ""]', "4: a row that says forbid needs a reason."),
        ('["", "b.*", "allow", ""]', "4: the pattern from is empty."),
        ('["a.*", "", "allow", ""]', "4: the pattern to is empty."),
        ('["a.*", "b.*"]', "4: a row of dependencyPolicy has 4 texts: from, to, rule, reason."),
        ('["a.*", [], "forbid", "c"]', "4: a row of dependencyPolicy has 4 texts: from, to, rule, reason."),
    ],
)
def test_a_row_of_a_policy_that_cannot_be_used_is_refused_with_its_place(tmp_path: Path, row: str, said: str) -> None:
    file = policy(tmp_path, row)
    with pytest.raises(LadderError) as caught:
        library_models.read(library_models.files([file]))
    assert caught.value.message == f"{file}:{said}" and caught.value.hint


def test_rows_of_policies_are_in_order_and_say_where_they_stand(tmp_path: Path) -> None:
    file = policy(tmp_path, '["a.*", "b.*", "allow", ""]', '["a.*", "b", "forbid", "c"]')
    rows = library_models.read(library_models.files([file])).rows["DependencyPolicy"]
    assert rows == [
        ("0", "a.*", "b.*", "allow", "", str(file), "4"), ("1", "a.*", "b", "forbid", "c", str(file), "5"),
    ]  # fmt: skip


def test_patterns() -> None:
    assert [matches("a.b.*", name) for name in ("a.b.C", "a.b.c.D", "a.bc.D", "a.b")] == [1, 1, 0, 0]
    assert [matches("a.B", name) for name in ("a.B", "a.B$C", "a.B.run", "a.Bc")] == [1, 1, 1, 0]
    assert matches("library:log4j-core-2*", "library:log4j-core-2.14.jar") and not matches("a.(b)", "a.b")
    assert member("java.io.File", "<init>") == "java.io.File.new" and package_of("a.b.C$D") == "a.b"
    assert declared_in("a.B/type C") == "a.B" and without_dimensions("a.B[][]") == "a.B"


@pytest.mark.slow
def test_what_of_libraries_may_run() -> None:
    project = Project.of({p.relative_to(SAMPLE).as_posix(): p.read_text("utf-8") for p in SAMPLE.rglob("*.java")})
    results = analyse("dependencies", project)
    assert set(results.rows("Dependency")) == {
        ("module", "java.base", 4, 6), ("module", "java.sql", 2, 2), ("unknown", "acme.cache", 2, 2),
    }  # fmt: skip
    reached = {method: calls for dependency, method, calls in results.rows("DependencyMethod")}
    assert reached["<java.sql.Connection: java.lang.String getSchema()>"] == 1
    assert not any("exec(" in method for method in reached)
    assert {(p, q) for p, q, _ in results.rows("PackageDependency")} == {
        ("shop.web", "shop.store"), ("shop.web", "shop.model"), ("shop.store", "shop.model"),
        ("shop.model", "shop.tools"), ("shop.tools", "shop.model"),
    }  # fmt: skip
    assert set(results.rows("PackageCycle")) == {("shop.model", "shop.model"), ("shop.model", "shop.tools")}
