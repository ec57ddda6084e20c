"""The numbers that a person might tune: by them work is done in one way or another, and the same rows come out.

Each says its unit and its reason; "measured" is what was tried, on which figures the benchmarks in `benchmarks/` throw
light, and "a guess" what was never found to matter. Who needs others makes them with `dataclasses.replace` and gives
them to a `Database` or an engine; nothing changes them in place. What kernels are compiled with is in
`ladder.engine.local.kernels.layout`, how much a plan holds in `ladder.language.limits`, what is refused of a project in
`ladder.project.files` and `ladder.frontends.java.limits`, which text SQL is given in `ladder.engine.spark.lattices`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Rebuilding:
    """Update or bootstrap (`ladder.policy.rebuild`)."""

    # of the time of starting over that an update may take: no transaction costs more than that and this share
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
    # rows, or slots, below which arrays grow by a larger factor, and by a still larger one: copying them costs nothing
    # yet, and of the thousands of relations of a large program most grow once or twice
    small: int = 1 << 12
    tiny: int = 1 << 6
    # entries from which a pool is squeezed while a bootstrap runs, when one in `waste` lies in no block
    large_pool: int = 1 << 17
    waste: int = 6
    # buckets of a histogram that is kept of a column, at most: statistics are saved with the state
    buckets: int = 1 << 12
    # facts that are stored at one go: their numbers and states then lie in the cache
    loaded_rows: int = 1 << 15
    # rows that are compared at one go: what that takes beside the rows
    compared_rows: int = 1 << 20
    # derivations of rows from before the iteration from which a relation gets a bitmap of known rows (see
    # `kernels.known`), if that many are half of its rows, and the bits that it may have for each row: a row takes some
    # 30 bytes; measured on closures, which take 0.4 (degrees of a power law, two recursive atoms), 0.7 (a
    # grid, the same) and 0.85 (dense, one recursive atom) of the time with it
    known_repeats: int = 1 << 13
    known_bits_per_row: int = 32
    # bytes from which an array gets memory of its own, which grows by pages that move instead of being copied, and
    # those from which it asks for huge pages, of which the last one is hardly used then; guesses
    own_memory: int = 1 << 20
    # ... and those of one that is mostly 0, of which no page is touched where it is; a guess
    own_sparse_memory: int = 1 << 15
    # ... until there are so many arrays with memory of their own: Linux allows a process 65,530 mappings
    most_small: int = 1 << 14
    huge_pages: int = 1 << 23
    # bytes of a fact file that are read, and of lines that are written, at one go; a guess
    text_block: int = 1 << 20
    # values of a program's own lattice on which its laws are tested after a bootstrap, by a thousand joins
    tested_values: int = 8
    # changes and events for which there is capacity between transactions; more of it is given back
    kept_notes: int = 1 << 20
    # slots of a directory that threads may rehash: below, starting them takes longer
    many_slots: int = 1 << 16
    # slots from which a directory is made smaller once its component is finished, if its keys need no more than half
    fitted_slots: int = 1 << 10
    # rows, or entries, for which there is no need from which an array is made smaller once its component is finished;
    # a guess
    unneeded: int = 1 << 9
    # ... which keeps capacity for one part in so many of those in use, for rows of updates; a guess
    spare: int = 16
    # rows of a relation from which its indexes are not kept in memory while nothing needs them; a guess
    dropped_from: int = 1 << 13
    # whether such indexes are dropped as soon as nothing in the bootstrap reads their relations any more: of a state
    # that is updated right away they would be made again
    drops_indexes: bool = False
    # rows, or slots of a directory, from which arrays only double: a directory that grows copies all of its keys
    doubled: int = 1 << 18

    # rows that a component with a limit reads from which kernels evaluate it: they take some hundredths of a second to
    # begin
    limited_rows: int = 1000

    # rows of a component from which plans are made anew while it is evaluated, and the factor by which it must have
    # grown since: making plans takes milliseconds
    replanned_rows: int = 20_000
    replanned_growth: int = 4
    # factor by which statistics of a rule's relations must have changed for its plans to be made anew, too; a guess
    replanned_change: float = 2.0

    # rows that an iteration starts from with which threads share it, at first: waking them, and storing what they send
    # each other, takes some milliseconds. Times as many where there is one iteration, so that none learns from it
    shared_rows: int = 1 << 15
    shared_once: int = 4
    # ... and as many more for so many steps of the component's plans, most of which find nothing; a guess
    shared_steps: int = 1 << 10
    # share of the processor time of all threads in kernels that one of them would take alone, as it need not deal rows
    # out: where the calling thread takes more in all, sharing is not worth it; a guess
    shared_gain: float = 0.7
    # times as many rows, at most, that a component asks for at first because sharing was not worth it in others
    shared_caution: int = 8
    # processor seconds of work for each thread that shares it: to wake one, and to merge what it has done, takes about
    # a tenth. Measured on sixteen cores: closures of 270 iterations got slower from eight threads on. 0: all threads
    thread_seconds: float = 2e-3
    # cells of heads that each thread deals out at one go: all together stay in the cache
    partitioned_cells: int = 1 << 22
    # entries of a pool that a thread is given at once: so many, or its share of one part in `range_share` of those in
    # use; with that much for each of eight threads, half of a pool was put aside
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

    # calls of functions of the program, and results of one of them, between two looks at limits; guesses
    calls_between_looks: int = 64
    # texts from which a pattern is matched with all of them by Arrow, which takes a tenth of a second to load; a guess
    texts_matched_at_once: int = 256
    results_between_looks: int = 1 << 16
    # bytes of a text from which its memory is asked for before functions make it: below, limits are hardly missed
    long_text: int = 1 << 20
    # elements of a finite lattice that kernels join by a table, at most: so many take 64 MB; and of one whose table is
    # made by calling its join for each two
    table_elements: int = 4096
    joined_elements: int = 256

    # changes of a relation that are read at one go, without asking first how many there are
    few_changes: int = 1024
    # absent rows from which a relation is compacted, if one in `compacted_share` of its rows is absent: that takes
    # time in proportion to the rows
    compacted_from: int = 4096
    compacted_share: int = 4


@dataclass(frozen=True)
class Planning:
    """Join orders and indexes (`ladder.plan`), on both engines."""

    # rows of a relation of which nothing is known yet, and rows that share a value of one of its columns; guesses
    unknown_rows: float = 1e6
    unknown_block: float = 12.0
    # expected matches of a first look-up from which rows choose between several plans, in a bootstrap and in an update:
    # blocks differ in length. Measured in bootstraps: Galen looks at 0.7 instead of 2.6 billion entries
    long_block: float = 3.0
    vague_block: float = 16.0
    # expected matches up to which the next look-up needs no comparison with others; a guess
    one_match: float = 1.0
    # what entering a row into an index costs, in rows joined; a guess
    indexing: float = 2.0
    # expected matches up to which an index by one column more is not worth its memory; a guess
    short_block: float = 4.0
    # times its rows that an atom costs of which no column is known, so that products come last; and how many rows a
    # constant in the atom that a join starts from leaves out, for each that it leaves; guesses
    unbound: float = 100.0
    constant: float = 9.0
    # entries of indexes that a rule's plans must have looked at before part of its join is kept as an intermediate:
    # some hundredths of a second; and for each derivation, before plans are made anew for their sake
    intermediate_from: int = 1 << 21
    intermediate_matches: int = 8
    # what an intermediate may be expected to cost, in those entries, for each of those without it, what entering a row
    # into one costs, and how many rows it may have for each of the component before it is asked again whether it pays,
    # and at most: a guess, measured 60 ns an entry against 15 ns for one looked at, and two that were measured on
    # points-to of a project of 2,300 files (with 1.0 at once it took 10.2 instead of 7.5 GB, and twice the time)
    intermediate_share: float = 0.5
    # entries looked at for each row of the relations of a rule before it is asked which intermediate it should have: a
    # row is sorted for that in some 10 ns for each set of columns, which takes 8 bytes; such rows, at most; and rows of
    # a sample: with 1,024 and with 65,536 the same parts were chosen, the latter in 0.9 s instead of 20 ms for a rule
    # of five atoms
    intermediate_weighed: int = 16
    most_weighed: int = 1 << 22
    sampled_rows: int = 2048
    entering: float = 4.0
    intermediate_rows: float = 0.25
    most_intermediate_rows: float = 1.0
    # atoms of a rule up to which every part of its join is considered: parts grow exponentially
    intermediate_atoms: int = 6
    # known columns of a look-up up to which indexes by any part of them are considered: parts grow exponentially
    widest_parts: int = 6

    def order(self, rule: Any, start: int | None) -> Sequence[int] | None:
        """The join order that a plan of a bootstrap must have, which starts from this literal of a rule (None: that of
        iteration 1), as numbers of literals; None: any. A class for measurements may ask for some."""
        return None


@dataclass(frozen=True)
class Saving:
    """Saved states (`ladder.engine.local.saved.state`)."""

    # logs after a base: each is a file that opening reads
    most_logs: int = 40
    # size of the logs, in that of the base, from which a new base is written: opening reads no more than so much again
    log_share: float = 0.25
    # attempts to open a state that others save meanwhile
    attempts: int = 20
    # seconds that a run waits for another process which has the state; a guess
    patience: float = 600.0
    # an array is saved with capacity for one part in so many more, so that rows which come do not move it at once
    slack: int = 8
    # threads that hash or check a state, at most, and bytes from which they share the work: below, starting them takes
    # longer; guesses
    threads: int = 8
    hashed_by_threads: int = 1 << 23
    # rows of the tables of a state that are read at one go: what that takes beside the state
    rows_read: int = 1 << 19


@dataclass(frozen=True)
class Explaining:
    """Why a row is there (`ladder.engine.local.explain`): what a person may read."""

    # rows of an explanation, below each of which there are those that it was derived from
    rows: int = 2000
    # values of an aggregate that are explained; the number of the others is reported
    values: int = 10
    # scans of a column before it is sorted, and rows that are scanned however often: a scan takes a small part of the
    # time that sorting does
    scans: int = 20
    few_rows: int = 1000


@dataclass(frozen=True)
class Reading:
    """Fact files, and results that are written to files (`ladder.facts.files`)."""

    # bytes of a file that Arrow reads, or that are searched for a character, at one go; a guess
    block: int = 1 << 24
    # rows of a result up to which lines are made without Arrow, which takes longer to import
    few_rows: int = 5_000
    # rows of a table that are made lines at one go: what that takes beside the table
    rows_joined: int = 1 << 18


@dataclass(frozen=True)
class Extracting:
    """From files to packs of facts (`ladder.project.extraction`, `ladder.facts.packs`)."""

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
    # files, and facts of them, in a row group of a pack: a file's facts are read without those of other groups; guesses
    group_files: int = 64
    group_facts: int = 150_000
    # files below which a pack is a small one, and small packs from which they are merged into one: each is a file that
    # opening reads; guesses
    small_pack: int = 128
    small_packs: int = 16
    # files whose facts a process that stays keeps in memory before it writes them as a pack: an edit makes one
    files_in_memory: int = 32
    # files of which such a process remembers where their ids stand
    places_in_memory: int = 512
    # seconds that a file may take, and those that a worker gets beyond them before it is killed: the first limit is
    # looked at where a front end runs Python only
    file_seconds: int = 300
    grace: float = 10
    # seconds between two looks for workers that hang, and those in which the end of one is reported
    look: float = 1.0
    end_seconds: float = 5.0
    # bytes of memory of a JVM that passes paths on
    jvm_memory: int = 1 << 30


@dataclass(frozen=True)
class Keeping:
    """What stays of a project's earlier analyses (`ladder.project.snapshots`, `ladder.session`); guesses."""

    # snapshots, the latest ones, that can be gone back to without their files being extracted again
    snapshots: int = 20
    # tables of changes beside those of all rows, after which these are written anew: each is a folder that readers open
    deltas: int = 50
    # ids up to which their names are looked for in the files that they come from, and not in all
    few_ids: int = 50_000
    # bytes of ids that are named at once: what is known is hashed for each look-up, a fifth of a second for Ant's
    named_at_once: int = 256 << 20
    # rows of an analysis that came and went up to which they are listed: 13 million take some 20 GB
    listed: int = 2_000_000


