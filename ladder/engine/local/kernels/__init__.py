"""Compiled kernels over records and arrays: they know nothing of programs, names or Python values.

Layout of records → `layout`; how kernels reach arrays → `memory`, `storage`; indexes → `blocks`; plan steps →
`rowset`, `steps`, `values`; one plan → `driver`; bootstrap → `fixpoint`; update → `events`, `instantiations`, `update`;
both → `evaluation`; aggregation → `operations`, `groups`, `trees`, `pool`, `totals`, `aggregation`; for the host →
`host_calls`.
"""
