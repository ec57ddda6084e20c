"""Values and cells of 64 bits: ids that depend on nothing but the value, and the dictionary of what they stand for."""
