package bookshop.stock;

import bookshop.catalogue.Title;

/** Fewer copies are there than asked for. */
public class OutOfStockException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Title title;
    private final int missing;

    public OutOfStockException(Title title, int missing) {
        super(missing + " of " + title.name() + " missing");
        this.title = title;
        this.missing = missing;
    }

    public Title title() {
        return title;
    }

    public int missing() {
        return missing;
    }
}
