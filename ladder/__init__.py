"""Ladder: incremental, lattice-aware program analysis in Datalog."""
