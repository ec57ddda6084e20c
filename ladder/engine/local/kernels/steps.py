"""Plan steps over relations. Each works on a whole batch: `batch[r, i]` is variable r of batch row i."""

from .blocks import (
    ALONE,
    HEADER,
    WORTH_ASKING,
    block_end,
    first_slot,
    home_slot,
    is_large,
    key_of_row,
    key_slot,
    length_of,
    may_hold,
    mix,
    tag_column,
)
from .compiling import helper
from .layout import ABSENT, END, HASHED, NONE, OLD, int64
from .memory import prefetch
from .rowset import NO_CAPACITY, UNSURE, compute_tags, find_batch, find_or_enter, find_row
from .storage import change_numbers_of, changes_of, counts_of, directory_of, entries_of, first_of, rows_of

BATCHES_TRIED, BATCHES_SPARED = 2, 62  # GROUP looks at so many batches before it leaves out so many
TOGETHER = 64  # look-ups whose lines of the cache are asked for at one time
SCANNED = 64  # rows that a scan looks at in one go, in batches
WORTH_SHARE = 4  # ... where less than one row in so many was merged


@helper
def passes_sieves(plan, rows, row, indexes):
    """Return whether each of a plan's look-ups that depend on a changed row alone may find something; otherwise the
    plan finds nothing for it."""
    for s in range(plan.sieve_count):
        sieve = plan.sieves[s]
        if not may_hold(indexes[sieve.index], key_of_row(sieve, rows, row)):
            return False
    return True


@helper
def choose(step, rows, row, indexes):
    """Return the number of the plan, of those that start from the same rows as this one, that is expected to cost least
    for `row`: by the rows that its first look-up finds, each of which has the weight of what is looked up after it."""
    best, least = int64(0), int64(-1)
    for number in range(step.choice_count):
        choice = step.choices[number]
        index = indexes[choice.index]
        length = length_of(index, directory_of(index)[key_slot(index, key_of_row(choice, rows, row))])
        cost = length * int64(choice.weight)
        if least < 0 or cost < least:
            best, least = int64(number), cost
    return best


@helper
def takes_row(step, rows, row, indexes, choices):
    """Return whether this plan takes a row. Of several plans that start from the same rows, which run one after the
    other, choice 0 first, exactly one takes it.

    The first plan decides, because blocks grow while the plans run. choices: int32[row_capacity], which keeps the
    decisions and is 0 again after the last plan.
    """
    if step.choice == 0:
        choice = choose(step, rows, row, indexes)
        if choice != 0:
            choices[row] = choice
        return choice == 0
    if choices[row] != step.choice:
        return False
    choices[row] = 0
    return True


@helper
def passes(step, rows, row):
    """Return whether a row holds the cells that a scan asks for."""
    for f in range(step.filter_count):
        if rows[row, step.filters[f].column] != step.filters[f].cell:
            return False
    return True


@helper
def scan(step, relation, indexes, target, batch_size):
    """Fill `target` with the next present rows of the step's window that hold the cells it asks for; return their
    number. After many rows it returns in any case, so that the host may interrupt."""
    rows, first, row, count = rows_of(relation), first_of(relation), step.cursor, 0
    numbers = target[max(step.row_register, 0)]
    # no changes in a bootstrap: the array is free
    choices, choosing = change_numbers_of(relation), step.choice_count > 1
    below = min(step.rows_below, row + SCANNED * batch_size)
    if not choosing and step.filter_count == 0 and relation.absent_rows == 0:
        return scan_all(step, rows, target, batch_size)
    while row < below and count < batch_size:
        if not choosing and not passes(step, rows, row):
            row += 1
            continue
        if first[row] != ABSENT and (
            not choosing or (takes_row(step, rows, row, indexes, choices) and passes(step, rows, row))
        ):
            for b in range(step.bind_count):
                target[step.binds[b].register, count] = rows[row, step.binds[b].column]
            if step.row_register != NONE:
                numbers[count] = row
            count += 1
        row += 1
    step.cursor = row
    return count


