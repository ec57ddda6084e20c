"""Makes `java/modules.json`, what the modules of the Java class library export, from a JDK.

    python -m ladder.analyses.library_modules JDK/bin/java [--output modules.json]

The result has for each module the packages that it `exports` to everyone, and the modules that it makes its readers
read, `transitive`. It is to be made with the release of which `java/library.zip` holds the signatures.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("java", type=Path, help="the command `java` of the JDK")
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("java") / "modules.json")
    arguments = parser.parse_args()
    names = [line.partition("@")[0] for line in _run(arguments.java, "--list-modules").splitlines()]
    modules = {name: described(_run(arguments.java, "--describe-module", name)) for name in sorted(names)}
    arguments.output.write_text(json.dumps(modules, indent=1) + "\n")


def described(text: str) -> dict[str, list[str]]:
    """What `java --describe-module` says of a module: its exports to everyone, and what its readers read, too."""
    lines = [line.split() for line in text.splitlines()]
    exports = sorted(words[1] for words in lines if words[0] == "exports")
    transitive = sorted(words[1] for words in lines if words[0] == "requires" and "transitive" in words[2:])
    return {"exports": exports, "transitive": transitive}


def _run(java: Path, *arguments: str) -> str:
    return subprocess.run([java, *arguments], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
