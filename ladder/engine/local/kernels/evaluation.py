"""The one entry point of bootstrap and update: what they share is compiled once."""
from .compiling import entry_point
from .fixpoint import evaluate
from .update import run_update


@entry_point
def run(fixpoint, update, components, inputs, plans, steps, relations, indexes, aggregates, operations, workspace):
    """Run a bootstrap of `components[0]` (fixpoint.active) or an update until FINISHED or the host is needed; then call again."""
    if fixpoint.active:
        return evaluate(fixpoint, components[0], plans, steps, relations, indexes, aggregates, operations, workspace, update)
    return run_update(update, components, inputs, plans, steps, relations, indexes, aggregates, operations, workspace)
