"""Calls, by their addresses, of functions that were compiled for one program.

The address is data, so that kernels with such calls are kept on disk like all others.
"""

import ctypes

from numba import types
from numba.extending import intrinsic, overload

from .internals import ir

WORD = ir.IntType(64)
OF_TWO = ir.FunctionType(WORD, [WORD, WORD])


@intrinsic
def _compiled_call(typing_context, address, left, right):
    def generate(context, builder, sig, arguments):
        return builder.call(builder.inttoptr(arguments[0], OF_TWO.as_pointer()), arguments[1:])

    return types.int64(types.int64, types.int64, types.int64), generate


def call_at(address, left, right):
    """Return the result, an int64, of calling the function at an address with two int64."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(int(address))(int(left), int(right))


overload(call_at)(lambda address, left, right: lambda address, left, right: _compiled_call(address, left, right))
