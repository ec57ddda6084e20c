"""Facts on disk: in fact files as Soufflé has them, and in Parquet packs."""
