"""Small facts of made-up files, and how tests read them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from ladder.facts.packs.layout import FileRow, Layout

LAYOUT = Layout(
    {
        "Method": (("method", "symbol"), ("arity", "number")),
        "Call": (("invocation", "symbol"), ("method", "symbol")),
        "Position": (("id", "symbol"), ("line", "number"), ("column", "number")),
    },
    "v1",
)
NAMES = ["Method", "Call"]
Facts = dict[str, set[tuple[Any, ...]]]


def file(name: str, methods: int = 2, version: int = 0) -> FileRow:
    """A file that declares `methods` methods; those of another version differ in the last one's arity."""
    ids = [f"p.{name}.m{i}()" for i in range(methods)]
    rows = {
        "Method": [(m, version if i == methods - 1 else i) for i, m in enumerate(ids)],
        "Call": [(f"{m}/call f#1", m) for m in ids],
        "Position": [(f"{m}/call f#1", i + 1, 5) for i, m in enumerate(ids)],
    }
    digest = hashlib.sha1(f"{name}{methods}{version}".encode()).hexdigest()
    return FileRow(digest, "javalang", 10 * methods, f"p.{name}", (f"p.{name}",), (), rows)


def facts(files: Iterable[FileRow]) -> Facts:
    found: Facts = {name: set() for name in NAMES}
    for one in files:
        for name in NAMES:
            found[name] |= set(one.relations.get(name, ()))
    return found


def rows(tables: dict[str, pa.Table]) -> Facts:
    return {
        name: {tuple(row.values()) for row in tables[name].to_pylist()} if name in tables else set() for name in NAMES
    }
