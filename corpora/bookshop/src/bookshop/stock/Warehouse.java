package bookshop.stock;

import bookshop.catalogue.Genre;
import bookshop.catalogue.Isbn;
import bookshop.catalogue.Title;
import bookshop.collections.ArraySequence;
import bookshop.collections.HashIndex;
import bookshop.collections.Index;
import bookshop.collections.Sequence;
import bookshop.collections.SortedIndex;
import bookshop.events.EventBus;

/** Keeps copies on shelves and promises them to orders. */
public class Warehouse {
    private final EventBus events;
    private final ReorderPolicy policy;
    private final Index<Isbn, Place> places = new HashIndex<>();
    private final SortedIndex<String, Sequence<Shelf>> shelves = SortedIndex.natural();

    public Warehouse(EventBus events, ReorderPolicy policy) {
        this.events = events;
        this.policy = policy;
    }

    /** Puts copies on the title's shelf. */
    public void receive(Title title, int copies) {
        if (copies <= 0) {
            throw new IllegalArgumentException("copies: " + copies);
        }
        Place place = place(title);
        place.add(copies);
    }

    /** Copies that are there and not promised to anybody. */
    public int available(Title title) {
        return title.isStocked() ? place(title).free() : Integer.MAX_VALUE;
    }

    /** Promises copies; nothing is promised if they are not all there. */
    public Reservation reserve(Title title, int copies) throws OutOfStockException {
        int free = available(title);
        if (free < copies) {
            throw new OutOfStockException(title, copies - free);
        }
        return title.isStocked() ? place(title).new Held(copies) : Reservation.NOTHING;
    }

    /** Orders copies of all titles that need it; answers how many. */
    public int reorder() {
        int ordered = 0;
        for (Place place : places.values()) {
            int copies = policy.copiesToOrder(place.free(), place.sold);
            if (copies > 0) {
                place.sold = 0;
                place.add(copies);
                ordered += copies;
            }
        }
        return ordered;
    }

    public String locate(Title title) {
        return title.isStocked() ? place(title).label() : "-";
    }

    /** Copies per genre, in the order of genres. */
    public int[] copiesByGenre() {
        int[] copies = new int[Genre.values().length];
        for (Genre genre : Genre.values()) {
            for (Shelf shelf : shelves.getOrElse(genre.shelf(), new ArraySequence<>())) {
                copies[genre.ordinal()] += shelf.total();
            }
        }
        return copies;
    }

    private Place place(Title title) {
        return places.getOrMake(title.isbn(), () -> new Place(title, shelfFor(title.genre())));
    }

    private Shelf shelfFor(Genre genre) {
        Sequence<Shelf> row = shelves.getOrMake(genre.shelf(), ArraySequence::new);
        for (Shelf shelf : row) {
            if (!shelf.isFull()) {
                return shelf;
            }
        }
        Shelf shelf = new Shelf(genre.shelf() + (row.size() + 1) + "/");
        row.add(shelf);
        return shelf;
    }

    /** Where copies of one title lie. */
    private final class Place {
        private final Title title;
        private final Shelf shelf;
        private final int number;
        private int promised;
        private int sold;

        Place(Title title, Shelf shelf) {
            this.title = title;
            this.shelf = shelf;
            int present = shelf.placeOf(title);
            this.number = present >= 0 ? present : shelf.assign(title);
        }

        void add(int copies) {
            shelf.change(number, copies);
        }

        int free() {
            return shelf.copies(number) - promised;
        }

        String label() {
            return shelf.label(number);
        }

        /** Copies promised to somebody. */
        final class Held implements Reservation {
            private int copies;

            Held(int copies) {
                this.copies = copies;
                promised += copies;
            }

            @Override
            public void take() {
                promised -= copies;
                sold += copies;
                Place.this.add(-copies);
                copies = 0;
                if (free() < StockLow.THRESHOLD) {
                    events.publish(new StockLow(title, free()));
                }
            }

            @Override
            public void release() {
                promised -= copies;
                copies = 0;
            }
        }
    }
}
