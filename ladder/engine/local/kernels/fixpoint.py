"""Bootstrap of one component: semi-naive evaluation that computes (first, count) of every row.

repeat
    ROTATE     rows that appeared in the last iteration become the delta; stop if there are none; ask the host for new
               plans if the component has outgrown the statistics that its plans were made for, or if a plan looked at
               far more than it derived
    LIST       enter the delta into the secondary indexes
    BEGIN      new intermediates: what their parts of rules derive from rows older than the delta
    FILL       all intermediates: what their parts derive from the delta and older rows, equal rows as one
    SHOW       enter the new rows of intermediates into their secondary indexes
    RUN        iteration 1: every rule once on the component's inputs and facts;
               later: every rule once for each body atom of the component, with that atom on the delta
    COLLECT    the aggregate inputs of this iteration enter their groups
    SETTLE     groups compute the joins of what is new
    PUBLISH    totals that changed become rows of this iteration
FINALS         the final totals of all groups become rows, for other components
"""

from .aggregation import collect_new, publish_finals, publish_totals
from .blocks import free_all_retired, list_new_rows, squeeze_pools
from .compiling import helper
from .driver import pauses_after, pauses_before, run_started_plan, start_plan
from .known import note_component
from .layout import (
    ALL,
    BEGUN,
    DELTA,
    FILLED,
    FINISHED,
    ITERATED,
    NEEDS_CAPACITY,
    NEEDS_PAUSE,
    NEEDS_PLANS,
    NEEDS_THREADS,
    NONE,
    ONCE,
    int64,
)
from .parallel import rows_to_join, rows_to_list
from .totals import settle

SOONER = 5  # binary logarithm of the part by which an iteration without threads lowers what is asked for
ROTATE, LIST, BEGIN, FILL, SHOW, RUN, COLLECT, SETTLE, PUBLISH, FINALS, LIST_FINALS = range(11)


@helper
def evaluate(fixpoint, component, plans, steps, relations, indexes, aggregates, operations, workspace, update):
    """Run a bootstrap until FINISHED or the host is needed; return a status. A second call carries on."""
    while True:
        phase, status = fixpoint.phase, FINISHED
        if phase == ROTATE:
            if not tidy(component, relations, indexes, workspace):
                return NEEDS_CAPACITY
            if not rotate(fixpoint, component, relations):
                fixpoint.phase = FINALS
                continue
            if asks_for_plans(fixpoint, component, plans, relations):
                fixpoint.phase = LIST
                return NEEDS_PLANS
        elif phase == LIST or phase == LIST_FINALS:
            if phase == LIST and not note_component(component, relations, workspace):
                return NEEDS_CAPACITY
            if phase == LIST and left_to_threads(fixpoint, component, relations):
                return NEEDS_THREADS
            status = list_component(component, relations, indexes)
        elif phase == BEGIN or phase == FILL:
            role = BEGUN if phase == BEGIN else FILLED
            status = run_plans(
                role, fixpoint, component, plans, steps, relations, indexes, operations, workspace, update
            )
            if status == FINISHED:
                settle_intermediates(phase, component, relations)
        elif phase == SHOW:
            status = list_run(component.first_intermediate, component.intermediate_count, relations, indexes)
        elif phase == RUN:
            if joined_by_threads(fixpoint, component, plans, steps, relations):
                return NEEDS_THREADS
            role = ONCE if fixpoint.iteration == 1 else ITERATED
            status = run_plans(
                role, fixpoint, component, plans, steps, relations, indexes, operations, workspace, update
            )
        elif phase == FINALS:
            for number in range(component.first_aggregate, component.first_aggregate + component.aggregate_count):
                if not publish_finals(aggregates[number], relations, indexes):
                    return NEEDS_CAPACITY
        else:
            status = aggregate_phase(phase, fixpoint, component, relations, indexes, aggregates, operations, update)
        if status != FINISHED:
            return status
        if phase == LIST_FINALS:
            return FINISHED
        fixpoint.phase = ROTATE if phase == PUBLISH else phase + 1
        fixpoint.cursor, fixpoint.plan = component.first_aggregate, component.first_plan


@helper
def tidy(component, relations, indexes, workspace):
    """Free the retired blocks of a component's indexes and compact their pools; return False when it needs capacity."""
    free_all_retired(relations, indexes, component.first_relation, component.relation_count)
    free_all_retired(relations, indexes, component.first_intermediate, component.intermediate_count)
    return squeeze_pools(
        relations, indexes, component.first_relation, component.relation_count, workspace
    ) and squeeze_pools(relations, indexes, component.first_intermediate, component.intermediate_count, workspace)


@helper
def rotate(fixpoint, component, relations):
    """Begin the next iteration; return False if the last one added nothing."""
    grown = fixpoint.iteration == 0
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relation = relations[number]
        grown |= relation.row_count > relation.settled_rows
        relation.before_rows = relation.settled_rows
        relation.settled_rows = relation.row_count
    for number in range(component.first_intermediate, component.first_intermediate + component.intermediate_count):
        relation = relations[number]
        relation.before_rows = relation.settled_rows = relation.row_count
    fixpoint.iteration += 1
    fixpoint.plan = component.first_plan
    return grown


