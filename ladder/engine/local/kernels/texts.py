"""Strings → numbers: an open-addressing hash table over one buffer of UTF-8 text, and a reader that enters the cells of
a text file's rows straight into it.

The text of number n is `text[offsets[n]:offsets[n + 1]]`. A slot is FREE or (31 bits of hash) << 32 | number, so that
most look-ups compare no text but the right one, and the table can grow without looking at any text. Texts are hashed,
compared and searched eight bytes at a time.
"""

import numpy as np

from .arguments import record_of, table_of, vector_of
from .compiling import entry_point, helper
from .layout import int32, int64, record
from .memory import accessor

TEXTS = record(  # a table; bulk arrays as addresses
    ("text", int64),
    ("text_capacity", int64),
    ("offsets", int64),
    ("offset_capacity", int64),
    ("slots", int64),
    ("slot_count", int64),  # a power of two
    ("counts", int64),  # (symbols, bytes of text)
    ("wanted", int64),  # 1 + the bytes of a symbol that a plan needs capacity for; 0: none
)
bytes_at, words_at, longs_at = accessor(np.uint8, 1), accessor(np.uint64, 1), accessor(np.int64, 1)

FREE, NO_TEXT = -1, -2
SKIP, SYMBOL, NUMBER, UNSIGNED = range(4)  # kinds of columns
DONE, NEEDS_TEXT, NEEDS_ROWS, IRREGULAR = range(4)  # why reading or writing stopped
AT, ROWS, SIZE = range(3)  # what `state` holds

uint64 = np.uint64
SEED, PRIME = uint64(0x243F6A8885A308D3), uint64(0x9E3779B97F4A7C15)  # digits of pi; of the golden ratio
ONES, HIGHS = uint64(0x0101010101010101), uint64(0x8080808080808080)
NEWLINES = uint64(ord("\n")) * ONES
EIGHT, HALF, BYTE, HASH_SHIFT, HASH_BITS = uint64(8), uint64(32), uint64(56), uint64(33), uint64(0x7FFFFFFF)
ONE, NIL = uint64(1), uint64(0)
LOW_HALF = 0xFFFFFFFF
NEWLINE, RETURN, MINUS, ZERO, NINE = ord("\n"), ord("\r"), ord("-"), ord("0"), ord("9")
MOST_DIGITS = 10
LEAST_NUMBER, MOST_NUMBER, MOST_UNSIGNED = -(1 << 31), (1 << 31) - 1, (1 << 32) - 1


@helper
def mixed(value, word):
    value = (value ^ word) * PRIME
    return value ^ (value >> HALF)


@helper
def hash_text(address, size):
    """Return 31 bits of hash of the `size` bytes at an address."""
    value = SEED ^ uint64(size)
    if size >= 8:
        at = int64(0)
        while at + 8 <= size:
            value = mixed(value, words_at(address + at, 1)[0])
            at += 8
        if at < size:
            value = mixed(value, words_at(address + size - 8, 1)[0])
    else:
        text, rest = bytes_at(address, size), NIL
        for at in range(size):
            rest = (rest << EIGHT) | uint64(text[at])
        value = mixed(value, rest)
    return int64((value >> HASH_SHIFT) & HASH_BITS)


@helper
def same_text(address, other, size):
    """Return whether `size` bytes are the same at two addresses."""
    at = int64(0)
    while at + 8 <= size:
        if words_at(address + at, 1)[0] != words_at(other + at, 1)[0]:
            return False
        at += 8
    while at < size:
        if bytes_at(address + at, 1)[0] != bytes_at(other + at, 1)[0]:
            return False
        at += 1
    return True


@helper
def find_text(texts, address, size, hashed):
    """Return (the number of a text or FREE, the slot where it is or would be entered); `hashed` is its hash."""
    slots, offsets, last_slot = (
        longs_at(texts.slots, texts.slot_count),
        longs_at(texts.offsets, texts.offset_capacity),
        texts.slot_count - 1,
    )
    slot = hashed & last_slot
    entry = slots[slot]
    while entry != FREE:
        if entry >> 32 == hashed:
            number = entry & LOW_HALF
            if offsets[number + 1] - offsets[number] == size and same_text(texts.text + offsets[number], address, size):
                return number, slot
        slot = (slot + 1) & last_slot
        entry = slots[slot]
    return int64(FREE), slot


@helper
def add_text(texts, address, size, hashed, slot):
    """Enter a text that is not there at a slot and return its number; FREE when it needs capacity."""
    if not has_room(texts, size):
        return int64(FREE)
    copy_text(address, end_of_texts(texts), size)
    return enter_text(texts, size, hashed, slot)


@helper
def has_room(texts, size):
    """Return whether there is capacity for one more text of `size` bytes."""
    counts = longs_at(texts.counts, 2)
    number, used = counts[0], counts[1]
    return (
        2 * (number + 1) <= texts.slot_count
        and number + 2 <= texts.offset_capacity
        and used + size <= texts.text_capacity
    )


