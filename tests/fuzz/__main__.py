"""Fuzz one target, or all in turn.

    python -m tests.fuzz programs --budget 500        # seconds; guided by coverage where atheris is installed
    python -m tests.fuzz all --budget 600 --plain     # by mutation alone

Inputs that break something are written to tests/fuzz/found/TARGET, one for each kind of failure; the tests try them
again ever after.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import random
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from ladder.support.private import STATE_VARIABLE

FOUND = Path(__file__).with_name("found")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("target")
    parser.add_argument("--budget", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plain", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        os.environ.setdefault(STATE_VARIABLE, name)
        if given.target != "all" and not given.plain and importlib.util.find_spec("atheris"):
            return guided(given.target, given.budget)
        from ladder.engine.local.warm import compile_first

        compile_first()  # for this user, not in the folder that is home to an input's command
        from .targets import TARGETS

        targets = list(TARGETS) if given.target == "all" else [given.target]
        _refuse_unknown(targets[0], TARGETS)
        for target in targets:
            print(json.dumps(fuzz(target, given.budget / len(targets), given.seed or time.time_ns())), flush=True)
    return 0


def fuzz(target: str, budget: float, seed: int, most: int = sys.maxsize) -> dict[str, object]:
    """Inputs by mutation until the time is over; how many there were, and what failed how often."""
    from .targets import TARGETS, examine, mutated, words_of

    source, words = random.Random(seed), words_of(target)
    pool = [*TARGETS[target].seeds(), *(path.read_bytes() for path in sorted((FOUND / target).glob("*")))]
    count, failures, began = 0, Counter[str](), time.monotonic()
    while time.monotonic() - began < budget and count < most:
        data = mutated(source.choice(pool), source.choice(pool), words, source, lines=target == "commands")
        count += 1
        try:
            examine(target, data)
        except Exception as error:  # noqa: BLE001 - it is what is looked for
            failures[kept(target, data, error)] += 1
        else:
            if len(pool) < 2_000 and source.random() < 0.05:  # mutations of mutations
                pool.append(data)
    return {"target": target, "inputs": count, "seconds": round(time.monotonic() - began), "failures": failures}


def _refuse_unknown(target: str, targets: Collection[str]) -> None:
    if target not in targets:
        sys.exit(f"There is no target {target}; there are {', '.join(targets)} and all.")


def kept(target: str, data: bytes, error: Exception) -> str:
    """The kind of a failure; the first input of each kind is written down."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    kind = (
        f"{type(error).__name__} {Path(frame.filename).name}:{frame.lineno} {re.sub(r'[0-9]+', 'N', str(error))[:60]!r}"
    )
    file = FOUND / target / hashlib.sha256(kind.encode()).hexdigest()[:12]
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        print(kind, file, traceback.format_exc()[-1500:], sep="\n", flush=True)
    return kind


def guided(target: str, budget: float) -> int:
    """The same with what atheris learns of which lines an input reaches."""
    import atheris

    concerned = {
        "programs": "ladder.language",
        "bindings": "ladder.language",
        "commands": "ladder.cli",
        "functors": "ladder.engine.local.values",
        "packs": "ladder.facts.packs",
        "tables": "ladder.engine.local.values",
    }.get(target, "ladder.facts.files")
    with atheris.instrument_imports(include=[concerned]):
        from .targets import TARGETS, examine, mutated, words_of
    _refuse_unknown(target, TARGETS)
    words, pool, count = words_of(target), TARGETS[target].seeds(), 0

    def one(data: bytes) -> None:
        nonlocal count
        count += 1
        try:
            examine(target, data)
        except Exception as error:  # noqa: BLE001 - noted
            kept(target, data, error)

    def mutator(data: bytes, most: int, seed: int) -> bytes:
        source = random.Random(seed)
        return mutated(data, source.choice(pool), words, source, lines=target == "commands")[:most]

    with tempfile.TemporaryDirectory() as corpus:
        for number, data in enumerate(pool):
            (Path(corpus) / str(number)).write_bytes(data)
        atheris.Setup(
            [
                sys.argv[0],
                f"-max_total_time={int(budget)}",
                "-max_len=16384",
                "-rss_limit_mb=6000",
                "-timeout=60",
                corpus,
            ],
            one,
            custom_mutator=mutator,
        )
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
