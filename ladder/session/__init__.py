"""The whole way of `analyze PROJECT`: files → facts → engine → tables and a report, and again after a change.

`workspace` is the state directory, `facts` brings a project's facts up to date, `states` keeps engine states, `analyze`
runs one analysis on them, `tables` writes its results.
"""
