"""Facts on disk: in Soufflé's files, and in packs of Parquet."""
