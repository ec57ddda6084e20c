"""`ladder bench robustness`: programs on data of which nobody has tuned anything, because it is drawn at random."""
