"""What the host calls directly: looking rows up, storing rows of a saved state, measuring columns, running one plan."""
from .blocks import EMPTY, home_slot, key_slot, mix, tag_of_row
from .compiling import entry_point, helper
from .layout import ABSENT, END, NONE, int64
from .rowset import NO_ROOM, clear_row, enter_row
from .storage import change_numbers_of, counts_of, directory_of, entries_of, first_of, rows_of


@helper
def _find(relation, index, cells, i):
    """Number of row `i` of `cells`, or NONE, and its tag."""
    tag, first = int64(0), True
    for column in range(relation.arity):
        if column != index.keys[0]:
            tag = int64(cells[i, column]) if first else mix(tag, cells[i, column])
            first = False
    key = directory_of(index)[key_slot(index, cells[i, index.keys[0]])]
    if key.capacity == 0:
        return int64(NONE), tag
    rows, entries, start, last_slot = rows_of(relation), entries_of(index), int64(key.start), int64(key.capacity) - 1
    slot = home_slot(tag, last_slot)
    for _ in range(key.capacity):
        entry = entries[start + slot]
        if entry.row == EMPTY:
            break
        if entry.tag == tag:
            same = True
            for column in range(relation.arity):
                same &= rows[entry.row, column] == cells[i, column]
            if same:
                return int64(entry.row), tag
        slot = (slot + 1) & last_slot
    return int64(NONE), tag


@entry_point
def find_rows(relation, index, cells, numbers):
    """numbers[i] = number of the stored row equal to cells[i], or NONE."""
    for i in range(len(cells)):
        numbers[i], _ = _find(relation, index, cells, i)


@entry_point
def add_rows(relation, index, cells, numbers, done):
    """As `find_rows`, storing unknown rows as absent ones; how many rows are done, short of all for room."""
    for i in range(done, len(cells)):
        number, tag = _find(relation, index, cells, i)
        if number == NONE:
            if not enter_row(relation, index, cells[i, index.keys[0]], tag):
                return i
            number = int64(relation.row_count)
            rows = rows_of(relation)
            for column in range(relation.arity):
                rows[number, column] = cells[i, column]
            clear_row(relation, number)
            relation.row_count = number + 1
        numbers[i] = number
    return len(cells)


@entry_point
def set_states(relation, numbers, first, counts):
    """Give stored rows a state."""
    firsts, all_counts = first_of(relation), counts_of(relation)
    for i in range(len(numbers)):
        row = numbers[i]
        relation.absent_rows += int64(first[i] == ABSENT) - int64(firsts[row] == ABSENT)
        firsts[row], all_counts[row] = first[i], counts[i]


@entry_point
def second_moments(relation, column, buckets):
    """Sum over all buckets of squared numbers of present rows whose cell hashes there; buckets: zeros, a power of two."""
    rows, first, last, total, seen = rows_of(relation), first_of(relation), len(buckets) - 1, 0.0, 0
    for row in range(relation.row_count):
        if first[row] != ABSENT:
            bucket = ((int64(rows[row, column]) * 0x9E3779B1) >> 15) & last
            buckets[bucket] += 1
            seen += 1
    for bucket in range(len(buckets)):
        total += float(buckets[bucket]) * float(buckets[bucket])
    return total, seen


@entry_point
def squeeze(relation):
    """Move the present rows together, in their order."""
    rows, first, counts, numbers = rows_of(relation), first_of(relation), counts_of(relation), change_numbers_of(relation)
    kept = 0
    for row in range(relation.row_count):
        if first[row] != ABSENT:
            for column in range(relation.arity):
                rows[kept, column] = rows[row, column]
            first[kept], counts[kept], numbers[kept] = first[row], counts[row], END
            kept += 1
    relation.row_count = kept
    relation.absent_rows = 0


@entry_point
def hash_rows(relation, index):
    """Enter the rows that the primary index does not hold yet; False when it stopped for room (index.row_count: how far)."""
    rows, count = rows_of(relation), relation.row_count
    for row in range(index.row_count, count):
        relation.row_count = row   # enter_row enters the row of this number
        entered = enter_row(relation, index, rows[row, index.keys[0]], tag_of_row(relation, index, rows, row))
        relation.row_count = count
        if not entered:
            index.row_count = row
            return False
    index.row_count = 0
    return True
