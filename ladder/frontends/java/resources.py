"""Names in the files that lie beside Java sources: properties, XML, and the providers in `META-INF/services`.

Nothing in such a file is parsed as what it is, since it may be anything; a name is found by how it looks. Dotted names
count wherever they stand, plain ones only as a whole value: of a property, of an attribute or element, or on a line of
its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ladder.frontends.protocol import Resources

NAME = r"[^\W\d][\w$]*"
DOTTED = re.compile(rf"(?<![\w.$/-]){NAME}(?:\.{NAME})+(?![\w$/-]|\.\w)")
WHOLE = re.compile(rf"(?m)(?:[=:>,;\"']|^)[ \t]*({NAME})[ \t]*(?=[\"'<,;]|\r?$)")
MOST_NAMES = 100_000  # of a file; a file with more is no configuration


def names(data: bytes) -> Iterable[str]:
    """The names in the bytes of a file, each once; none if there are more than `MOST_NAMES`."""
    text = data.decode("utf-8", "replace")
    found = {match[0] for match in DOTTED.finditer(text)} | {match[1] for match in WHOLE.finditer(text)}
    return found if len(found) <= MOST_NAMES else ()


RESOURCES = Resources(
    relation="ResourceName", suffixes=(".properties", ".xml"), folders=("META-INF/services/",), names=names
)
