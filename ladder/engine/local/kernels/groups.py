"""Groups: adding and removing an aggregate input at a timestamp (LADDDER, section 5: sequential timestamped aggregate
trees).

Up to two aggregate inputs lie in the state of the group itself, each with the total at its timestamp. A larger group
*spills* to blocks of the pool: a hash table of its aggregate inputs by key, and a list of its waves by timestamp (a
*wave* is the set of inputs with the same timestamp). Nothing is joined here: what changed is marked, the group is
queued, and `totals.settle` does the rest, so that no work is left half done when capacity is missing.
"""

from .blocks import home_slot
from .compiling import helper
from .layout import INLINE_AGGREGANDS, NO_VALUE, NONE, WORDS_OF_SPILL, WORDS_PER_AGGREGAND, WORDS_PER_WAVE, int32, int64
from .pool import give_back, reserve, take
from .storage import aggregands_of, group_states_of, spill_of, touched_of, waves_of
from .trees import add_leaf, clear_leaf, words_to_grow

NEVER = 0x7FFFFFFF
SMALLEST_SPILL = 4
CAPACITY_TO_SPILL = 256  # words that a spilling group may need, with the aggregate input that made it spill


@helper
def clear_group(group):
    """Set a group's state to one without aggregate inputs."""
    group.spill, group.touched, group.noted = int32(NONE), int32(0), int32(0)
    for i in range(INLINE_AGGREGANDS):
        clear_inline(group.inline[i])


@helper
def clear_inline(entry):
    """Mark one of the two places for aggregate inputs in the state of a group as unused; entry: a record of INLINE."""
    entry.value, entry.stamp, entry.total, entry.key = NO_VALUE, NONE, NO_VALUE, NONE


@helper
def touch(aggregate, number, group):
    """Add a group to the queue of those to be settled."""
    if group.touched == 0:
        group.touched = 1
        touched_of(aggregate)[aggregate.touched_count] = number
        aggregate.touched_count += 1


@helper
def add(aggregate, number, key, value, stamp):
    """Enter an aggregate input at a timestamp, or move it from a later one to this; return False when it needs
    capacity."""
    group = group_states_of(aggregate)[number]
    if group.spill == NONE:
        if _add_inline(aggregate, number, group, key, value, stamp):
            return True
        if not reserve(aggregate, CAPACITY_TO_SPILL):
            return False
        _spill(aggregate, group)
    return _add_spilled(aggregate, number, group, key, value, stamp)


@helper
def remove(aggregate, number, key, stamp):
    """Take an aggregate input out, if it is there at that timestamp."""
    group = group_states_of(aggregate)[number]
    if group.spill != NONE:
        _remove_spilled(aggregate, number, group, key, stamp)
        return
    for i in range(INLINE_AGGREGANDS):
        entry = group.inline[i]
        if entry.value != NO_VALUE and entry.key == key and entry.stamp == stamp:
            entry.value = NO_VALUE
            touch(aggregate, number, group)


@helper
def _add_inline(aggregate, number, group, key, value, stamp):
    """Enter an aggregate input into the state of the group itself; return False when the group must spill. A place
    without a value keeps its old total until the group is settled."""
    for i in range(INLINE_AGGREGANDS):
        entry = group.inline[i]
        if entry.value != NO_VALUE and entry.key == key:
            if entry.stamp <= stamp:
                return True
            entry.value = NO_VALUE
            touch(aggregate, number, group)
    for i in range(INLINE_AGGREGANDS):
        entry = group.inline[i]
        if entry.stamp == NONE or (entry.value == NO_VALUE and entry.stamp == stamp):
            entry.key, entry.value, entry.stamp = key, value, stamp
            touch(aggregate, number, group)
            return True
    return False


@helper
def _spill(aggregate, group):
    """Move the aggregate inputs of a group's state to blocks of the pool; the words for them were reserved."""
    spill_to(aggregate, group, int64(SMALLEST_SPILL), int64(SMALLEST_SPILL))
    spill = spill_of(aggregate, group)
    for i in range(INLINE_AGGREGANDS):
        entry = group.inline[i]
        if entry.stamp != NONE:
            wave = wave_at(aggregate, spill, int64(entry.stamp))
            if entry.total != NO_VALUE:
                wave.total = entry.total
            if entry.value != NO_VALUE:
                place(aggregate, spill, wave, int64(entry.key), int64(entry.value))
            touch_wave(spill, int64(entry.stamp))
        clear_inline(entry)


@helper
def spill_to(aggregate, group, table_capacity, wave_capacity):
    """Give a group blocks of the pool of these capacities, powers of two; the words for them were reserved."""
    group.spill = take(aggregate, WORDS_OF_SPILL)
    spill = spill_of(aggregate, group)
    spill.table_capacity, spill.aggregand_count = table_capacity, 0
    spill.table_start = take(aggregate, WORDS_PER_AGGREGAND * table_capacity)
    spill.wave_capacity, spill.wave_count = wave_capacity, 0
    spill.waves_start = take(aggregate, WORDS_PER_WAVE * wave_capacity)
    spill.touched_from, spill.touched_to, spill.resume_at, spill.resume_total = NEVER, NONE, NONE, NO_VALUE
    aggregands = aggregands_of(aggregate, spill)
    for slot in range(table_capacity):
        aggregands[slot].in_use = 0


