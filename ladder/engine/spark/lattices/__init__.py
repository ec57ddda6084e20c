"""Joins of lattices as SQL, on cells and on canonical bytes."""
