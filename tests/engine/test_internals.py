"""Which of numba's private names are relied on: that they exist in the version that is installed, and that one module
alone uses them."""

from __future__ import annotations

import ast
import ctypes
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numba
import pytest
from numba import int64, njit
from numba.core import cgutils, compiler

import ladder
from ladder.engine.local.kernels import internals, loading
from ladder.engine.local.kernels.arguments import RESERVED
from ladder.engine.local.kernels.loading import load

ROOT = Path(ladder.__file__).parents[1]
FENCE = Path(internals.__file__)
LINKING = Path(loading.__file__)  # the one module that uses llvmlite, of which it has what its documentation names
# Of numba, what its documentation names (https://numba.readthedocs.io, "Extending Numba", "Event API", "Exceptions"):
# no other module has more.
PUBLIC = re.compile(r"numba(\.(extending|types|core\.(event|errors)))?")

# owner → names; of a class those that it defines, `…()` those that its instances get
RELIED_ON = {
    "library": "_finalized _linking_libraries enable_object_caching finalize get_pointer_to_function "
    "serialize_using_object_code",
    "codegen": "set_env",
    "dispatcher": "compile overloads",
    "state of a compilation": "library targetctx",
    "compiler": "compile_extra define_pipelines",
    "passes": "define_nopython_pipeline",
    "result": "fndesc library",
    "result's description": "llvm_func_name",
    "target": "codegen call_conv get_dummy_value pack_value unpack_value",
    "cgutils": "create_struct_proxy unpack_tuple",
}


@pytest.fixture(scope="module")
def owners() -> dict[str, object]:
    """Something of each kind that has such names: what numba makes of a function."""
    state = {}

    class Pipeline(compiler.Compiler):
        def compile_extra(self, func):
            state["of"] = self.state
            return super().compile_extra(func)

    @njit(pipeline_class=Pipeline)
    def one(x):
        return x + 1

    assert one(1) == 2
    (result,) = one.overloads.values()
    return {
        "library": result.library,
        "codegen": result.library.codegen,
        "dispatcher": one,
        "state of a compilation": state["of"],
        "compiler": compiler.Compiler,
        "passes": compiler.DefaultPassBuilder,
        "result": result,
        "result's description": result.fndesc,
        "target": result.target_context,
        "cgutils": cgutils,
    }


@pytest.mark.parametrize("owner", RELIED_ON)
def test_private_names_exist(owners: dict[str, object], owner: str) -> None:
    missing = [name for name in RELIED_ON[owner].split() if not hasattr(owners[owner], name)]
    assert not missing, (
        f"numba {numba.__version__}: {owner} lacks {missing}. "
        f"Adapt {FENCE.name} before the bound in pyproject.toml is raised."
    )


def test_numba_is_bound() -> None:
    project = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text())["project"]
    (bound,) = [text for text in project["dependencies"] if text.startswith("numba")]
    major, minor = numba.__version__.split(".")[:2]
    assert bound == f"numba>=0.{minor},<0.{int(minor) + 1}" and major == "0", (
        f"{bound} does not bound the version that is tested, {numba.__version__}"
    )


@pytest.mark.slow
def test_one_module_alone_uses_them() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}: {what}"
        for path in Path(ladder.__file__).parent.rglob("*.py")
        if path not in (FENCE, LINKING)
        for line, what in uses(path)
    }
    assert not found, f"Put these into {FENCE.name}, and their names into RELIED_ON: {sorted(found)}"


def test_each_private_name_that_the_module_uses_is_listed() -> None:
    listed = {name for names in RELIED_ON.values() for name in names.split()}
    own = {node.name for node in ast.walk(tree(FENCE)) if isinstance(node, ast.FunctionDef | ast.ClassDef)} | {
        "_getvalue",
    }
    used = {
        node.attr
        for node in ast.walk(tree(FENCE))
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__")
    }
    assert used <= listed | own, f"not listed: {used - listed - own}"


def test_structs_have_values() -> None:
    assert hasattr(cgutils._StructProxy, "_getvalue")


@pytest.mark.slow
def test_what_is_compiled_needs_nothing_but_the_c_library() -> None:
    """A function is compiled as entry points are, and called; its object file names nothing of Python or numba."""

    def sum_of(address):
        total = 0.0
        for number in range(address):
            total += number**0.5
        return int64(total)

    code = internals.compiled_whole(sum_of, (int64,))
    names = set(re.findall(rb"[A-Za-z_]{3,}", code.content[-len(code.content) // 2 :]))
    assert not {name for name in names if name.startswith((b"Py", b"NRT_", b"numba_"))}
    words = (ctypes.c_int64 * RESERVED)()
    native = load(code)
    assert native._function(ctypes.addressof(words), ctypes.addressof(words) + 8, 10) == 0
    assert words[0] == 19


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def uses(path: Path) -> Iterator[tuple[int, str]]:
    """What a module imports that numba does not document, and private names that a module which imports numba takes
    from others' objects."""
    imports = list[str]()
    for node in ast.walk(tree(path)):
        names = (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module in ("numba", "numba.core"):
            names = [f"{node.module}.{alias.name}" for alias in node.names if node.module == "numba.core"] or names
        for name in names:
            if name.split(".")[0] in ("numba", "llvmlite") and not (isinstance(node, ast.ImportFrom) and node.level):
                imports.append(name)
                if not PUBLIC.fullmatch(name):
                    yield node.lineno, name
    if imports:
        for node in ast.walk(tree(path)):
            if (
                isinstance(node, ast.Attribute)
                and re.fullmatch(r"_[a-z]\w*", node.attr)
                and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls", "os"))
            ):
                yield node.lineno, f"._{node.attr.removeprefix('_')}"
