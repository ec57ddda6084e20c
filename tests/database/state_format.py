"""What the number of a state's form stands for (see `ladder.engine.local.saved.format`): a description of the form, and
a state saved in it.

    python -m tests.database.state_format                 after the number was raised: describe the form and save a
                                                          state anew
    python -m tests.database.state_format --compatible    the same under the old number: states saved before are still
                                                          read rightly

The first one refuses a form that has changed under the number that it had: nothing is renewed by mistake.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import numpy as np

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.canonical import stored
from ladder.engine.local.kernels import blocks, layout, texts, timelines
from ladder.engine.local.saved.core import CLASSES
from ladder.engine.local.saved.format import FORMAT
from ladder.engine.local.saved.tables import Manifest, Table
from ladder.support.private import KEY_VARIABLE

from ..engine.forging import Forged, current_of, files_of

FOLDER = Path(__file__).parent / "state_format"
DESCRIPTION, SAMPLE = FOLDER / "form.txt", FOLDER / "states.zip"
KEY = "a key that everybody may know, of states that are samples"
STRATEGIES = ("elastic", "counting")

# Written as they are, each as its fields lie in memory.
RECORDS = {
    "KEY": layout.KEY,
    "ENTRY": layout.ENTRY,
    "GROUP_STATE": layout.GROUP_STATE,
    "SPILL": layout.SPILL,
    "AGGREGAND": layout.AGGREGAND,
    "WAVE": layout.WAVE,
    "timelines.ENTRY": timelines.ENTRY,
}
# What stands in them, and by which constants they are found again.
CONSTANTS = {
    layout: (
        "HASHED",
        "LISTED",
        "NONE",
        "ABSENT",
        "END",
        "MAX_CLASSES",
        "PARTS",
        "LINE",
        "MARK_BITS",
        "NO_VALUE",
        "DIRTY",
        "UNKNOWN",
        "LAST_HOLE",
        "WORD",
        "WORDS_OF_SPILL",
        "WORDS_PER_AGGREGAND",
        "WORDS_PER_WAVE",
        "INLINE_AGGREGANDS",
    ),
    blocks: (
        "ALONE",
        "EMPTY",
        "HEADER",
        "SMALL_TABLE",
        "LARGE_TABLE",
        "HASH_FACTOR",
        "HASH_SHIFT",
        "PAIR_FACTOR",
        "POSITIVE",
    ),
    texts: ("FREE", "HASH_SHIFT", "HASH_BITS", "HASH_OF_NOTHING"),
}
OF_ANY_WIDTH = ("relation.rows", "records")  # arrays of rows
VALUES = (None, True, -1, 1 << 40, 0.5, "ü", ("a", 1), frozenset({1, 2}))

PROGRAM = """
.type List = [head: symbol, tail: List]
.lattice Few = "ladder.lattices:k_set(2)"
.decl e(a: symbol, b: symbol, w: number)
.input e
.decl p(a: symbol, b: symbol)
p(a, b) :- e(a, b, _).
p(a, c) :- p(a, b), e(b, c, _).
.decl near(a: symbol, b: symbol, w: number)
near(a, b, max(w)) :- e(a, b, w).
near(a, c, max(v)) :- near(a, b, w), e(b, c, u), v = min(w, u).
.decl total(a: symbol, w: number)
total(a, s) :- e(a, _, _), s = sum w : { e(a, _, w) }.
.decl few(a: symbol, s: Few<>)
few(a, lub(b)) :- e(a, b, _).
few(a, s) :- e(a, b, 1), few(b, s).
.decl list(l: List, n: number)
list(nil, 0).
list([a, l], n + 1) :- e(a, _, _), list(l, n), n < 2.
.decl alone(a: symbol)
alone(a) :- e(a, _, _), !e(_, a, _).
"""
FACTS = {"e": [(f"n{i * 5 % 11}", f"n{i * i % 7}", i % 6) for i in range(24)]}
GONE, NEW = {"e": FACTS["e"][3:6]}, {"e": [("x", "y", 1), ("n1", "x", 3), ("ü", "n2", 2)]}


def facts_after() -> dict[str, list[tuple[Any, ...]]]:
    """The facts that hold in the sample."""
    return {"e": [row for row in FACTS["e"] if row not in GONE["e"]] + NEW["e"]}


# ---- the form as text


def described(sample: Path) -> str:
    """The form of states, a line for each thing that somebody could change; `sample`: states of all strategies, in
    folders of their names."""
    return "\n".join([f"format {FORMAT}", *_lines(sample)]) + "\n"


def _lines(sample: Path) -> Iterator[str]:
    for name, dtype in RECORDS.items():
        yield f"record {name}: {np.dtype(dtype).itemsize} bytes: {', '.join(_fields(np.dtype(dtype)))}"
    for module, names in CONSTANTS.items():
        for name in names:
            yield f"constant {module.__name__.rpartition('.')[2]}.{name} = {int(getattr(module, name))}"
    for name, class_ in sorted(CLASSES.items()):
        yield f"class {name}: {', '.join(f'{field.name}: {field.type}' for field in fields(class_))}"
    for value in VALUES:
        yield f"value {value if type(value) is not frozenset else sorted(value)!r}: {stored(value).hex()}"
    for class_ in (Manifest, Table):
        yield f"tables, {class_.__name__}: {', '.join(field.name for field in fields(class_))}"
    for strategy in STRATEGIES:
        yield f"{strategy}, CURRENT: {', '.join(sorted(current_of(sample / strategy)))}"
        for file in files_of(sample / strategy):
            yield from (f"{strategy}, {file.name}, {line}" for line in _of_file(Forged.read(file)))


def _fields(dtype: np.dtype[Any]) -> Iterator[str]:
    for name, (of, at, *_) in sorted((dtype.fields or {}).items(), key=lambda item: item[1][1]):
        base = of.base.str if of.base.fields is None else f"({', '.join(_fields(of.base))})"
        yield f"{name} {base}{list(of.shape) if of.shape else ''} at {at}"


def _of_file(file: Forged) -> Iterator[str]:
    """Keys of the header, and of the records in it; arrays with the bytes of an item, whatever number they are of."""
    yield f"header: {', '.join(sorted(file.header))}"
    for name, value in sorted(file.header.items()):
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{name}: {', '.join(sorted({key for record in value for key in record}))}"
    widths = {
        (".".join(part for part in name.split(".") if not part.isdigit()), raw.width)
        for name, raw in file.arrays.items()
    }
    kept = ((name, width) for name, width in widths if not name.startswith("plans."))
    arrays = {name if name in OF_ANY_WIDTH else f"{name} of {width} bytes" for name, width in kept}
    yield f"arrays: {', '.join(sorted(arrays))}"


# ---- the sample


def save_sample(folder: Path) -> None:
    """A base and a log for each strategy, under the key of samples."""
    for strategy in STRATEGIES:
        db = Database(Program.parse(PROGRAM), strategy=strategy, switch=None)
        db.bootstrap(FACTS)
        db.save(folder / strategy)
        db.update(NEW, GONE)
        db.save(folder / strategy)


def unpack_sample(folder: Path) -> None:
    """The states that were saved when the form was described."""
    with zipfile.ZipFile(SAMPLE) as archive:
        archive.extractall(folder)


def _packed(folder: Path) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.name != "lock":
                archive.writestr(
                    zipfile.ZipInfo(str(path.relative_to(folder))), path.read_bytes(), zipfile.ZIP_DEFLATED
                )
    return data.getvalue()


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.option("--compatible", is_flag=True, help="States saved before are still read rightly: the number stays.")
def main(compatible: bool) -> None:
    os.environ[KEY_VARIABLE] = KEY
    with tempfile.TemporaryDirectory() as name:
        save_sample(Path(name))
        text, old = described(Path(name)), DESCRIPTION.read_text("utf-8") if DESCRIPTION.exists() else ""
        if text != old and text.partition("\n")[0] == old.partition("\n")[0] and not compatible:
            sys.exit(
                f"The form has changed, and still has the number {FORMAT}. "
                "Raise it in ladder/engine/local/saved/format.py; or, "
                "if states that were saved before are read rightly all the same, say --compatible."
            )
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir()
        DESCRIPTION.write_text(text, "utf-8")
        SAMPLE.write_bytes(_packed(Path(name)))


if __name__ == "__main__":
    main()
