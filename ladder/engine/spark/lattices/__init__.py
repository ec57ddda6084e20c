"""Values of lattices on Spark: their forms in SQL and in bytes."""
