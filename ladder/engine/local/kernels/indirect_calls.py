"""Calls, by their addresses, of functions that were compiled for one program.

The address is data, so that kernels with such calls are kept on disk like all others.
"""

import ctypes


def call_at(address, left, right):
    """Return the result, an int64, of calling the function at an address with two int64."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(int(address))(int(left), int(right))
