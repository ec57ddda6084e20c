"""Whether Spark can run here: asked of the Java runtime before a session is started, which takes fifty times as long to
fail."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

OLDEST_JAVA = 17
SECONDS = 30  # that a runtime may take to tell its version
VECTORS = "jdk.incubator.vector"  # a module that Spark 4's launcher asks for; small runtimes lack it
HINT = "Install a Java 17 or later runtime (Debian, Ubuntu: apt install openjdk-17-jre-headless) or set JAVA_HOME."
INSTALL = "pip install 'pyspark>=4.0,<4.4'."


def lacking() -> str:
    """Why Spark cannot run here, as a sentence; "" where it can."""
    return lacking_java() or lacking_package()


def hint() -> str:
    """What to do about `lacking`."""
    return HINT if lacking_java() else INSTALL


def lacking_package() -> str:
    """Why Python cannot use Spark, as a sentence."""
    return "" if find_spec("pyspark") else "the Python package pyspark is not installed."


def lacking_java() -> str:
    """What is wrong with the Java runtime that Spark would take, as a sentence."""
    java = _java()
    if java is None:
        return "no Java runtime was found."
    try:
        settings = _ask(java, "-XshowSettings:properties", "-version")
        version = re.search(r"java\.specification\.version = (?:1\.)?(\d+)", settings.stderr)
        if settings.returncode or version is None:
            return f"{java} does not run."
        if int(version[1]) < OLDEST_JAVA:
            return f"{java} is Java {version[1]} and Spark needs {OLDEST_JAVA} or later."
        if _ask(java, f"--add-modules={VECTORS}", "-version").returncode:
            return f"{java} lacks the module {VECTORS}, which Spark needs."
    except subprocess.TimeoutExpired:
        return f"{java} does not answer within {SECONDS} s."
    except OSError as error:
        return f"{java} does not run ({error.strerror})."
    return ""


def _ask(java: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [java, *options],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS,
        check=False,
        cwd=Path(__file__).parent,
    )  # the current directory may be anybody's


def _java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    if home:
        return str(Path(home, "bin", "java").absolute())
    found = shutil.which("java")
    return found and os.path.abspath(found)
