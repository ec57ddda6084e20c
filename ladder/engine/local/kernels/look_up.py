"""The compiled twin of `granted.is_granted`, for builds that check addresses."""

from functools import cache
from typing import Any

from numba import cfunc, int64, types

from . import memory
from .granted import ADDRESS, SYMBOL
from .loading import offer
from .vectors import compiled_accessor


@cache
def offer_look_up() -> Any:
    """Tell the linker where compiled kernels find the function that looks up whether memory is granted; it is compiled
    for this process only."""
    where = ADDRESS.__array_interface__["data"][0]
    longs_at = compiled_accessor(memory.longs_at)

    def look_up(address, size):  # type: ignore[no-untyped-def]
        if size <= 0:
            return int64(size == 0)
        table = longs_at(where, 1)[0]
        count = longs_at(table, 1)[0]
        numbers = longs_at(table, 1 + 2 * count)
        low, high = 0, count  # the first `low` starts are not behind the address
        while low < high:
            middle = (low + high) // 2
            if numbers[1 + middle] <= address:
                low = middle + 1
            else:
                high = middle
        return int64(low > 0 and numbers[count + low] >= address + size)

    compiled = cfunc(types.int64(types.int64, types.int64))(look_up)
    offer(SYMBOL, compiled.address)
    return compiled
