"""A standalone cluster on this machine: a master and some workers on the loopback interface, ended with the block.

pip's pyspark has no start scripts; its `spark-class` starts the same daemons.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ladder.errors import LadderError
from ladder.support.children import at_parents_end, safe_environment
from ladder.support.temporary import make_temporary
from ladder_bench.spark.family import EXECUTOR, Family, descendants

HOST = "127.0.0.1"
PATIENCE = 60.0  # seconds until all workers must have registered
FAREWELL = 15.0  # seconds that a daemon has to end
DAEMON_HEAP = "256m"
REGISTERED = "Successfully registered with master"


@dataclass
class Daemon:
    """A master or a worker; what it writes goes to `log`."""

    process: subprocess.Popen[bytes]
    log: Path

    @property
    def running(self) -> bool:
        return self.process.poll() is None


@dataclass
class Cluster:
    """A running cluster. `url`: for `--master`. `folder`: logs, and what workers keep on disk.

    `cores`, `memory`: of each worker; `environment`: variables of its daemons.
    """

    url: str
    folder: Path
    master: Daemon
    cores: int = 1
    memory: str = "1g"
    environment: Mapping[str, str] | None = None
    workers: list[Daemon] = field(default_factory=list)

    @property
    def pids(self) -> list[int]:
        """Return the process ids of the daemons; executors and Python workers are their descendants."""
        return [daemon.process.pid for daemon in (self.master, *self.workers) if daemon.running]

    def add_workers(self, count: int) -> None:
        """Start workers and wait until the master has them; `LadderError` where they do not come up."""
        started = []
        for number in range(len(self.workers), len(self.workers) + count):
            home = self.folder / f"worker-{number}"
            started.append(
                _start(
                    home,
                    self.environment,
                    "worker.Worker",
                    "--host",
                    HOST,
                    "--cores",
                    str(self.cores),
                    "--memory",
                    self.memory,
                    "--work-dir",
                    str(home),
                    self.url,
                )
            )
            self.workers.append(started[-1])
        _await_registration(self.master, started)

    def executors(self) -> list[int]:
        """Process ids of the executors that run now."""
        family = Family()
        family.look(worker.process.pid for worker in self.workers if worker.running)
        return [pid for pid, member in family.members.items() if member.role == EXECUTOR]

    def kill_executor(self, number: int = 0) -> int:
        """Kill one of the executors at once; its process id."""
        pid = self.executors()[number]
        os.kill(pid, signal.SIGKILL)
        return pid

    def kill_worker(self, number: int = 0) -> None:
        """Kill a worker at once, with its executors and their Python workers, as a machine that fails."""
        worker = self.workers[number].process
        family = list(descendants(worker.pid))
        worker.kill()
        worker.wait()
        _kill(family[1:])


@contextmanager
def standalone(
    workers: int = 2, cores: int = 1, memory: str = "1g", environment: Mapping[str, str] | None = None
) -> Iterator[Cluster]:
    """A cluster whose workers have so many cores and so much memory each; `LadderError` where it does not come up.

    `memory`: what executors of a worker may have together; a session asks for it by `spark.executor.memory`.
    """
    folder = make_temporary("ladder-cluster-")
    cluster: Cluster | None = None
    try:
        port = _free_port()
        master = _start(folder / "master", environment, "master.Master", "--host", HOST, "--port", str(port))
        cluster = Cluster(f"spark://{HOST}:{port}", folder, master, cores, memory, environment)
        cluster.add_workers(workers)
        yield cluster
    finally:
        if cluster is not None:
            _end((cluster.master, *cluster.workers))
        shutil.rmtree(folder, ignore_errors=True)


def _start(folder: Path, environment: Mapping[str, str] | None, daemon: str, *arguments: str) -> Daemon:
    import pyspark

    folder.mkdir()
    home = Path(pyspark.__file__).parent
    settings = {
        **safe_environment(),
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": HOST,
        "SPARK_DAEMON_MEMORY": DAEMON_HEAP,
        "SPARK_DAEMON_JAVA_OPTS": "-XX:+UseSerialGC",
        "SPARK_LOCAL_DIRS": str(folder),
        **(environment or {}),
    }
    with (folder / "log").open("wb") as log:
        command = [
            str(home / "bin" / "spark-class"),
            f"org.apache.spark.deploy.{daemon}",
            "--webui-port",
            "0",
            *arguments,
        ]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=settings,
            cwd=folder,
            start_new_session=True,
            preexec_fn=at_parents_end(signal.SIGKILL),  # noqa: PLW1509 - nothing but a system call
        )
    return Daemon(process, folder / "log")


def _await_registration(master: Daemon, workers: Sequence[Daemon]) -> None:
    deadline = time.monotonic() + PATIENCE
    while any(REGISTERED not in worker.log.read_text(errors="replace") for worker in workers):
        ended = next((daemon for daemon in (master, *workers) if not daemon.running), None)
        if ended is not None or time.monotonic() > deadline:
            log = (ended or workers[-1]).log.read_text(errors="replace").strip().splitlines()
            raise LadderError(
                f"The standalone cluster did not come up: {(log or ['no word from it'])[-1]}",
                "See that Java 17 or later is installed and that processes may listen on 127.0.0.1.",
            )
        time.sleep(0.1)


def _end(daemons: Sequence[Daemon]) -> None:
    """End workers, which end their executors, then the master; kill what is left of them."""
    family = [pid for daemon in daemons if daemon.running for pid in descendants(daemon.process.pid)]
    for daemon in reversed(daemons):
        daemon.process.terminate()
    for daemon in daemons:
        try:
            daemon.process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            daemon.process.kill()
            daemon.process.wait()
    own = {daemon.process.pid for daemon in daemons}
    _kill([pid for pid in family if pid not in own])


def _kill(pids: Sequence[int]) -> None:
    """Kill processes that still are executors' or Python workers' of a cluster."""
    for pid in pids:
        try:
            if "spark" in Path(f"/proc/{pid}/cmdline").read_text():
                os.kill(pid, signal.SIGKILL)
        except OSError:
            continue


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
