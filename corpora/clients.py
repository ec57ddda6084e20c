"""The package clients through which code bases are fetched: apt and npm, as this machine has them set up.

Nothing here names a server: apt's comes from the machine's own source lists, npm's from its own configuration.
Nothing outside the given folder is written, and no client needs more than a user's rights.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


class FetchError(Exception):
    """A code base cannot be fetched; the message says why and what to do about it."""


@dataclass(frozen=True)
class Apt:
    """apt with a private configuration in `folder`: the machine's source lists, each for source packages too."""

    folder: Path

    @classmethod
    def prepare(cls, folder: Path) -> Apt:
        """Writes the private configuration and downloads the package lists, once per folder."""
        for client in ("apt-get", "apt-config", "dpkg-deb"):
            require_client(
                client, "install a Debian or Ubuntu system's apt, or choose code bases from npm (cordova-android)"
            )
        apt = cls(folder.resolve())
        done = apt.folder / "updated"
        if not done.exists():
            apt._write_configuration()
            updated = apt._run("update")
            if not any((apt.folder / "lists").glob("*Sources*")):
                raise FetchError(
                    f"apt-get update brought no list of source packages; is there a network?\n{updated.stderr.strip()}"
                )
            done.touch()
        return apt

    def source(self, package: str, into: Path) -> Path:
        """Downloads a source package's original tarball into a folder; its path."""
        into.mkdir(parents=True, exist_ok=True)
        result = self._run("source", "--download-only", package, cwd=into)
        tarballs = sorted(into.glob("*.orig.tar.*"))
        tarballs = [path for path in tarballs if path.suffix != ".asc"]
        if not tarballs:  # apt may fail for the packaging's part alone, which is of no use to us
            raise FetchError(f"apt-get source {package} brought no original tarball: {last_line(result.stderr)}")
        return tarballs[0]

    def binary(self, package: str, into: Path) -> Path:
        """Downloads a binary package and unpacks it into a folder; that folder."""
        into.mkdir(parents=True, exist_ok=True)
        result = self._run("download", package, cwd=into)
        archives = sorted(into.glob("*.deb"))
        if not archives:
            raise FetchError(f"apt-get download {package} brought nothing: {last_line(result.stderr)}")
        unpacked = into / "unpacked"
        run(["dpkg-deb", "-x", str(archives[0]), str(unpacked)])
        return unpacked

    def _run(self, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "APT_CONFIG": str(self.folder / "apt.conf"), "LC_ALL": "C"}
        return subprocess.run(
            ["apt-get", "-q", *arguments], cwd=cwd, env=environment, text=True, capture_output=True, check=False
        )

    def _write_configuration(self) -> None:
        for name in ("lists/partial", "cache/archives/partial", "parts"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        settings = dict(
            re.findall(
                r"(\w+)='(.*)'",
                run(
                    ["apt-config", "shell", "LISTS", "Dir::Etc::sourcelist/f", "PARTS", "Dir::Etc::sourceparts/d"]
                ).stdout,
            )
        )
        single, parts = Path(settings.get("LISTS", "")), Path(settings.get("PARTS", ""))
        listed = [single] if single.is_file() else []
        listed += (
            sorted(path for path in parts.glob("*") if path.suffix in (".list", ".sources")) if parts.is_dir() else []
        )
        for index, path in enumerate(listed):
            (self.folder / "parts" / f"{index}{path.suffix}").write_text(with_sources(path.read_text(), path.suffix))
        if not listed:
            raise FetchError("apt has no source lists on this machine; add one (see `man sources.list`)")
        (self.folder / "apt.conf").write_text(
            f'Dir::Etc::sourcelist "/dev/null";\nDir::Etc::sourceparts "{self.folder}/parts";\n'
            f'Dir::State::lists "{self.folder}/lists";\nDir::Cache "{self.folder}/cache";\n'
            'APT::Sandbox::User "";\nAcquire::Languages "none";\nDebug::NoLocking "true";\n'
        )


def with_sources(text: str, suffix: str) -> str:
    """A source list in which every entry for binary packages is one for source packages too."""
    if suffix == ".sources":
        return re.sub(r"^Types:.*\bdeb\b.*$", "Types: deb deb-src", text, flags=re.MULTILINE)
    binary = re.findall(r"^\s*deb\s.*$", text, flags=re.MULTILINE)
    return "\n".join(binary + [re.sub(r"^\s*deb\s", "deb-src ", line) for line in binary]) + "\n"


def npm_versions(package: str) -> list[str]:
    """All published versions of a package that are no pre-releases, oldest first."""
    require_client("npm", "install Node.js")
    listed = run(["npm", "view", package, "versions", "--json"]).stdout
    stable = [version for version in json.loads(listed) if re.fullmatch(r"\d+\.\d+\.\d+", version)]
    return sorted(stable, key=lambda version: tuple(map(int, version.split("."))))


def npm_pack(package: str, version: str, into: Path) -> Path:
    """Downloads one version of a package into a folder; the path of its tarball."""
    require_client("npm", "install Node.js")
    into.mkdir(parents=True, exist_ok=True)
    packed = run(["npm", "pack", "--silent", f"{package}@{version}"], cwd=into).stdout.split()
    if not packed:
        raise FetchError(f"npm pack {package}@{version} brought nothing")
    return into / packed[-1]


def require_client(name: str, advice: str) -> None:
    if shutil.which(name) is None:
        raise FetchError(f"{name} is not on this machine: {advice}")


def run(command: Sequence[str], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The finished command, or `FetchError` with the last thing it said."""
    result = subprocess.run(command, cwd=cwd, text=True, capture_output=True, check=False)
    if result.returncode != 0:
        raise FetchError(f"{' '.join(command)} failed: {last_line(result.stderr)}")
    return result


def last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it said nothing"
