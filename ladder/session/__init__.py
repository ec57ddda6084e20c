"""The pipeline of `analyze PROJECT`: files → facts → engine → tables and a report, also after changes.

`workspace` manages the state directory, `facts` brings a project's facts up to date, `states` stores engine states,
`analyze` runs one analysis on the facts, `tables` writes its results.
"""
