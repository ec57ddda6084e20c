package bookshop.catalogue;

import bookshop.pricing.Money;

/** A book read aloud, on discs. */
public class AudioBook extends Title {
    private static final int MINUTES_PER_DISC = 74;
    private static final int GRAMS_PER_DISC = 16;
    private static final int GRAMS_OF_BOX = 60;

    private final int minutes;

    public AudioBook(Isbn isbn, String name, Author author, Genre genre, Money price, int minutes) {
        super(isbn, name, author, genre, price);
        this.minutes = minutes;
    }

    public int minutes() {
        return minutes;
    }

    public int discs() {
        return (minutes + MINUTES_PER_DISC - 1) / MINUTES_PER_DISC;
    }

    @Override
    public int weight() {
        return GRAMS_OF_BOX + discs() * GRAMS_PER_DISC;
    }

    @Override
    public <R> R accept(TitleVisitor<R> visitor) {
        return visitor.audio(this);
    }

    @Override
    protected String details() {
        return minutes / 60 + "h" + (minutes % 60 < 10 ? "0" : "") + minutes % 60;
    }
}
