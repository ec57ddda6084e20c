"""Names that the virtual machine allows and Java does not (JVMS 4.2): `a<b`, `f(int)`, `x,y`.

Rules take types and ids of members apart at such characters, so that facts have them as `%` and their number in
hexadecimal digits, as in a URL: `a%3Cb`. Obfuscators write such names, and so does who wants a run to end in an error.
"""

from __future__ import annotations

import re

_ODD = re.compile(r"^[-+]|[\x00-\x1f\x7f!\"#%&'()*,:;<=>?@\[\\\]^`{|}~\ud800-\udfff]")
_SPECIAL = frozenset(("<init>", "<clinit>"))


def written(name: str) -> str:
    """Return a name of a class, a member or a variable as facts have it; almost always the name itself."""
    if name.isidentifier() or name in _SPECIAL or not _ODD.search(name):
        return name
    return _ODD.sub(lambda odd: f"%{ord(odd[0]):02X}", name)
