"""Java source that is compiled for a test, where there is a compiler."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from ladder.frontends.bytecode.classfile import read_class
from ladder.frontends.bytecode.facts import facts_of
from tests.analyses.annotated import Project
from tests.java_lowering.integrity import problems

needs_javac = pytest.mark.skipif(shutil.which("javac") is None, reason="there is no javac")


def compiled(sources: Iterable[Path], folder: Path, *options: str) -> list[Path]:
    """The class files of Java files, below `folder`."""
    subprocess.run(["javac", "-g", "-nowarn", *options, "-d", folder, *sources], check=True, capture_output=True)
    return sorted(folder.rglob("*.class"))


def project_of(classes: Iterable[Path], sources: Iterable[Path] = ()) -> Project:
    """The facts of class files, whose places are those in their sources."""
    project = Project()
    project.texts = {path.name: path.read_text("utf-8").splitlines() for path in sources}
    for path in classes:
        data = path.read_bytes()
        facts = facts_of(data)
        assert not facts.diagnostics, (path, facts.diagnostics)
        assert not list(problems(facts)), path
        for relation, rows in facts.relations.items():
            project.facts[relation] += rows
        source = read_class(data).source
        project.places |= {id_: (source, line, column) for id_, line, column in facts.relations["Position"]}
    return project
