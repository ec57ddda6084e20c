"""Whatever ends the process of a command, a sentence says so, and exit codes and signals are those of the command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no process waits for the command here")
# What a terminal gives a command: the tests may run where signals are ignored, and children inherit that.
USUAL = (
    "for n in (signal.SIGHUP, signal.SIGTERM, signal.SIGTSTP): signal.signal(n, "
    "signal.SIG_DFL)\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
)
START = f"import os, signal, sys, time\n{USUAL}from ladder.support.supervision import supervise, doing\nsupervise()\n"
SLOW = pytest.mark.slow
PROGRAM = (
    '.decl e(x: number)\ne(1).\n.functor f(x: number): number = "mine:f"\n.decl q(x: number)\nq(@f(x)) :- '
    "e(x).\n.output q\n"
)


def ended(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", START + code], capture_output=True, text=True, timeout=60, check=False)


def started(code: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", START + code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # one that no terminal has left behind: in such a group nothing can be stopped
        process_group=0,
    )


def is_gone(pid: int, within: float = 10) -> bool:
    """Whether a process ends soon, or is but waited for."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
        ("os.kill(os.getpid(), signal.SIGBUS)", "SIGBUS"),
        ("os.kill(os.getpid(), signal.SIGILL)", "SIGILL"),
        ("os.abort()", "SIGABRT"),
        (
            "import threading, ctypes; t = threading.Thread(target=ctypes.string_at, args=(0,)); t.start(); t.join()",
            "SIGSEGV",
        ),
        pytest.param(
            "sys.setrecursionlimit(10**8)\nclass A:\n    def __getattribute__(self, name): return "
            "getattr(self, name)\nA().x",
            "SIGSEGV",
            marks=pytest.mark.skipif(sys.version_info >= (3, 12), reason="Python counts such calls itself"),
        ),
    ],
    ids=["read", "segv", "bus", "ill", "abort", "thread", "stack"],
)
def test_a_crash_ends_with_a_sentence(code: str, named: str) -> None:
    done = ended("doing('reading A.java')\n" + code)
    assert done.returncode == 70
    first = done.stderr.splitlines()[0]
    assert first.startswith("ladder: this is a defect of Ladder") and named in first and "while reading A.java" in first
    assert "What was saved before is as it was. Please report it" in first and "Traceback" not in done.stderr
    assert "The calls it was in, the last one first:\n  " in done.stderr


@pytest.mark.parametrize("code", [0, 1, 2, 3, 70, 130, 255])
def test_exit_codes_are_those_of_the_command(code: int) -> None:
    done = ended(f"print('out', flush=True)\nsys.exit({code})")
    assert (done.returncode, done.stdout, done.stderr) == (code, "out\n", "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGUSR2])
def test_a_signal_that_ends_the_command_ends_the_process(number: signal.Signals) -> None:
    done = ended(f"signal.signal({number}, signal.SIG_DFL); os.kill(os.getpid(), {number})")
    assert (done.returncode, done.stderr) == (-number, "")


def test_a_killed_process_is_told() -> None:
    done = ended("os.kill(os.getpid(), 9)")
    assert done.returncode == -signal.SIGKILL
    assert (
        done.stderr
        == "ladder: this process was killed, by somebody or for want of memory. What was saved before is as it was.\n"
    )


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 7), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGHUP, -signal.SIGHUP)]
)
def test_signals_are_handed_on(number: signal.Signals, code: int) -> None:
    with started(
        "try:\n    print(os.getpid(), flush=True)\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    sys.exit(7)"
    ) as process:
        child = int(process.stdout.readline())
        assert child != process.pid
        process.send_signal(number)
        assert process.wait(30) == code and is_gone(child)


def test_a_child_ends_with_the_process() -> None:
    with started("print(os.getpid(), flush=True)\nwhile True: pass") as process:
        child = int(process.stdout.readline())
        process.kill()
        process.wait(30)
        assert is_gone(child)


