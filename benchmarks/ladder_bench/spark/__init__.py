"""`ladder bench spark`: what evaluation on Spark costs, beside the local engine and other systems."""
