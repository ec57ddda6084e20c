"""Values and cells: Python values, Arrow tables and texts become the 32-bit cells that kernels work on, and back."""