@dataclass(frozen=True)
class Connecting:
    """Sessions of Spark (`ladder.spark`)."""

    # seconds that a Java runtime may take to tell its version: it takes a fraction of one
    java_seconds: float = 30
    # seconds that a master may take to accept a connection, where Spark itself would try for a minute
    answer_seconds: float = 10.0
    # seconds until a cluster must have given the first executor, and those without a new one after which those there
    # count as all: there are as many partitions as their cores
    executor_seconds: float = 60.0
    quiet_seconds: float = 1.0
    # seconds until a JVM that was asked to end is killed: it removes its files meanwhile
    ending_seconds: float = 30
    # seconds before each attempt to cancel the jobs of a command that was interrupted: connections made too soon are
    # closed with those that the signal broke
    cancelling: tuple[float, ...] = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)
    # seconds in which a JVM that answers no more is over, with its exit code
    exit_seconds: float = 2.0
    # attempts of a task in local mode, where Spark by default allows one: a Python worker may die
    attempts: int = 2
    # bytes of a JVM's heap that local mode asks for, at least, on a small machine; else half of the memory; a guess
    least_heap: int = 1 << 30
    # bytes of memory for the tables of a task of a cluster from which there is one partition per core, and partitions
    # per core at most, where there are fewer bytes: hash tables of joins do not spill. Each partition costs a task per
    # stage, and a task that lacks memory is tried again with more of them (`Distributing.finer`). Measured: two workers
    # of 512 MB make a closure of 4 million rows with 10; with 18, as from 1 GB, that took a fifth more CPU time
    memory_per_task: int = 600 << 20
    finest: int = 32


