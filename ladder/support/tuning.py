"""The numbers that a person might tune: thresholds by which work is done in one way or another, never what comes out.

Each says its unit and its reason; "measured" is what was tried, on which figures the benchmarks in `benchmarks/` throw
light, and "a guess" what was never found to matter. Who needs others makes them with `dataclasses.replace` and gives
them to a `Database` or an engine; nothing changes them in place. What kernels are compiled with is in
`ladder.engine.local.kernels.layout`, how much a plan holds in `ladder.language.limits`.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Rebuilding:
    """Update or bootstrap (`ladder.policy.rebuild`)."""

    # of the last bootstrap's time that an update may take: no transaction costs more than a bootstrap and this share
    share: float = 0.2
    # seconds that an update may always take: below them the clock tells more about the machine
    least_seconds: float = 0.05
    # an update's seconds per changed fact, in those of a bootstrap per fact, at least: a derivation that comes or goes
    # is found by a join, noted and looked at once more; measured 4 to 13, on points-to with 1e5 facts of which 1 % to
    # 20 % change
    least_factor: float = 2.0
    # changed facts from which an update's seconds per fact are more than its fixed cost; a guess
    measured_from: int = 1000


@dataclass(frozen=True)
class Placing:
    """Here or on Spark (`ladder.policy.placement`)."""

    # bytes of memory that the local engine takes for each fact in a file: measured 330 (points-to, 1e5 facts), 275
    # (1e6), 286 (Doop, 1.5e6)
    per_fact: int = 300
    # … and for each fact extracted of source code, whose analyses derive more: measured, points-to of a Java project
    per_extracted: int = 640
    # bytes per fact of files that do not hold one per line; a guess
    bytes_per_fact: int = 20
    # bytes of a file that are read to tell how long its lines are: enough for thousands of lines
    sample: int = 1 << 18
    # bytes of memory that a row takes in the local engine with its entries in indexes, each of its cells, and a symbol
    # or an object
    per_row: int = 35
    per_cell: int = 4
    per_text: int = 100
    # of the machine's memory that a state may take without a limit being named: others run there, too
    share: float = 0.5


@dataclass(frozen=True)
class Evaluating:
    """The local engine: batches, capacity, plans made anew, threads, pauses, what a commit tidies up."""

    # rows that a step of a plan hands to the next one: so many columns of them fit the cache
    batch_size: int = 2048
    # rows that a new relation has capacity for: most relations of a program stay small
    capacity: int = 16
    # rows, or slots, below which arrays grow by a larger factor: copying them costs nothing yet
    small: int = 1 << 12
    # entries from which a pool is squeezed while a bootstrap runs, when one in `waste` lies in no block
    large_pool: int = 1 << 17
    waste: int = 6
    # buckets of a histogram that is kept of a column, at most: statistics are saved with the state
    buckets: int = 1 << 12
    # rows that are compared at one go: what that takes beside the rows
    compared_rows: int = 1 << 20
    # changes and events for which there is capacity between transactions; more of it is given back
    kept_notes: int = 1 << 20
    # slots of a directory that threads may rehash: below, starting them takes longer
    many_slots: int = 1 << 16

    # rows of a component from which plans are made anew while it is evaluated, and the factor by which it must have
    # grown since: making plans takes milliseconds
    replanned_rows: int = 20_000
    replanned_growth: int = 4
    # expected matches up to which an index by one column more is not worth its memory
    short_block: float = 4.0

    # rows of a delta from which threads share the work: below, waking them takes longer
    shared_rows: int = 1 << 14
    # cells of heads that each thread deals out at one go: all together stay in the cache
    partitioned_cells: int = 1 << 22
    # entries of a pool that a thread is given at once: so many, or one part in `range_share` of those in use
    least_range: int = 1 << 12
    range_share: int = 16
    # entries that a pool gets capacity for, for each row that may come; what is not used takes no memory
    entries_per_row: int = 4
    # seconds between two looks at limits and signals while threads run
    look_after: float = 0.05

    # batches until a kernel stops so that the host may look around: at first, at least and at most. The number follows
    # from the seconds between two looks, which should be between these
    first_budget: int = 64
    least_budget: int = 16
    most_budget: int = 1 << 14
    soon: float = 0.01
    late: float = 0.04

    # changes of a relation that are read at one go, without asking first how many there are
    few_changes: int = 1024
    # absent rows from which a relation is compacted, if one in `compacted_share` of its rows is absent: that takes
    # time in proportion to the rows
    compacted_from: int = 4096
    compacted_share: int = 4


@dataclass(frozen=True)
class Saving:
    """Saved states (`ladder.engine.local.saved.state`)."""

    # logs after a base: each is a file that opening reads
    most_logs: int = 40
    # size of the logs, in that of the base, from which a new base is written: opening reads no more than so much again
    log_share: float = 0.25
    # attempts to open a state that others save meanwhile
    attempts: int = 20


@dataclass(frozen=True)
class Extracting:
    """From files to packs of facts (`ladder.project.extraction`)."""

    # files that this process reads alone: a second one takes longer to start
    in_process: int = 8
    # files from which `auto` has a cluster extract, if one is named: below, a session takes longer to start
    spark_from: int = 200
    # batches per process, and tasks per core of a cluster: files of one size in bytes may differ much in time
    tasks_per_process: int = 4
    tasks_per_core: int = 4
    # files, and facts of them, that are held in memory before a pack is written
    files_held: int = 256
    facts_held: int = 1_000_000
    # seconds that a file may take, and those that a worker gets beyond them before it is killed: the first limit is
    # looked at where a front end runs Python only
    file_seconds: int = 300
    grace: float = 10
    # seconds between two looks for workers that hang, and those in which the end of one is told
    look: float = 1.0
    end_seconds: float = 5.0
    # bytes of memory of a JVM that passes paths on
    jvm_memory: int = 1 << 30


@dataclass(frozen=True)
class Tuning:
    """All of them, by what they decide."""

    rebuilding: Rebuilding = field(default_factory=Rebuilding)
    placing: Placing = field(default_factory=Placing)
    evaluating: Evaluating = field(default_factory=Evaluating)
    saving: Saving = field(default_factory=Saving)
    extracting: Extracting = field(default_factory=Extracting)


DEFAULT = Tuning()
