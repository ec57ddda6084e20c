"""Spark as this machine or a cluster gives it: what it needs, how a session is made, and by whom it is used.

`java` asks the Java runtime, `settings` says how sessions are configured, `session` opens and stops them. Extraction,
the engine and fact tables share one session per process. Importing any of it loads no pyspark and starts nothing.
"""
