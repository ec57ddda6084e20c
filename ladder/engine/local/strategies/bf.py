"""bf: backward/forward (Motik, Nenov, Piro, Horrocks, AAAI 2015; AAAI 2018, Algorithm 3, without counts). State: none
beside the rows.

Before a row is deleted, a proof of it from what is left is looked for: backward from its derivations to rows that hold
for another reason, forward from those. So no row is deleted that returns.
"""

from __future__ import annotations

from ladder.engine.local.kernels.maintenance import BF
from ladder.engine.local.strategies.untimed import Uncounted


class BackwardForward(Uncounted):
    """Backward/forward."""

    name = state = "bf"
    kind = BF
    backward = True


STRATEGY = BackwardForward
