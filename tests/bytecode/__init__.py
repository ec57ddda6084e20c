"""The front end for class files."""
