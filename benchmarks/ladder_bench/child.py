"""`python -m ladder_bench.child MODULE:FUNCTION ARGUMENTS`: runs one measurement and prints what it yields, a JSON
object per line.

Lines are written as they come, so that a measurement that is cut off leaves what it had found.
"""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any


def main(function: str, arguments: str) -> None:
    module, _, name = function.partition(":")
    measurement = getattr(importlib.import_module(module), name)
    for line in measurement(**json.loads(arguments)):
        print(json.dumps(line, default=_plain), flush=True)


def _plain(value: Any) -> Any:
    """numpy's numbers as Python's."""
    return value.item()


if __name__ == "__main__":
    main(*sys.argv[1:])
