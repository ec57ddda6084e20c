"""Python objects that a program names: resolved, or inspected without running any code."""
