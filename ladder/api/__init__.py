"""The interface for Python users: `Database`, `Program`, `Rows` and `Delta`; rules that are added and removed."""
