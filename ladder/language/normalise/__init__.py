"""Checked clauses to core rules: everything that is written shorter than it is meant is written out."""
