"""Spark sessions on this machine or on a cluster: their requirements, settings, start and end.

`java` checks the Java runtime, `settings` says how sessions are configured, `session` opens and stops them. Extraction,
the engine and fact tables share one session per process. Importing any of it loads no pyspark and starts nothing.
"""
