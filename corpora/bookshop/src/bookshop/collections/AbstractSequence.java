package bookshop.collections;

import java.util.Iterator;

/** What all sequences share: they are equal when their elements are, in order. */
public abstract class AbstractSequence<E> implements Sequence<E> {
    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof Sequence<?> sequence) || sequence.size() != size()) {
            return false;
        }
        Iterator<?> theirs = sequence.iterator();
        for (E mine : this) {
            Object their = theirs.next();
            if (mine == null ? their != null : !mine.equals(their)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (E element : this) {
            hash = 31 * hash + (element == null ? 0 : element.hashCode());
        }
        return hash;
    }

    @Override
    public String toString() {
        return "[" + join(", ") + "]";
    }

    /** The index itself, if it is one of an element. */
    protected final int checked(int index) {
        if (index < 0 || index >= size()) {
            throw new IndexOutOfBoundsException("index " + index + ", size " + size());
        }
        return index;
    }
}
