"""Facts of any form on their way to Spark's cells, and given facts told from those that the program states."""
