"""Facts of any form on their way to Spark's cells, and asserted facts told from program facts."""
