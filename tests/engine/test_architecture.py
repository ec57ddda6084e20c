"""What ARCHITECTURE.md and the import contracts promise."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import ladder

ROOT = Path(__file__).parents[2]
PACKAGES = Path(ladder.__file__).parents[1]  # not beside the tests where the installed wheel is tested


def exists(path: str) -> bool:
    packages = (PACKAGES, PACKAGES / "ladder")  # the wheel has `benchmarks/ladder_bench` beside `ladder`
    return (ROOT / path).exists() or any((p / path.removeprefix("benchmarks/")).exists() for p in packages)


def test_every_path_of_the_code_map_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    table = [line for line in text.splitlines() if line.startswith("| `")]
    paths = [path for line in table for path in re.findall(r"`([^`]+)`", line.split("|")[1])]
    assert len(paths) > 30
    assert [path for path in paths if not exists(path)] == []
    named = {path for path in re.findall(r"`([\w./-]+/[\w./-]+|\w+\.\w+)`", text) if path not in ("core.py",)}
    assert [path for path in named if not exists(path)] == []


def test_every_package_is_on_the_map() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    packages = {path.parent.name for path in (PACKAGES / "ladder").glob("*/__init__.py")}
    assert len(packages) > 5
    assert [name for name in sorted(packages) if f"`ladder/{name}" not in text] == []


def test_imports_keep_their_contracts() -> None:
    script = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


def test_importing_ladder_imports_nothing_heavy() -> None:
    script = (
        "import sys, ladder; print(*{'numba', 'numpy', 'pyspark', 'pyarrow', 'pandas', 'lark'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("\n", "")


def test_tests_import_helpers_from_helper_modules() -> None:
    """Not from each other: a test may be moved, split or removed without a look at others."""
    found = {
        f"{path.relative_to(ROOT)}: {module}"
        for path in (ROOT / "tests").rglob("*.py")
        for module in imported(path.read_text("utf-8"))
        if re.search(r"(^|\.)test_\w+", module)
    }
    assert found == set()


def imported(text: str) -> list[str]:
    """What a module imports, programs for other processes in its strings included."""
    nodes = list(ast.walk(ast.parse(text)))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [
        f"{node.module or ''}.{alias.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    strings = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return names + re.findall(r"\b(?:from|import) (tests\.[\w.]+)", "\n".join(strings))


def test_what_kernels_take_is_described() -> None:
    """Each parameter of a kernel that Python calls stands in the package's table, or in the kernel's own docstring."""
    folder = PACKAGES / "ladder/engine/local/kernels"
    table = re.findall(r"\w+", ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or "")
    kernels = {
        f"{path.stem}.{node.name}": node
        for path in folder.glob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(decorator).split("(")[0] == "entry_point" for decorator in node.decorator_list)
    }
    assert len(kernels) > 30
    missing = [
        f"{name}: {parameter.arg}"
        for name, node in kernels.items()
        for parameter in node.args.args
        if parameter.arg not in {*table, *re.findall(r"\w+", ast.get_docstring(node) or "")}
    ]
    assert missing == []
