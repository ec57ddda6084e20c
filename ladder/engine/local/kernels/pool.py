"""Blocks of words for larger groups: their sizes are powers of two, and freed blocks are used again."""

from .blocks import size_class
from .compiling import helper
from .storage import words_of


@helper
def reserve(aggregate, words):
    """Return whether blocks of `words` words in all can be taken; ask for capacity otherwise."""
    if aggregate.word_count + words <= aggregate.word_capacity:
        return True
    aggregate.words_wanted = aggregate.word_count + words
    return False


@helper
def take(aggregate, words):
    """Return the start of an unused block of `words` words, a power of two, which were reserved before."""
    size_log = size_class(words)
    start = aggregate.free_block[size_log]
    if start != 0:
        aggregate.free_block[size_log] = words_of(aggregate)[start]
        return start
    start = aggregate.word_count
    aggregate.word_count = start + words
    return start


@helper
def give_back(aggregate, start, words):
    """Free a block."""
    size_log = size_class(words)
    words_of(aggregate)[start] = aggregate.free_block[size_log]
    aggregate.free_block[size_log] = start
