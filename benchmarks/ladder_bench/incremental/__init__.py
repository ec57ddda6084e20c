"""`ladder bench incremental`: what changes of Java projects change in the results of analyses, and what that costs."""
