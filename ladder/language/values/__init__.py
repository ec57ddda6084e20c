"""Values and built-in functions, defined on Python values."""
