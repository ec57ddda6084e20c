"""Extraction by a process per core.

A process that dies takes its batches with it: they are tried again in halves, until the one file that kills its
reader is alone and gets a diagnostic instead of facts.
"""
from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from ladder.errors import ExtractionError
from ladder.extraction.batch import Job, balanced, sizes_of, unread
from ladder.tables.pack import Entry

TASKS_PER_PROCESS = 4


def extract(job: Job, files: Sequence[tuple[str, str]], processes: int, progress: Callable[[int], None]) -> list[Entry]:
    """Extract `(path, hash)` into packs, one per batch."""
    entries: list[Entry] = []
    pending = balanced(files, sizes_of(job.source, files), processes * TASKS_PER_PROCESS)
    while pending:
        done, failed = _round(job, pending, min(processes, len(pending)), progress)
        entries += done
        lost = [batch[0] for batch in failed if len(batch) == 1]
        entries += job.write([unread(hash_, "the process reading it died") for _, hash_ in lost]) if lost else []
        progress(len(lost))
        pending = [half for batch in failed if len(batch) > 1 for half in (batch[::2], batch[1::2])]
    return entries


def _round(job: Job, batches: list[list[tuple[str, str]]], processes: int,
           progress: Callable[[int], None]) -> tuple[list[Entry], list[list[tuple[str, str]]]]:
    """Run batches in a pool → (entries, batches that were lost with a process and are to blame, or may be)."""
    context = multiprocessing.get_context("forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn")
    if hasattr(context, "set_forkserver_preload"):
        context.set_forkserver_preload(["ladder.extraction.worker"])
    entries: list[Entry] = []
    failed: list[list[tuple[str, str]]] = []
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        futures: dict[Future[list[Entry]], list[tuple[str, str]]] = {}
        try:
            for batch in batches:
                futures[pool.submit(job.run, batch)] = batch
        except BrokenProcessPool:
            failed += batches[len(futures):]
        try:
            for future in as_completed(futures):
                try:
                    entries += future.result()
                except BrokenProcessPool:
                    failed.append(futures[future])
                else:
                    progress(len(futures[future]))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list((pool._processes or {}).values()):
                process.terminate()
            raise
    if failed and processes > 1:
        return _one_by_one(job, failed, entries, progress)
    return entries, failed


def _one_by_one(job: Job, batches: list[list[tuple[str, str]]], entries: list[Entry],
                progress: Callable[[int], None]) -> tuple[list[Entry], list[list[tuple[str, str]]]]:
    """Run each batch in a pool of its own, so that only batches that kill their process fail."""
    failed = []
    for batch in batches:
        done, lost = _round(job, [batch], 1, progress)
        entries += done
        failed += lost
    if len(failed) == len(batches) > 1 and not entries:
        raise ExtractionError("No process that reads files stays alive.", "Is there enough memory? `-j 1` reads in one process.")
    return entries, failed
