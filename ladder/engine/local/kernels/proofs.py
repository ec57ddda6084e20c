"""Proofs of queued rows by backward and forward search (AAAI 2018, Algorithm 3, CHECK and SATURATE).

To *ask for* a row is to add it to the list of rows that need a proof; a row is *found* when it has one.

    ASK        ask for the queued rows
    repeat
        SORT       look at the rows asked for: rows that are facts, whose proof was seen before they were asked for, or
                   (BFC) that have a nonrecursive derivation are found; the others are looked up
        RULES      BF: those of them that a nonrecursive rule derives are found
        PUSH       the others go onto the stack
        SPREAD     begin a round: the rows found since the last one now count as proved
        SATURATE   heads of instantiations whose literals are proved are found; those not asked for yet are noted;
                   SPREAD and SATURATE again until nothing is found
        POP        take the topmost rows without a proof from the stack
        VISIT      evaluate their rules backward, and ask for the literals of their derivations
        RETURN     rows that may have more derivations go back onto the stack
    until the stack is empty; the rows that are not found then have no proof

The search is depth first, in batches: only a few derivations of each visited row are looked at. If they do not prove
it, it is visited again after the rows that they asked for, each time for more derivations than before.
"""

from .compiling import helper
from .driver import pauses_after, pauses_before
from .events import add_arrived, capacity_for_changes
from .layout import (
    ABSENT,
    BACKWARD,
    END,
    FINISHED,
    FORWARD,
    INCONSISTENT,
    INTERNAL,
    NEEDS_CAPACITY,
    NEEDS_PAUSE,
    NONE,
    int32,
    int64,
    record,
)
from .row_flags import CHECKED, DELAYED, FOUND, PROVED, SATED, TAKEN, is_given, touch
from .stepwise import HAS_BATCH, is_recursive, next_batch, resume, start_at
from .storage import batch_of, change_numbers_of, changes_of, counts_of, first_of, scratch_of
from .visibility import CHECKING, PROVING, find_all

SEARCH = record(
    ("phase", int64),
    ("stack", int64),  # rows to be visited, linked by next_lost,
    ("asked", int64),  # ... rows asked for since they were sorted last
)
ASK, SORT, RULES, PUSH, SPREAD, SATURATE, POP, VISIT, RETURN = range(9)
AT_ONCE = 64  # rows of the stack that are visited together
FEW = 4  # derivations that a row is visited for at first


@helper
def seek(search, counted, update, component, plans, steps, relations, indexes, operations, workspace):
    """Search for proofs of the queued rows; return a status. `counted` says that nonrecursive derivations are
    counted."""
    while True:
        phase, status, following = search.phase, FINISHED, search.phase + 1
        if phase == ASK:
            search.stack = search.asked = END
            ask_for_waiting(search, update, relations)
        elif phase == SORT:
            sort(search, counted, update, component, relations)
        elif phase == PUSH:
            push_unproved(search, update, component, relations)
        elif phase == SPREAD:
            if not spread(update, component, relations):
                following = int64(POP)
        elif phase == POP:
            if search.stack == END:
                search.phase = ASK
                return FINISHED
            pop(search, update, relations)
        elif phase == RETURN:
            return_sated(search, update, component, relations)
            following = int64(SORT)
        else:
            if phase != RULES or not counted:
                status = run_plans(
                    phase, search, update, component, plans, steps, relations, indexes, operations, workspace
                )
            if phase == SATURATE:
                following = int64(SPREAD)
        if status != FINISHED:
            return status
        search.phase = following


@helper
def ask(search, change, number):
    """Ask for a touched row, unless that was done before."""
    if change.candidate_count & CHECKED == 0:
        change.candidate_count |= CHECKED
        change.next_lost = search.asked
        search.asked = number


@helper
def ask_for_waiting(search, update, relations):
    """Ask for the queued rows that are present. None of them is a fact: they are facts no longer, or lost a
    derivation."""
    changes, number = changes_of(update), update.affected
    while number != END:
        change = changes[number]
        if first_of(relations[change.relation])[change.row] != ABSENT:
            ask(search, change, number)
        number = int64(change.next_affected)


@helper
def find(relation, change, number):
    """Note that a touched row has a proof, and list it for the next round."""
    change.candidate_count |= FOUND
    add_arrived(relation, change, number)


@helper
def sort(search, counted, update, component, relations):
    """Find those of the rows asked for that have a known reason to hold; list the others to be looked up."""
    changes = changes_of(update)
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relations[number].lost = relations[number].arrived = END
    while search.asked != END:
        number = search.asked
        change = changes[number]
        search.asked = change.next_lost
        relation = relations[change.relation]
        known = is_given(change) or change.candidate_count & DELAYED != 0
        if known or (counted and counts_of(relation)[change.row] > 0):
            find(relation, change, number)
        else:
            change.next_lost = relation.lost
            relation.lost = number


@helper
def push_unproved(search, update, component, relations):
    """Push the rows that were looked up and for which no nonrecursive derivation was found onto the stack."""
    changes = changes_of(update)
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relation = relations[number]
        while relation.lost != END:
            row = relation.lost
            change = changes[row]
            relation.lost = change.next_lost
            if change.candidate_count & FOUND != 0:
                add_arrived(relation, change, row)
            else:
                change.next_lost = search.stack
                search.stack = row


@helper
def spread(update, component, relations):
    """Begin a round with the rows found since the last one; return False when there are none."""
    changes, some = changes_of(update), False
    update.iteration += 1
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relation = relations[number]
        relation.departed, relation.arrived = relation.arrived, END
        moved = relation.departed
        while moved != END:
            change = changes[moved]
            change.candidate_count |= PROVED
            change.delta = update.iteration
            some = True
            moved = int64(change.next_moved)
    return some


