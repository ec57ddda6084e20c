"""What LADDDER's evaluation tells of the same analyses and changes.

Szabó, Erdweg and Bergmann: Incremental Whole-Program Analysis in Datalog with Lattices. PLDI 2021, section 7. Times and
memory are ranges over five code bases, minijavac (6,500 lines), antlr (22,000), emma (26,000), pmd (61,000) and ant
(105,000), on a Core i7-6820HQ with 16 GB under Java 8. Points-to is their k-update analysis with k = 5, whose facts
include the JRE's; here the JDK is modelled and not analysed, so that their figures are of larger programs.
"""

from __future__ import annotations

from dataclasses import dataclass

SOURCE = (
    "LADDDER: Szabó, Erdweg and Bergmann, PLDI 2021, section 7: ranges over minijavac, antlr, emma, pmd and ant (6,500 "
    "to 105,000 lines), Core i7-6820HQ, 16 GB, Java 8; wall-clock seconds. Its points-to is the k-update analysis with "
    "k = 5, and analyses the JRE with the program, which Ladder models; its memory is the reachable heap. Ladder's "
    "seconds are processor seconds of one thread, its memory is what the process holds more than before."
)


@dataclass(frozen=True)
class Figures:
    """Of one analysis: seconds of the first run, milliseconds of updates, GB, and the power of the impact with which
    time grows."""

    first: str
    updates: str
    memory: str
    exponent: str = "not told"


POINTS_TO = Figures("57–172", "99 % below 1,000, most below 100, at most 50,000", "3.7–8.7", "about 1.5")
CONSTANTS = Figures("5–23", "most below 100", "0.6–2.3")
INTERVALS = Figures("3–23", "most below 100", "0.8–2.9")
