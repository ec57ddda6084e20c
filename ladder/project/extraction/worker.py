"""Processes that extract files: a parent that has everything loaded, and workers that it forks.

The parent is started by `ladder.project.extraction.local` with a socket, over which it first gets the job. For each
further message, which has a descriptor, it forks a worker that communicates over that descriptor, and it reports how
each worker ended. All end with the process that started them.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from types import FrameType

from ladder.project.extraction.batch import Job
from ladder.support.children import end_with_parent

HEAD = 8  # bytes that say how long the job is
READY, READING, DONE, FAILED = "ready", "reading", "done", "failed"  # what a worker says


def serve(control: socket.socket) -> None:
    """Load what the job needs, then fork a worker for each descriptor that arrives, until the other end is closed."""
    import pyarrow.parquet  # noqa: F401

    job = received(control)
    with suppress(Exception):
        job.front_end.facts_of(b"")  # so that all of it is loaded

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
                work(Connection(descriptors[0]), job)
            finally:
                os._exit(0)
        os.close(descriptors[0])


def send(control: socket.socket, job: Job) -> None:
    """Send the job, and the paths from which its classes are imported."""
    data = pickle.dumps(([path for path in sys.path if os.path.isabs(path)], pickle.dumps(job)))
    control.sendall(len(data).to_bytes(HEAD) + data)


def received(control: socket.socket) -> Job:
    """The job that `send` sent; EOFError if the other end is closed before."""
    size = int.from_bytes(_bytes(control, HEAD))
    paths, job = pickle.loads(_bytes(control, size))
    sys.path += [path for path in paths if path not in sys.path]
    found: Job = pickle.loads(job)
    return found


def _bytes(control: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = control.recv(size - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def work(channel: Connection, job: Job) -> None:
    """Extract the batches that arrive, and report each file before it is begun, because it may end this process."""
    channel.send((READY, os.getpid()))
    try:
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