@helper
def scan_all(step, rows, target, batch_size):
    """Do what `scan` does where it takes all rows, column by column."""
    row = step.cursor
    count = max(min(step.rows_below - row, batch_size), int64(0))
    for b in range(step.bind_count):
        register, column = target[step.binds[b].register], step.binds[b].column
        for i in range(count):
            register[i] = rows[row + i, column]
    if step.row_register != NONE:
        register = target[step.row_register]
        for i in range(count):
            register[i] = row + i
    step.cursor = row + count
    return count


@helper
def compute_keys(step, source, begin, end, keys):
    """Set keys[i] to the key that row `i` of a batch looks up, for begin <= i < end. keys: int32[batch_size]."""
    if step.key_count == 1:
        column = source[step.keys[0]]
        for i in range(begin, end):
            keys[i] = column[i]
        return
    for i in range(begin, end):
        keys[i] = 0
    for k in range(step.key_count):
        column = source[step.keys[k]]
        for i in range(begin, end):
            keys[i] = mix(keys[i], column[i])


@helper
def ask_for_blocks(index, rows, keys, begin, end):
    """Ask for the lines of the cache in which look-ups begin that may find something: first all lines of the directory,
    then the first line of each block, or of a row that is alone."""
    directory, entries = directory_of(index), entries_of(index)
    for i in range(begin, end):
        if may_hold(index, keys[i]):
            prefetch(directory, first_slot(index, keys[i]))
    for i in range(begin, end):
        if may_hold(index, keys[i]):
            block = int64(directory[first_slot(index, keys[i])].block)
            if block > 0:
                prefetch(entries, block)
            elif block < 0:
                prefetch(rows, ALONE - block)


@helper
def probe(step, relation, index, source, matches, batch_size):
    """Pair rows of `source` with the entries of their keys until `matches` is full; return the number of pairs."""
    matched_source, matched_row, matched_tag, keys = matches[0], matches[1], matches[2], matches[3]
    rows, directory, entries, in_tag = (
        rows_of(relation),
        directory_of(index),
        entries_of(index),
        tag_column(relation, index),
    )
    rows_from, rows_below, source_count = step.rows_from, step.rows_below, step.source_count
    cursor, entry_at, entry_end = step.cursor, step.entry_at, step.entry_end
    count = 0
    large, known_below = is_large(index), cursor
    while cursor < source_count and count < batch_size:
        if entry_at == NONE:
            if cursor >= known_below:
                known_below = min(cursor + TOGETHER, source_count)
                compute_keys(step, source, cursor, known_below, keys)
                if large and known_below - cursor >= WORTH_ASKING:
                    ask_for_blocks(index, rows, keys, cursor, known_below)
            if not may_hold(index, keys[cursor]):
                cursor += 1
                continue
            block = int64(directory[key_slot(index, keys[cursor])].block)
            if block <= 0:
                row = ALONE - block
                if row >= rows_from and row < rows_below:
                    matched_source[count] = cursor
                    matched_row[count] = row
                    matched_tag[count] = 0 if in_tag == NONE else rows[row, in_tag]
                    count += 1
                cursor += 1
                continue
            entry_at, entry_end = block + HEADER, block_end(index, block)
        while entry_at < entry_end and count < batch_size:
            entry = entries[entry_at]
            row = entry.row
            if row >= rows_from and row < rows_below:
                matched_source[count] = cursor
                matched_row[count] = row
                matched_tag[count] = entry.tag
                count += 1
            entry_at += 1
        if entry_at == entry_end:
            cursor += 1
            entry_at = int64(NONE)
    step.cursor, step.entry_at, step.entry_end = cursor, entry_at, entry_end
    return count


@helper
def check_matches(step, relation, index, source, matches, count):
    """Keep the matches whose checked columns equal their registers; return how many are kept."""
    matched_source, matched_row, matched_tag = matches[0], matches[1], matches[2]
    rows = rows_of(relation)
    for c in range(step.check_count):
        column, register = step.checks[c].column, source[step.checks[c].register]
        in_tag = index.kind != HASHED and index.value_column == column
        kept = 0
        for match in range(count):
            value = matched_tag[match] if in_tag else rows[matched_row[match], column]
            if value == register[matched_source[match]]:
                matched_source[kept] = matched_source[match]
                matched_row[kept] = matched_row[match]
                matched_tag[kept] = matched_tag[match]
                kept += 1
        count = kept
    return count