@helper
def end_of_texts(texts):
    """Return the address where the text of the next new symbol will lie."""
    return texts.text + longs_at(texts.counts, 2)[1]


@helper
def enter_text(texts, size, hashed, slot):
    """Enter the text of `size` bytes at the end of the texts, which is new and for which there is room, at a slot;
    return its number."""
    counts = longs_at(texts.counts, 2)
    number, used = counts[0], counts[1]
    counts[0], counts[1] = number + 1, used + size
    longs_at(texts.offsets, texts.offset_capacity)[number + 1] = used + size
    longs_at(texts.slots, texts.slot_count)[slot] = (hashed << 32) | number
    return number


@helper
def copy_text(address, to, size):
    """Copy `size` bytes from an address to another one, behind them."""
    at = int64(0)
    while at + 8 <= size:
        words_at(to + at, 1)[0] = words_at(address + at, 1)[0]
        at += 8
    while at < size:
        bytes_at(to + at, 1)[0] = bytes_at(address + at, 1)[0]
        at += 1


@entry_point(texts=record_of(TEXTS), new_offsets=vector_of(int64), numbers=vector_of(int32))
def intern(texts, new_text, new_offsets, first, numbers, add):
    """Set numbers[i] to the number of new string i, which is added if it is unknown and `add` is true; return how many
    are done, fewer than all when it needs capacity for at least one more symbol and its text.

    new_text: int64, the address of the bytes; new_offsets: int64[n + 1], where each string begins and the last one
    ends; first: int64, how many were done before; numbers: int32[n]; add: bool.
    """
    for i in range(first, len(numbers)):
        address, size = new_text + new_offsets[i], new_offsets[i + 1] - new_offsets[i]
        hashed = hash_text(address, size)
        number, slot = find_text(texts, address, size, hashed)
        if number == FREE and add:
            number = add_text(texts, address, size, hashed, slot)
            if number == FREE:
                return i
        numbers[i] = number
    return len(numbers)


@entry_point(slots=vector_of(int64), larger=vector_of(int64))
def rehash(slots, larger):
    """Enter all symbols of a hash table into an empty, larger one.

    slots, larger: int64[n], where n is a power of two.
    """
    last_slot = len(larger) - 1
    for place in range(len(slots)):
        entry = slots[place]
        if entry != FREE:
            slot = (entry >> 32) & last_slot
            while larger[slot] != FREE:
                slot = (slot + 1) & last_slot
            larger[slot] = entry


# ---- rows of cells between delimiters


@helper
def end_of_cell(content, at, delimiters):
    """Return the position of the next delimiter or newline, of which there must be one. delimiters: uint64, the
    delimiter in each of the eight bytes."""
    while True:
        word = words_at(content + at, 1)[0]
        x, y = word ^ delimiters, word ^ NEWLINES
        found = (((x - ONES) & ~x) | ((y - ONES) & ~y)) & HIGHS  # the lowest bit is exact, higher ones may not be
        if found != NIL:
            low = (found & (~found + ONE)) - ONE
            return at + int64(((low & ONES) * ONES) >> BYTE) - 1
        at += 8


@helper
def is_text(address, size):
    """Return whether bytes are UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF."""
    text, at = bytes_at(address, size), int64(0)
    while at < size:
        lead = int64(text[at])
        if lead < 0x80:
            at += 1
            continue
        if lead < 0xC2 or lead > 0xF4:
            return False
        more = 1 if lead < 0xE0 else 2 if lead < 0xF0 else 3
        if at + more >= size:
            return False
        least, most = 0x80, 0xBF
        if lead == 0xE0:
            least = 0xA0
        elif lead == 0xED:
            most = 0x9F
        elif lead == 0xF0:
            least = 0x90
        elif lead == 0xF4:
            most = 0x8F
        for i in range(1, more + 1):
            byte = int64(text[at + i])
            if byte < least or byte > most:
                return False
            least, most = 0x80, 0xBF
        at += more + 1
    return True


@helper
def number_of(address, size, kind):
    """Return (the value of a decimal number, whether the bytes are a number of that kind)."""
    text = bytes_at(address, size)
    negative = size > 0 and text[0] == MINUS
    at = int64(negative)
    if size - at < 1 or size - at > MOST_DIGITS or (negative and kind == UNSIGNED):
        return int64(0), False
    value = int64(0)
    for i in range(at, size):
        digit = int64(text[i])
        if digit < ZERO or digit > NINE:
            return int64(0), False
        value = 10 * value + digit - ZERO
    if negative:
        value = -value
    if kind == UNSIGNED:
        return (value - (1 << 32) if value > MOST_NUMBER else value), value <= MOST_UNSIGNED
    return value, LEAST_NUMBER <= value <= MOST_NUMBER


