"""Which of numba's private names are relied on: that they exist in the version that is installed, and that one module
alone uses them."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numba
import pytest
from llvmlite import binding
from numba import njit
from numba.core import cgutils, codegen, compiler, serialize
from numba.core.runtime import _nrt_python

import ladder
from ladder.engine.local.kernels import internals

ROOT = Path(ladder.__file__).parents[1]
FENCE = Path(internals.__file__)
# Of numba, what its documentation names (https://numba.readthedocs.io, "Extending Numba", "Event API", "Exceptions"):
# no other module has more.
PUBLIC = re.compile(r"numba(\.(extending|types|core\.(event|errors)))?")

# owner → names; of a class those that it defines, `…()` those that its instances get
RELIED_ON = {
    "library": "_codegen _finalize_final_module _finalized _get_module_for_linking _linking_libraries "
    "_set_compiled_object _shared_module "
    "enable_object_caching finalize get_pointer_to_function serialize_using_object_code",
    "codegen": "_engine magic_tuple set_env",
    "engine": "get_function_address",
    "dispatcher": "_cache",
    "state of a compilation": "library targetctx",
    "compiler": "compile_extra",
    "result": "environment fndesc library reload_init signature target_context typing_context",
    "result's description": "calltypes typemap",
    "target": "codegen get_executable call_conv get_dummy_value pack_value unpack_value",
    "cgutils": "create_struct_proxy unpack_tuple",
    "serialize": "dumps",
    "runtime": "c_helpers",
    "llvmlite": "add_symbol get_host_cpu_name parse_bitcode",
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
        "engine": result.library.codegen._engine,
        "dispatcher": one,
        "state of a compilation": state["of"],
        "compiler": compiler.Compiler,
        "result": result,
        "result's description": result.fndesc,
        "target": result.target_context,
        "cgutils": cgutils,
        "serialize": serialize,
        "runtime": _nrt_python,
        "llvmlite": binding,
    }


@pytest.mark.parametrize("owner", RELIED_ON)
def test_private_names_exist(owners: dict[str, object], owner: str) -> None:
    missing = [name for name in RELIED_ON[owner].split() if not hasattr(owners[owner], name)]
    assert not missing, (
        f"numba {numba.__version__}: {owner} lacks {missing}. "
        f"Adapt {FENCE.name} before the bound in pyproject.toml is raised."
    )


def test_classes_are_made_as_they_are_called() -> None:
    """What `internals` makes by itself has the fields that it gives: those of a result, the library by its code
    generator and name."""
    given = {
        "typing_context",
        "target_context",
        "entry_point",
        "typing_error",
        "type_annotation",
        "signature",
        "objectmode",
        "lifted",
        "fndesc",
        "library",
        "call_helper",
        "environment",
        "metadata",
        "reload_init",
        "referenced_envs",
    }
    assert given == set(compiler.CompileResult._fields)
    assert issubclass(codegen.JITCodeLibrary, codegen.CodeLibrary)


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
        if path != FENCE
        for line, what in uses(path)
    }
    assert not found, f"Put these into {FENCE.name}, and their names into RELIED_ON: {sorted(found)}"


def test_each_private_name_that_the_module_uses_is_listed() -> None:
    listed = {name for names in RELIED_ON.values() for name in names.split()}
    own = {node.name for node in ast.walk(tree(FENCE)) if isinstance(node, ast.FunctionDef | ast.ClassDef)} | {
        "_bitcode",
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


def test_entry_points_ask_the_cache() -> None:
    """Numba asks what `keep_by` has given: were its dispatchers to look elsewhere, each process would compile anew."""
    asked = []

    class Cache:
        cache_path = ""

        def load_overload(self, signature, target):
            asked.append((signature, internals.target_of(target)))

        def save_overload(self, signature, result):
            asked.append(
                internals.restored(result.target_context, *compiling_of(internals.packed(result))).entry_point
                is not None
            )

    def twice(x):
        return 2 * x

    dispatcher = njit(nogil=True, no_cfunc_wrapper=True, pipeline_class=internals.CompileWhole)(twice)
    internals.keep_by(dispatcher, Cache())
    assert dispatcher(4) == 8
    (signature, target), kept = asked
    assert numba.__version__ in target and kept is True and len(signature) == 1


def compiling_of(data: bytes) -> tuple[object, ...]:
    import pickle

    return pickle.loads(data)


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
