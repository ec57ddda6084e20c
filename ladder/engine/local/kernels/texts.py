"""Strings → numbers: an open-addressing hash table over one buffer of UTF-8 text."""
import numpy as np

from .compiling import entry_point, helper

FREE = -1
BASIS, PRIME = np.uint64(14695981039346656037), np.uint64(1099511628211)
LOW_BITS = np.uint64(0x1FFFFFFFFFFFFFFF)
HASH_OF_NOTHING = int((BASIS ^ (BASIS >> np.uint64(29))) & LOW_BITS)    # as `hash_text` has it


@helper
def hash_text(text, start, end):
    """A hash of bytes, not negative (FNV-1a, cut to 61 bits so that products stay in range)."""
    value = BASIS
    for position in range(start, end):
        value = (value ^ np.uint64(text[position])) * PRIME
    return np.int64((value ^ (value >> np.uint64(29))) & LOW_BITS)


@helper
def same_text(text, start, end, other, other_start, other_end):
    if end - start != other_end - other_start:
        return False
    for i in range(end - start):
        if text[start + i] != other[other_start + i]:
            return False
    return True


@entry_point
def intern(new_text, new_offsets, first, text, offsets, slots, counts, numbers, add):
    """numbers[i] = number of new string i, added if unknown and `add`; how many are done, short of all for room.

    counts: (symbols, bytes of text); room is needed for at least one more symbol and for its text.
    """
    last_slot = len(slots) - 1
    for i in range(first, len(numbers)):
        start, end = new_offsets[i], new_offsets[i + 1]
        slot = hash_text(new_text, start, end) & last_slot
        number = slots[slot]
        while number != FREE and not same_text(text, offsets[number], offsets[number + 1], new_text, start, end):
            slot = (slot + 1) & last_slot
            number = slots[slot]
        if number == FREE and add:
            number, size = counts[0], end - start
            if 2 * (number + 1) > len(slots) or number + 2 > len(offsets) or counts[1] + size > len(text):
                return i
            text[counts[1]:counts[1] + size] = new_text[start:end]
            counts[0], counts[1] = number + 1, counts[1] + size
            offsets[number + 1] = counts[1]
            slots[slot] = number
        numbers[i] = number
    return len(numbers)


@entry_point
def rehash(text, offsets, count, slots):
    """Enter all symbols into an empty, larger table."""
    last_slot = len(slots) - 1
    for number in range(count):
        slot = hash_text(text, offsets[number], offsets[number + 1]) & last_slot
        while slots[slot] != FREE:
            slot = (slot + 1) & last_slot
        slots[slot] = number
