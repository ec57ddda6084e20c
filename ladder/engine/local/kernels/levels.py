"""Levels of processors that machine code is made for ahead of its use: what most machines of a kind have.

A level's name is LLVM's name of a processor with just its features (the x86-64 psABI's levels; on 64-bit ARM the
architecture's first version).
"""

from __future__ import annotations

import platform

from .loading import features

V2 = frozenset({"cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"})
V3 = V2 | {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}
# per machine (`platform.machine`), the best first: the level, and the features that it takes
KNOWN: dict[str, tuple[tuple[str, frozenset[str]], ...]] = {
    "x86_64": (("x86-64-v3", V3), ("x86-64-v2", V2), ("x86-64", frozenset())),
    "aarch64": (("generic", frozenset()),),
}


def levels() -> list[str]:
    """Return the levels that this machine's processor has, the best first."""
    there = {name for name, has in features().items() if has}
    return [level for level, needed in KNOWN.get(platform.machine(), ()) if needed <= there]