@helper
def free_spill(aggregate, group):
    """Free the blocks of a settled group without aggregate inputs."""
    spill = spill_of(aggregate, group)
    give_back(aggregate, spill.table_start, WORDS_PER_AGGREGAND * int64(spill.table_capacity))
    give_back(aggregate, spill.waves_start, WORDS_PER_WAVE * int64(spill.wave_capacity))
    give_back(aggregate, int64(group.spill), WORDS_OF_SPILL)
    group.spill = NONE


@helper
def any_key(aggregate, group):
    """Return (whether a settled group has an aggregate input, the key of one)."""
    if group.spill == NONE:
        for i in range(INLINE_AGGREGANDS):
            if group.inline[i].value != NO_VALUE:
                return True, int64(group.inline[i].key)
        return False, int64(NONE)
    spill = spill_of(aggregate, group)
    aggregands = aggregands_of(aggregate, spill)
    for slot in range(spill.table_capacity):
        if aggregands[slot].in_use != 0:
            return True, int64(aggregands[slot].key)
    return False, int64(NONE)


@helper
def aggregand_count(aggregate, group):
    """Return the number of aggregate inputs of a settled group."""
    if group.spill != NONE:
        return int64(spill_of(aggregate, group).aggregand_count)
    count = 0
    for i in range(INLINE_AGGREGANDS):
        count += group.inline[i].value != NO_VALUE
    return int64(count)


@helper
def find_aggregand(aggregate, spill, key):
    """Return the slot of a key in the hash table of a larger group, or the free slot where it would be entered."""
    aggregands, last_slot = aggregands_of(aggregate, spill), int64(spill.table_capacity) - 1
    slot = home_slot(key, last_slot)
    while aggregands[slot].in_use != 0 and aggregands[slot].key != key:
        slot = (slot + 1) & last_slot
    return slot


@helper
def wave_position(aggregate, spill, stamp):
    """Return the position of the first wave at or after a timestamp."""
    waves = waves_of(aggregate, spill)
    low, high = int64(0), int64(spill.wave_count)
    if high > 0 and waves[high - 1].stamp < stamp:  # the usual case of a bootstrap
        return high
    while low < high:
        middle = (low + high) >> 1
        if waves[middle].stamp < stamp:
            low = middle + 1
        else:
            high = middle
    return low


@helper
def touch_wave(spill, stamp):
    spill.touched_from = min(int64(spill.touched_from), stamp)
    spill.touched_to = max(int64(spill.touched_to), stamp)


@helper
def wave_at(aggregate, spill, stamp):
    """Return the wave of a timestamp, which is made if it is new; there must be capacity for one more."""
    waves = waves_of(aggregate, spill)
    position = wave_position(aggregate, spill, stamp)
    if position == spill.wave_count or waves[position].stamp != stamp:
        for later in range(spill.wave_count, position, -1):
            copy_wave(waves[later - 1], waves[later])
        spill.wave_count += 1
        wave = waves[position]
        wave.stamp, wave.total, wave.root = stamp, NO_VALUE, NO_VALUE
        wave.leaf_count, wave.leaf_capacity, wave.first_hole, wave.tree = 0, 1, NONE, NONE
    return waves[position]


@helper
def copy_wave(source, target):
    """Copy the record of a wave, but not its tree; source, target: records of WAVE."""
    target.stamp, target.total, target.root = source.stamp, source.total, source.root
    target.leaf_count, target.leaf_capacity = source.leaf_count, source.leaf_capacity
    target.first_hole, target.tree = source.first_hole, source.tree


@helper
def place(aggregate, spill, wave, key, value):
    """Enter a new aggregate input into the table and into its wave; the words for it were reserved."""
    aggregand = aggregands_of(aggregate, spill)[find_aggregand(aggregate, spill, key)]
    aggregand.key, aggregand.stamp, aggregand.in_use = key, wave.stamp, 1
    aggregand.leaf = add_leaf(aggregate, wave, value)
    spill.aggregand_count += 1


@helper
def _add_spilled(aggregate, number, group, key, value, stamp):
    spill = spill_of(aggregate, group)
    aggregand = aggregands_of(aggregate, spill)[find_aggregand(aggregate, spill, key)]
    if aggregand.in_use != 0 and aggregand.stamp <= stamp:
        return True
    if not _reserve_spilled(aggregate, spill, stamp):
        return False
    if aggregand.in_use != 0:
        _remove_spilled(aggregate, number, group, key, int64(aggregand.stamp))
    if 4 * spill.aggregand_count >= 3 * spill.table_capacity:
        _double_table(aggregate, spill)
    if spill.wave_count == spill.wave_capacity:
        _double_waves(aggregate, spill)
    place(aggregate, spill, wave_at(aggregate, spill, stamp), key, value)
    touch_wave(spill, stamp)
    touch(aggregate, number, group)
    return True