@helper
def first_seen(state, first, change_numbers, changes, row):
    """Return the first iteration of a row in the old or the new state; ABSENT if it is absent.

    change_numbers: int32[row_capacity]; changes: CHANGE[change_capacity].
    """
    if state != OLD or change_numbers[row] == END:
        return int64(first[row])
    return int64(changes[change_numbers[row]].old_first)


@helper
def keep_visible(state, relation, update, matches, count):
    """Keep the matches with rows that are present in the state that the plan sees; return how many are kept."""
    matched_source, matched_row, matched_tag = matches[0], matches[1], matches[2]
    first, change_numbers, changes = first_of(relation), change_numbers_of(relation), changes_of(update)
    kept = 0
    for match in range(count):
        if first_seen(state, first, change_numbers, changes, matched_row[match]) != ABSENT:
            matched_source[kept] = matched_source[match]
            matched_row[kept] = matched_row[match]
            matched_tag[kept] = matched_tag[match]
            kept += 1
    return kept


@helper
def deliver_matches(step, relation, source, target, matches, count):
    """Copy the live registers of matches to `target` and fetch the new ones, register by register."""
    matched_source, matched_row, matched_tag = matches[0], matches[1], matches[2]
    rows = rows_of(relation)
    for l in range(step.live_count):
        from_register, to_register = source[step.live[l]], target[step.live[l]]
        for match in range(count):
            to_register[match] = from_register[matched_source[match]]
    for b in range(step.bind_count):
        column, register = step.binds[b].column, target[step.binds[b].register]
        for match in range(count):
            register[match] = rows[matched_row[match], column]
    if step.value_register != NONE:
        register = target[step.value_register]
        for match in range(count):
            register[match] = matched_tag[match]
    if step.row_register != NONE:
        register = target[step.row_register]
        for match in range(count):
            register[match] = matched_row[match]


@helper
def keep_row(step, batch, kept, i):
    """Move the live registers of batch row `i` to row `kept`."""
    if kept != i:
        for l in range(step.live_count):
            register = batch[step.live[l]]
            register[kept] = register[i]


@helper
def member(step, state, relation, index, update, batch, count, found, tags):
    """Keep the batch rows that are rows of the relation, in the step's window and that state; return how many are
    kept."""
    rows_from, rows_below, row_register = step.rows_from, step.rows_below, step.row_register
    first, change_numbers, changes = first_of(relation), change_numbers_of(relation), changes_of(update)
    compute_tags(step, index, batch, count, tags)
    find_batch(step, relation, index, batch, 0, count, tags, found, found)
    kept = 0
    for i in range(count):
        row = int64(found[i])
        if row == UNSURE:
            row = find_row(step, relation, index, batch, i, tags[i])
        if row < rows_from or row >= rows_below:
            continue
        if first_seen(state, first, change_numbers, changes, row) == ABSENT:
            continue
        keep_row(step, batch, kept, i)
        if row_register != NONE:
            batch[row_register, kept] = row
        kept += 1
    return kept


@helper
def absent_row(step, state, relation, index, update, batch, count, found, tags):
    """Keep the batch rows that are not rows of the relation in that state; return how many are kept."""
    first, change_numbers, changes = first_of(relation), change_numbers_of(relation), changes_of(update)
    compute_tags(step, index, batch, count, tags)
    find_batch(step, relation, index, batch, 0, count, tags, found, found)
    kept = 0
    for i in range(count):
        row = int64(found[i])
        if row == UNSURE:
            row = find_row(step, relation, index, batch, i, tags[i])
        if row != NONE and first_seen(state, first, change_numbers, changes, row) != ABSENT:
            continue
        keep_row(step, batch, kept, i)
        if step.row_register != NONE:
            batch[step.row_register, kept] = row
        kept += 1
    return kept


@helper
def same_arguments(step, batch, one, other):
    """Return whether two batch rows agree in all argument registers."""
    for a in range(step.argument_count):
        register = batch[step.arguments[a]]
        if register[one] != register[other]:
            return False
    return True


