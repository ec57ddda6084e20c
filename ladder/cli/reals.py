"""Real numbers on the command line."""

from __future__ import annotations

import math
from typing import Any

import click


class Real(click.FloatRange):
    """A number in a range; what is not a number, `nan`, is in none, though it compares as if it were."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number of a text; a usage error if it is none, or out of the range."""
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return found
