"""Plan steps over texts, which work on a batch in place: comparisons, functions from texts to numbers, and functions
that make texts.

Texts are bytes of UTF-8, and lengths and places count bytes. A text is made behind the last one of the table of symbols
and looked up there: if it is new, it stays and gets the next number; otherwise the next one is written over it. So
texts are numbered in the order of rows, and nothing is kept of texts that are there already.
"""

import numpy as np

from .compiling import helper
from .layout import (
    ANSWERED,
    AS_FLOAT,
    AS_UNSIGNED,
    CONCATENATE,
    CONTAINED,
    FINISHED,
    LEAST,
    LENGTH,
    NEEDS_ANSWERS,
    NONE,
    SUBSTRING,
    TO_NUMBER,
    TO_UNSIGNED,
    int64,
)
from .memory import accessor
from .steps import keep_row
from .storage import answers_of
from .texts import (
    BYTE,
    FREE,
    HIGHS,
    LEAST_NUMBER,
    MINUS,
    MOST_NUMBER,
    MOST_UNSIGNED,
    NIL,
    NINE,
    ONE,
    ONES,
    TEXTS,
    ZERO,
    bytes_at,
    copy_text,
    end_of_texts,
    enter_text,
    find_text,
    has_room,
    hash_text,
    longs_at,
    put_number,
    same_text,
    uint64,
    words_at,
)
from .values import NO_ANSWER, UNSIGNED_MASK, holds, slot_of, wrapped

_tables = accessor(TEXTS, 1)

PLUS, SPACE, TAB, RETURN, POINT = ord("+"), ord(" "), ord("\t"), ord("\r"), ord(".")
LETTER_A, LETTER_B, LETTER_E, LETTER_F, LETTER_I = ord("a"), ord("b"), ord("e"), ord("f"), ord("i")
LETTER_N, LETTER_X, TO_LOWER = ord("n"), ord("x"), 0x20
MOST_DIGITS = 4000  # of an integer in a text
TOO_LARGE = 1 << 40  # for any number; further digits of a larger one do not matter
ASK_HOST = 2  # what is known of a float, beside whether it is there
MOST_EXACT, TOO_LONG = 1 << 53, 1 << 59  # integers that are exact in double precision; any that is not
TENS = tuple(float(10**n) for n in range(23))  # the powers of ten that are
MOST_TENS = len(TENS) - 1
CONTINUES, CONTINUES_MASK, LEAD_OF_TWO, LEAD_OF_THREE, LEAD_OF_FOUR = 0x80, 0xC0, 0xC0, 0xE0, 0xF0
REPLACEMENT = 0x3F  # in the place of each byte of a part of a character
ROOM_FOR_NUMBER = 64
NAN, INFINITE = (ord("n"), ord("a"), ord("n")), (ord("i"), ord("n"), ord("f"))
DECIMALS = 1_000_000  # a float is written with six of them
BILLION, DIGITS_OF_BILLION, BITS_AT_ONCE = 1_000_000_000, 9, 29
SPARE_BYTES, SPARE_SHARE = 1 << 10, 8  # bytes that a search may compare in vain: so many, and so often the text's
MODULUS, BASE = (1 << 31) - 1, 911_382_323  # of hashes of all parts of a text


@helper
def texts_of(workspace):
    """Return the record of the table of symbols."""
    return _tables(workspace.texts, 1)[0]


@helper
def text_of(texts, cell):
    """Return (the address of a symbol's text, its size)."""
    offsets = longs_at(texts.offsets, texts.offset_capacity)
    start = offsets[cell]
    return texts.text + start, offsets[cell + 1] - start


# ---- comparisons


@helper
def compare_texts(step, texts, batch, count):
    """Keep the rows for which the comparison of texts holds; return how many are kept."""
    lefts, rights, kept = batch[step.arguments[0]], batch[step.arguments[1]], 0
    for i in range(count):
        left, left_size = text_of(texts, lefts[i])
        right, right_size = text_of(texts, rights[i])
        if step.operation >= CONTAINED:
            kept_here = is_part(left, left_size, right, right_size) == (step.operation == CONTAINED)
        else:
            kept_here = holds(step.operation, text_order(left, left_size, right, right_size), int64(0))
        if kept_here:
            keep_row(step, batch, kept, i)
            kept += 1
    return kept