@dataclass(frozen=True)
class Distributing:
    """The Spark engine (`ladder.engine.spark`). Rows that every task may have at hand are sent to all of them, which
    spares a shuffle of those that they are joined with; how many they may be is a guess, wherever it is asked."""

    # times as many partitions, where tasks had too little memory, and up to how many per core
    finer: int = 4
    most_partitions: int = 128
    # bytes that each branch of a union takes of a task's memory, at least: a page for every table of a join
    memory_per_branch: int = 4 << 20
    # rows that branches of a union start from, evaluated in the same tasks: each task is sent all of the union, so that
    # many tasks cost the square of the branches
    rows_together: int = 200_000
    # rows of a relation that is sent to all tasks where it is joined without a key
    broadcast_rows: int = 200_000

    # runs of the same columns, beside the delta, until some are merged: those whose rows are not more than `comparable`
    # times those of the newer ones, as in a log-structured merge tree
    most_runs: int = 4
    comparable: int = 2
    # rows of a replica from which it gets runs of its own, so that reading one does not read the others; a guess
    own_run: int = 100_000

    # rows of a relation from which its columns are looked at for join orders: that takes a query
    measured_rows: int = 1000
    # rows of a stage from which plans are made anew while it is evaluated, and the factor by which it must have grown
    # since: new plans may want replicas for other keys
    replanned_rows: int = 20_000
    replanned_growth: int = 16

    # bytes of a fact file that this process reads, and those of a larger one that one task reads
    small_file: int = 4 << 20
    part_of_file: int = 16 << 20
    # facts asserted here from which a relation is sent by itself, not widened to the columns of the widest one
    many_facts: int = 200_000
    # facts that one task may read in parts: texts that parts share are handed over once per task
    facts_per_task: int = 2_000_000
    # texts that such a task keeps in order to hand each over once: what it keeps takes memory
    texts_kept: int = 500_000

    # rows of arguments of one function, bytes of them, and values of one lattice that a Python worker remembers with
    # their results: the same are asked for again and again, and memory must end somewhere
    remembered: int = 1 << 16
    remembered_bytes: int = 1 << 24

    # rows that an ordered component reads, records and texts included, and records that are taken apart, in the
    # driver's process; more is refused: there they take memory as Python values
    ordered_rows: int = 2_000_000
    most_records: int = 2_000_000
    # rows of a table that comes from Spark: a part of them is here at a time
    rows_at_once: int = 50_000
    # entries of a dictionary that every task may have at hand while results are made
    broadcast_entries: int = 100_000

    # rows of each file of a state that is exported, and ids whose numbers every task may have at hand meanwhile
    rows_per_file: int = 500_000
    broadcast_ids: int = 200_000

    # seconds of work that may be lost, at most, between two checkpoints: less is not worth a write; and the share of
    # the time that writing them may take
    checkpoint_seconds: float = 30.0
    checkpoint_share: float = 0.05
    # times that all copies of some rows may be lost, without a checkpoint in between, until a run gives up
    most_losses: int = 4
    # seconds that a job waits for executors, none of which is there, and those between two looks at them: Spark itself
    # would wait for ever
    without_executors: float = 120.0
    look: float = 2.0


@dataclass(frozen=True)
class Tuning:
    """All of them, by what they decide."""

    rebuilding: Rebuilding = field(default_factory=Rebuilding)
    placing: Placing = field(default_factory=Placing)
    planning: Planning = field(default_factory=Planning)
    evaluating: Evaluating = field(default_factory=Evaluating)
    saving: Saving = field(default_factory=Saving)
    explaining: Explaining = field(default_factory=Explaining)
    reading: Reading = field(default_factory=Reading)
    extracting: Extracting = field(default_factory=Extracting)
    keeping: Keeping = field(default_factory=Keeping)
    connecting: Connecting = field(default_factory=Connecting)
    distributing: Distributing = field(default_factory=Distributing)


DEFAULT = Tuning()
# of a state that is saved as soon as it is there, and updated by another process
SAVED_AT_ONCE = replace(DEFAULT, evaluating=replace(DEFAULT.evaluating, drops_indexes=True))
