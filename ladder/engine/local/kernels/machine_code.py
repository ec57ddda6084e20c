"""Machine code of entry points, made by numba: imported only where something has to be compiled.

Kernels are plain Python functions that name each other. Here each helper gets a twin that numba compiles, in a copy of
its module's names in which all helpers are such twins, so that the modules themselves stay as they are.
"""

import sys
import types as python_types
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from numba import types
from numba.extending import overload

from .arguments import Form
from .internals import compiled_whole, part
from .loading import Code
from .memory import ACCESSORS, accessor, longs_at
from .vectors import COMPILED, compiled_accessor

Function = Callable[..., Any]

_names = dict[str, dict[str, Any]]()  # module → its names, for twins
_twins = dict[Any, Any]()  # function → what numba compiles


def compile_entry_point(
    kernel: Function,
    forms: Mapping[str, Form | None],
    helpers: Iterable[Function],
    inlined: Collection[Function],
    entry_points: Mapping[Function, Function],
) -> Code:
    """Compile an entry point with all that it calls: helpers, some of them `inlined`, and other entry points, which are
    given by what Python calls for them."""
    _make_twins(helpers, inlined, entry_points)
    function = _with_words(_twins[kernel], forms.values(), kernel.__name__)
    return compiled_whole(function, (types.int64,))


def _make_twins(
    helpers: Iterable[Function], inlined: Collection[Function], entry_points: Mapping[Function, Function]
) -> None:
    """Make twins of all functions that have none yet: modules are imported at any time."""
    for function in [*helpers, *entry_points.values()]:
        if function not in _twins:
            _twins[function] = part(_twin(function), function in inlined)
    for name, names in _names.items():
        for key, value in vars(sys.modules[name]).items():
            if isinstance(value, python_types.FunctionType):
                names[key] = _compiled(entry_points.get(value, value))


def _compiled(function: Function) -> Any:
    """What compiled code calls for a function."""
    if function in ACCESSORS:
        return compiled_accessor(function)
    return _twins.get(function) or COMPILED.get(function, function)


def _twin(function: Any) -> Function:
    """The same function among the names of twins."""
    names = _names.setdefault(function.__module__, dict(vars(sys.modules[function.__module__])))
    twin = python_types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    twin.__module__, twin.__qualname__ = function.__module__, function.__qualname__
    return twin


# ---- entry points


def _with_words(kernel: Any, forms: Iterable[Form | None], name: str) -> Callable[[int], int]:
    """Return a function that calls a kernel with the arguments at an address (see `arguments`)."""
    names: dict[str, Any] = {"kernel": kernel, "longs_at": _compiled(longs_at), "number": _number}
    words, given = 0, list[str]()
    for form in forms:
        count = 1 if form is None else form.words
        at = ", ".join(f"words[{place}]" for place in range(words, words + count))
        words += count
        if form is None:
            given.append(at)
            continue
        of = f"of_{words}"
        names[of] = _compiled(accessor(form.item, max(form.dimensions, 1), checked=False))
        given.append(f"{of}({at})" if form.dimensions else f"{of}({at}, 1)[0]")
    # the text names nothing but what is made here
    text = f"def {name}(address):\n words = longs_at(address, {words})\n return number(kernel({', '.join(given)}))"
    exec(text, names)  # noqa: S102
    return names[name]  # type: ignore[no-any-return]


def _number(result):  # type: ignore[no-untyped-def]
    """Return what a kernel returns as a number; 0 for None."""
    return int(result or 0)


@overload(_number)
def _compiled_number(result):  # type: ignore[no-untyped-def]
    if result == types.none:
        return lambda result: types.int64(0)
    return lambda result: types.int64(result)
