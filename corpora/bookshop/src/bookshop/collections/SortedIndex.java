package bookshop.collections;

import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** An index sorted by key: a height-balanced binary tree. */
public class SortedIndex<K, V> implements Index<K, V> {
    private final Comparator<? super K> order;
    private Node<K, V> root;
    private int size;

    public SortedIndex(Comparator<? super K> order) {
        this.order = order;
    }

    public static <C extends Comparable<? super C>, V> SortedIndex<C, V> natural() {
        return new SortedIndex<>(Comparator.<C>naturalOrder());
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public V get(K key) {
        Node<K, V> node = root;
        while (node != null) {
            int side = order.compare(key, node.key);
            if (side == 0) {
                return node.value;
            }
            node = side < 0 ? node.left : node.right;
        }
        return null;
    }

    @Override
    public V put(K key, V value) {
        V old = get(key);
        root = insert(root, key, value);
        return old;
    }

    @Override
    public V remove(K key) {
        V old = get(key);
        if (old != null) {
            root = delete(root, key);
            size--;
        }
        return old;
    }

    /** Height of the tree: 0 when empty. */
    public int height() {
        return heightOf(root);
    }

    /** Entries with low <= key <= high, in order. */
    public Sequence<Entry<K, V>> between(K low, K high) {
        Sequence<Entry<K, V>> found = new ArraySequence<>();
        collect(root, low, high, found);
        return found;
    }

    @Override
    public Iterator<Entry<K, V>> iterator() {
        return new InOrder(root);
    }

    private void collect(Node<K, V> node, K low, K high, Sequence<? super Entry<K, V>> into) {
        if (node == null) {
            return;
        }
        boolean aboveLow = order.compare(node.key, low) >= 0;
        boolean belowHigh = order.compare(node.key, high) <= 0;
        if (aboveLow) {
            collect(node.left, low, high, into);
        }
        if (aboveLow && belowHigh) {
            into.add(node);
        }
        if (belowHigh) {
            collect(node.right, low, high, into);
        }
    }

    private Node<K, V> insert(Node<K, V> node, K key, V value) {
        if (node == null) {
            size++;
            return new Node<>(key, value);
        }
        int side = order.compare(key, node.key);
        if (side == 0) {
            node.value = value;
            return node;
        }
        if (side < 0) {
            node.left = insert(node.left, key, value);
        } else {
            node.right = insert(node.right, key, value);
        }
        return balanced(node);
    }

    private Node<K, V> delete(Node<K, V> node, K key) {
        int side = order.compare(key, node.key);
        if (side < 0) {
            node.left = delete(node.left, key);
        } else if (side > 0) {
            node.right = delete(node.right, key);
        } else if (node.left == null) {
            return node.right;
        } else if (node.right == null) {
            return node.left;
        } else {
            Node<K, V> successor = node.right;
            while (successor.left != null) {
                successor = successor.left;
            }
            Node<K, V> right = delete(node.right, successor.key);
            successor.left = node.left;
            successor.right = right;
            return balanced(successor);
        }
        return balanced(node);
    }

    private static <K, V> Node<K, V> balanced(Node<K, V> node) {
        node.measure();
        int lean = heightOf(node.left) - heightOf(node.right);
        if (lean > 1) {
            if (heightOf(node.left.left) < heightOf(node.left.right)) {
                node.left = rotateLeft(node.left);
            }
            return rotateRight(node);
        }
        if (lean < -1) {
            if (heightOf(node.right.right) < heightOf(node.right.left)) {
                node.right = rotateRight(node.right);
            }
            return rotateLeft(node);
        }
        return node;
    }

    private static <K, V> Node<K, V> rotateLeft(Node<K, V> node) {
        Node<K, V> top = node.right;
        node.right = top.left;
        top.left = node;
        node.measure();
        top.measure();
        return top;
    }

    private static <K, V> Node<K, V> rotateRight(Node<K, V> node) {
        Node<K, V> top = node.left;
        node.left = top.right;
        top.right = node;
        node.measure();
        top.measure();
        return top;
    }

    private static int heightOf(Node<?, ?> node) {
        return node == null ? 0 : node.height;
    }

    private static final class Node<K, V> implements Entry<K, V> {
        final K key;
        V value;
        Node<K, V> left;
        Node<K, V> right;
        int height = 1;

        Node(K key, V value) {
            this.key = key;
            this.value = value;
        }

        void measure() {
            height = 1 + Math.max(heightOf(left), heightOf(right));
        }

        @Override
        public K key() {
            return key;
        }

        @Override
        public V value() {
            return value;
        }
    }

    private final class InOrder implements Iterator<Entry<K, V>> {
        private final LinkedSequence<Node<K, V>> path = new LinkedSequence<>();

        InOrder(Node<K, V> start) {
            descend(start);
        }

        private void descend(Node<K, V> node) {
            for (Node<K, V> each = node; each != null; each = each.left) {
                path.addFirst(each);
            }
        }

        @Override
        public boolean hasNext() {
            return !path.isEmpty();
        }

        @Override
        public Entry<K, V> next() {
            if (path.isEmpty()) {
                throw new NoSuchElementException();
            }
            Node<K, V> node = path.removeFirst();
            descend(node.right);
            return node;
        }
    }
}
