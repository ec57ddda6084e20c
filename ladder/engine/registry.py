"""The backends by their names in `Database(engine=…)`; each is imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from ladder.engine.backend import Backend

BACKENDS = {
    "local": "ladder.engine.local.backend:LocalBackend",
    "spark": "ladder.engine.spark.backend:SparkBackend",
    "reference": "ladder.engine.reference.backend:ReferenceBackend",
}


def backend_class(name: str) -> type[Backend]:
    """The class of the backend with this name."""
    module, _, name = BACKENDS[name].partition(":")
    return cast(type[Backend], getattr(import_module(module), name))
