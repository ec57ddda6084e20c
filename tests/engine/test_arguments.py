"""What Python hands over to entry points: addresses and lengths of what they take, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.arguments import RESERVED, Parameters, forms_of, record_of, table_of, vector_of
from ladder.engine.local.kernels.compiling import ENTRY_POINTS
from ladder.engine.local.kernels.evaluation import run_bootstrap
from ladder.engine.local.kernels.host_calls import find_rows
from ladder.engine.local.kernels.loading import Code

FORMS = {"relation": record_of(L.RELATION), "cells": table_of(np.int32), "flags": vector_of(bool), "count": None}


def given(**changed: Any) -> list[Any]:
    usual = {"relation": np.zeros(3, L.RELATION)[1], "cells": np.zeros((4, 5), np.int32), "flags": np.zeros(6, bool)}
    return list({**usual, "count": 7, **changed}.values())


def test_addresses_and_lengths_are_handed_over() -> None:
    relations, cells, flags = np.zeros(3, L.RELATION), np.arange(24, dtype=np.int32).reshape(6, 4), np.zeros(9, bool)
    flags.flags.writeable = False
    words = Parameters("some", FORMS).packed([relations[1], cells[2:5], flags[3:], np.int64(-1)])
    assert list(words) == [
        *[0] * RESERVED,
        relations.ctypes.data + L.RELATION.itemsize,
        cells.ctypes.data + 2 * 4 * 4,
        *(3, 4),
        flags.ctypes.data + 3,
        *(6, -1),
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"relation": np.zeros(3, L.INDEX)[0]},
        {"relation": np.zeros(1, L.RELATION)},
        {"relation": np.zeros((), L.RELATION)},
        {"cells": np.zeros((4, 5), np.int64)},
        {"cells": np.zeros(4, np.int32)},
        {"cells": np.zeros((4, 5), np.int32)[:, 1:]},
        {"cells": np.asfortranarray(np.zeros((4, 5), np.int32))},
        {"flags": np.zeros(6, np.uint8)},
        {"flags": np.zeros(6, bool)[::2]},
        {"flags": np.True_},
        {"count": 1.5},
        {"more": 1},
    ],
    ids=str,
)
def test_what_has_another_form_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        Parameters("some", FORMS).packed(given(**wrong))


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(TypeError, match=r"some takes \(.*cells: .*\), contiguous arrays, not \(.*ndarray int64\(3,\)"):
        Parameters("some", FORMS).packed(given(cells=np.zeros(3, np.int64)))


def test_forms_follow_from_names_and_from_what_is_given() -> None:
    def some(relation, rows, count):  # type: ignore[no-untyped-def]
        local = count
        return local

    assert forms_of(some, {"rows": vector_of(np.int64)}) == {
        "relation": record_of(L.RELATION),
        "rows": vector_of(np.int64),
        "count": None,
    }
    with pytest.raises(TypeError, match="some has no parameters local"):
        forms_of(some, {"local": vector_of(np.int64)})


def test_code_is_packed_and_unpacked() -> None:
    packed = Code("name", b"\x7fELF\n\n\x00").packed()
    assert (Code.unpacked(packed).symbol, Code.unpacked(packed).content) == ("name", b"\x7fELF\n\n\x00")


def test_entry_points_have_their_names() -> None:
    names = {called.__name__: entry.name for called, entry in ENTRY_POINTS.items()}
    assert names["run_bootstrap"] == "evaluation.run_bootstrap" and names["find_rows"] == "host_calls.find_rows"
    assert run_bootstrap in ENTRY_POINTS and "Set numbers" in find_rows.__doc__
