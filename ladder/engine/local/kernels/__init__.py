"""Compiled kernels over records and arrays: they know nothing of programs, names or Python values.

Layout of records → `layout`; how kernels reach arrays → `memory`, `storage`; indexes → `blocks`; plan steps →
`rowset`, `steps`, `values`; one plan → `driver`; bootstrap → `fixpoint`; update → `events`, `instantiations`, `update`;
both → `evaluation`; aggregation → `operations`, `groups`, `trees`, `pool`, `totals`, `aggregation`; for the host →
`host_calls`.

A parameter of a kernel has the same type wherever it has the same name. Docstrings say what else there is:

    relation, index, aggregate, operation,     one record each, of the dtype of that name in `layout` (RELATION …):
    component, plan, step, workspace,          a reference, so that kernels write to it; fields whose names are those of
    fixpoint, update, group, change, event,    arrays hold their addresses, of which the function of `storage` with the
    wave, spill                                same name makes the array: its docstring has the shape and the dtype
    relations, indexes, aggregates,            arrays of one dimension of such records, of all relations … of the state;
    operations, components, plans, steps       a relation is meant by its number, the place in `relations`
    inputs                                     int64[n]: numbers of relations; a component has a run of them
    rows                                       int32[row_capacity, arity]: the cells of all rows of a relation …
    first                                      int32[row_capacity]: … and the first iteration of each
    batch                                      int32[MAX_REGISTERS, batch_size]: a column for each variable of a plan
    count                                      int64: how many rows of the batch there are
    tags                                       int32[batch_size]: of each row of the batch (see `blocks`)
    row, number, iteration, stamp, key, value  int64: the number of a row, of a record, an iteration (of the timestamp
                                               of an aggregate), and cells of a row, with a sign
    timelines, heads                           a record of TIMELINES, an array of HEADS, one of each relation
    search, texts                              a record of SEARCH (see `proofs`), of TEXTS (see `texts`)
    strategy                                   int64: DRED … of the module that asks for it
    state                                      int64[…]: where a call has stopped; the same call carries on from there

What kernels of several phases give back is a status of `layout` (FINISHED, NEEDS_CAPACITY …), an int64.
"""
