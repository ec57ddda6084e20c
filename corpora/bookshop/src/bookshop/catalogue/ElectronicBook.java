package bookshop.catalogue;

import bookshop.pricing.Money;

/** A book as a file. */
public class ElectronicBook extends Title {
    /** How the file is encoded. */
    public enum Format { PLAIN, PAGED, MARKED_UP }

    private final Format format;

    public ElectronicBook(Isbn isbn, String name, Author author, Genre genre, Money price, Format format) {
        super(isbn, name, author, genre, price);
        this.format = format;
    }

    public Format format() {
        return format;
    }

    @Override
    public <R> R accept(TitleVisitor<R> visitor) {
        return visitor.electronic(this);
    }

    @Override
    protected String details() {
        return switch (format) {
            case PLAIN -> "plain text";
            case PAGED -> "pages";
            case MARKED_UP -> {
                String kind = "marked-up";
                yield kind + " text";
            }
        };
    }
}
