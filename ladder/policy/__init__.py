"""Decisions, each in one function: where a program is evaluated, and whether a change is an update or a bootstrap."""
