"""Semantic checks of a syntax tree: names, types, bindings, and the program as a whole."""
