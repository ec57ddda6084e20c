package bookshop.catalogue;

/** Something about the catalogue is wrong: a malformed entry, a duplicate, an unknown title. */
public class CatalogueException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int line;

    public CatalogueException(String message) {
        this(message, 0, null);
    }

    public CatalogueException(String message, int line, Throwable cause) {
        super(line > 0 ? "line " + line + ": " + message : message, cause);
        this.line = line;
    }

    /** The line of the catalogue's text, or 0 where none is to blame. */
    public int line() {
        return line;
    }
}
