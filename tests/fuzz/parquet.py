"""Packs of facts whose Parquet files and indexes are not what was written, though codes and digests fit; and tables of
Arrow given as facts.

An input of `packs` is an index as JSON, a line between, and a Parquet file; where its first byte is odd the index says
of the file what is true of it. One of `tables` is lines, one per column: its name, its Arrow type, its values as JSON.
"""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ladder import Database, Program
from ladder.errors import LadderError, TablesError
from ladder.facts.packs.pack import PURPOSE, _check_of, write_pack
from ladder.facts.packs.store import FactTables
from ladder.frontends.java import FRONT_END
from ladder.project.extraction.batch import Job, layout
from ladder.project.files import Project
from ladder.support.seals import Seal

BETWEEN = b"\n--------\n"
SOURCES = {
    "A.java": "package p; class A extends B { int f = 1; B m(A a) { return a.m(this).g(); } }",
    "B.java": 'interface B { String s = "é"; <T> T g(); }',
    "C.java": "class C { void m( {",
    "D.java": "",
}
SEAL = Seal()


@cache
def _pack() -> tuple[bytes, bytes]:
    """Index and Parquet file of a pack as it is written."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in SOURCES.items():
            (folder / file).write_text(text)
        found = Project(folder)
        files = found.snapshot().files
        job = Job(found.source, str(folder), FRONT_END, layout(FRONT_END))
        write_pack(folder, layout(FRONT_END), [job.row(path, hash_) for path, hash_ in files], SEAL)
        index, parquet = next(folder.glob("*.index")), next(folder.glob("*.parquet"))
        return SEAL.unsealed(PURPOSE, index.read_bytes()) or b"", parquet.read_bytes()


def packs() -> list[bytes]:
    index, parquet = _pack()
    return [first + BETWEEN.join((index, parquet)) for first in (b"0", b"1")]


PACK_WORDS = (
    b"null",
    b"-1",
    b"0",
    b"99999999999999999999",
    b"[]",
    b"{}",
    b'""',
    b'"size"',
    b'"groups"',
    b"[" * 3000,
    b"1e400",
    b"\0",
    b"\xff" * 8,
    b"PAR1",
    b"\x15\xfe\xff\xff\xff\x0f",
)


def check_pack(data: bytes) -> None:
    """What opens is read to the end, or told as damaged; nothing beside it is touched."""
    index, _, parquet = data[1:].partition(BETWEEN)
    version = layout(FRONT_END)
    if data[:1] == b"1":
        index = _said_of(index, parquet)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        folder = root / version.version
        folder.mkdir()
        (root / "canary").write_text("here")
        (folder / "a.index").write_bytes(SEAL.sealed(PURPOSE, index))
        (folder / "a.parquet").write_bytes(parquet)
        tables = FactTables(root, version, SEAL)
        try:
            known = sorted(version.relations)[:5]
            hashes = list(tables.entries)
            tables.positions({f"{i}.java": hash_ for i, hash_ in enumerate(hashes)})
            for encoded in (True, False):
                tables._read(hashes, known, encoded=encoded)
            tables.difference(hashes[:1], hashes[1:], known)
        except TablesError as refused:
            assert "\n" not in str(refused), refused
        tables.collect(list(tables.entries)[:1])
        assert (root / "canary").read_text() == "here" and {path.name for path in root.iterdir()} == {
            "canary",
            version.version,
        }


def _said_of(index: bytes, parquet: bytes) -> bytes:
    """The index with what is true of the file, where both can be read so far."""
    try:
        stored, check = json.loads(index), _check_of(parquet)
        return json.dumps({**stored, "size": check.size, "rest": check.rest, "groups": check.groups}).encode()
    except (ValueError, TypeError, OverflowError, IndexError, RecursionError, OSError, pa.ArrowException):
        return index


# ---- tables

PROGRAM = (
    ".type L = [h: number, t: L]\n.type T = A {} | B {x: number}\n.decl "
    "e(n: number, u: unsigned, f: float, s: symbol, l: L, t: T)\n"
)
GOOD = (
    b"n|int64|[1, 2]",
    b"u|uint32|[0, 4294967295]",
    b"f|float64|[0.5, 1]",
    b's|string|["a", "b"]',
    b'l|string|["[1, nil]", "nil"]',
    b't|string|["$A", "$B(2)"]',
)
TYPES: dict[str, pa.DataType] = {
    "int64": pa.int64(),
    "int8": pa.int8(),
    "uint32": pa.uint32(),
    "uint64": pa.uint64(),
    "float64": pa.float64(),
    "float16": pa.float16(),
    "string": pa.string(),
    "large": pa.large_string(),
    "view": pa.string_view(),
    "binary": pa.binary(),
    "bool": pa.bool_(),
    "null": pa.null(),
    "date": pa.date32(),
    "time": pa.timestamp("ns"),
    "decimal": pa.decimal128(20, 2),
    "dictionary": pa.dictionary(pa.int8(), pa.string()),
    "numbers": pa.dictionary(pa.int32(), pa.int64()),
    "ints": pa.list_(pa.int64()),
    "pair": pa.struct([("h", pa.int64()), ("t", pa.null())]),
    "wrong": pa.struct([("t", pa.int64()), ("h", pa.null())]),
    "map": pa.map_(pa.string(), pa.int64()),
    "fixed": pa.binary(2),
    "lists": pa.list_(pa.list_(pa.int64())),
}


def tables() -> list[bytes]:
    columns = [dict(enumerate(GOOD))]
    for i, name in ((i, name) for i in range(len(GOOD)) for name in TYPES):
        first, _, values = GOOD[i].split(b"|")
        columns.append({**dict(enumerate(GOOD)), i: b"|".join((first, name.encode(), values))})
    return [b"\n".join(some.values()) for some in columns]


TABLE_WORDS = (
    *(name.encode() for name in TYPES),
    b"null",
    b"-1",
    b"4294967296",
    b"1e400",
    b"NaN",
    b'"\\ud800"',
    b'"a"',
    b"[]",
    b"{}",
    b'{"h": 1, "t": null}',
    b"|",
    b"\n",
    b"n",
    b"t",
    b'["B", 1]',
    b"[1, [2, null]]",
    b"true",
)


@cache
def _program() -> Program:
    return Program.parse(PROGRAM, functors={})


def check_table(data: bytes) -> None:
    """A table becomes rows that can be read back, or is refused in a sentence; as it is, in pieces, and out of a
    Parquet file."""
    columns: list[tuple[str, pa.Array]] = []
    for line in data.decode("utf-8", "replace").split("\n"):
        name, _, rest = line.partition("|")
        type_, _, values = rest.partition("|")
        try:
            columns.append((name, pa.array(json.loads(values), TYPES.get(type_))))
        except (ValueError, TypeError, OverflowError, RecursionError, pa.ArrowException):
            return
    try:
        table = pa.table([column for _, column in columns], names=[name for name, _ in columns])
    except (ValueError, UnicodeEncodeError, pa.ArrowException):
        return
    for given in (
        table,
        table.slice(1),
        pa.concat_tables([table, table.slice(0, 1), table.slice(0, 0)]),
        *_stored(table),
    ):
        db = Database(_program())
        try:
            db.load_rows("e", given)
            rows = list(db["e"])
        except LadderError as refused:
            assert str(refused.message) and len(str(refused)) < 2000, refused
            continue
        assert len(rows) <= given.num_rows and all(len(row) == 6 for row in rows)
        again = Database(_program())
        again.load_rows("e", rows)
        assert list(map(repr, sorted(again["e"], key=repr))) == list(map(repr, sorted(rows, key=repr)))


def _stored(table: pa.Table) -> list[pa.Table]:
    """What a Parquet file gives back, where it holds such a table."""
    out = pa.BufferOutputStream()
    try:
        pq.write_table(table, out)
        return [pq.read_table(pa.BufferReader(out.getvalue()))]
    except (ValueError, KeyError, NotImplementedError, pa.ArrowException):
        return []
