"""The options of databases; they are known without an engine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, cast

if TYPE_CHECKING:
    from ladder.engine.spark.runs import Progress
    from ladder.support.limits import Limits
    from ladder.support.tuning import Tuning


class Options(TypedDict, total=False):
    """The keyword arguments of `Database` and `Database.open`, beside the program."""

    strategy: str
    switch: float | None
    limits: Limits
    jobs: int
    profile: bool
    engine: str
    spark: Any
    master: str | None
    spark_conf: Mapping[str, str] | None
    checkpoints: str | Path | None
    resume: bool
    progress: Progress | None
    tuning: Tuning


def local_options(options: Options) -> Options:
    """The options that the local engine uses."""
    local = ("strategy", "switch", "limits", "jobs", "profile", "tuning")
    return cast(Options, {name: value for name, value in options.items() if name in local})
