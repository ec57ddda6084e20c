"""Jars of others, which pyspark brings along: everything in them is read, lowered and linked."""

from __future__ import annotations

import zipfile
from collections import Counter
from pathlib import Path

import pyspark
import pytest

from ladder.frontends.bytecode.facts import facts_of
from tests.analyses.annotated import Project, analyse
from tests.java_lowering.integrity import problems

JARS = Path(pyspark.__file__).parent / "jars"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["antlr4-runtime", "py4j"])
def test_every_call_of_a_jar_has_one_target(name: str) -> None:
    """And none is a method that its classes lack."""
    (path,) = [path for path in JARS.glob(f"{name}*.jar")]
    project = Project()
    with zipfile.ZipFile(path) as jar:
        for entry in jar.namelist():
            if entry.endswith(".class") and not entry.startswith("META-INF"):
                facts = facts_of(jar.read(entry))
                assert not facts.diagnostics and not list(problems(facts)), entry
                for relation, rows in facts.relations.items():
                    project.facts[relation] += rows
    results = analyse("linking", project)
    targets = Counter(invocation for invocation, _ in results.rows("MethodInvocation_Method"))
    assert len(targets) > 1000
    assert targets == Counter(row[0] for row in project.facts["Invocation"])
    types = {row[0] for row in project.facts["Type"]}
    phantoms = {method for (method,) in results.rows("PhantomMethod")}
    assert phantoms and not {method for method in phantoms if method[1:].partition(":")[0] in types}
