"""Extraction of facts from files into packs: in this process, by a process per core, or on Spark, with the same code.

`extract` chooses where; `batch` does the work (bytes → facts → pack), `local` and `spark` distribute batches.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ladder.errors import ExtractionError
from ladder.facts.packs.pack import Entry
from ladder.frontends.protocol import FrontEnd
from ladder.project.extraction.batch import NOWHERE, Job, Writing, front_end_version, layout, version_of
from ladder.project.files import Source
from ladder.support.machine import cores
from ladder.support.seals import Seal
from ladder.support.tuning import DEFAULT, Extracting

__all__ = ["NOWHERE", "Extraction", "Mode", "extract", "front_end_version", "layout", "version_of"]

Mode = Literal["auto", "spark", "local"]


@dataclass
class Extraction:
    """The result of an extraction: entries of the packs that it wrote, and of files that are in none (`NOWHERE`); where
    it ran ("process", "local" or "spark"); a remark for the user."""

    entries: list[Entry] = field(default_factory=list)
    where: str = "process"
    remark: str = ""


def extract(
    files: Sequence[tuple[str, str]],
    source: Source,
    front_end: FrontEnd,
    folder: Path,
    mode: Mode = "auto",
    *,
    jobs: int = 0,
    progress: Callable[[int], None] | None = None,
    seal: Seal | None = None,
    tuning: Extracting = DEFAULT.extracting,
    writing: Writing | None = None,
) -> Extraction:
    """Extract the facts of files, pairs `(path, hash)`, by a front end into packs in `folder`.

    The mode `auto` uses a process per core, or this process alone for few files (see `tuning`): on one machine, Spark
    would take twice the time. If a Spark master on another machine is named, it uses Spark for some hundreds of files
    or more. `jobs` limits the number of processes (0: one per core); `progress` is called with the number of files that
    are done; `seal`: by which the packs are authenticated; `writing`: what takes the facts of files that this process
    extracts, in place of new packs. `ExtractionError` where Spark is requested and cannot run.
    """
    files = list({hash_: (path, hash_) for path, hash_ in files}.values())
    job = Job(source, os.path.abspath(folder), front_end, layout(front_end), seal or Seal(), tuning)
    tell = progress or (lambda done: None)
    jobs = jobs or cores()
    remark = ""
    if mode == "spark" or (mode == "auto" and len(files) >= tuning.spark_from and _on_a_cluster()):
        from ladder.project.extraction import spark

        lacking = spark.lacking()
        if lacking and mode == "spark":
            raise ExtractionError(f"Spark cannot run: {lacking}", spark.hint())
        if lacking:
            remark = f"Facts are extracted without Spark: {lacking} {spark.hint()}"
        else:
            entries, failure = spark.extract(job, files, jobs, tell)
            done = {entry.hash for entry in entries}
            files = [(path, hash_) for path, hash_ in files if hash_ not in done]
            if not failure and not files:
                return Extraction(entries, "spark")
            failure = failure or "some files could not be read there"
            rest = _local(job, files, jobs, tell)  # not in this process: a file may have killed its reader
            return Extraction(
                entries + rest, "local", f"Extraction on Spark failed ({failure}) and went on without it."
            )
    if len(files) <= tuning.in_process or jobs == 1:
        return Extraction(job.run(files, tell, writing), "process", remark)
    return Extraction(_local(job, files, jobs, tell), "local", remark)


def _local(job: Job, files: Sequence[tuple[str, str]], jobs: int, progress: Callable[[int], None]) -> list[Entry]:
    from ladder.project.extraction import local

    return local.extract(job, files, jobs, progress)


def _on_a_cluster() -> bool:
    """Whether Spark would run on other machines than this one."""
    from ladder.spark.session import master
    from ladder.spark.settings import is_local

    return not is_local(master())
