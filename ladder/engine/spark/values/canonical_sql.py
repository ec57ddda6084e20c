"""SQL of canonical bytes: literals, and the numbers in them."""

from __future__ import annotations

NO_BYTES = "CAST(NULL AS BINARY)"


def literal(data: bytes) -> str:
    """The SQL literal of bytes."""
    return f"X'{data.hex()}'"


def size_at(data: str, at: str) -> str:
    """SQL of the size (INT) whose 4 bytes begin at a position, counted from 1."""
    return f"CAST(conv(hex(substring({data}, {at}, 4)), 16, 10) AS INT)"


def long_at(data: str, at: str) -> str:
    """SQL of the number (BIGINT) whose 8 bytes begin at a position, counted from 1."""
    return f"CAST(conv(hex(substring({data}, {at}, 8)), 16, -10) AS BIGINT)"


def four_bytes(number: str) -> str:
    """SQL of the 4 bytes of an INT that is not negative, or of a BIGINT from 0 to 2^32-1."""
    return f"unhex(lpad(hex({number}), 8, '0'))"


def eight_bytes(number: str) -> str:
    """SQL of the 8 bytes of a BIGINT."""
    return f"unhex(lpad(hex({number}), 16, '0'))"