@helper
def common_size(left, right, size):
    """Return how many of the first `size` bytes at two addresses are the same, up to the first that differ."""
    at = int64(0)
    while at + 8 <= size and words_at(left + at, 1)[0] == words_at(right + at, 1)[0]:
        at += 8
    while at < size and bytes_at(left + at, 1)[0] == bytes_at(right + at, 1)[0]:
        at += 1
    return at


@helper
def text_order(left, left_size, right, right_size):
    """Return a number less than, equal to or greater than 0 for a text before, equal to or after another one, in the
    order of their code points, which is that of their bytes."""
    size = min(left_size, right_size)
    at = common_size(left, right, size)
    return int64(bytes_at(left + at, 1)[0]) - int64(bytes_at(right + at, 1)[0]) if at < size else left_size - right_size


@helper
def is_part(part, part_size, text, size):
    """Return whether a text contains another one: every place of its first byte is tried; where too many bytes were
    compared in vain, the rest is searched in time proportional to the text."""
    if part_size == 0:
        return True
    at, end, spare = int64(0), size - part_size + 1, SPARE_BYTES + SPARE_SHARE * size
    first = bytes_at(part, 1)[0]
    while spare > 0:
        at = place_of_byte(text, at, end, first)
        if at >= end:
            return False
        common = common_size(text + at, part, part_size)
        if common == part_size:
            return True
        spare -= common
        at += 1
    return at < end and is_part_by_hash(part, part_size, text + at, size - at)


@helper
def place_of_byte(text, at, end, byte):
    """Return the first place of a byte in a text, from `at` on and before `end`; none before `end` if it is not
    there."""
    wanted = uint64(byte) * ONES
    while at + 8 <= end:
        word = words_at(text + at, 1)[0] ^ wanted
        found = (word - ONES) & ~word & HIGHS  # the lowest bit is exact, higher ones may not be
        if found != NIL:
            low = (found & (~found + ONE)) - ONE
            return at + int64(((low & ONES) * ONES) >> BYTE) - 1
        at += 8
    while at < end and bytes_at(text + at, 1)[0] != byte:
        at += 1
    return at


@helper
def is_part_by_hash(part, part_size, text, size):
    """Return whether a text contains another one that is not empty and not longer: hashes of all its parts of that
    size are compared (Karp and Rabin, Efficient randomized pattern-matching algorithms, 1987)."""
    parts, all_bytes, wanted, hashed, power = (
        bytes_at(part, part_size),
        bytes_at(text, size),
        int64(0),
        int64(0),
        int64(1),
    )
    for i in range(part_size):
        wanted = (wanted * BASE + int64(parts[i])) % MODULUS
        hashed = (hashed * BASE + int64(all_bytes[i])) % MODULUS
        if i > 0:
            power = power * BASE % MODULUS
    at = int64(0)
    while hashed != wanted or not same_text(text + at, part, part_size):
        if at + part_size >= size:
            return False
        hashed = (hashed + MODULUS - int64(all_bytes[at]) * power % MODULUS) % MODULUS
        hashed = (hashed * BASE + int64(all_bytes[at + part_size])) % MODULUS
        at += 1
    return True


# ---- numbers of texts


@helper
def compute_from_texts(step, texts, batch, count):
    """Compute a register of numbers from registers of texts (LEAST and GREATEST: of symbols) and keep the rows that
    have a result; return how many are kept."""
    results, operation, kept = batch[step.value_register], step.operation, 0
    lefts, rights = batch[step.arguments[0]], batch[step.arguments[step.argument_count - 1]]
    for i in range(count):
        there = True
        address, size = text_of(texts, lefts[i])
        if operation == LENGTH:
            result = wrapped(size)
        elif operation == TO_NUMBER:
            result, there = integer_of(address, size)
            there = there and LEAST_NUMBER <= result <= MOST_NUMBER
        elif operation == TO_UNSIGNED:
            result, there = integer_of(address, size)
            there = there and 0 <= result <= MOST_UNSIGNED and bytes_at(address, 1)[0] != MINUS
            result = wrapped(result)
        else:
            other, other_size = text_of(texts, rights[i])
            before = text_order(address, size, other, other_size) <= 0
            result = int64(lefts[i]) if before == (operation == LEAST) else int64(rights[i])
        if there:
            keep_row(step, batch, kept, i)
            results[kept] = result
            kept += 1
    return kept


