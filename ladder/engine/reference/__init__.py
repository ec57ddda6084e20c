"""The definition, executable: slow, plain, and sharing no code with what is compared with it."""
