"""Plan steps over values: comparisons, arithmetic, functions of the host, records. Most work on a batch in place."""

import numpy as np

from .arguments import record_of
from .blocks import mix
from .compiling import entry_point, helper
from .layout import (
    ABSENT,
    ADD,
    ANSWERED,
    AS_FLOAT,
    AS_UNSIGNED,
    BIT_AND,
    BIT_NOT,
    BIT_OR,
    BIT_XOR,
    DIFFERENT,
    DIVIDE,
    EQUAL,
    FINISHED,
    GREATER,
    LEAST,
    LESS,
    LESS_EQUAL,
    LOGICAL_AND,
    LOGICAL_NOT,
    LOGICAL_OR,
    LOGICAL_XOR,
    MULTIPLY,
    NEEDS_ANSWERS,
    NEGATE,
    NONE,
    OPERATION,
    POWER,
    REMAINDER,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SHIFT_RIGHT_UNSIGNED,
    SUBTRACT,
    TO_FLOAT,
    TO_NUMBER,
    TO_UNSIGNED,
    VACANT,
    WAITING,
    int64,
)
from .rowset import NO_CAPACITY, compute_tags, find_or_add_row
from .steps import keep_row
from .storage import answers_of, asked_of, first_of, results_of, rows_of

NO_ANSWER = -1
NOT_A_NUMBER = np.float32(-np.nan)  # with the sign that processors give it
UNSIGNED_MASK = 0xFFFFFFFF


@helper
def holds(operator, left, right):
    """Return whether a comparison of two numbers holds."""
    if operator == EQUAL:
        return left == right
    if operator == DIFFERENT:
        return left != right
    if operator == LESS:
        return left < right
    if operator == LESS_EQUAL:
        return left <= right
    if operator == GREATER:
        return left > right
    return left >= right


@helper
def as_float(cell):
    """Return the float whose IEEE 754 bits a cell holds."""
    return np.int32(cell).view(np.float32)


@helper
def compare(step, batch, count):
    """Keep the rows for which the comparison holds; return how many are kept."""
    left, right, kept = batch[step.arguments[0]], batch[step.arguments[1]], 0
    for i in range(count):
        if step.interpretation == AS_FLOAT:
            kept_here = holds(step.operation, as_float(left[i]), as_float(right[i]))
        elif step.interpretation == AS_UNSIGNED:
            kept_here = holds(step.operation, int64(left[i]) & UNSIGNED_MASK, int64(right[i]) & UNSIGNED_MASK)
        else:
            kept_here = holds(step.operation, int64(left[i]), int64(right[i]))
        if kept_here:
            keep_row(step, batch, kept, i)
            kept += 1
    return kept


@helper
def divide(left, right):
    """Return the quotient, rounded towards zero."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


@helper
def calculate(operation, left, right, shift_mask_left):
    """Return the result of a built-in function on integers, except powers; the caller wraps it to 32 bits.

    `shift_mask_left` is the left side's low 32 bits, unsigned.
    """
    if operation == ADD:
        return left + right
    if operation == SUBTRACT:
        return left - right
    if operation == MULTIPLY:
        return left * right
    if operation == DIVIDE:
        return divide(left, right)
    if operation == REMAINDER:
        return left - right * divide(left, right)
    if operation == NEGATE:
        return -left
    if operation == BIT_AND:
        return left & right
    if operation == BIT_OR:
        return left | right
    if operation == BIT_XOR:
        return left ^ right
    if operation == BIT_NOT:
        return ~left
    if operation == SHIFT_LEFT:
        return left << (right & 31)
    if operation == SHIFT_RIGHT:
        return left >> (right & 31)
    if operation == SHIFT_RIGHT_UNSIGNED:
        return shift_mask_left >> (right & 31)
    if operation == LOGICAL_AND:
        return int64(left != 0 and right != 0)
    if operation == LOGICAL_OR:
        return int64(left != 0 or right != 0)
    if operation == LOGICAL_XOR:
        return int64((left != 0) != (right != 0))
    if operation == LOGICAL_NOT:
        return int64(left == 0)
    if operation == LEAST:
        return min(left, right)
    return max(left, right)


@helper
def calculate_float(operation, left, right):
    """Return the result of a built-in function on floats."""
    if operation == ADD:
        return left + right
    if operation == SUBTRACT:
        return left - right
    if operation == MULTIPLY:
        return left * right
    if operation == DIVIDE:
        return float_quotient(left, right)
    if operation == POWER:
        return np.float32(float_power(np.float64(left), np.float64(right)))
    if operation == NEGATE:
        return -left
    if operation == LEAST:
        return right if right < left else left
    return right if right > left else left


@helper
def float_quotient(left, right):
    """Return a quotient as IEEE 754 defines it, also for a divisor of 0."""
    if right != 0:
        return left / right
    if left != left:
        return left
    if left == 0:
        return NOT_A_NUMBER
    return np.float32(np.copysign(np.float32(np.inf), left) * np.copysign(np.float32(1), right))


@helper
def float_power(base, exponent):
    """Return C's `pow`, which is NaN for a negative base and a fractional exponent."""
    if (
        base < 0
        and not np.isinf(base)
        and not np.isinf(exponent)
        and exponent == exponent
        and exponent != np.floor(exponent)
    ):
        return np.float64(NOT_A_NUMBER)
    return base**exponent


