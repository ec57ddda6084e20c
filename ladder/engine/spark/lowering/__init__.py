"""Lowering of plans to SQL, step by step: joins, built-in functions, functors and records."""
