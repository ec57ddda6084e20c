"""Aggregated relations on Spark: totals that appear, by joins in SQL or folded in Python workers."""
