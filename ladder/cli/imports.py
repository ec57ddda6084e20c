"""Imports that commands do without."""

from __future__ import annotations

import sys


def spare_pandas() -> None:
    """Prevent pyarrow from importing pandas at its first conversion, which takes longer than most re-analyses; nothing
    here uses pandas."""
    import pyarrow

    class Hidden:
        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            if name == "pandas":
                raise ImportError(name)

    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, Hidden)
        try:
            pyarrow.array([0])
        finally:
            sys.meta_path.remove(Hidden)
