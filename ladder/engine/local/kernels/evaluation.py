"""The entry points of bootstrap and update. There are two, so that two processes can compile them at the same time and
a run loads only the one that it needs.
"""

from .compiling import entry_point, helper
from .fixpoint import evaluate
from .layout import AGGREGATE, FINISHED, INDEX, OPERATION, PLAN, RELATION, STEP
from .memory import accessor
from .parallel import JOIN, run_share
from .update import run_update

# The arrays of records as kernels see bulk arrays: of numpy arrays, references are counted at every call of a function.
own_plans = accessor(PLAN, 1, checked=False)
own_steps = accessor(STEP, 1, checked=False)
own_relations = accessor(RELATION, 1, checked=False)
own_indexes = accessor(INDEX, 1, checked=False)
own_aggregates = accessor(AGGREGATE, 1, checked=False)
own_operations = accessor(OPERATION, 1, checked=False)


@helper
def by_address(plans, steps, relations, indexes, aggregates, operations):
    """Return the same arrays of records, which must stay alive, without counted references."""
    return (
        own_plans(plans.ctypes.data, len(plans)),
        own_steps(steps.ctypes.data, len(steps)),
        own_relations(relations.ctypes.data, len(relations)),
        own_indexes(indexes.ctypes.data, len(indexes)),
        own_aggregates(aggregates.ctypes.data, len(aggregates)),
        own_operations(operations.ctypes.data, len(operations)),
    )


@entry_point
def run_bootstrap(fixpoint, update, components, plans, steps, relations, indexes, aggregates, operations, workspace):
    """Run a bootstrap of `components[0]`, if there is one, or a thread's share of one, until FINISHED or the host is
    needed; return a status."""
    if len(components) == 0:
        return FINISHED
    all_plans, all_steps, all_relations, all_indexes, all_aggregates, all_operations = by_address(
        plans, steps, relations, indexes, aggregates, operations
    )
    if fixpoint.active >= JOIN:
        return run_share(
            fixpoint,
            components[0],
            all_plans,
            all_steps,
            all_relations,
            all_indexes,
            all_operations,
            workspace,
            update,
        )
    return evaluate(
        fixpoint,
        components[0],
        all_plans,
        all_steps,
        all_relations,
        all_indexes,
        all_aggregates,
        all_operations,
        workspace,
        update,
    )


@entry_point
def run_transaction(update, components, inputs, plans, steps, relations, indexes, aggregates, operations, workspace):
    """Run the update of all components until FINISHED or the host is needed; return a status. A second call carries
    on."""
    all_plans, all_steps, all_relations, all_indexes, all_aggregates, all_operations = by_address(
        plans, steps, relations, indexes, aggregates, operations
    )
    return run_update(
        update,
        components,
        inputs,
        all_plans,
        all_steps,
        all_relations,
        all_indexes,
        all_aggregates,
        all_operations,
        workspace,
    )
