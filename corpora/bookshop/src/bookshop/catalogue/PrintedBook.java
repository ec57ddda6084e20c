package bookshop.catalogue;

import bookshop.pricing.Money;

/** A book on paper. */
public class PrintedBook extends Title {
    private static final int GRAMS_PER_SHEET = 4;

    private final int pages;

    public PrintedBook(Isbn isbn, String name, Author author, Genre genre, Money price, int pages) {
        super(isbn, name, author, genre, price);
        this.pages = pages;
    }

    public int pages() {
        return pages;
    }

    @Override
    public int weight() {
        return coverWeight() + (pages + 1) / 2 * GRAMS_PER_SHEET;
    }

    protected int coverWeight() {
        return 20;
    }

    @Override
    public <R> R accept(TitleVisitor<R> visitor) {
        return visitor.printed(this);
    }

    @Override
    protected String details() {
        return pages + " pages";
    }

    /** The same with hard covers. */
    public static class Bound extends PrintedBook {
        public Bound(Isbn isbn, String name, Author author, Genre genre, Money price, int pages) {
            super(isbn, name, author, genre, price, pages);
        }

        @Override
        protected int coverWeight() {
            return 5 * super.coverWeight();
        }

        @Override
        protected String details() {
            return "bound, " + super.details();
        }
    }
}
