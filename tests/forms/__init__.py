"""The forms that ten programs take on their way to rows, kept as text."""
