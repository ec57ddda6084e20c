"""Digests of the states of some random cases, for comparing a compiled run with others: python states_of_cases.py FIRST
COUNT."""

from __future__ import annotations

import hashlib
import os
import sys

from ladder.engine.local.engine import LocalEngine
from ladder.language import parse

from .comparison import check_structure
from .programs import Case, random_case
from .tuned import tuned

# a relation has a bitmap of known rows as soon as a row is derived again
TUNING = tuned(batch_size=3, capacity=2, known_repeats=0, known_bits_per_row=1 << 16)


def digests(case: Case) -> list[str]:
    """After the facts and after each change: rows as they are stored, with first and count, and how much
    work it was."""
    engine, found = LocalEngine(parse(case.text), tuning=TUNING), []

    def encoded(rows: dict) -> dict:
        return {name: engine.encode_facts(name, some) for name, some in rows.items() if some}

    def note() -> None:
        check_structure(engine)
        digest = hashlib.sha256()
        for name in sorted(engine.numbers):
            for column in engine.store.present(engine.numbers[name]):
                digest.update(column.tobytes())
        report = engine.report
        digest.update(repr((report.changed_rows, report.events, report.looked_back, report.active_iterations)).encode())
        found.append(digest.hexdigest())

    engine.bootstrap(encoded(case.facts))
    note()
    for change in case.changes:
        engine.update(encoded(change["delete"]), encoded(change["insert"]))
        engine.finish()
        note()
    return found


if __name__ == "__main__":
    first, count = map(int, sys.argv[1:])
    from numba import config

    print(f"jit {not config.DISABLE_JIT} boundscheck {bool(config.BOUNDSCHECK)}", file=sys.stderr)
    assert os.environ.get("NUMBA_DISABLE_JIT", "0") == str(int(config.DISABLE_JIT))
    for seed in range(first, first + count):
        print(seed, *digests(random_case(seed)))
