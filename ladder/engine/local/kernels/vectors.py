"""`Vector` and `Table`, the numba types of arrays at an address, and what accessors are in compiled code.

Compiled code sees a pointer and a length, nothing else: no reference counts, no strides and no negative indices. This
saves a quarter of the kernels' run time. Where something is compiled, this module is imported once.
"""

import operator
import re
from functools import cache

from numba import types
from numba.extending import intrinsic, lower_builtin, models, register_model

from . import settings
from .granted import SYMBOL
from .indirect_calls import call_at
from .internals import AbstractTemplate, cgutils, from_dtype, infer_global, ir, made, part, signature
from .memory import ACCESSORS, prefetch


class Vector(types.Type):
    """A one-dimensional array of items; `vector[i]` is a scalar, or a reference to a record."""

    def __init__(self, item):
        self.item = item
        super().__init__(f"Vector({item})")


class Increments(Vector):
    """A Vector that stores each number less 1, so that memory which was never written (zeros) reads as ones.

    A number that is stored already is not written again, so that pages that hold only ones are never allocated.
    """


class Table(types.Type):
    """A two-dimensional array of items, row by row; `table[i, j]` is an item and `table[i]` a Vector."""

    def __init__(self, item):
        self.item = item
        super().__init__(f"Table({item})")


@register_model(Increments)
@register_model(Vector)
class _VectorModel(models.StructModel):
    def __init__(self, manager, vector):
        super().__init__(manager, vector, [("data", types.CPointer(vector.item)), ("length", types.intp)])


@register_model(Table)
class _TableModel(models.StructModel):
    def __init__(self, manager, table):
        fields = [("data", types.CPointer(table.item)), ("length", types.intp), ("width", types.intp)]
        super().__init__(manager, table, fields)


PAIR = types.UniTuple(types.intp, 2)


@infer_global(operator.getitem)
class _TypeOfItem(AbstractTemplate):
    def generic(self, arguments, keywords):
        array, index = arguments
        if isinstance(array, Vector) and isinstance(index, types.Integer):
            return signature(array.item, array, types.intp)
        if isinstance(array, Table) and isinstance(index, types.Integer):
            return signature(Vector(array.item), array, types.intp)
        if isinstance(array, Table) and isinstance(index, types.BaseTuple):
            return signature(array.item, array, PAIR)


@infer_global(operator.setitem)
class _TypeOfSetItem(AbstractTemplate):
    def generic(self, arguments, keywords):
        array, index, value = arguments
        if isinstance(array, Vector) and isinstance(index, types.Integer):
            return signature(types.none, array, types.intp, array.item)
        if isinstance(array, Table) and isinstance(index, types.BaseTuple):
            return signature(types.none, array, PAIR, array.item)


def _item_pointer(context, builder, array_type, array, index):
    """Return the address of an item; the index is one number for a Vector, a pair for a Table."""
    array = cgutils.create_struct_proxy(array_type)(context, builder, array)
    if isinstance(array_type, Table):
        row, column = cgutils.unpack_tuple(builder, index, 2)
        _check(context, builder, row, array.length)
        _check(context, builder, column, array.width)
        index = builder.add(builder.mul(row, array.width), column)
    else:
        _check(context, builder, index, array.length)
    return builder.gep(array.data, [index])


def _check(context, builder, index, length):
    if settings.CHECKED:
        with builder.if_then(builder.icmp_unsigned(">=", index, length), likely=False):  # as a negative one is, too
            context.call_conv.return_user_exc(
                builder, IndexError, (f"{_kernel(builder)} uses an index that is out of bounds.",)
            )


def _kernel(builder):
    """Return the name of the function that is being compiled."""
    parts = re.match(r"_ZN((?:\d+\w+?)+)B", builder.function.name)
    return builder.function.name if parts is None else _last_part(parts[1])


def _last_part(mangled):
    """Return the last part of a mangled name, in which each part is preceded by its length."""
    name = mangled
    while mangled and mangled[0].isdigit():
        digits = re.match(r"\d+", mangled)[0]
        name, mangled = mangled[len(digits) : len(digits) + int(digits)], mangled[len(digits) + int(digits) :]
    return name


@lower_builtin(operator.getitem, Vector, types.intp)
@lower_builtin(operator.getitem, Table, PAIR)
def _load_item(context, builder, sig, arguments):
    pointer = _item_pointer(context, builder, sig.args[0], *arguments)
    return context.unpack_value(builder, sig.return_type, pointer)


