"""Machine code in this process: linked by LLVM in llvmlite, which knows the processor, and called through ctypes."""

import ctypes
import pickle
from dataclasses import dataclass
from functools import cache
from typing import Any

import llvmlite
from llvmlite import binding

from . import settings
from .arguments import RESERVED

# How a function that numba has compiled says that it has ended well: with a result or without one.
_RESULT, _NO_RESULT = 0, -2
WORD = 8


# ---- the processor


def processor() -> str:
    """Return the name of the processor that is compiled for: this machine's, unless NUMBA_CPU_NAME names another."""
    return settings.PROCESSOR or str(binding.get_host_cpu_name())


def features() -> dict[str, bool]:
    """Return which features this machine's processor has, by LLVM's names."""
    return dict(binding.get_host_cpu_features())


@cache
def target(level: str = "") -> str:
    """Return what compiled code depends on besides its sources: the processor and its features, or a level of them, and
    the version of what compiles."""
    triple = binding.get_process_triple()
    has = settings.FEATURES if settings.FEATURES is not None else binding.get_host_cpu_features().flatten()
    return repr((triple, *((level, "") if level else (processor(), has)), llvmlite.__version__))


# ---- linking


@dataclass(frozen=True)
class Code:
    """The machine code of an entry point, as an object file: what it calls is in it, or in the C library.

    `symbol`: the name of its function in there.
    """

    symbol: str
    content: bytes

    def packed(self) -> bytes:
        """Return it as bytes."""
        return self.symbol.encode() + b"\n" + self.content

    @classmethod
    def unpacked(cls, packed: bytes) -> "Code":
        """Return what was packed."""
        symbol, _, content = packed.partition(b"\n")
        return cls(symbol.decode(), content)


@cache
def _linker() -> Any:
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    triple = binding.get_process_triple()
    machine = binding.Target.from_triple(triple).create_target_machine(reloc="default", codemodel="jitdefault")
    module = binding.parse_assembly("")
    module.triple, module.data_layout = triple, str(machine.target_data)
    return binding.create_mcjit_compiler(module, machine)


def load(code: Code) -> "Native":
    """Return a function that can be called."""
    linker = _linker()
    linker.add_object_file(binding.ObjectFileRef.from_data(code.content))
    linker.finalize_object()
    return Native(linker.get_function_address(code.symbol))


def offer(name: str, address: int) -> None:
    """Tell the linker the address of a function that compiled code calls by name."""
    binding.add_symbol(name, address)


# ---- calling


class _Raised(ctypes.Structure):
    """What compiled code raises (numba's `excinfo_t`): a pickle of the exception's class and arguments."""

    _fields_ = (
        ("pickle", ctypes.c_void_p),
        ("size", ctypes.c_int32),
        ("hash", ctypes.c_void_p),
        ("make", ctypes.c_void_p),
        ("allocated", ctypes.c_int32),
    )


class Native:
    """A compiled entry point: called with the words of its arguments (`arguments`), it returns a number.

    It is a function of numba's calling convention: of the address for its result, the address for the address of what
    it raises, and its argument.
    """

    _type = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)

    def __init__(self, address: int) -> None:
        self._function = self._type(address)

    def __call__(self, words: Any) -> int:
        """Call it without the GIL. Kernels that check indices and addresses (NUMBA_BOUNDSCHECK) raise IndexError; no
        others raise anything."""
        result = ctypes.addressof(words)
        ended = self._function(result, result + WORD, result + RESERVED * WORD)
        if ended != _RESULT and ended != _NO_RESULT:
            raise _exception(ended, words[1])
        return words[0]  # type: ignore[no-any-return]


def _exception(ended: int, address: int) -> BaseException:
    if ended < 0 or not address:
        return RuntimeError(f"A kernel ended with code {ended}.")
    raised = _Raised.from_address(address)
    kind, arguments, *_ = pickle.loads(ctypes.string_at(raised.pickle, raised.size))
    return kind(*(arguments or ()))  # type: ignore[no-any-return]
