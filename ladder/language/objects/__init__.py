"""Python objects that a program names: found, or looked at without running anything."""
