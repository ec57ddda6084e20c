package bookshop.stock;

import bookshop.catalogue.Title;
import bookshop.collections.Bits;

/** A row of places, each for copies of one title. */
class Shelf {
    static final int PLACES = 6;

    private final String label;
    private final Title[] titles = new Title[PLACES];
    private final int[] copies = new int[PLACES];
    private final Bits used = new Bits();

    Shelf(String label) {
        this.label = label;
    }

    boolean isFull() {
        return used.count() == PLACES;
    }

    /** The place of a title, or -1. */
    int placeOf(Title title) {
        for (int place = 0; place < PLACES; place++) {
            if (titles[place] == title) {
                return place;
            }
        }
        return -1;
    }

    /** Gives a title a place, the first free one. */
    int assign(Title title) {
        int place = 0;
        while (used.contains(place)) {
            place++;
        }
        used.add(place);
        titles[place] = title;
        return place;
    }

    void change(int place, int by) {
        copies[place] += by;
        if (copies[place] < 0) {
            throw new IllegalStateException(label + place + " holds " + copies[place]);
        }
    }

    int copies(int place) {
        return copies[place];
    }

    String label(int place) {
        return label + (place + 1);
    }

    int total() {
        int total = 0;
        for (int count : copies) {
            total += count;
        }
        return total;
    }
}