@helper
def convert(operation, interpretation, cell):
    """Return a cell's number, converted to another kind, as a cell."""
    if interpretation == AS_FLOAT and operation != TO_FLOAT:
        return truncated(np.float64(as_float(cell)), operation == TO_UNSIGNED)
    if interpretation == AS_FLOAT or operation != TO_FLOAT:
        return int64(cell)
    number = int64(cell) & UNSIGNED_MASK if interpretation == AS_UNSIGNED else int64(cell)
    return int64(np.float32(number).view(np.int32))


@helper
def truncated(number, unsigned):
    """Return the integer part of a float, converted as processors do: a number that does not fit becomes -2**31, or, if
    unsigned, the low bits of its 64-bit integer."""
    if unsigned:
        return (
            wrapped(int64(number)) if number >= -9223372036854775808.0 and number < 9223372036854775808.0 else int64(0)
        )
    return int64(number) if number > -2147483649.0 and number < 2147483648.0 else int64(-2147483648)


@helper
def wrapped(number):
    """Return a number wrapped to 32 bits, signed."""
    return ((int64(number) + 0x80000000) & UNSIGNED_MASK) - 0x80000000


@helper
def compute(step, batch, count):
    """Compute a register from others and keep the rows that have a result; return how many are kept."""
    results, operation, kept = batch[step.value_register], step.operation, 0
    lefts, rights = batch[step.arguments[0]], batch[step.arguments[step.argument_count - 1]]
    divides, converts = operation == DIVIDE or operation == REMAINDER, operation >= TO_NUMBER
    for i in range(count):
        result = int64(0)
        if converts:
            result = convert(operation, step.interpretation, lefts[i])
        elif step.interpretation == AS_FLOAT:
            result = int64(
                np.float32(calculate_float(operation, as_float(lefts[i]), as_float(rights[i]))).view(np.int32)
            )
        else:
            unsigned = step.interpretation == AS_UNSIGNED
            a, b = int64(lefts[i]), int64(rights[i])
            if divides and b == 0:
                continue
            if unsigned:
                a, b = a & UNSIGNED_MASK, b & UNSIGNED_MASK
            if operation == POWER:
                result = truncated(float_power(np.float64(a), np.float64(b)), unsigned)
            else:
                result = wrapped(calculate(operation, a, b, a & UNSIGNED_MASK))
        keep_row(step, batch, kept, i)
        results[kept] = result
        kept += 1
    return kept


@helper
def fill(step, batch, count):
    """Set a register to a constant."""
    register, constant = batch[step.value_register], step.constant
    for i in range(count):
        register[i] = constant


@helper
def find_answer(operation, a, b, c, d):
    """Return the slot of these arguments in the memo table, or the VACANT slot where they would be entered."""
    answers, last_slot = answers_of(operation), operation.slot_count - 1
    hashed = mix(mix(mix(mix(0, a), b), c), d)
    slot = ((hashed * 0x9E3779B1) >> 15) & last_slot
    while True:
        answer = answers[slot]
        if answer.state == VACANT or (
            answer.arguments[0] == a
            and answer.arguments[1] == b
            and answer.arguments[2] == c
            and answer.arguments[3] == d
        ):
            return slot
        slot = (slot + 1) & last_slot


@helper
def recall(operation, a, b, c, d):
    """Return the slot of the host's answer to these arguments; without an answer, ask the host and return NO_ANSWER."""
    slot = find_answer(operation, a, b, c, d)
    answer = answers_of(operation)[slot]
    if answer.state >= ANSWERED:
        return slot
    if answer.state == VACANT and operation.asked_count < operation.asked_capacity:
        if 2 * operation.used_slots >= operation.slot_count:
            operation.slots_wanted = 2 * operation.slot_count
            return int64(NO_ANSWER)
        arguments = answer.arguments
        arguments[0], arguments[1], arguments[2], arguments[3] = a, b, c, d
        answer.state = WAITING
        operation.used_slots += 1
        asked_of(operation)[operation.asked_count] = slot
        operation.asked_count += 1
    return int64(NO_ANSWER)


@helper
def argument(step, batch, number, i):
    """Return an argument of a function for batch row `i`; 0 after the last one."""
    return int64(batch[step.arguments[number], i]) if number < step.argument_count else int64(0)


@helper
def slot_of(step, operation, batch, i):
    """Return the slot of the host's answer for batch row `i`; without an answer, ask the host and return NO_ANSWER."""
    return recall(
        operation,
        argument(step, batch, 0, i),
        argument(step, batch, 1, i),
        argument(step, batch, 2, i),
        argument(step, batch, 3, i),
    )


