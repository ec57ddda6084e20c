"""Processes that read files: one that has everything loaded, and copies of it that work.

The first is started by `ladder.project.extraction.local`, with a socket; for each message with a descriptor that comes by it, it forks a worker
that talks over that descriptor, and it tells how each of them ended. All end with the process that started them.
"""
from __future__ import annotations

import gc
import os
import pickle
import signal
import socket
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection
from types import FrameType

from ladder.project.extraction.batch import Job
from ladder.support.children import end_with_parent

READY, READING, DONE, FAILED = "ready", "reading", "done", "failed"     # what a worker says


def serve(control: socket.socket) -> None:
    """Fork a worker for each descriptor that arrives, until the other side is gone."""
    import pyarrow.parquet  # noqa: F401

    import ladder.frontends.java.facts  # noqa: F401

    def tell(_number: int, _frame: FrameType | None) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            control.send(b"%d %d\n" % (pid, os.waitstatus_to_exitcode(status)))

    gc.freeze()
    signal.signal(signal.SIGCHLD, tell)
    template = os.getpid()
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            return
        if os.fork() == 0:
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            end_with_parent(template)
            try:
                work(Connection(descriptors[0]))
            finally:
                os._exit(0)
        os.close(descriptors[0])


def work(channel: Connection) -> None:
    """Extract the batches that come, and say at which file of a batch this process is, for it may not come back from that."""
    channel.send((READY, os.getpid()))
    try:
        paths, job = channel.recv()
        sys.path += [path for path in paths if path not in sys.path]
        job = pickle.loads(job)
        while True:
            _extract(channel, job, channel.recv())
    except (EOFError, BrokenPipeError):
        return


def _extract(channel: Connection, job: Job, files: Sequence[tuple[str, str]]) -> None:
    begun = 0

    def step(done: int) -> None:
        nonlocal begun
        begun += done
        channel.send((READING, begun))

    try:
        entries = job.run(files, step)
    except (EOFError, BrokenPipeError):
        raise
    except BaseException as error:  # noqa: BLE001 - raised again where it is heard
        channel.send((FAILED, error))
    else:
        channel.send((DONE, entries))


if __name__ == "__main__":
    end_with_parent(int(sys.argv[2]))
    serve(socket.socket(fileno=int(sys.argv[1])))
    os._exit(0)
