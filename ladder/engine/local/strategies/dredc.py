"""dredc: delete and rederive with counts (Hu, Motik, Horrocks, AAAI 2018, Algorithm 2).

State: how many nonrecursive derivations a row has (being a fact counts as one), and how many recursive ones. A row with
a nonrecursive derivation is never deleted, and one that was deleted returns if a recursive derivation is left: no rule
is evaluated backward.
"""

from __future__ import annotations

from ladder.engine.local.kernels.maintenance import DREDC
from ladder.engine.local.strategies.untimed import Counted


class DRedC(Counted):
    """Delete and rederive with two counts."""

    name = state = "dredc"
    kind = DREDC
    backward = False


STRATEGY = DRedC
