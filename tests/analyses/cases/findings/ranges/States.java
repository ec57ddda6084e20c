package numbers;

/** Numbers that are states of an object: the order of the calls decides which method meets them. */
class States {
    private final int[] elements = new int[16];
    private int size;
    private int place;
    private int limit;

    void add(int element) {
        size++;
        elements[size] = element;
    }

    int poll() {
        if (isEmpty()) {
            throw new IllegalStateException();
        }
        elements[1] = elements[size];
        size--;
        return elements[1];
    }

    private boolean isEmpty() {
        return size == 0;
    }

    void clear() {
        cut(0);
    }

    private void cut(int length) {
        this.size = length;
    }

    void start() {
        startAt(-1);
    }

    private void startAt(int at) {
        place = at;
    }

    boolean next() {
        place++;
        return place < elements.length;
    }

    int element() {
        return elements[place];
    }

    // Nothing else is ever stored there.
    void limitTo() {
        limit(-1);
    }

    private void limit(int at) {
        limit = at;
    }

    int limited() {
        return elements[limit]; // found index-out-of-bounds
    }
}
