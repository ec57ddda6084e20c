"""A syntax tree against its declarations: names, types, bindings, and the program as a whole."""