@helper
def group(step, batch, count, batch_size, slots, tags):
    """Merge batch rows with equal arguments and add up their multiplicities; return the number of rows left.

    slots: int32[2 * batch_size], scratch. Where few rows are merged, the next batches are left as they are.
    """
    weights = batch[step.value_register]
    if step.constant == 0:
        for i in range(count):
            weights[i] = 1
    if step.batches_spared > 0:
        step.batches_spared -= 1
        return count
    for i in range(count):
        tags[i] = 0
    for a in range(step.argument_count):
        register = batch[step.arguments[a]]
        for i in range(count):
            tags[i] = mix(tags[i], register[i])
    last_slot = int64(1)
    while last_slot < 2 * count and 2 * last_slot + 2 <= 2 * batch_size:
        last_slot = 2 * last_slot + 1
    for slot in range(last_slot + 1):
        slots[slot] = NONE
    left = 0
    for i in range(count):
        slot = home_slot(tags[i], last_slot)
        while True:
            other = int64(slots[slot])
            if other == NONE:
                slots[slot] = left
                tags[left] = tags[i]
                if left != i:
                    for a in range(step.argument_count):
                        batch[step.arguments[a], left] = batch[step.arguments[a], i]
                    weights[left] = weights[i]
                left += 1
                break
            if tags[other] == tags[i] and same_arguments(step, batch, other, i):
                weights[other] += weights[i]
                break
            slot = (slot + 1) & last_slot
    note_merged(step, count, left, batch_size)
    return left


@helper
def weigh(step, relation, batch, count):
    """Multiply the multiplicity of batch rows by the number of derivations of the relation's row that each comes
    from."""
    weights, numbers, derivations = batch[step.value_register], batch[step.arguments[0]], counts_of(relation)
    if step.constant == 0:
        for i in range(count):
            weights[i] = 1
    for i in range(count):
        weights[i] *= derivations[numbers[i]]


@helper
def note_merged(step, count, left, batch_size):
    """Decide, after some batches, whether grouping is worth while; `left` of `count` rows were left of this batch."""
    step.rows_taken += count
    step.rows_left += left
    if step.rows_taken >= BATCHES_TRIED * batch_size:
        if WORTH_SHARE * step.rows_left > (WORTH_SHARE - 1) * step.rows_taken:
            step.batches_spared = BATCHES_SPARED
        step.rows_taken, step.rows_left = 0, 0


@helper
def insert(step, relation, index, batch, iteration, found, ends, tags):
    """Add the batch to the relation, or count more derivations of stored rows; return False when it needs capacity.

    `step.cursor` is the batch row at which the same call then carries on.
    """
    count, row_count, repeated = step.source_count, relation.row_count, int64(0)
    if row_count + count - step.cursor > relation.row_capacity:
        relation.rows_wanted = row_count + count
        return False
    rows, first, counts = rows_of(relation), first_of(relation), counts_of(relation)
    arity, settled_rows = step.argument_count, relation.settled_rows
    weighted = step.value_register != NONE
    weights = batch[max(step.value_register, 0)]
    keys = batch[step.arguments[index.keys[0]]]
    position = step.cursor
    compute_tags(step, index, batch, count, tags)
    find_batch(step, relation, index, batch, position, count, tags, found, ends)
    while position < count:
        row, weight = int64(found[position]), int64(1)
        if weighted:
            weight = int64(weights[position])
        if row < 0:  # or stored since, by this loop
            end = int64(ends[position])
            row = find_or_enter(rows, index, step, batch, position, keys[position], tags[position], end, row_count)
            if row == NO_CAPACITY:
                break
        if row == NONE:
            for a in range(arity):
                rows[row_count, a] = batch[step.arguments[a], position]
            first[row_count] = iteration
            counts[row_count] = weight
            row_count += 1
        elif row >= settled_rows:
            counts[row] += weight
        elif relation.aggregate != NONE:
            derive_late(relation, row, iteration, weight)
        else:
            repeated += 1
        position += 1
    relation.row_count = row_count
    relation.repeated += repeated
    step.cursor = position
    return position == count


@helper
def derive_late(relation, row, iteration, weight):
    """Count more derivations of an aggregate input that is stored already; if it was stored as a total only, it is
    present from now on."""
    first, counts = first_of(relation), counts_of(relation)
    if first[row] == ABSENT:
        first[row], counts[row], change_numbers_of(relation)[row] = iteration, weight, relation.late
        relation.late = row + 1
        relation.absent_rows -= 1
    elif first[row] == iteration:
        counts[row] += weight