def test_stopping_stops_both_and_going_on_goes_on() -> None:
    with started("print(os.getpid(), flush=True)\nprint(input(), flush=True)") as process:
        child = int(process.stdout.readline())
        process.send_signal(signal.SIGTSTP)
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        assert Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0] == "T"
        process.send_signal(signal.SIGCONT)
        process.stdin.write("on\n")
        process.stdin.flush()
        assert process.stdout.readline() == "on\n" and process.wait(30) == 0


@pytest.mark.parametrize("stop", [signal.SIGTSTP, signal.SIGSTOP])
@pytest.mark.parametrize("told", ["child", "group"])
def test_a_child_that_was_stopped_alone_goes_on_with_the_process(stop: signal.Signals, told: str) -> None:
    with started("print(os.getpid(), flush=True)\nprint(input(), flush=True)") as process:
        child = int(process.stdout.readline())
        os.kill(child, stop)
        if stop == signal.SIGTSTP:
            _, status = os.waitpid(process.pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status)
        while Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0] != "T":
            time.sleep(0.01)
        os.kill(child, signal.SIGCONT) if told == "child" else os.killpg(process.pid, signal.SIGCONT)
        process.stdin.write("on\n")
        process.stdin.flush()
        assert process.stdout.readline() == "on\n" and process.wait(30) == 0