@entry_point(texts=record_of(TEXTS), columns=table_of(int64), cells=table_of(int32), state=vector_of(int64))
def read_rows(texts, content, end, last, delimiter, columns, spare, cells, state):
    """Read lines from state[AT] on into `cells` from row state[ROWS] on; return why it stopped.

    DONE: what is left before `end` is no whole line (if `last`, nothing is left); NEEDS_TEXT: it needs capacity for a
    symbol of state[SIZE] bytes; NEEDS_ROWS: `cells` is full; IRREGULAR: a row that must be read by the complete reader
    in Python, which may refuse it. A line at which the kernel stopped is read again from its start.

    content: int64, the address of the text, whose bytes end at `end` and are followed by newlines; last: bool, whether
    `end` is that of the file; delimiter: int64, one byte; columns: int64[n, 2], for each position in the file the kind
    and the column of `cells`; spare: bool, whether lines may have more cells; cells: int32[capacity, arity]; state:
    int64[n], with places AT, ROWS and SIZE.
    """
    delimiters, width, capacity = uint64(delimiter) * ONES, len(columns), len(cells)
    text = bytes_at(content, end + 1)
    while state[AT] < end:
        at, column, row = state[AT], 0, state[ROWS]
        if row >= capacity:
            return NEEDS_ROWS
        while True:
            after = end_of_cell(content, at, delimiters)
            if after >= end and not last:
                return DONE
            after = min(after, end)
            ends = after == end or text[after] == NEWLINE
            stop = after - 1 if ends and after > at and text[after - 1] == RETURN else after
            if ends and column == 0 and stop == at and width > 1:
                break
            if column < width:
                kind, target = columns[column, 0], columns[column, 1]
                if kind == SYMBOL:
                    number = number_of_cell(texts, content + at, stop - at)
                    if number == FREE:
                        state[SIZE] = stop - at
                        return NEEDS_TEXT
                    if number == NO_TEXT:
                        return IRREGULAR
                    cells[row, target] = int32(number)
                elif kind != SKIP:
                    number, fits = number_of(content + at, stop - at, kind)
                    if not fits:
                        return IRREGULAR
                    cells[row, target] = int32(number)
            elif not spare:
                return IRREGULAR
            column += 1
            at = after + 1
            if ends:
                if column < width:
                    return IRREGULAR
                state[ROWS] = row + 1
                break
        state[AT] = after + 1
    return DONE


@helper
def number_of_cell(texts, address, size):
    """Return the number of a text, added if it is new; FREE when it needs capacity, NO_TEXT for bytes that are not
    UTF-8."""
    hashed = hash_text(address, size)
    number, slot = find_text(texts, address, size, hashed)
    if number != FREE:
        return number
    return add_text(texts, address, size, hashed, slot) if is_text(address, size) else int64(NO_TEXT)


@helper
def put_number(out, at, value):
    """Write a decimal number at position `at` of `out` (uint8[size]); return the position after it."""
    if value < 0:
        out[at] = MINUS
        at, value = at + 1, -value
    digits, rest = 1, value // 10
    while rest > 0:
        digits, rest = digits + 1, rest // 10
    for i in range(digits - 1, -1, -1):
        out[at + i] = ZERO + value % 10
        value //= 10
    return at + digits


@entry_point(
    texts=record_of(TEXTS),
    cells=table_of(int32),
    kinds=vector_of(int64),
    out=vector_of(np.uint8),
    state=vector_of(int64),
)
def write_rows(texts, cells, kinds, delimiter, out, state):
    """Write lines of `cells` from row state[ROWS] on to the beginning of `out`, as many as fit; return the number of
    bytes.

    cells: int32[n, columns]; kinds: int64[columns]; delimiter: int64, one byte; out: uint8[size]; state: int64[n],
    where state[SIZE] becomes the size of a line that is larger than all of `out`.
    """
    at, last, count, capacity = int64(0), len(kinds) - 1, len(cells), len(out)
    offsets = longs_at(texts.offsets, texts.offset_capacity)
    while state[ROWS] < count:
        row, size = state[ROWS], int64(0)
        for column in range(len(kinds)):
            cell = cells[row, column]
            size += 1 + (offsets[cell + 1] - offsets[cell] if kinds[column] == SYMBOL else MOST_DIGITS + 1)
        if at + size > capacity:
            state[SIZE] = size
            return at
        for column in range(len(kinds)):
            cell = int64(cells[row, column])
            if kinds[column] == SYMBOL:
                length = offsets[cell + 1] - offsets[cell]
                text = bytes_at(texts.text + offsets[cell], length)
                for i in range(length):
                    out[at + i] = text[i]
                at += length
            else:
                at = put_number(out, at, cell + (1 << 32) if kinds[column] == UNSIGNED and cell < 0 else cell)
            out[at] = NEWLINE if column == last else delimiter
            at += 1
        state[ROWS] = row + 1
    return at


def hash_of_nothing():
    """Return the hash that `hash_text` gives the empty text."""
    value = int(SEED) * int(PRIME) % (1 << 64)
    return ((value ^ (value >> 32)) >> 33) & int(HASH_BITS)


HASH_OF_NOTHING = hash_of_nothing()
