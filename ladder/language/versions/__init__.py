"""Comparison of two versions of a program: which rules and which Python objects are the same."""
