"""The tables of `ladder bench spark`, a module each."""
