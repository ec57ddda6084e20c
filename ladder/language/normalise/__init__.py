"""Lowering of checked clauses to core rules, in which all syntactic sugar is expanded."""
