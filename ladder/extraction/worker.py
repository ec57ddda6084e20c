"""What a forked worker has loaded before its first batch."""
import pyarrow.parquet  # noqa: F401

import ladder.extraction.batch
import ladder.frontends.java.facts  # noqa: F401