@helper
def all_answered(step, operation, batch, count):
    """Return whether the host has answered for all batch rows; it is asked for the others."""
    done = True
    for i in range(count):
        done &= slot_of(step, operation, batch, i) != NO_ANSWER
    return done


@helper
def call(step, operation, batch, count):
    """Compute a register by a function of the host and keep the rows that have a result; return (status, number
    kept)."""
    if not all_answered(step, operation, batch, count):
        return NEEDS_ANSWERS, count
    results, answers, kept = batch[step.value_register], answers_of(operation), 0
    for i in range(count):
        answer = answers[slot_of(step, operation, batch, i)]
        if answer.state == ANSWERED:
            keep_row(step, batch, kept, i)
            results[kept] = answer.result
            kept += 1
    return FINISHED, kept


@helper
def generate(step, operation, source, target, batch_size):
    """Fill `target` with a row for each result of a function of the host; return (status, number of rows).

    `step.cursor` is the current row of `source`, `step.entry_at` the next of its results. The host answers for all rows
    before the first result is delivered.
    """
    answers, results = answers_of(operation), results_of(operation)
    if step.cursor == 0 and step.entry_at == NONE:
        if not all_answered(step, operation, source, step.source_count):
            return NEEDS_ANSWERS, 0
    count, register = 0, target[step.value_register]
    while step.cursor < step.source_count and count < batch_size:
        i = step.cursor
        start = int64(answers[slot_of(step, operation, source, i)].result)
        length, position = int64(results[start]), max(int64(step.entry_at), int64(0))
        while position < length and count < batch_size:
            for l in range(step.live_count):
                target[step.live[l], count] = source[step.live[l], i]
            register[count] = results[start + 1 + position]
            position += 1
            count += 1
        step.entry_at = position
        if position == length:
            step.cursor += 1
            step.entry_at = NONE
    return FINISHED, count


@helper
def generate_range(step, source, target, batch_size):
    """Fill `target` with a row for each integer of a range; return the number of rows.

    `step.cursor` is the current row of `source`, `step.entry_at` the next of its integers, counted from 0.
    """
    count, register = 0, target[step.value_register]
    while step.cursor < step.source_count and count < batch_size:
        i = step.cursor
        start, by, length = range_of(step, source, i)
        position = max(int64(step.entry_at), int64(0))
        while position < length and count < batch_size:
            for l in range(step.live_count):
                target[step.live[l], count] = source[step.live[l], i]
            register[count] = wrapped(start + by * position)
            position += 1
            count += 1
        step.entry_at = position
        if position >= length:
            step.cursor += 1
            step.entry_at = NONE
    return count


@helper
def range_of(step, source, i):
    """Return (the first integer, the difference between two of them, their number) for batch row `i`."""
    mask = int64(UNSIGNED_MASK) if step.interpretation == AS_UNSIGNED else int64(-1)
    start, end = argument(step, source, 0, i) & mask, argument(step, source, 1, i) & mask
    by = argument(step, source, 2, i) & mask
    if step.argument_count < 3:
        by = int64(1) if start <= end else int64(-1)
    if by == 0:
        return start, by, int64(start != end)
    length = (end - start + by - 1) // by if by > 0 else (start - end - by - 1) // -by
    return start, by, max(length, int64(0))


@helper
def pack(step, relation, index, batch, count, tags):
    """Compute the numbers of these cells' records, which are stored if they are new; return False when it needs
    capacity."""
    results = batch[step.value_register]
    compute_tags(step, index, batch, count, tags)
    for i in range(count):
        row = find_or_add_row(step, relation, index, batch, i, tags[i])
        if row == NO_CAPACITY:
            return False
        first = first_of(relation)
        if first[row] == ABSENT:
            first[row] = 0
            relation.absent_rows -= 1
        results[i] = row + 1
    return True


@helper
def unpack(step, relation, batch, count):
    """Keep the rows whose record is not nil and is of the wanted branch, and fetch the record's cells; return how many
    are kept."""
    rows, records, kept = rows_of(relation), batch[step.arguments[0]], 0
    for i in range(count):
        number = int64(records[i])
        if number == 0 or (step.check_count != 0 and rows[number - 1, 0] != step.constant):
            continue
        keep_row(step, batch, kept, i)
        for b in range(step.bind_count):
            batch[step.binds[b].register, kept] = rows[number - 1, step.binds[b].column]
        kept += 1
    return kept


@entry_point(old=record_of(OPERATION))
def rehash_answers(old, operation):
    """Copy the answers of an operation into its new, larger and vacant memo table.

    old: the record of OPERATION as it was before.
    """
    answers = answers_of(old)
    for slot in range(old.slot_count):
        answer = answers[slot]
        if answer.state != VACANT:
            a = answer.arguments
            copy = answers_of(operation)[find_answer(operation, int64(a[0]), int64(a[1]), int64(a[2]), int64(a[3]))]
            copied = copy.arguments
            copied[0], copied[1], copied[2], copied[3] = a[0], a[1], a[2], a[3]
            copy.state, copy.result = answer.state, answer.result
