"""What an evaluation on Spark writes to disk now and then, to go on from there."""
