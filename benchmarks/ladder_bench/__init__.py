"""`ladder bench`: what the engine costs on this machine, beside compiled Soufflé where that is installed."""
