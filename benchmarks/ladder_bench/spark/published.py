"""Figures that others published of recursive queries on Spark; each was read in the text that is named.

They are of other machines, data and times, and stand beside our own for orientation only.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """Published measurements. `seconds`: by data set, as the source gives them."""

    system: str
    work: str
    data: str
    machines: str
    seconds: str
    source: str


REPRODUCTION = (
    "G. Mandilaras: RaSQL, Reproduction, 2020 (RaSQL-report.pdf in github.com/GiorgosMandi/RaSQL-Reproduction), {}"
)
SERVER = "one server, Xeon E5-4603 v2 2.2 GHz, 16 cores (32 threads), 124 GB"
LAPTOP = "one laptop, i7-9750H 2.6 GHz, 12 threads, 8 GB"
GRAPHS = "generated graphs of 10 M, 20 M, 50 M, 100 M vertices and as many edges"
SMALL_GRAPHS = "generated graphs of 0.1 M, 0.2 M, 0.5 M, 1 M, 2 M vertices and as many edges"
FIGURES = (
    Figure("BigDatalog", "connected components", GRAPHS, SERVER, "97, 139, 238, 452", REPRODUCTION.format("figure 6a")),
    Figure(
        "BigDatalog",
        "shortest paths from one source",
        GRAPHS,
        SERVER,
        "83, 117, 207, 349",
        REPRODUCTION.format("figure 6b"),
    ),
    Figure(
        "BigDatalog",
        "reachability from one source",
        GRAPHS,
        SERVER,
        "77, 102, 196, 357",
        REPRODUCTION.format("figure 6c"),
    ),
    Figure(
        "RaSQL, reimplemented",
        "connected components",
        GRAPHS,
        SERVER,
        "59, 97, 205, 424",
        REPRODUCTION.format("figure 6a"),
    ),
    Figure(
        "RaSQL, reimplemented",
        "shortest paths from one source",
        GRAPHS,
        SERVER,
        "59, 85, 152, 290",
        REPRODUCTION.format("figure 6b"),
    ),
    Figure(
        "RaSQL, reimplemented",
        "reachability from one source",
        GRAPHS,
        SERVER,
        "50, 66, 132, 250",
        REPRODUCTION.format("figure 6c"),
    ),
    Figure("GraphX", "connected components", GRAPHS, SERVER, "78, 120, 253, 440", REPRODUCTION.format("figure 6a")),
    Figure(
        "RaSQL, reimplemented",
        "connected components",
        SMALL_GRAPHS,
        LAPTOP,
        "7, 9, 11, 14, 21",
        REPRODUCTION.format("figure 5a"),
    ),
)
NOTE = (
    "The figures of the papers themselves (BigDatalog, SIGMOD 2016; RaSQL, SIGMOD 2019), on clusters of sixteen "
    "machines, are in plots and tables of texts that "
    "could not be had for this table; what stands here is an independent reproduction on one machine, whose author "
    "says that his RaSQL lacks most of the paper's optimizations."
)
