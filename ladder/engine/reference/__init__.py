"""The executable definition of the semantics: slow and simple, without code in common with the engines compared with
it."""
