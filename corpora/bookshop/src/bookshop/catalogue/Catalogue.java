package bookshop.catalogue;

import bookshop.collections.ArraySequence;
import bookshop.collections.HashIndex;
import bookshop.collections.Index;
import bookshop.collections.ObservableSequence;
import bookshop.collections.Sequence;
import bookshop.collections.SortedIndex;
import bookshop.pricing.Money;
import java.util.function.Predicate;

/** All titles, found by number, by author, and by words of their names. */
public class Catalogue {
    private final ObservableSequence<Title> titles = new ObservableSequence<>();
    private final Index<Isbn, Title> byNumber = new HashIndex<>();
    private final Index<String, Author> authors = SortedIndex.natural();
    private final WordIndex words = new WordIndex();

    public Catalogue() {
        titles.observe(words);
        titles.observe(new ObservableSequence.Observer<Title>() {
            @Override
            public void added(Title title) {
                byNumber.put(title.isbn(), title);
            }

            @Override
            public void removed(Title title) {
                byNumber.remove(title.isbn());
            }
        });
    }

    public void add(Title title) throws CatalogueException {
        Title present = byNumber.get(title.isbn());
        if (present != null) {
            throw new CatalogueException(title.isbn() + " is the number of " + present.name());
        }
        titles.add(title);
    }

    public boolean remove(Title title) {
        return titles.remove(title);
    }

    /** The author of that name, who is made up if unknown. */
    public Author author(String name) {
        return authors.getOrMake(name, () -> new Author(name));
    }

    public Title title(Isbn isbn) throws CatalogueException {
        return byNumber.lookup(isbn).orThrow(() -> new CatalogueException("no title " + isbn));
    }

    public ObservableSequence<Title> titles() {
        return titles;
    }

    public Sequence<Author> authors() {
        return authors.values().sorted(Author::compareTo);
    }

    /** Titles whose names hold all of the words, whatever their case. */
    public Sequence<Title> search(String... wanted) {
        Sequence<Title> found = null;
        for (String word : wanted) {
            Sequence<Title> having = words.having(word);
            found = found == null ? having : found.where(having::contains);
        }
        return found == null ? new ArraySequence<>() : found;
    }

    public Sequence<Title> matching(Predicate<? super Title> condition) {
        return titles.where(condition);
    }

    public static Predicate<Title> cheaperThan(Money limit) {
        return title -> title.price().compareTo(limit) < 0;
    }

    public static Predicate<Title> of(Genre genre) {
        return title -> title.genre() == genre;
    }

    /** Titles by the words of their names. */
    private static class WordIndex implements ObservableSequence.Observer<Title> {
        private final Index<String, Sequence<Title>> entries = new HashIndex<>();

        @Override
        public void added(Title title) {
            for (String word : title.name().split(" ")) {
                Sequence<Title> having = entries.getOrMake(key(word), ArraySequence::new);
                if (!having.contains(title)) {
                    having.add(title);
                }
            }
        }

        @Override
        public void removed(Title title) {
            entries.values().forEach(having -> having.remove(title));
        }

        Sequence<Title> having(String word) {
            return Sequence.copyOf(entries.getOrElse(key(word), new ArraySequence<>()));
        }

        private static String key(String word) {
            return word.toLowerCase();
        }
    }
}