@helper
def integer_of(address, size):
    """Return (the integer that a text begins with, whether there is one): binary after `0b`, hexadecimal after `0x`,
    or decimal after spaces and a sign. A number that is too large for any type is returned as some such number."""
    text, at, base = bytes_at(address, size), int64(0), int64(10)
    negative = size > 0 and text[0] == MINUS
    start = int64(negative)
    if start + 2 <= size and text[start] == ZERO and (text[start + 1] == LETTER_B or text[start + 1] == LETTER_X):
        base = int64(2) if text[start + 1] == LETTER_B else int64(16)
        at = start + 2
    else:
        at = after_spaces(address, size)
        negative = at < size and text[at] == MINUS
        if at < size and (text[at] == MINUS or text[at] == PLUS):
            at += 1
    begin, value = at, int64(0)
    while at < size:
        digit = digit_of(int64(text[at]))
        if digit >= base:
            break
        value = min(value * base + digit, int64(TOO_LARGE))
        at += 1
    if at == begin or at - begin > MOST_DIGITS:
        return int64(0), at == begin and base == 16
    return -value if negative else value, True


@helper
def floats_of_texts(step, operation, texts, batch, count):
    """Compute a register of floats from one of texts and keep the rows that have a result; return (status, number
    kept). The host is asked for floats that are not found by exact operations."""
    results, symbols, kept, answered = batch[step.value_register], batch[step.arguments[0]], 0, True
    for i in range(count):
        address, size = text_of(texts, symbols[i])
        if float_of(address, size)[1] == ASK_HOST:
            answered &= slot_of(step, operation, batch, i) != NO_ANSWER
    if not answered:
        return NEEDS_ANSWERS, count
    answers = answers_of(operation)
    for i in range(count):
        address, size = text_of(texts, symbols[i])
        result, there = float_of(address, size)
        if there == ASK_HOST:
            answer = answers[slot_of(step, operation, batch, i)]
            result, there = int64(answer.result), int64(answer.state == ANSWERED)
        if there != 0:
            keep_row(step, batch, kept, i)
            results[kept] = result
            kept += 1
    return FINISHED, kept


@helper
def float_of(address, size):
    """Return (the cell of the float that a text begins with, 1 if there is one, 0 if there is none; ASK_HOST where its
    digits, times or divided by its power of ten, are not exact in double precision, so that this product would be
    rounded twice, and for hexadecimal, infinite and NaN).

    That the product of two exact numbers is rounded correctly is from Clinger, How to read floating point numbers
    accurately, PLDI 1990.
    """
    text, at, scale, mantissa = bytes_at(address, size), after_spaces(address, size), int64(0), int64(0)
    negative = at < size and text[at] == MINUS
    if at < size and (text[at] == MINUS or text[at] == PLUS):
        at += 1
    begin, point = at, int64(NONE)
    while at < size:
        byte = int64(text[at])
        if byte == POINT and point == NONE:
            point = at
        elif byte < ZERO or byte > NINE:
            break
        else:
            mantissa = min(mantissa * 10 + byte - ZERO, int64(TOO_LONG))
            scale -= int64(point != NONE)
        at += 1
    if at - begin == int64(point != NONE):
        letter = int64(text[at]) | TO_LOWER if at < size and point == NONE else int64(0)
        return int64(0), int64(ASK_HOST if letter == LETTER_I or letter == LETTER_N else 0)
    if mantissa == 0 and at < size and int64(text[at]) | TO_LOWER == LETTER_X:
        return int64(0), int64(ASK_HOST)
    scale = int64(0) if mantissa == 0 else scale + exponent_of(address, size, at)
    if mantissa > MOST_EXACT or scale < -MOST_TENS or scale > MOST_TENS:
        return int64(0), int64(ASK_HOST)
    value = float(mantissa) * TENS[scale] if scale >= 0 else float(mantissa) / TENS[-scale]
    cell = int64(np.float32(value).view(np.int32))
    return cell | LEAST_NUMBER if negative else cell, int64(1)


