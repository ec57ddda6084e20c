"""Decisions, each made by one function: where a program is evaluated, and whether a change is made by an update or a
bootstrap."""
