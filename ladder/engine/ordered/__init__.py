"""Evaluation of ordered components, whose rows depend on the order of derivation, on Python values."""
