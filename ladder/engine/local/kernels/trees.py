"""The tree of a wave: a complete binary tree in one block, whose leaves are aggregate inputs and whose inner nodes are
joins.

Leaves are neither moved nor ordered, so the tree is balanced by construction and needs no rotation: a new aggregate
input takes the first hole or the next leaf, and a removed one leaves a hole. A changed leaf makes the nodes above it
DIRTY; `settle_tree` computes each dirty node once, however many leaves changed.
"""

from .compiling import helper
from .layout import DIRTY, LAST_HOLE, NO_VALUE, NONE, UNKNOWN, int64
from .operations import join
from .pool import give_back, take
from .storage import nodes_at, nodes_of


@helper
def words_to_grow(wave):
    """Return the number of words that the next leaf may need."""
    if wave.first_hole != NONE or wave.leaf_count < wave.leaf_capacity:
        return int64(0)
    return 4 * int64(wave.leaf_capacity)


@helper
def add_leaf(aggregate, wave, value):
    """Enter a value, for which words were reserved; return the number of its leaf."""
    leaf = int64(wave.first_hole)
    if leaf == NONE:
        if wave.leaf_count == wave.leaf_capacity:
            _double(aggregate, wave)
        leaf = int64(wave.leaf_count)
        wave.leaf_count += 1
    elif wave.leaf_capacity == 1:
        wave.first_hole = NONE
    else:
        wave.first_hole = LAST_HOLE - 1 - nodes_of(aggregate, wave)[wave.leaf_capacity + leaf]
    _set_leaf(aggregate, wave, leaf, int64(value))
    return leaf


@helper
def clear_leaf(aggregate, wave, leaf):
    """Remove the value of a leaf, which becomes the first hole."""
    hole = int64(NO_VALUE) if wave.leaf_capacity == 1 else int64(LAST_HOLE - 1 - int64(wave.first_hole))
    _set_leaf(aggregate, wave, int64(leaf), hole)
    wave.first_hole = leaf


@helper
def _set_leaf(aggregate, wave, leaf, value):
    if wave.leaf_capacity == 1:
        wave.root = value
        return
    nodes = nodes_of(aggregate, wave)
    node = wave.leaf_capacity + leaf
    nodes[node] = value
    node >>= 1
    while node > 0 and nodes[node] != DIRTY:
        nodes[node] = DIRTY
        node >>= 1
    wave.root = DIRTY


@helper
def _double(aggregate, wave):
    """Make the old tree the left half of a tree twice as large; this needs no join."""
    old_tree, half = int64(wave.tree), int64(wave.leaf_capacity)
    wave.tree = take(aggregate, 4 * half)
    wave.leaf_capacity = 2 * half
    new = nodes_of(aggregate, wave)
    for node in range(4 * half):
        new[node] = NO_VALUE
    new[1] = wave.root
    if half == 1:
        new[2] = wave.root
        return
    old = nodes_at(aggregate, old_tree, 2 * half)
    level = 1  # also the number of the level's first node
    while level <= half:
        for node in range(level, 2 * level):
            new[node + level] = old[node]
        level *= 2
    give_back(aggregate, old_tree, 2 * half)


@helper
def free_tree(aggregate, wave):
    """Free the block of a wave's tree."""
    if wave.leaf_capacity > 1:
        give_back(aggregate, wave.tree, 2 * int64(wave.leaf_capacity))


@helper
def value_of(node):
    """Return the value of a settled node; that of a hole is NO_VALUE."""
    return int64(node) if node > LAST_HOLE else int64(NO_VALUE)


@helper
def settle_tree(aggregate, operation, wave):
    """Compute the dirty nodes, children first; return False if some wait for the host, and so are still dirty."""
    nodes = nodes_of(aggregate, wave)
    node, child = 1, 0  # child: the one we come back from, 0 on the way down
    joins = 0
    while node > 0:
        left, right = 2 * node, 2 * node + 1
        if child == 0 and nodes[left] == DIRTY:
            node = left
        elif child <= left and nodes[right] == DIRTY:
            node, child = right, 0
        else:
            if nodes[left] != DIRTY and nodes[right] != DIRTY:
                value = join(operation, value_of(nodes[left]), value_of(nodes[right]))
                joins += 1
                if value != UNKNOWN:
                    nodes[node] = value
            node, child = node >> 1, node
    aggregate.join_count += joins
    wave.root = nodes[1]
    return wave.root != DIRTY
