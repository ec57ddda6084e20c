"""Names in the files that lie beside Java sources: properties, XML, and the providers in `META-INF/services`.

A file of `META-INF/services` is named after a service and has the name of a provider on each line. Of all these files,
names are taken by how they look, too: nothing is parsed as what it is, since it may be anything. Dotted names count
wherever they stand, plain ones only as a whole value: of a property, of an attribute or element, or on a line of its
own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ladder.frontends.protocol import Resources

NAME = r"[^\W\d][\w$]*"
DOTTED = re.compile(rf"(?<![\w.$/-]){NAME}(?:\.{NAME})+(?![\w$/-]|\.\w)")
WHOLE = re.compile(rf"(?m)(?:[=:>,;\"']|^)[ \t]*({NAME})[ \t]*(?=[\"'<,;]|\r?$)")
PROVIDER = re.compile(rf"{NAME}(?:\.{NAME})*")
MOST_NAMES = 100_000  # of a file; a file with more is no configuration


def names(data: bytes) -> Iterable[str]:
    """The names in the bytes of a file, each once; none if there are more than `MOST_NAMES`."""
    text = data.decode("utf-8", "replace")
    found = {match[0] for match in DOTTED.finditer(text)} | {match[1] for match in WHOLE.finditer(text)}
    return found if len(found) <= MOST_NAMES else ()


def providers(path: str, data: bytes) -> Iterable[tuple[str, str]]:
    """(service, provider) of a file of `META-INF/services`, by binary names, as `ServiceLoader` reads it."""
    service, found = path.rpartition("/")[2], set()
    for line in data.decode("utf-8", "replace").splitlines():
        provider = line.partition("#")[0].strip()
        if PROVIDER.fullmatch(provider):
            found.add((service, provider))
    return found if len(found) <= MOST_NAMES else ()


SERVICES = "META-INF/services/"
RESOURCES = (
    Resources(
        relation="ResourceName",
        suffixes=(".properties", ".xml"),
        folders=(SERVICES,),
        rows=lambda _path, data: ((name,) for name in names(data)),
        policies=frozenset({"resources", "casts"}),
    ),
    Resources(
        relation="ServiceProvider",
        suffixes=(),
        folders=(SERVICES,),
        rows=providers,
        policies=frozenset({"strings", "resources", "casts"}),
    ),
)
