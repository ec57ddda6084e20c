"""Tables as sets of rows."""
from __future__ import annotations

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.tables import rows as module
from ladder.tables.rows import difference

ROWS = st.lists(st.tuples(st.sampled_from("abcde"), st.integers(-3, 3), st.sampled_from(["x", "", "é"])), max_size=30)


def table(rows: list[tuple[str, int, str]]) -> pa.Table:
    return pa.table({"a": pa.array([r[0] for r in rows], pa.string()), "b": pa.array([r[1] for r in rows], pa.int32()),
                     "c": pa.array([r[2] for r in rows], pa.string())})


@settings(deadline=None)
@given(ROWS, ROWS, st.sampled_from([4, 1 << 62]))
def test_the_difference_of_two_tables_is_that_of_their_sets(left: list[tuple[str, int, str]], right: list[tuple[str, int, str]], room: int) -> None:
    kept, module.ROOM = module.ROOM, room
    try:
        found = [tuple(row.values()) for row in difference(table(left), table(right)).to_pylist()]
    finally:
        module.ROOM = kept
    assert len(found) == len(set(found)) and set(found) == set(left) - set(right)
