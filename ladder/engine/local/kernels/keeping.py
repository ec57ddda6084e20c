"""Compiled entry points on disk: found by their sources, loaded without what numba needs for compiling.

Numba's own cache notices a change in the file of the entry point only, not in the helpers that were compiled into it, nor of
NUMBA_BOUNDSCHECK. So the cache lives in a directory named after the sources of the whole package and that setting; every
installation with the same sources shares it, wherever it lies. In it there is a file for each function and form of arguments.
"""
import hashlib
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba.core import config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.runtime import _nrt_python
from numba.core.serialize import dumps

from ladder.files import write_atomically
from ladder.signals import Undisturbed

PACKAGE = Path(__file__).parent
DIGEST = 16  # bytes before each file's content that tell whether it is whole
KEPT = 8  # directories, of this and of other versions


def _fingerprint() -> str:
    sources = b"".join(path.read_bytes() for path in sorted(PACKAGE.glob("*.py")))
    return hashlib.sha256(sources + str(config.BOUNDSCHECK).encode()).hexdigest()[:16]


def _digest(content: bytes | memoryview) -> bytes:
    return hashlib.blake2b(content, digest_size=DIGEST).digest()


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _directory() -> Path:
    """In the user's cache directory; beside the sources, or in a temporary place, where that cannot be written."""
    name = f"kernels-{_fingerprint()}"
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ladder" / name
    beside = PACKAGE / "__pycache__" / name
    return next((folder for folder in (user, beside) if _writable(folder)), Path(tempfile.gettempdir()) / f"ladder-{os.getuid()}" / name)


CACHE = _directory()
with suppress(OSError):
    os.utime(CACHE)     # `prune` keeps what was used last


class Loaded(JITCodeLibrary):
    """Machine code from the cache; its intermediate code is parsed only if another entry point is to contain it."""

    def __init__(self, codegen: Any, name: str, machine_code: bytes, bitcode: bytes) -> None:
        super().__init__(codegen, name)
        self._bitcode = bitcode
        self.enable_object_caching()
        self._set_compiled_object(machine_code)
        self._finalize_final_module()

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function."""
        return int(self._codegen._engine.get_function_address(name))

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = binding.parse_bitcode(self._bitcode)
        return self._shared_module


class Kept:
    """What a dispatcher asks before it compiles, and tells afterwards: the interface of numba's caches."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"

    @property
    def cache_path(self) -> str:
        """The directory."""
        return str(CACHE)

    def load_overload(self, signature: Any, target: Any) -> CompileResult | None:
        """The compiled function for these types of arguments, None where there is none or it is damaged."""
        try:
            content = self._file(signature, target).read_bytes()
        except OSError:
            return None
        payload = memoryview(content)[DIGEST:]
        if content[:DIGEST] != _digest(payload):
            return None
        stored = pickle.loads(payload)
        _offer_runtime()
        with Undisturbed():     # numba calls Python from C in between, where what a signal raises is lost
            return _restored(target, *stored)

    def save_overload(self, signature: Any, result: CompileResult) -> None:
        """Keep a compiled function; where the disk is full or read-only, it is compiled again the next time."""
        name, _, code = result.library.serialize_using_object_code()
        result.fndesc.typemap = result.fndesc.calltypes = None     # of use in compiling only
        payload = dumps((name, code, result.fndesc, result.environment, result.signature, result.reload_init))
        try:
            CACHE.mkdir(parents=True, exist_ok=True)
            write_atomically(self._file(signature, result.target_context), _digest(payload) + payload)
        except OSError:
            return

    def _file(self, signature: Any, target: Any) -> Path:
        form = hashlib.sha256(repr((signature, target.codegen().magic_tuple(), numba.__version__)).encode()).hexdigest()[:16]
        return CACHE / f"{self._name}-{form}"


def _restored(target: Any, name: str, code: tuple[bytes, bytes], fndesc: Any, environment: Any, signature: Any,
              reload_init: Any) -> CompileResult:
    for function in reload_init:
        function()
    library = Loaded(target.codegen(), name, *code)
    entry = target.get_executable(library, fndesc, environment)
    return CompileResult(typing_context=target.typing_context, target_context=target, entry_point=entry, typing_error=None, type_annotation="",
                         signature=signature, objectmode=False, lifted=(), fndesc=fndesc, library=library, call_helper=None,
                         environment=environment, metadata=None, reload_init=reload_init, referenced_envs=())


def _offer_runtime() -> None:
    """Tell the linker where numba's runtime is: all that loaded machine code needs of what numba sets up before compiling."""
    for name, address in _nrt_python.c_helpers.items():
        binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


def prune() -> None:
    """Remove all but the directories of the versions used last."""
    for folder in sorted(CACHE.parent.glob("kernels-*"), key=_used, reverse=True)[KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


def _used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:     # another process has just removed it
        return 0.0
