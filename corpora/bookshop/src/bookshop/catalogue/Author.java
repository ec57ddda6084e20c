package bookshop.catalogue;

import bookshop.collections.LinkedSequence;
import bookshop.collections.Sequence;

/** Somebody who wrote at least one of the titles. */
public class Author implements Comparable<Author> {
    private final String name;
    private final Sequence<Title> titles = new LinkedSequence<>();

    Author(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    public Sequence<Title> titles() {
        return titles;
    }

    void wrote(Title title) {
        titles.add(title);
    }

    /** `Woolf, V.` for Virginia Woolf. */
    public String sortName() {
        int space = name.lastIndexOf(' ');
        return space < 0 ? name : name.substring(space + 1) + ", " + name.charAt(0) + ".";
    }

    @Override
    public int compareTo(Author other) {
        return sortName().compareTo(other.sortName());
    }

    @Override
    public String toString() {
        return name;
    }
}
