"""The symbol table against a dictionary."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.engine.local.values.symbols import SymbolTable

STRANGE = [
    "",
    "a",
    "ä",
    "€",
    "😀",
    "\U0010ffff",
    "\0",
    "a\0",
    "a\0b",
    "\ud800",
    "\udfffx",
    "é",
    "e\u0301",
    "x" * 5000,
    "\t\n",
]
texts = st.lists(
    st.one_of(st.text(max_size=6), st.sampled_from(STRANGE), st.text(alphabet=st.characters(codec=None), max_size=3)),
    max_size=60,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(texts, max_size=5))
def test_numbers_are_dense_and_lasting(batches: list[list[str]]) -> None:
    table, known = SymbolTable(), {"": 0}
    for batch in batches:
        expected = [known.setdefault(text, len(known)) for text in batch]
        assert table.numbers(batch).tolist() == expected
    assert len(table) == len(known)
    assert table.texts_of(list(known.values())) == list(known)
    assert [table.known_number(text) for text in known] == list(known.values())
    assert table.known_number("never seen, this one") == -1 and len(table) == len(known)


def test_strange_strings_stay_apart() -> None:
    table = SymbolTable()
    numbers = [table.number(text) for text in STRANGE]
    assert numbers == list(range(len(STRANGE)))
    assert [table.text_of(number) for number in numbers] == STRANGE


def test_growth() -> None:
    table, texts = SymbolTable(), [f"symbol number {i}" for i in range(50_000)]
    assert table.numbers(texts).tolist() == list(range(1, 50_001))
    assert table.number("y" * 3_000_000) == 50_001
    assert table.numbers(reversed(texts)).tolist() == list(range(50_000, 0, -1))
    assert table.text_of(50_001) == "y" * 3_000_000 and table.text_of(77) == "symbol number 76"
    dictionary = table.to_dictionary()
    assert len(dictionary) == 50_002 and dictionary[50_000].as_py() == "symbol number 49999"


@pytest.mark.parametrize("type_", [pa.string(), pa.large_string()], ids=str)
def test_arrow_arrays(type_: pa.DataType) -> None:
    table, texts = SymbolTable(), [t for t in STRANGE if t.isprintable()] + [f"t{i % 700}" for i in range(2_000)]
    array = pa.array(texts, type_)
    numbers = table.intern_array(array)
    assert table.texts_of(numbers) == texts
    assert table.intern_array(array.slice(5, 100)).tolist() == numbers[5:105].tolist()
    assert table.intern_array(array.slice(7, 0)).tolist() == []
    assert table.intern_array(pa.array(["new", None, "a"], type_)).tolist() == [len(set(texts)), 0, table.number("a")]
    assert table.intern_array(pa.array([""] * 3, type_)).tolist() == [0, 0, 0]