@helper
def _reserve_spilled(aggregate, spill, stamp):
    """Return whether there are enough words for one more aggregate input at a timestamp; ask for capacity otherwise."""
    words = int64(0)
    if 4 * spill.aggregand_count >= 3 * spill.table_capacity:
        words += 2 * WORDS_PER_AGGREGAND * int64(spill.table_capacity)
    if spill.wave_count == spill.wave_capacity:
        words += 2 * WORDS_PER_WAVE * int64(spill.wave_capacity)
    position = wave_position(aggregate, spill, stamp)
    if position < spill.wave_count:
        wave = waves_of(aggregate, spill)[position]
        if wave.stamp == stamp:
            words += words_to_grow(wave)
    return words == 0 or reserve(aggregate, words)


@helper
def _double_table(aggregate, spill):
    old_start, old_capacity, old = spill.table_start, int64(spill.table_capacity), aggregands_of(aggregate, spill)
    spill.table_start = take(aggregate, 2 * WORDS_PER_AGGREGAND * old_capacity)
    spill.table_capacity = 2 * old_capacity
    new = aggregands_of(aggregate, spill)
    for slot in range(2 * old_capacity):
        new[slot].in_use = 0
    for slot in range(old_capacity):
        if old[slot].in_use != 0:
            copy_aggregand(old[slot], new[find_aggregand(aggregate, spill, int64(old[slot].key))])
    give_back(aggregate, old_start, WORDS_PER_AGGREGAND * old_capacity)


@helper
def copy_aggregand(source, target):
    """Copy a slot of the hash table; source, target: records of AGGREGAND."""
    target.key, target.stamp, target.leaf, target.in_use = source.key, source.stamp, source.leaf, source.in_use


@helper
def _double_waves(aggregate, spill):
    old_start, old_capacity, old = spill.waves_start, int64(spill.wave_capacity), waves_of(aggregate, spill)
    spill.waves_start = take(aggregate, 2 * WORDS_PER_WAVE * old_capacity)
    spill.wave_capacity = 2 * old_capacity
    new = waves_of(aggregate, spill)
    for position in range(spill.wave_count):
        copy_wave(old[position], new[position])
    give_back(aggregate, old_start, WORDS_PER_WAVE * old_capacity)


@helper
def _remove_spilled(aggregate, number, group, key, stamp):
    spill = spill_of(aggregate, group)
    slot = find_aggregand(aggregate, spill, key)
    aggregand = aggregands_of(aggregate, spill)[slot]
    if aggregand.in_use == 0 or aggregand.stamp != stamp:
        return
    wave = waves_of(aggregate, spill)[wave_position(aggregate, spill, stamp)]
    clear_leaf(aggregate, wave, aggregand.leaf)
    _delete_slot(aggregate, spill, slot)
    touch_wave(spill, stamp)
    touch(aggregate, number, group)


@helper
def _delete_slot(aggregate, spill, slot):
    """Empty a slot and move later aggregate inputs of its run back, so that none becomes unreachable."""
    aggregands, last_slot = aggregands_of(aggregate, spill), int64(spill.table_capacity) - 1
    spill.aggregand_count -= 1
    candidate = (slot + 1) & last_slot
    while aggregands[candidate].in_use != 0:
        home = home_slot(aggregands[candidate].key, last_slot)
        if ((candidate - home) & last_slot) >= ((candidate - slot) & last_slot):
            copy_aggregand(aggregands[candidate], aggregands[slot])
            slot = candidate
        candidate = (candidate + 1) & last_slot
    aggregands[slot].in_use = 0


@helper
def rename_keys(aggregate, number, new_keys):
    """Replace the keys of the aggregate inputs of a settled group; return False when it needs capacity. new_keys:
    int32[row_count], the new key for each old one."""
    group = group_states_of(aggregate)[number]
    if group.spill == NONE:
        for i in range(INLINE_AGGREGANDS):
            entry = group.inline[i]
            if entry.value != NO_VALUE:
                entry.key = new_keys[entry.key]
        return True
    spill = spill_of(aggregate, group)
    words = WORDS_PER_AGGREGAND * int64(spill.table_capacity)
    if not reserve(aggregate, words):
        return False
    old_start, old = spill.table_start, aggregands_of(aggregate, spill)
    spill.table_start = take(aggregate, words)
    new = aggregands_of(aggregate, spill)
    for slot in range(spill.table_capacity):
        new[slot].in_use = 0
    for slot in range(spill.table_capacity):
        if old[slot].in_use != 0:
            old[slot].key = new_keys[old[slot].key]
            copy_aggregand(old[slot], new[find_aggregand(aggregate, spill, int64(old[slot].key))])
    give_back(aggregate, old_start, words)
    return True
