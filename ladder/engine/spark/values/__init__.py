"""Values as cells of 64 bits: ids that depend on the value alone, and the dictionary of what ids stand for."""
