"""Fact tables: immutable Parquet packs of the facts of source files, keyed by content hash, and differences of sets of
files.

`layout` defines a pack's columns, `pack` writes and reads one, `store` manages all packs of a state directory, `shadow`
decides which files of a snapshot are analysed, `rows` compares tables as sets. A pack is ordinary Parquet: one row per
source file, one `list<struct>` column per relation, so that `explode` in Spark or `UNNEST` in DuckDB gives the rows of
a relation.
"""
