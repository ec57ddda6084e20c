"""Extraction on Spark: one `mapInArrow` over as many partitions as there are batches; each task writes its own pack.

Tasks get paths, not contents, and return the names of their packs, so that nothing large passes through the JVM. They
write below the state directory, which all machines of a cluster must see, with a key of this extraction: the user's key
is not sent to them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ladder.facts.packs.pack import Damaged, Entry, adopt
from ladder.project.extraction.batch import NOWHERE, Job, balanced, sizes_of
from ladder.spark.java import hint, lacking
from ladder.spark.session import cause, open_session
from ladder.spark.settings import is_local
from ladder.support.seals import Seal

__all__ = ["extract", "hint", "lacking"]


def extract(
    job: Job, files: Sequence[tuple[str, str]], cores: int, progress: Callable[[int], None]
) -> tuple[list[Entry], str]:
    """Extract files, pairs `(path, hash)`, into packs, one per task → (entries, why the job failed or "").

    The entries of a failed job are those of the tasks that succeeded.
    """
    before = set(Path(job.folder).glob("*.index"))
    sent = replace(job, seal=Seal.of_a_run())
    failure, packs = "", []
    try:
        with open_session(cores, memory=job.tuning.jvm_memory) as spark:
            cores = cores if is_local(spark.sparkContext.master) else spark.sparkContext.defaultParallelism
            batches = balanced(files, sizes_of(job.source, files), cores * job.tuning.tasks_per_core)
            try:
                with _watched(spark, len(files), len(batches), progress):
                    rows = (
                        spark.range(0, len(batches), 1, len(batches))
                        .mapInArrow(partial(_run, sent, batches), "pack string")
                        .collect()
                    )
                packs = [row.pack for row in rows]
            except Exception as error:  # noqa: BLE001 - the error's text is asked of the JVM, so while it lives
                failure = cause(error)
    except Exception as error:  # noqa: BLE001 - a JVM that does not start, or left
        failure = failure or cause(error)
    if failure:
        packs = [index.stem for index in set(Path(job.folder).glob("*.index")) - before]
    entries: list[Entry] = []
    for pack in packs:
        try:
            entries += adopt(Path(job.folder), pack, job.layout, sent.seal, job.seal)
        except Damaged as damaged:
            failure = failure or damaged.message
    return entries, failure


def _run(job: Job, batches: Sequence[Sequence[tuple[str, str]]], parts: Iterator[Any]) -> Iterator[Any]:
    """The work of a task: write the packs of the batches whose numbers it gets, and yield their names."""
    import pyarrow

    for part in parts:
        for number in part["id"].to_pylist():
            packs = sorted({entry.pack for entry in job.run(batches[number])} - {NOWHERE})
            yield pyarrow.RecordBatch.from_arrays([pyarrow.array(packs, pyarrow.string())], names=["pack"])


@contextmanager
def _watched(spark: Any, files: int, tasks: int, progress: Callable[[int], None]) -> Iterator[None]:
    """Report progress as tasks end."""
    over = threading.Event()
    tracker = spark.sparkContext.statusTracker()
    reported = 0

    def watch() -> None:
        nonlocal reported
        while not over.wait(0.3):
            done = sum(
                stage.numCompletedTasks for stage in map(tracker.getStageInfo, tracker.getActiveStageIds()) if stage
            )
            if done * files // tasks > reported:
                progress(done * files // tasks - reported)
                reported = done * files // tasks

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
        over.set()
        watcher.join()
        progress(files - reported)
    finally:
        over.set()
