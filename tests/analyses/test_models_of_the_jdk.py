"""Shipped rows hold what the bytecode of a JDK does, for a sample of its classes; `benchmarks/models.py` compares
all."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import models
from measure import BenchmarkError

SAMPLE = (
    "java/lang/ref/Reference",
    "java/lang/ref/SoftReference",
    "java/lang/ref/WeakReference",
    "java/util/AbstractCollection",
    "java/util/AbstractList",
    "java/util/AbstractQueue",
    "java/util/AbstractSequentialList",
    "java/util/ArrayDeque",
    "java/util/ArrayList",
    "java/util/LinkedList",
    "java/util/Optional",
    "java/util/Stack",
    "java/util/Vector",
    "java/util/concurrent/atomic/AtomicReference",
    "java/util/concurrent/atomic/AtomicReferenceArray",
)
FOLLOWED = ("java.util", "java.lang.ref")
COMPARED = ("java.util", "java.util.concurrent.atomic", "java.lang.ref")


def sample(folder: Path) -> Path:
    """The classes of the sample, those in them and their interfaces, of the JDK of this machine."""
    try:
        module = models.java_base()
    except BenchmarkError as error:
        pytest.skip(str(error))
    if module.suffix != ".jmod" or not models.release(module).startswith("17."):
        pytest.skip(f"the exceptions are those of JDK 17 with its jmods; this one is {models.release(module)}")
    interfaces = ("Collection", "Deque", "Enumeration", "Iterator", "List", "ListIterator", "Queue")
    wanted = {*SAMPLE, *(f"java/util/{name}" for name in interfaces)}
    with zipfile.ZipFile(module) as archive:
        for name in archive.namelist():
            path = name.removeprefix("classes/").removesuffix(".class")
            if path.partition("$")[0] in wanted:
                target = folder / f"{path}.class"
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))
    return folder


@pytest.mark.slow
def test_rows_hold_what_a_sample_of_the_jdk_does(tmp_path: Path) -> None:
    classes = sample(tmp_path / "classes")
    found = models.of_group(classes, FOLLOWED, COMPARED, tmp_path / "state")
    report = models.Report(models.shipped(), found, models.Exceptions.of(models.EXCEPTIONS), COMPARED)
    assert len(found.whole) > 300 and len(found.confirmed) > 150
    assert [text for text, cause in report.missing.items() if not cause] == []
    set_ = "java.util.concurrent.atomic.AtomicReference.set(Object): Argument[0] -> Argument[this].Element"
    assert report.findings()["rows"][set_] == "confirmed"  # type: ignore[index]


def test_what_is_not_right_is_told() -> None:
    flow = ("java.util.Optional.get()", "Argument[this].Element", "Argument[this]")
    row = ("java.util", "Optional", "True", "get", "()", "", "Argument[0]", "ReturnValue", "value", "manual")
    found = models.Found(named={row[:5]: {flow[0]}}, whole={flow[0]}, missing={flow})
    exceptions = models.Exceptions({"order": ""}, {}, {"java.util.List.*": "order"})
    report = models.Report({"SummaryModel": [row], "NeutralModel": []}, found, exceptions)
    assert report.errors == [
        f"  a flow that no row has: {models.shown_flow(flow)}",
        "  a row that only adds: java.util.Optional.get(): Argument[0] -> ReturnValue",
        "  an exception of nothing: java.util.List.*",
    ]
    assert "| java.util | 1 | 0 | 1 | 0 |" in "\n".join(report.text(True))


def test_patterns() -> None:
    assert models.fits("a.*.set(int,*): Argument[1] -> *", "a.B.set(int,C): Argument[1] -> ReturnValue")
    assert not models.fits("a.*: Argument[1] -> ReturnValue", "a.B.f(): Argument[0] -> ReturnValue")
    exceptions = models.Exceptions({"order": ""}, {}, {"a.*": "order", "b.*": "order"})
    assert exceptions.cause(exceptions.flows, "a.B.f(): x -> y") == "order"
    assert exceptions.cause(exceptions.flows, "c.B.f(): x -> y") == "" and exceptions.unused == ["b.*"]


def test_every_package_of_the_rows_is_compared() -> None:
    wanted = models.groups(models.packages_of(models.shipped()))
    assert {package for packages in wanted.values() for package in packages} == {
        package for packages in models.GROUPS.values() for package in packages
    }
    with pytest.raises(BenchmarkError, match="no.such is in no group"):
        models.groups(["no.such"])
