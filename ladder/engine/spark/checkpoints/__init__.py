"""Checkpoints, which an evaluation on Spark writes to disk from time to time, to resume from them."""
