"""Analyses of a project that stay in memory: after each change of its files they are brought up to date, findings
included, and nothing is opened or saved.

    with workspace.temporary() as kept:
        live = Live(Project(root), ["taint"], kept)
        ...                                           # files of the project change
        found = live.now()
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ladder.project.files import Project
from ladder.report.findings import Findings, merged
from ladder.session import analyze, class_path, entries
from ladder.session.facts import Facts
from ladder.session.findings import findings_of
from ladder.session.kept_findings import Kept
from ladder.session.library import LibraryChoice
from ladder.session.workspace import Workspace
from ladder.support.console import Console

LAST = "the last look"


class Live:
    """Analyses of a project, all in one database, and the findings that they had last. The class path is that of the
    beginning."""

    def __init__(
        self,
        project: Project,
        analyses: Sequence[str],
        workspace: Workspace,
        entry: str = entries.DEFAULT,
        models: Sequence[Path] = (),
    ) -> None:
        """Analyse the project from scratch; `workspace`: where facts are kept."""
        self.console = Console(quiet=True)
        self.facts = Facts(project, workspace, self.console, "local", 0, staying=True)
        files = self.facts.of(self.facts.now())
        path, remembered = class_path.class_path_of(project, None, workspace, self.console, LibraryChoice())
        self.options = analyze.Options(
            entry,
            analyze.with_resources(project.front_end.models(models), project, "strings"),
            class_path=class_path.rows_of(path, remembered, self.facts, files),
        )
        self.group = analyze.Set.of(analyses, project.front_end, self.options)
        program = self.group.programs.whole
        self.outcome = analyze.bootstrapped(self.group.label, program, self.options, self.facts, files, self.console)
        self.kept: Mapping[str, Kept] = {}
        self.found = self._found()

    def now(self) -> Findings:
        """The findings of the files as they are now, compared with those before."""
        files = self.facts.of(self.facts.now())
        before = replace(self.outcome, opened=self.outcome.files, moved=None, inserted={}, deleted={})
        self.outcome = analyze.moved(before, self.facts, files, self.console)
        self.found = self._found()
        return self.found

    def close(self) -> None:
        """Give back what the database holds."""
        self.outcome.db.close()

    def _found(self) -> Findings:
        found, kept = [], {}
        for name, part in self.group.parts(self.outcome).items():
            since = LAST if part.before is not None else ""
            findings, kept[name] = findings_of(part, self.facts, since, {}, self.kept.get(name))
            found.append(findings)
        self.kept = kept
        return merged(found)