@helper
def exponent_of(address, size, at):
    """Return the exponent that begins at a place of a text; 0 where there is none, and a number that is as good as any
    that is too large."""
    text, negative, value = bytes_at(address, size), False, int64(0)
    if at + 1 < size and int64(text[at]) | TO_LOWER == LETTER_E:
        at += 1
        negative = text[at] == MINUS
        if text[at] == MINUS or text[at] == PLUS:
            at += 1
        while at < size and text[at] >= ZERO and text[at] <= NINE:
            value = min(value * 10 + int64(text[at]) - ZERO, int64(TOO_LARGE))
            at += 1
    return -value if negative else value


@helper
def after_spaces(address, size):
    """Return the place of the first byte of a text that is no space."""
    text, at = bytes_at(address, size), int64(0)
    while at < size and (text[at] == SPACE or (text[at] >= TAB and text[at] <= RETURN)):
        at += 1
    return at


@helper
def digit_of(byte):
    """Return the value of a digit, up to 15; 16 for any other byte."""
    if byte >= ZERO and byte <= NINE:
        return byte - ZERO
    lower = byte | TO_LOWER
    return lower - LETTER_A + 10 if lower >= LETTER_A and lower <= LETTER_F else int64(16)


# ---- functions that make texts


@helper
def make_texts(step, texts, batch, count):
    """Compute a register of symbols; return False when the table of symbols needs capacity. The next call starts anew,
    and finds what was entered."""
    results, operation = batch[step.value_register], step.operation
    firsts = batch[step.arguments[0]]
    for i in range(count):
        if operation == CONCATENATE:
            number = concatenated(step, texts, batch, i)
        elif operation == SUBSTRING:
            number = part_of_text(
                texts, firsts[i], int64(batch[step.arguments[1], i]), int64(batch[step.arguments[2], i])
            )
        else:
            number = text_of_number(texts, step.interpretation, int64(firsts[i]))
        if number == FREE:
            return False
        results[i] = number
    return True


@helper
def room_at_end(texts, size):
    """Return whether a text of up to `size` bytes can be made at the end of the texts; capacity is asked for if not."""
    if has_room(texts, size):
        return True
    texts.wanted = size + 1
    return False


@helper
def number_of_made(texts, size):
    """Return the number of the text that was made at the end of the texts, where there is room for it."""
    address = end_of_texts(texts)
    hashed = hash_text(address, size)
    number, slot = find_text(texts, address, size, hashed)
    return enter_text(texts, size, hashed, slot) if number == FREE else number


@helper
def concatenated(step, texts, batch, i):
    """Return the symbol of the arguments' texts, one after another; FREE when it needs capacity."""
    size = int64(0)
    for a in range(step.argument_count):
        size += text_of(texts, batch[step.arguments[a], i])[1]
    if not room_at_end(texts, size):
        return int64(FREE)
    to = end_of_texts(texts)
    for a in range(step.argument_count):
        address, length = text_of(texts, batch[step.arguments[a], i])
        copy_text(address, to, length)
        to += length
    return number_of_made(texts, size)


@helper
def part_of_text(texts, cell, start, length):
    """Return the symbol of a part of a text: empty if it starts outside, up to the end if the length is negative; FREE
    when it needs capacity. Each byte of a character that is cut is replaced by a question mark."""
    address, size = text_of(texts, cell)
    if start < 0 or start > size:
        return int64(0)
    size = size - start if length < 0 else min(length, size - start)
    address += start
    text = bytes_at(address, size)
    before = int64(0)
    while before < size and text[before] & CONTINUES_MASK == CONTINUES:
        before += 1
    end = whole_characters(text, before, size)
    if before == 0 and end == size:
        hashed = hash_text(address, size)
        number, slot = find_text(texts, address, size, hashed)
        if number != FREE:
            return number
        if not room_at_end(texts, size):
            return int64(FREE)
        copy_text(address, end_of_texts(texts), size)
        return enter_text(texts, size, hashed, slot)
    if not room_at_end(texts, size):
        return int64(FREE)
    to = bytes_at(end_of_texts(texts), size)
    for i in range(size):
        to[i] = text[i] if before <= i < end else REPLACEMENT
    return number_of_made(texts, size)


