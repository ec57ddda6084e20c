package bookshop.catalogue;

import bookshop.pricing.Money;

/** Something the shop sells, in one of its forms. */
public abstract class Title {
    private final Isbn isbn;
    private final String name;
    private final Author author;
    private final Genre genre;
    private final Money price;

    protected Title(Isbn isbn, String name, Author author, Genre genre, Money price) {
        this.isbn = isbn;
        this.name = name;
        this.author = author;
        this.genre = genre;
        this.price = price;
        author.wrote(this);
    }

    public Isbn isbn() {
        return isbn;
    }

    public String name() {
        return name;
    }

    public Author author() {
        return author;
    }

    public Genre genre() {
        return genre;
    }

    public Money price() {
        return price;
    }

    /** Weight of one copy in grams; 0 for what is not sent by post. */
    public int weight() {
        return 0;
    }

    /** Whether copies can run out. */
    public boolean isStocked() {
        return weight() > 0;
    }

    public abstract <R> R accept(TitleVisitor<R> visitor);

    /** What is special about this form, for lists. */
    protected abstract String details();

    @Override
    public String toString() {
        String details = details();
        return name + " by " + author + (details.isEmpty() ? "" : " (" + details + ")");
    }
}
