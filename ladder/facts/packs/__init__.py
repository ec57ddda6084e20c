"""Fact tables: immutable Parquet packs of per-file facts keyed by content hash, the snapshots of a project, their
differences.

`layout` says what a pack's columns are, `pack` writes and reads one, `store` is all packs of a state directory,
`shadow` decides which files of a snapshot count, `snapshots` remembers which files a project had, `rows` compares
tables as sets. A pack is ordinary Parquet: one row per source file, one `list<struct>` column per relation, so
`explode` in Spark or `UNNEST` in DuckDB gives the rows of a relation.
"""
