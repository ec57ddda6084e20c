"""`entry_point`: a kernel that Python calls, which is compiled on its first call or loaded from disk; `helper`: a
function that only kernels call.

Both stay the Python functions that they are: what a kernel becomes with all that it calls is machine code that needs
neither Python nor numba (`machine_code`), and numba is imported only where something has to be compiled.
"""

import threading
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from . import settings
from .arguments import Form, Parameters, forms_of
from .loading import Code, Native, load
from .object_cache import complete, keep, kept

HELPERS: list[Callable[..., Any]] = []  # in the order of their definition
INLINED: set[Callable[..., Any]] = set()  # those whose code stands in each function that calls them
ENTRY_POINTS: dict[Callable[..., Any], "EntryPoint"] = {}  # by what Python calls

_lock = threading.RLock()  # one thread compiles or loads at a time


def helper(function: Any) -> Any:
    """Note a function that kernels call, and return it as it is."""
    HELPERS.append(function)
    return function


def inlined_helper(function: Any) -> Any:
    """Note a short function that kernels call very often, whose code shall stand where it is called; return it as it
    is."""
    INLINED.add(function)
    return helper(function)


class EntryPoint:
    """A kernel that Python calls."""

    def __init__(self, function: Callable[..., Any], forms: dict[str, Form | None]) -> None:
        self.function, self.forms = function, forms
        self.name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"
        self.parameters = Parameters(function.__name__, forms)
        self._native: Native | None = None

    def native(self) -> Native:
        """Return the machine code in this process."""
        with _lock:
            if self._native is None:
                if settings.CHECKED:
                    from .look_up import offer_look_up

                    offer_look_up()
                self._native = load(self.code())
            return self._native

    def code(self) -> Code:
        """Return the machine code as it is on disk, after it has been compiled if it was not there."""
        with _lock:
            code = kept(self.name)
            if code is None:
                from .machine_code import compile_entry_point

                entry_points = {called: entry.function for called, entry in ENTRY_POINTS.items()}
                code = compile_entry_point(self.function, self.forms, HELPERS, INLINED, entry_points)
                keep(self.name, code)
            return code

    def __call__(self, *arguments: Any) -> int:
        """Call the kernel without the GIL; return its result as a number, 0 where it returns nothing."""
        words = self.parameters.packed(arguments)
        return (self._native or self.native())(words)


def entry_point(function: Any = None, /, **forms: Form) -> Any:
    """Make a function a kernel that Python calls. forms: what parameters take that are neither numbers nor take what is
    usual for their names (`arguments.USUAL`)."""
    if function is None:
        return lambda function: entry_point(function, **forms)
    all_forms = forms_of(function, forms)
    if settings.PLAIN:
        return function
    entry = EntryPoint(function, all_forms)
    called = _named(function, entry)
    ENTRY_POINTS[called] = entry
    return called


def _named(function: Any, entry: EntryPoint) -> Any:
    """Return a function that calls the kernel in a frame named after it, so that the report of a crash (`faulthandler`)
    names the kernel."""

    def call(*arguments: Any) -> Any:
        return entry(*arguments)

    code = function.__code__
    call.__code__ = call.__code__.replace(
        co_name=f"kernel {function.__name__}", co_filename=code.co_filename, co_firstlineno=code.co_firstlineno
    )
    return update_wrapper(call, function)


def compiled() -> bool:
    """Return whether all kernels are compiled already; otherwise their first use takes about half a minute."""
    return settings.PLAIN or complete()
