"""Small files and folders on any storage to which Spark writes (local folders, HDFS, object stores), accessed by the
driver."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ladder.spark.internals import hadoop_settings, jvm_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # of a URI; one letter is a drive

ESCAPED = {ord(character): f"\\{character}" for character in "[]{}*?"}


class Storage:
    """A folder, as a path of this machine or a URI; names in it have no slashes at their ends."""

    def __init__(self, spark: SparkSession, folder: str) -> None:
        # Hadoop decodes no %20
        self.uri = folder.rstrip("/") if SCHEME.match(folder) else f"file:{Path(folder).absolute().as_posix()}"
        self._jvm = jvm = jvm_of(spark)
        self._path: Any = jvm.org.apache.hadoop.fs.Path
        self._files = self._path(self.uri).getFileSystem(hadoop_settings(spark))

    @property
    def local(self) -> Path | None:
        """The path of the folder if it is on this machine; None otherwise."""
        return Path("/" + self.uri.removeprefix("file:").lstrip("/")) if self.uri.startswith("file:") else None

    def of(self, name: str) -> str:
        """The URI of something in the folder."""
        return f"{self.uri}/{name}"

    def pattern(self, name: str) -> str:
        """Return the URI of something in the folder for Spark's readers, which take what they are given for
        patterns."""
        return self.of(name).translate(ESCAPED)

    def names(self) -> list[str]:
        """The names in the folder; none if it does not exist."""
        if not self._files.exists(self._path(self.uri)):
            return []
        return sorted(found.getPath().getName() for found in self._files.listStatus(self._path(self.uri)))

    def read(self, name: str) -> str:
        """The text of a file."""
        stream = self._files.open(self._path(self.of(name)))
        try:
            return str(self._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8"))
        finally:
            stream.close()

    def write(self, name: str, text: str) -> None:
        """Write a file atomically; a file with this name must not exist."""
        unfinished = self._path(self.of(f"_{name}.unfinished"))
        stream = self._files.create(unfinished, True)
        try:
            stream.write(bytearray(text.encode("utf-8")))
        finally:
            stream.close()
        if not self._files.rename(unfinished, self._path(self.of(name))):
            raise FileExistsError(self.of(name))

    def delete(self, name: str) -> None:
        """Delete a file or a folder with all that is in it."""
        self._files.delete(self._path(self.of(name)), True)

    def delete_if_empty(self) -> None:
        """Delete the folder itself if nothing is left in it."""
        path = self._path(self.uri)
        if self._files.exists(path) and not self._files.listStatus(path):
            self._files.delete(path, False)