@lower_builtin(operator.setitem, Vector, types.intp, types.Any)
@lower_builtin(operator.setitem, Table, PAIR, types.Any)
def _store_item(context, builder, sig, arguments):
    array, index, value = arguments
    pointer = _item_pointer(context, builder, sig.args[0], array, index)
    context.pack_value(builder, sig.args[2], value, pointer)
    return context.get_dummy_value()


@lower_builtin(operator.getitem, Increments, types.intp)
def _load_number(context, builder, sig, arguments):
    less = _load_item(context, builder, sig, arguments)
    return builder.add(less, less.type(1))


@lower_builtin(operator.setitem, Increments, types.intp, types.Any)
def _store_number(context, builder, sig, arguments):
    array, index, value = arguments
    pointer = _item_pointer(context, builder, sig.args[0], array, index)
    less = builder.sub(value, value.type(1))
    with builder.if_then(builder.icmp_unsigned("!=", builder.load(pointer), less)):
        builder.store(less, pointer)
    return context.get_dummy_value()


@lower_builtin(operator.getitem, Table, types.intp)
def _table_row(context, builder, sig, arguments):
    table = cgutils.create_struct_proxy(sig.args[0])(context, builder, arguments[0])
    _check(context, builder, arguments[1], table.length)
    row = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    row.data = builder.gep(table.data, [builder.mul(arguments[1], table.width)])
    row.length = table.width
    return made(row)


@infer_global(len)
class _TypeOfLength(AbstractTemplate):
    def generic(self, arguments, keywords):
        (array,) = arguments
        if isinstance(array, (Vector, Table)):
            return signature(types.intp, array)


@lower_builtin(len, Vector)
@lower_builtin(len, Table)
def _length(context, builder, sig, arguments):
    return cgutils.create_struct_proxy(sig.args[0])(context, builder, arguments[0]).length


@intrinsic
def _prefetch(typing_context, array, index):
    def generate(context, builder, sig, arguments):
        value = cgutils.create_struct_proxy(sig.args[0])(context, builder, arguments[0])
        offset = builder.mul(arguments[1], value.width) if isinstance(sig.args[0], Table) else arguments[1]
        number = ir.IntType(32)
        address = builder.bitcast(builder.gep(value.data, [offset]), ir.PointerType(ir.IntType(8)))
        wanted = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [address.type], wanted)
        builder.call(function, [address, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.none(array, types.intp), generate


# ---- calls

WORD = ir.IntType(64)
OF_TWO = ir.FunctionType(WORD, [WORD, WORD])


@intrinsic
def _compiled_call(typing_context, address, left, right):
    def generate(context, builder, sig, arguments):
        return builder.call(builder.inttoptr(arguments[0], OF_TWO.as_pointer()), arguments[1:])

    return types.int64(types.int64, types.int64, types.int64), generate


# what compiled code calls for these functions
COMPILED = {prefetch: _prefetch, call_at: _compiled_call}


# ---- accessors

_is_granted = types.ExternalFunction(SYMBOL, types.int64(types.int64, types.int64))


@part
def _require(address, size):
    """Return the address, if `size` bytes from there on are granted; raise IndexError otherwise."""
    if _is_granted(address, size) == 0:
        raise IndexError("A kernel uses memory that was not granted.")
    return address


@cache
def compiled_accessor(array_at):
    """Return what compiled code calls for an accessor."""
    of = ACCESSORS[array_at]
    kind = Increments if of.increments else Vector if of.dimensions == 1 else Table
    made_type, dimensions, size = kind(from_dtype(of.item)), of.dimensions, of.item.itemsize

    @intrinsic
    def compiled(typing_context, address, *shape):
        def generate(context, builder, sig, arguments):
            array = cgutils.create_struct_proxy(made_type)(context, builder)
            array.data = builder.inttoptr(arguments[0], array.data.type)
            shape = cgutils.unpack_tuple(builder, arguments[1], dimensions)
            array.length = shape[0]
            if dimensions == 2:
                array.width = shape[1]
            return made(array)

        return made_type(types.intp, types.UniTuple(types.intp, dimensions)), generate

    def of_one(address, length):
        return compiled(_require(address, length * size), length)

    def of_two(address, length, width):
        return compiled(_require(address, length * width * size), length, width)

    if settings.CHECKED and of.checked:
        return part(of_one if dimensions == 1 else of_two)
    return compiled
