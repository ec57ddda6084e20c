"""How much of what public suites of flawed programs mark the analyses find, how much else, and how much on projects.

    score.py         counts of a weakness, and their rates
    analysed.py      what `analyze` finds in a folder, in a process of its own
    securibench.py   Securibench Micro: lines
    owasp.py         the OWASP Benchmark: tests; the figures of other tools are those of its own score cards
    juliet.py        the Juliet suite: good and bad methods
    density.py       findings per 1,000 lines of projects, of which nothing is marked
    measure.py       all of them, as sections of one report

The suites are no part of this repository.
"""
