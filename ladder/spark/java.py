"""Whether Spark can run here: the Java runtime is checked before a session is started, which would take fifty times as
long to fail."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from ladder.support.tuning import DEFAULT

SECONDS = DEFAULT.connecting.java_seconds
OLDEST_JAVA = 17
VECTORS = "jdk.incubator.vector"  # a module that Spark 4's launcher asks for; small runtimes lack it
HINT = "Install a Java 17 or later runtime (Debian, Ubuntu: apt install openjdk-17-jre-headless) or set JAVA_HOME."
INSTALL = "pip install 'pyspark>=4.0,<4.4'."


def lacking(seconds: float = SECONDS) -> str:
    """Why Spark cannot run here, as a sentence; "" where it can. `seconds`: how long a Java runtime may take to
    answer."""
    return lacking_java(seconds) or lacking_package()


def hint(seconds: float = SECONDS) -> str:
    """What to do about `lacking`."""
    return HINT if lacking_java(seconds) else INSTALL


def lacking_package() -> str:
    """Why Python cannot use Spark, as a sentence; "" where it can."""
    return "" if find_spec("pyspark") else "the Python package pyspark is not installed."


def lacking_java(seconds: float = SECONDS) -> str:
    """What is wrong with the Java runtime that Spark would use, as a sentence; "" where nothing is."""
    java = _java()
    if java is None:
        return "no Java runtime was found."
    try:
        settings = _ask(java, seconds, "-XshowSettings:properties", "-version")
        version = re.search(r"java\.specification\.version = (?:1\.)?(\d+)", settings.stderr)
        if settings.returncode or version is None:
            return f"{java} does not run."
        if int(version[1]) < OLDEST_JAVA:
            return f"{java} is Java {version[1]} and Spark needs {OLDEST_JAVA} or later."
        if _ask(java, seconds, f"--add-modules={VECTORS}", "-version").returncode:
            return f"{java} lacks the module {VECTORS}, which Spark needs."
    except subprocess.TimeoutExpired:
        return f"{java} does not answer within {seconds:g} s."
    except OSError as error:
        return f"{java} does not run ({error.strerror})."
    return ""


def _ask(java: str, seconds: float, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [java, *options],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=seconds,
        check=False,
        cwd=Path(__file__).parent,
    )  # the current directory may be anybody's


def _java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    if home:
        return str(Path(home, "bin", "java").absolute())
    found = shutil.which("java")
    return found and os.path.abspath(found)
