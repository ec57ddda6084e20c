"""Text to syntax tree: files, preprocessor, grammar, errors of syntax."""
