"""JSON that somebody else may have written: of states, packs, checkpoints, locks."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text; ValueError where it is none, is nested too deeply, or holds a number that is not
    finite, of which no integer can be made."""
    try:
        return json.loads(text, parse_float=_finite, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def read_object(text: str | bytes) -> dict[str, Any]:
    """The object of a JSON text; ValueError where it is none."""
    found = read_json(text)
    if isinstance(found, dict):
        return found
    raise ValueError("it is no object")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _refuse(digits)


def _refuse(number: str) -> NoReturn:
    raise ValueError(f"{number} is no finite number")
