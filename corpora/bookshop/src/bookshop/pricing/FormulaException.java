package bookshop.pricing;

/** A formula cannot be read or has no value. */
public class FormulaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FormulaException(String message) {
        super(message);
    }

    public FormulaException(String message, String text, int position) {
        this(message + " at " + position + " of `" + text + "`");
    }
}
