"""From files to packs of facts: in this process, on all cores, or on Spark, with the same code in each.

`extract` chooses; `batch` holds the work itself (bytes → facts → pack), `local` and `spark` hand batches out.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ladder.errors import ExtractionError
from ladder.extraction.batch import Job, front_end_version, layout
from ladder.project import Source
from ladder.tables.pack import Entry

__all__ = ["Extraction", "Mode", "extract", "front_end_version", "layout"]

Mode = Literal["auto", "spark", "local"]
IN_PROCESS = 8            # so few files are read faster than a second process starts
SPARK_FROM = 200          # files from which on `auto` starts a JVM, if there is one


@dataclass
class Extraction:
    """What an extraction did: entries of the packs it wrote, where it ran ("process", "local", "spark"), a remark for the user."""

    entries: list[Entry] = field(default_factory=list)
    where: str = "process"
    remark: str = ""


def extract(files: Sequence[tuple[str, str]], source: Source, folder: Path, mode: Mode = "auto", *,
            jobs: int = 0, progress: Callable[[int], None] | None = None) -> Extraction:
    """Extract the facts of `(path, hash)` into packs in `folder`.

    `auto` is Spark from `SPARK_FROM` files on where Java 17 or later is found, else a process per core, and this process alone
    for up to `IN_PROCESS` files. `jobs` limits the processes (0: one per core); `progress` is told how many files are done.
    `ExtractionError` where Spark is asked for and cannot run.
    """
    files = list({hash_: (path, hash_) for path, hash_ in files}.values())
    job = Job(source, str(folder))
    tell = progress or (lambda done: None)
    jobs = jobs or cores()
    remark = ""
    if mode == "spark" or (mode == "auto" and len(files) >= SPARK_FROM):
        from ladder.extraction import spark
        lacking = spark.lacking()
        if lacking and mode == "spark":
            raise ExtractionError(f"Spark cannot run: {lacking}", spark.mend())
        if lacking:
            remark = f"Facts are extracted without Spark: {lacking} {spark.mend()}"
        else:
            entries, failure = spark.extract(job, files, jobs, tell)
            if not failure:
                return Extraction(entries, "spark")
            done = {entry.hash for entry in entries}
            files = [(path, hash_) for path, hash_ in files if hash_ not in done]
            rest = _local(job, files, jobs, tell)   # not in this process: a file may have killed its reader
            return Extraction(entries + rest, "local", f"Extraction on Spark failed ({failure}) and went on without it.")
    if len(files) <= IN_PROCESS or jobs == 1:
        return Extraction(job.run(files, tell), "process", remark)
    return Extraction(_local(job, files, jobs, tell), "local", remark)


def _local(job: Job, files: Sequence[tuple[str, str]], jobs: int, progress: Callable[[int], None]) -> list[Entry]:
    from ladder.extraction import local
    return local.extract(job, files, jobs, progress)


def cores() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
