"""Texts: paths of files in folders."""

from __future__ import annotations

import numpy as np

from ladder_bench.robustness.shapes import Facts, Shape

PARTS = ("src", "test", "main", "org", "lib", "a", "b", "c")
ENDS = (".java", ".c", ".h", ".py", ".txt", "")


def files(shape: Shape, size: int) -> Facts:
    """About `size` paths of files in folders, and the folders."""
    folders, depth = shape.whole("folders", 5, 60), shape.whole("depth", 1, len(PARTS))
    saved = shape.real("backups", 0.01, 0.5)
    names = ["/".join(f"{part}{n % (3 + place)}" for place, part in enumerate(PARTS[:depth])) for n in range(folders)]
    names = [f"{name}/d{n}" for n, name in enumerate(names)]
    chosen, ends = shape.any_of(folders, size).tolist(), shape.any_of(len(ENDS), size).tolist()
    paths = [f"{names[f]}/file{n:05d}{ENDS[e]}" for n, (f, e) in enumerate(zip(chosen, ends, strict=True))]
    paths += [f"{path}.bak" for path in paths if shape.source.random() < saved]
    sizes = shape.any_of(100_000, len(paths)).tolist()
    return {
        "file": np.array([(path, str(n)) for path, n in zip(paths, sizes, strict=True)]),
        "folder": np.array(names)[:, None],
    }
