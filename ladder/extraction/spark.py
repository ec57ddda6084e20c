"""Extraction on Spark: one `mapInArrow` over as many partitions as there are batches, each task writing its own pack.

Tasks get paths, not contents, and give back the names of their packs, so nothing large passes through the JVM. They write
below the state directory, which on a cluster all machines must see.
"""
from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from ladder.extraction.batch import Job, balanced, sizes_of
from ladder.spark.java import lacking, mend
from ladder.spark.session import cause, open_session
from ladder.spark.settings import is_local
from ladder.tables.pack import Entry, read_index

__all__ = ["TASKS_PER_CORE", "extract", "lacking", "mend"]

TASKS_PER_CORE = 4
MEMORY = 1 << 30          # of a JVM that passes paths on


def extract(job: Job, files: Sequence[tuple[str, str]], cores: int, progress: Callable[[int], None]) -> tuple[list[Entry], str]:
    """Extract `(path, hash)` into packs, one per task → entries, and why the job failed ("" if it did not).

    The entries of a failed job are those of the tasks that ended well.
    """
    before = set(Path(job.folder).glob("*.index"))

    failure, packs = "", []
    try:
        with open_session(cores, memory=MEMORY) as spark:
            cores = cores if is_local(spark.sparkContext.master) else spark.sparkContext.defaultParallelism
            batches = balanced(files, sizes_of(job.source, files), cores * TASKS_PER_CORE)
            try:
                with _watched(spark, len(files), len(batches), progress):
                    rows = spark.range(0, len(batches), 1, len(batches)).mapInArrow(partial(_run, job, batches), "pack string").collect()
                packs = [row.pack for row in rows]
            except Exception as error:  # noqa: BLE001 - the error's text is asked of the JVM, so while it lives
                failure = cause(error)
    except Exception as error:  # noqa: BLE001 - a JVM that does not start, or left
        failure = failure or cause(error)
    if failure:
        packs = [index.stem for index in set(Path(job.folder).glob("*.index")) - before]
    return [entry for pack in packs for entry in read_index(Path(job.folder, f"{pack}.index"), job.layout)], failure


def _run(job: Job, batches: Sequence[Sequence[tuple[str, str]]], parts: Iterator[Any]) -> Iterator[Any]:
    """The work of a task: write the packs of the batches whose numbers it gets, and tell their names."""
    import pyarrow
    for part in parts:
        for number in part["id"].to_pylist():
            packs = sorted({entry.pack for entry in job.run(batches[number])})
            yield pyarrow.RecordBatch.from_arrays([pyarrow.array(packs, pyarrow.string())], names=["pack"])


@contextmanager
def _watched(spark: Any, files: int, tasks: int, progress: Callable[[int], None]) -> Iterator[None]:
    """Report progress as tasks end."""
    over = threading.Event()
    tracker = spark.sparkContext.statusTracker()
    told = 0

    def watch() -> None:
        nonlocal told
        while not over.wait(0.3):
            done = sum(stage.numCompletedTasks for stage in map(tracker.getStageInfo, tracker.getActiveStageIds()) if stage)
            if done * files // tasks > told:
                progress(done * files // tasks - told)
                told = done * files // tasks

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
        over.set()
        watcher.join()
        progress(files - told)
    finally:
        over.set()
