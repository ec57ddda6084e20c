"""The backends, by the names that `Database(engine=…)` knows them by; each is loaded when it is first asked for."""

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
    """The class of a backend."""
    module, _, name = BACKENDS[name].partition(":")
    return cast(type[Backend], getattr(import_module(module), name))