@helper
def whole_characters(text, begin, end):
    """Return where the last whole character ends between `begin`, where one begins, and `end`."""
    last = end - 1
    while last > begin and text[last] & CONTINUES_MASK == CONTINUES:
        last -= 1
    if last < begin or text[last] < LEAD_OF_TWO:
        return end
    size = 2 if text[last] < LEAD_OF_THREE else 3 if text[last] < LEAD_OF_FOUR else 4
    return end if last + size <= end else last


@helper
def text_of_number(texts, interpretation, cell):
    """Return the symbol of a number in decimal digits, of a float with six decimals; FREE when it needs capacity."""
    if not room_at_end(texts, ROOM_FOR_NUMBER):
        return int64(FREE)
    out = bytes_at(end_of_texts(texts), ROOM_FOR_NUMBER)
    if interpretation == AS_FLOAT:
        size = put_float(out, cell)
    else:
        size = put_number(out, int64(0), cell & UNSIGNED_MASK if interpretation == AS_UNSIGNED else cell)
    return number_of_made(texts, size)


@helper
def put_float(out, cell):
    """Write the float whose bits a cell holds, with six decimals, rounded to the nearest and half to even; return the
    size."""
    exponent, mantissa, at = (cell >> 23) & 0xFF, cell & 0x7FFFFF, int64(0)
    if cell < 0:
        out[0], at = MINUS, int64(1)
    if exponent == 0xFF:
        return put_word(out, at, NAN if mantissa != 0 else INFINITE)
    if exponent == 0:
        exponent += 1
    else:
        mantissa |= 1 << 23
    shift, decimals = exponent - 150, int64(0)
    if shift >= 0:
        at = put_large(out, at, mantissa, shift)
    else:
        whole, decimals = rounded(mantissa, -shift)
        at = put_number(out, at, whole)
    out[at] = POINT
    for place in range(6, 0, -1):
        out[at + place] = ZERO + decimals % 10
        decimals //= 10
    return at + 7


@helper
def put_word(out, at, word):
    """Write three bytes at position `at`; return the position after them."""
    out[at], out[at + 1], out[at + 2] = word
    return at + 3


@helper
def rounded(mantissa, shift):
    """Return (the whole part, the decimals as a number below a million) of mantissa / 2**shift, rounded."""
    whole, rest = (mantissa >> shift, mantissa & ((1 << shift) - 1)) if shift < 32 else (int64(0), mantissa)
    scaled = rest * DECIMALS  # below 2**44
    if shift > 45:
        return whole, int64(0)
    decimals, rest, half = scaled >> shift, scaled & ((1 << shift) - 1), 1 << (shift - 1)
    if rest > half or (rest == half and decimals & 1 == 1):
        decimals += 1
    return (whole + 1, int64(0)) if decimals == DECIMALS else (whole, decimals)


@helper
def put_large(out, at, mantissa, shift):
    """Write mantissa * 2**shift, which is below 2**128, at position `at`; return the position after it."""
    a, b, c, d, e = mantissa, int64(0), int64(0), int64(0), int64(0)  # digits to the base of a billion, the least first
    while shift > 0:
        factor = int64(1) << min(shift, int64(BITS_AT_ONCE))
        a = a * factor
        b = b * factor + a // BILLION
        c = c * factor + b // BILLION
        d = d * factor + c // BILLION
        e = e * factor + d // BILLION
        a, b, c, d = a % BILLION, b % BILLION, c % BILLION, d % BILLION
        shift -= BITS_AT_ONCE
    started = False
    for position in range(5):
        digits = e if position == 0 else d if position == 1 else c if position == 2 else b if position == 3 else a
        if started:
            for place in range(DIGITS_OF_BILLION - 1, -1, -1):
                out[at + place] = ZERO + digits % 10
                digits //= 10
            at += DIGITS_OF_BILLION
        elif digits > 0 or position == 4:
            at = put_number(out, at, digits)
            started = True
    return at
