"""Visibility: which rows the steps of a strategy's plans see.

A round joins the rows that moved in it with the other rows, so that each instantiation is met once: literals before the
driver (in the text) do not see the rows of the round, literals after it do. Literals of earlier components, whose
changes are complete, are the drivers of round 0; in later rounds they must hold in both states, or in the new one.
"""

from .compiling import helper
from .layout import ABSENT, BACKWARD, BEFORE, END, NONE, OLD, SETTLED, int64
from .row_flags import FOUND, PROVED, SATED, is_given
from .rowset import UNSURE, compute_tags, find_batch, find_row
from .steps import choose, keep_row, passes, passes_sieves
from .storage import change_numbers_of, changes_of, first_of, rows_of

# What a plan is run for; ALL, OLD and NEW of `layout` are others.
DELETING, ADDING, REDERIVING, CHECKING, PROVING = range(3, 8)
# What a step sees: rows that are there, also those that went in this round, none that came in it, rows of the old
# state, rows of both states, proved ones, those proved before this round.
PRESENT, WITH_MOVED, WITHOUT_MOVED, OLD_ONES, KEPT, PROVED_ONES, PROVED_BEFORE = range(7)


@helper
def visibility_of(plan, step, component):
    """Return which rows a step of a plan sees, as one of the constants PRESENT … of this module."""
    state, first_round = plan.state, plan.iteration == 0
    if component.first_relation <= step.relation < component.first_relation + component.relation_count:
        if state == DELETING:
            return WITH_MOVED if step.window == SETTLED else PRESENT
        if state == ADDING:
            return WITHOUT_MOVED if step.window == BEFORE else PRESENT
        if state == PROVING:
            return PROVED_BEFORE if step.window == BEFORE else PROVED_ONES
    elif state == DELETING:
        return OLD_ONES if first_round and step.window == SETTLED else KEPT
    elif state == ADDING:
        return KEPT if first_round and step.window == BEFORE else PRESENT
    elif state == CHECKING or state == PROVING:
        return KEPT
    return OLD_ONES if state == OLD else PRESENT


@helper
def sees(visibility, current, first, change_numbers, changes, row):
    """Return whether a stored row is seen in round `current`.

    change_numbers: int32[row_capacity]; changes: CHANGE[change_capacity].
    """
    here, number = first[row] != ABSENT, change_numbers[row]
    if number == END:
        return here and visibility < PROVED_ONES
    if visibility == PRESENT:
        return here
    change = changes[number]
    if visibility == WITH_MOVED:
        return here or change.delta == current
    if visibility == WITHOUT_MOVED:
        return here and change.delta != current
    if visibility == OLD_ONES:
        return change.old_first != ABSENT
    if visibility == KEPT:
        return here and change.old_first != ABSENT
    return change.candidate_count & PROVED != 0 and (visibility == PROVED_ONES or change.delta != current)


@helper
def keep_seen(visibility, current, relation, update, matches, count):
    """Keep the matches with rows that are seen; return how many are kept."""
    matched_source, matched_row, matched_tag = matches[0], matches[1], matches[2]
    first, change_numbers, changes = first_of(relation), change_numbers_of(relation), changes_of(update)
    kept = 0
    for match in range(count):
        if sees(visibility, current, first, change_numbers, changes, matched_row[match]):
            matched_source[kept] = matched_source[match]
            matched_row[kept] = matched_row[match]
            matched_tag[kept] = matched_tag[match]
            kept += 1
    return kept


@helper
def find_all(step, relation, index, batch, position, count, found, tags):
    """Set found[i], for i from `position` on, to the number of candidate `i`; NONE if it is not stored."""
    compute_tags(step, index, batch, count, tags)
    find_batch(step, relation, index, batch, position, count, tags, found, found)
    for i in range(position, count):
        if found[i] == UNSURE:
            found[i] = find_row(step, relation, index, batch, i, tags[i])


@helper
def keep_members(step, visibility, current, relation, index, update, batch, count, found, tags):
    """Keep the batch rows that are seen rows of the relation, within the step's window; return how many are kept."""
    first, change_numbers, changes = first_of(relation), change_numbers_of(relation), changes_of(update)
    find_all(step, relation, index, batch, 0, count, found, tags)
    kept = 0
    for i in range(count):
        row = int64(found[i])
        if (
            row < step.rows_from
            or row >= step.rows_below
            or not sees(visibility, current, first, change_numbers, changes, row)
        ):
            continue
        keep_row(step, batch, kept, i)
        if step.row_register != NONE:
            batch[step.row_register, kept] = row
        kept += 1
    return kept


@helper
def keep_absent(step, visibility, relation, index, update, batch, count, found, tags):
    """Keep the batch rows that are not rows of the relation, which is of an earlier component, in any of the states
    that are seen; return how many are kept."""
    first, change_numbers, changes = first_of(relation), change_numbers_of(relation), changes_of(update)
    find_all(step, relation, index, batch, 0, count, found, tags)
    kept = 0
    for i in range(count):
        row = int64(found[i])
        if row != NONE:
            here, was_here = first[row] != ABSENT, False
            if visibility != PRESENT:
                was_here = here if change_numbers[row] == END else changes[change_numbers[row]].old_first != ABSENT
            if was_here or (here and visibility != OLD_ONES):
                continue
        keep_row(step, batch, kept, i)
        if step.row_register != NONE:
            batch[step.row_register, kept] = row
        kept += 1
    return kept


@helper
def scan_moved(step, plan, relation, indexes, update, target, batch_size):
    """Fill `target` with the next rows from a list of changes, but only with those that are assigned to this plan;
    return their number.

    The list is that of lost rows for backward plans, except rows known to have a derivation, and that of rows that
    moved for others.
    """
    rows, changes, row_numbers = rows_of(relation), changes_of(update), target[step.row_register]
    number, count, backward = step.cursor, 0, plan.role == BACKWARD
    while number != END and count < batch_size:
        change = changes[number]
        if step.choice_count > 1 and step.choice == 0:
            change.choice = choose(step, rows, change.row, indexes)
        taken = (step.choice_count < 2 or change.choice == step.choice) and not (backward and has_derivation(change))
        if taken and passes(step, rows, change.row) and passes_sieves(plan, rows, change.row, indexes):
            row_numbers[count] = change.row
            count += 1
        number = int64(change.next_lost if backward else change.next_moved)
    for b in range(step.bind_count):
        column, register = step.binds[b].column, target[step.binds[b].register]
        for i in range(count):
            register[i] = rows[row_numbers[i], column]
    step.cursor = number
    return count


@helper
def has_derivation(change):
    """Return whether a touched row needs no more derivations for now: it is known to hold, or enough are known."""
    return is_given(change) or change.candidate_count & (FOUND | SATED) != 0


@helper
def pass_over_found(step, register, head, update, source):
    """Let a look-up for a backward plan begin at the next row of `source` whose head, in `register`, is not known to
    hold. `head` is the relation of the heads."""
    change_numbers, changes, heads = change_numbers_of(head), changes_of(update), source[register]
    while step.cursor < step.source_count and has_derivation(changes[change_numbers[heads[step.cursor]]]):
        step.cursor += 1
        step.entry_at = NONE
