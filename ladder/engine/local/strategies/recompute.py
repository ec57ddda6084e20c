"""recompute: plain semi-naive evaluation, anew for every change. State: none beside the rows.

A transaction of the engine is never opened: whoever holds the engine bootstraps a new one over the changed facts.
"""

from __future__ import annotations

from ladder.engine.local.strategies.elastic import Elastic


class Recompute(Elastic):
    """Bootstraps as `elastic` does; what that leaves beside the rows serves explanations only."""

    name = "recompute"
    stays_running = True


STRATEGY = Recompute
