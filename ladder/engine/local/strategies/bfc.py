"""bfc: backward/forward with counts (Hu, Motik, Horrocks, AAAI 2018, Algorithm 3).

State: how many nonrecursive derivations a row has (being a fact counts as one). A row with one has a proof, so that
only recursive rules are evaluated backward.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ladder.engine.local.kernels.maintenance import BFC
from ladder.engine.local.strategies.untimed import Counted, is_recursive

if TYPE_CHECKING:
    from ladder.language.core import Rule
    from ladder.plan.components import Component


class BackwardForwardC(Counted):
    """Backward/forward with nonrecursive counts."""

    name = state = "bfc"
    kind = BFC
    backward = True

    def looks_back(self, rule: Rule, component: Component) -> bool:
        """Whether rows are looked up backward through a rule, which is so for recursive ones only."""
        return is_recursive(rule, component)


STRATEGY = BackwardForwardC
