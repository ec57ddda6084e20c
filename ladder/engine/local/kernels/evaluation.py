"""The entry points of bootstrap and update. There are two, so that two processes can compile them at the same time and
a run loads only the one that it needs.
"""

from .compiling import entry_point
from .fixpoint import evaluate
from .layout import FINISHED
from .parallel import JOIN, run_share
from .update import run_update


@entry_point
def run_bootstrap(fixpoint, update, components, plans, steps, relations, indexes, aggregates, operations, workspace):
    """Run a bootstrap of `components[0]`, if there is one, or a thread's share of one, until FINISHED or the host is
    needed; return a status."""
    if len(components) == 0:
        return FINISHED
    if fixpoint.active >= JOIN:
        return run_share(fixpoint, components[0], plans, steps, relations, indexes, operations, workspace, update)
    return evaluate(
        fixpoint, components[0], plans, steps, relations, indexes, aggregates, operations, workspace, update
    )


@entry_point
def run_transaction(update, components, inputs, plans, steps, relations, indexes, aggregates, operations, workspace):
    """Run the update of all components until FINISHED or the host is needed; return a status. A second call carries
    on."""
    return run_update(update, components, inputs, plans, steps, relations, indexes, aggregates, operations, workspace)