@pytest.mark.parametrize(
    ("body", "options", "code", "words"),
    [
        ("import ctypes; ctypes.string_at(0)", [], 70, "SIGSEGV"),
        pytest.param(
            "10 ** (10 ** 9)", ["--time-limit", "2"], 3, "Not finished within the time limit of 2 s", marks=SLOW
        ),
        ("while True: pass", ["--time-limit", "2"], 3, "Not finished within the time limit of 2 s"),
        pytest.param(
            "len(bytearray(b'x') * 10 ** 10)",
            ["--memory-limit", "400M"],
            4,
            "The memory limit of 400M does not suffice",
            marks=SLOW,
        ),
        ("len('x' * 10 ** 14)", [], 4, "f(1) asked for more memory than there is"),
    ],
    ids=["crash", "c code", "python", "memory", "more than there is"],
)
def test_functors_that_do_not_come_back(tmp_path: Path, body: str, options: list[str], code: int, words: str) -> None:
    (tmp_path / "p.dl").write_text(PROGRAM)
    (tmp_path / "mine.py").write_text(f"def f(x):\n    {body}\n    return x\n")
    began = time.monotonic()
    done = subprocess.run(
        [Path(sys.executable).with_name("ladder"), "run", "p.dl", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code and words in done.stderr and time.monotonic() - began < 45
    assert not (tmp_path / "q.csv").exists()
    if code == 70:
        assert "in f: import ctypes; ctypes.string_at(0)" in done.stderr
    else:
        assert "Traceback" not in done.stderr and done.stderr.splitlines()[-1].endswith((".", "values."))


def test_temporary_folders_of_a_killed_process_are_removed() -> None:
    done = ended(
        "from ladder.support.supervision import temporary_folder\nfolder = "
        "temporary_folder('ladder-test-')\nopen(folder + '/file', 'w').close()\n"
        "print(folder, flush=True)\nos.kill(os.getpid(), 9)"
    )
    assert "ladder-test-" in done.stdout and not Path(done.stdout.strip()).exists()


def test_a_killed_check_leaves_no_folder(tmp_path: Path) -> None:
    """A lattice of the program that is checked ends the process that checks it."""
    (tmp_path / "mine.py").write_text(
        "import os\n"
        "class L:\n"
        "    def join(self, a, b):\n"
        "        os.kill(os.getpid(), 9)\n"
        "    def examples(self):\n"
        "        return [1, 2, 3]\n"
        "L = L()\n"
    )
    (tmp_path / "p.dl").write_text('.lattice L = "mine:L"\n.decl r(x: L<>)\n.output r\n')
    (tmp_path / "temporary").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "ladder", "check", "p.dl", "--trust"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL and "was killed" in done.stderr, done.stderr
    assert list((tmp_path / "temporary").iterdir()) == []


def test_tidying_up_does_not_outlast_the_time_limit() -> None:
    began = time.monotonic()
    done = ended(
        "from ladder.support.limits import Limits, guarded\nwith guarded(Limits(seconds=0.5)):\n    try:\n        "
        "time.sleep(50)\n    finally:\n        time.sleep(50)"
    )
    assert (done.returncode, done.stderr.count("Not finished within the time limit of 0.5 s")) == (3, 1)
    assert time.monotonic() - began < 45


def test_what_is_no_longer_needed_is_not_freed_when_a_limit_is_reached() -> None:
    began = time.monotonic()
    done = ended("""
from ladder.cli.failures import exit_code_of
from ladder.support.limits import Limits, guarded
class Slow:
    def __del__(self): time.sleep(50)
def command():
    with guarded(Limits(seconds=0.5)):
        slow = Slow()
        time.sleep(50)
sys.exit(exit_code_of(command))""")
    assert (done.returncode, done.stderr.count("Not finished within the time limit of 0.5 s")) == (3, 1)
    assert time.monotonic() - began < 45


def test_a_command_ends_in_an_orderly_way_without_freeing_the_interpreter() -> None:
    """A thread of a library that waits for an interpreter that is being freed would end the process by an abort."""
    done = ended("""
import atexit, threading
from ladder.support.supervision import leave
class Freed:
    def __del__(self): os.write(1, b"freed")
kept = Freed()
atexit.register(print, "registered")
threading.Thread(target=lambda: (time.sleep(0.3), print("thread"))).start()
leave(3)""")
    assert (done.returncode, done.stdout.split(), done.stderr) == (3, ["thread", "registered"], "")


def test_an_interrupt_in_a_callback_is_not_lost() -> None:
    """Where a weak reference calls back, as in the import system, no exception can be raised."""
    done = ended("""
import weakref
from ladder.cli.failures import exit_code_of
class Object: pass
def command():
    one = Object()
    watched = weakref.ref(one, lambda _: signal.raise_signal(signal.SIGINT))
    del one
    time.sleep(50)
sys.exit(exit_code_of(command))""")
    assert (done.returncode, done.stderr) == (130, "ladder: interrupted. What was saved before is as it was.\n")


TWICE = """import ladder.cli.failures as it, ladder.cli.commands as commands
commands.ladder.main, once = interrupt, it._say
def say(*what): once(*what); interrupt()
it._say = say"""
INTERRUPTED = "ladder: interrupted. What was saved before is as it was.\n"


@pytest.mark.parametrize(
    ("when", "told"),
    [
        ("import ladder.support.children as it; it.leave_current_directory = interrupt", INTERRUPTED),
        ("import ladder.support.collection as it; it.collect_rarely = interrupt", INTERRUPTED),
        ("import threading as it; it._shutdown = interrupt", ""),
        (TWICE, INTERRUPTED),
    ],
)  # fmt: skip
def test_an_interrupt_at_any_time_ends_in_one_sentence(when: str, told: str) -> None:
    """Before the command begins, in the process that waits for it or in its own, after it, and for the second time."""
    code = f"import signal, sys\n{USUAL}def interrupt(*_, **__): signal.raise_signal(signal.SIGINT)\n{when}\n"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}sys.argv = ['ladder', '--help']\nfrom ladder.cli import main\nmain()"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, told)


@pytest.mark.parametrize("inside", ["", "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))"])
def test_a_limit_holds_in_blocks_with_limits_of_their_own(inside: str) -> None:
    """Whether the process hears of it, or its parent has to end it."""
    began = time.monotonic()
    done = ended(f"""
from ladder.cli.failures import exit_code_of
from ladder.support.limits import Limits, guarded
def command():
    with guarded(Limits(seconds=0.5)), guarded(Limits(1 << 40, 60)):
        {inside}
        time.sleep(50)
sys.exit(exit_code_of(command))""")
    assert (done.returncode, done.stderr.count("Not finished within the time limit of 0.5 s")) == (3, 1)
    assert time.monotonic() - began < 45
