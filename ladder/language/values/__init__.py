"""What values are and what built-in functions make of them, on Python values."""