@helper
def asks_for_plans(fixpoint, component, plans, relations):
    """Return whether the component has grown so much, or a plan looked at so much more than it derives, that the host
    shall make new plans."""
    if component_rows(component, relations) > fixpoint.rows_planned_for:
        return True
    for number in range(component.first_plan, component.first_plan + component.plan_count):
        plan = plans[number]
        if (
            plan.role == ITERATED
            and plan.matches > fixpoint.matches_planned_for
            and plan.matches > fixpoint.matches_per_derivation * plan.derivations
        ):
            return True
    return False


@helper
def settle_intermediates(phase, component, relations):
    """Close what a phase has put into intermediates: what they began with is from before the last iteration, the rest
    from the last iteration."""
    for number in range(component.first_intermediate, component.first_intermediate + component.intermediate_count):
        relation = relations[number]
        relation.settled_rows = relation.row_count
        if phase == BEGIN:
            relation.before_rows = relation.row_count


@helper
def left_to_threads(fixpoint, component, relations):
    """Return whether there are so many new rows that threads shall enter them into the indexes."""
    if fixpoint.share_from == 0 or fixpoint.iteration == 1 or fixpoint.listed_by_threads == fixpoint.iteration:
        return False
    return rows_to_list(component, relations) >= fixpoint.share_from


@helper
def joined_by_threads(fixpoint, component, plans, steps, relations):
    """Return whether there is so much to join in this iteration that threads shall do it; this is decided once.

    Where it would have been so at first, threads are a little sooner asked again: what they saw need not last.
    """
    if fixpoint.share_from == 0 or abs(fixpoint.joined_by_threads) == fixpoint.iteration:
        return False
    fixpoint.joined_by_threads = -fixpoint.iteration  # not by threads, unless they say otherwise
    rows = rows_to_join(fixpoint, component, plans, steps, relations)
    if rows >= fixpoint.share_from:
        return True
    if rows >= fixpoint.share_at_first:
        fixpoint.share_from -= fixpoint.share_from >> SOONER
    return False


@helper
def component_rows(component, relations):
    """Return the number of rows of all relations of a component."""
    count = int64(0)
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        count += relations[number].row_count
    return count


@helper
def list_component(component, relations, indexes):
    """Enter the new rows of a component's relations into their secondary indexes; return a status."""
    return list_run(component.first_relation, component.relation_count, relations, indexes)


@helper
def list_run(first, count, relations, indexes):
    """Enter the new rows of `count` relations from number `first` on into their secondary indexes; return a status."""
    for number in range(first, first + count):
        if not list_new_rows(relations[number], indexes):
            return NEEDS_CAPACITY
    return FINISHED


@helper
def has_work(plan, steps, relations):
    """Return whether a plan has anything to do: its delta has rows, or it starts from no delta, and is not one that has
    begun an intermediate before."""
    if plan.role == BEGUN:
        return plan.iteration == 0
    first = steps[plan.first_step]
    relation = relations[first.relation]
    return first.window != DELTA or relation.settled_rows > relation.before_rows


@helper
def run_plans(role, fixpoint, component, plans, steps, relations, indexes, operations, workspace, update):
    """Run the plans of this role; return a status."""
    while fixpoint.plan < component.first_plan + component.plan_count:
        plan = plans[fixpoint.plan]
        if plan.role == role and not (plan.shared != 0 and fixpoint.joined_by_threads == fixpoint.iteration):
            if plan.level == NONE and has_work(plan, steps, relations):
                if pauses_before(workspace):
                    return NEEDS_PAUSE
                start_plan(plan, steps, relations, fixpoint.iteration, ALL)
            if plan.level != NONE:
                status = run_started_plan(plan, steps, relations, indexes, operations, workspace, update)
                if status != FINISHED:
                    return status
                if pauses_after(workspace):
                    fixpoint.plan += 1
                    return NEEDS_PAUSE
        fixpoint.plan += 1
    return FINISHED


@helper
def aggregate_phase(phase, fixpoint, component, relations, indexes, aggregates, operations, update):
    """Run COLLECT, SETTLE or PUBLISH for each aggregate of the component; return a status."""
    while fixpoint.cursor < component.first_aggregate + component.aggregate_count:
        aggregate = aggregates[fixpoint.cursor]
        if phase == COLLECT:
            if not collect_new(aggregate, operations[aggregate.operation], relations, update, fixpoint.iteration):
                return NEEDS_CAPACITY
            aggregate.event_cursor = 0
        elif phase == SETTLE:
            status = settle(aggregate, operations[aggregate.operation])
            if status != FINISHED:
                return status
        else:
            status = publish_totals(aggregate, relations, indexes, fixpoint.iteration)
            if status != FINISHED:
                return status
        fixpoint.cursor += 1
    return FINISHED
