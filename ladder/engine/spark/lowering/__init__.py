"""A plan as SQL, step by step; literals that compute, functors and records."""
