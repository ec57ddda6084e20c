"""What the environment says of how kernels run, by numba's variables, which are read here without importing numba.

NUMBA_DISABLE_JIT=1                    kernels run as the plain Python that they are written in
NUMBA_BOUNDSCHECK=1                    compiled kernels check every index, and every address (see `granted`)
NUMBA_CPU_NAME, NUMBA_CPU_FEATURES     the processor that is compiled for, by LLVM's names, instead of this machine's
"""

import os


def _switched_on(variable: str) -> bool:
    try:
        return bool(int(os.environ.get(variable, "0")))
    except ValueError:  # numba warns of it and goes on without
        return False


PLAIN = _switched_on("NUMBA_DISABLE_JIT")
CHECKED = _switched_on("NUMBA_BOUNDSCHECK")
PROCESSOR = os.environ.get("NUMBA_CPU_NAME")
FEATURES = os.environ.get("NUMBA_CPU_FEATURES")
