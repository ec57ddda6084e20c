"""The JDK of this machine, whose classes stand on every class path of Java."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

HOME = "JAVA_HOME"
LIBRARIES = ("lib/modules", "jre/lib/rt.jar", "lib/rt.jar")


def machine_jdk() -> Path | None:
    """The library of a JDK on this machine: of `JAVA_HOME`, else of the `javac` or `java` that commands find. Nothing
    of it runs."""
    homes = [Path(home) for home in [os.environ.get(HOME, "")] if home]
    for command in ("javac", "java"):
        if found := shutil.which(command):
            homes.append(Path(os.path.realpath(found)).parents[1])
    candidates = (home / part for home in homes for part in LIBRARIES)
    return next((path for path in candidates if path.is_file()), None)
