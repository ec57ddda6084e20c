"""Tables as sets of rows."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.facts.packs import layout
from ladder.facts.packs import rows as module
from ladder.facts.packs.rows import compact, difference, plain, same_rows

ROWS = st.lists(st.tuples(st.sampled_from("abcde"), st.integers(-3, 3), st.sampled_from(["x", "", "é"])), max_size=30)


def table(rows: list[tuple[str, int, str]]) -> pa.Table:
    return pa.table(
        {
            "a": pa.array([r[0] for r in rows], pa.string()),
            "b": pa.array([r[1] for r in rows], pa.int32()),
            "c": pa.array([r[2] for r in rows], pa.string()),
        }
    )


@settings(deadline=None)
@given(ROWS, ROWS, st.sampled_from([4, 1 << 62]))
def test_the_difference_of_two_tables_is_that_of_their_sets(
    left: list[tuple[str, int, str]], right: list[tuple[str, int, str]], largest: int
) -> None:
    kept, module.LARGEST_KEY = module.LARGEST_KEY, largest
    try:
        found = [tuple(row.values()) for row in difference(table(left), table(right)).to_pylist()]
    finally:
        module.LARGEST_KEY = kept
    assert len(found) == len(set(found)) and set(found) == set(left) - set(right)


def in_dictionaries(text: pa.Table, chunks: int) -> pa.Table:
    """The same rows with texts in dictionaries, one for each of some chunks, as facts are read."""
    parts = [
        pa.Table.from_arrays(
            [
                column.combine_chunks().dictionary_encode()
                if pa.types.is_string(column.type)
                else column.combine_chunks()
                for column in text.slice(start, -(-len(text) // chunks)).columns
            ],
            names=text.column_names,
        )
        for start in range(0, len(text), -(-len(text) // chunks))
    ]
    return pa.concat_tables(parts)


@pytest.mark.parametrize("most", [0, 60, 1 << 30])
def test_columns_with_more_text_than_an_array_holds_are_what_others_are(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arrow's arrays of `string` end at 2 GiB; what is more is kept with places of 64 bits, or in several arrays."""
    monkeypatch.setattr(layout, "MOST_TEXT", most)
    rows = [(name * 3, i % 4, "é" * (i % 3)) for i, name in enumerate("abcde" * 6)]
    texts = pa.concat_tables([table(rows[:7]), table(rows[7:])])
    encoded = in_dictionaries(texts, 3)
    assert plain(encoded).to_pylist() == texts.to_pylist()
    distinct, indices = compact(encoded["a"])
    assert (
        pa.types.is_large_string(distinct.type) == (most < 60)
        and distinct.take(indices).to_pylist() == texts["a"].to_pylist()
    )
    assert same_rows(difference(encoded, encoded.slice(0, 0)), difference(texts, texts.slice(0, 0)))
    for left in (texts, encoded):
        for right in (texts.slice(5), encoded.slice(5)):
            found = {tuple(row.values()) for row in difference(left, right).to_pylist()}
            assert found == set(rows[:5]) - set(rows[5:])
