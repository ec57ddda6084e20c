"""Compiled kernels over records and arrays: they know nothing of programs, names or Python values.

Layout of records → `layout`; how kernels reach arrays → `memory`, `storage`; indexes → `blocks`; plan steps →
`rowset`, `known`, `steps`, `values`; one plan → `driver`; bootstrap → `fixpoint`; update → `events`, `instantiations`,
`update`; both → `evaluation`; aggregation → `operations`, `groups`, `trees`, `pool`, `totals`, `aggregation`; for the
host → `host_calls`. From Python functions to calls of machine code: `compiling`; with numba `machine_code`, `vectors`,
`internals`; without it `arguments`, `object_cache`, `loading`.

The *host* is the Python code that calls kernels. A parameter of a kernel that has one of these names has this type;
docstrings give the types of array parameters with other names, and of exceptions, and decorators of entry points say
them once more (`arguments`). All other parameters are single integers or bools.

    relation, index, aggregate, operation,     one record each, of the dtype of that name in `layout` (RELATION …),
    component, plan, step, workspace,          passed by reference, so that kernels write to it; fields that are named
    fixpoint, update, group, change, event,    after arrays hold their addresses, and the function of `storage` with the
    wave, spill                                same name returns the array: its docstring has the shape and the dtype
    relations, indexes, aggregates,            one-dimensional arrays of such records: all relations … of the state;
    operations, components, plans, steps       the number of a relation is its place in `relations`
    inputs                                     int64[n]: numbers of relations; the inputs of a component are a run
                                               of them
    rows                                       int32[row_capacity, arity]: the cells of all rows of a relation …
    first                                      int32[row_capacity]: … and the first iteration of each
    batch, source, target                      int32[MAX_REGISTERS, batch_size]: batches of rows, with a column for each
                                               variable of a plan; a step reads `source` and fills `target`
    count                                      int64: the number of rows in the batch
    tags, found                                int32[batch_size]: for each row of the batch, its tag (see `blocks`); the
                                               number of the stored row that is equal to it, or NONE
    matches, scratch                           int32[4, batch_size]: columns for use within one step; of matches, the
                                               first three hold the row of the batch, the row of the relation, its tag
    row, number, iteration, stamp, key, value  int64: the number of a row, the number of a record, an iteration, an
                                               iteration as the timestamp of an aggregate, and cells, sign-extended
    timelines, heads                           a record of TIMELINES; an array of HEADS, one for each relation (see
                                               `timelines`)
    search, texts                              a record of SEARCH (see `proofs`); a record of TEXTS (see `texts`)
    strategy                                   int64: DRED … of the module of the kernel
    state                                      int64: which rows a plan sees, ALL, OLD or NEW of `layout`, or one of
                                               `visibility`

A *status* that a kernel returns is FINISHED, NEEDS_CAPACITY … of `layout`, an int64. A kernel that needs capacity has
written the number of items that it needs into a field `…_wanted`; the host enlarges the array and makes the same call
again, which carries on where the first one stopped.
"""
