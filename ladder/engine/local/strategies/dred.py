"""dred: delete and rederive (Gupta, Mumick, Subrahmanian, SIGMOD 1993; AAAI 2018, Algorithm 1). State: none beside the
rows.

Whatever depends on a deleted row is deleted, facts included; then those of the deleted rows return that are facts or
have a derivation from what is left, found by evaluating rules backward from them, up to the first one for each row;
then follows what depends on those and on inserted rows.
"""

from __future__ import annotations

from ladder.engine.local.kernels.maintenance import DRED
from ladder.engine.local.strategies.untimed import Uncounted


class DRed(Uncounted):
    """Delete and rederive."""

    name = state = "dred"
    kind = DRED
    backward = True


STRATEGY = DRed
