package bookshop.catalogue;

/** What a book is about; each genre knows its shelf and who must not buy it. */
public enum Genre {
    NOVEL("A"),
    CRIME("B") {
        @Override
        public int minimumAge() {
            return 14;
        }
    },
    SCIENCE("C"),
    COOKERY("D") {
        @Override
        public String advice() {
            return "keep away from the stove";
        }
    },
    HORROR("E") {
        @Override
        public int minimumAge() {
            return CRIME.minimumAge() + 4;
        }

        @Override
        public String advice() {
            return "not before sleeping";
        }
    };

    private final String shelf;

    Genre(String shelf) {
        this.shelf = shelf;
    }

    public static Genre named(String name) throws CatalogueException {
        for (Genre genre : values()) {
            if (genre.name().equalsIgnoreCase(name)) {
                return genre;
            }
        }
        throw new CatalogueException("unknown genre " + name);
    }

    public String shelf() {
        return shelf;
    }

    public int minimumAge() {
        return 0;
    }

    public String advice() {
        return "";
    }
}