@helper
def pop(search, update, relations):
    """Take the topmost rows without a proof from the stack, and list them to be visited."""
    changes, count = changes_of(update), 0
    while search.stack != END and count < AT_ONCE:
        number = search.stack
        change = changes[number]
        search.stack = change.next_lost
        if change.candidate_count & FOUND == 0:
            relation = relations[change.relation]
            change.next_lost, change.delta = relation.lost, int32(0)
            relation.lost = number
            count += 1


@helper
def return_sated(search, update, component, relations):
    """Push visited rows that may have more derivations onto the stack again, below the rows they asked for."""
    changes = changes_of(update)
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relation = relations[number]
        while relation.lost != END:
            row = relation.lost
            change = changes[row]
            relation.lost = change.next_lost
            if change.candidate_count & SATED != 0:
                flags = change.candidate_count & (TAKEN - 1) & ~SATED
                change.candidate_count = flags + TAKEN * -change.delta
                change.next_lost = search.stack
                search.stack = row
            change.delta = int32(NONE)


@helper
def is_wanted(phase, plan):
    """Return whether a plan is run in a phase."""
    if phase == SATURATE:
        return plan.role == FORWARD and plan.body_kinds[plan.driver] == INTERNAL
    return plan.role == BACKWARD and is_recursive(plan) == (phase == VISIT)


@helper
def run_plans(phase, search, update, component, plans, steps, relations, indexes, operations, workspace):
    """Run the plans of RULES, SATURATE or VISIT; return a status."""
    while update.plan < component.first_update_plan + component.update_plan_count:
        plan = plans[update.plan]
        if is_wanted(phase, plan):
            relation = relations[steps[plan.first_step].relation]
            start = relation.departed if phase == SATURATE else relation.lost
            if plan.level == NONE and start != END:
                if pauses_before(workspace):
                    return NEEDS_PAUSE
                start_at(plan, steps, start, update.iteration, PROVING if phase == SATURATE else CHECKING)
            if plan.level != NONE:
                status = run_plan(
                    phase, search, plan, component, steps, relations, indexes, operations, workspace, update
                )
                if status != FINISHED:
                    return status
                if pauses_after(workspace):
                    update.plan += 1
                    return NEEDS_PAUSE
        update.plan += 1
    update.plan = component.first_update_plan
    return FINISHED


@helper
def run_plan(phase, search, plan, component, steps, relations, indexes, operations, workspace, update):
    """Run a started plan to its end and process its batches; return a status."""
    status = resume(plan, component, steps, relations, indexes, operations, workspace, update)
    while status == HAS_BATCH:
        step = steps[plan.first_step + plan.level]
        batch = batch_of(workspace, step.feeder)
        if phase == RULES:
            status = take_found(step, relations, update, batch)
        elif phase == SATURATE:
            scratch = scratch_of(workspace)
            status = take_proved(step, relations, indexes, update, batch, scratch[0], scratch[3])
        else:
            status = take_derivations(search, step, plan, relations, update, batch)
        if status != FINISHED:
            return status
        update.scheduled += step.source_count
        plan.derivations += step.source_count
        status = next_batch(plan, component, steps, relations, indexes, operations, workspace, update)
    return status


@helper
def take_found(step, relations, update, batch):
    """Note that the heads of a batch have a derivation; return a status."""
    change_numbers, changes, heads = (
        change_numbers_of(relations[step.relation]),
        changes_of(update),
        batch[step.row_register],
    )
    for i in range(step.source_count):
        changes[change_numbers[heads[i]]].candidate_count |= FOUND
    update.looked_back += step.source_count
    return FINISHED


@helper
def take_proved(step, relations, indexes, update, batch, found, tags):
    """Find the heads of instantiations whose literals are proved; only note those not asked for yet. Return a
    status."""
    relation, index, changes = relations[step.relation], indexes[step.index], changes_of(update)
    if not capacity_for_changes(update, step.source_count):
        return NEEDS_CAPACITY
    find_all(step, relation, index, batch, 0, step.source_count, found, tags)
    for i in range(step.source_count):
        head = int64(found[i])
        if head == NONE or first_of(relation)[head] == ABSENT:
            return INCONSISTENT
        number = touch(update, step.relation, relation, head)
        change = changes[number]
        if change.candidate_count & CHECKED == 0:
            change.candidate_count |= DELAYED
        elif change.candidate_count & FOUND == 0:
            find(relation, change, number)
    return FINISHED


@helper
def take_derivations(search, step, plan, relations, update, batch):
    """Ask for the literals of the next few derivations of each visited row; return a status."""
    change_numbers, changes, heads = (
        change_numbers_of(relations[step.relation]),
        changes_of(update),
        batch[step.row_register],
    )
    if not capacity_for_changes(update, step.source_count * plan.body_count):
        return NEEDS_CAPACITY
    for i in range(step.source_count):
        change = changes[change_numbers[heads[i]]]
        taken = change.candidate_count // TAKEN
        change.delta -= 1  # counts derivations from -1 down: no round has such a number
        if -change.delta <= taken:
            continue
        for b in range(plan.body_count):
            if plan.body_kinds[b] == INTERNAL:
                relation = relations[plan.body_relations[b]]
                number = touch(update, plan.body_relations[b], relation, batch[plan.row_registers[b], i])
                ask(search, changes[number], number)
        if -change.delta >= 2 * taken + FEW:
            change.candidate_count |= SATED
    update.looked_back += step.source_count
    return FINISHED
