package bookshop.catalogue;

/** A book's number of 13 digits, the last of which checks the others. */
public final class Isbn implements Comparable<Isbn> {
    private static final int DIGITS = 13;

    private final long number;

    private Isbn(long number) {
        this.number = number;
    }

    /** Reads `978-0-306-40615-7` and the like: digits with dashes anywhere between them. */
    public static Isbn parse(String text) throws CatalogueException {
        long number = 0;
        int digits = 0;
        int sum = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '-') {
                continue;
            }
            if (c < '0' || c > '9') {
                throw new CatalogueException("not a digit in an ISBN: " + c);
            }
            int digit = c - '0';
            sum += digit * weight(digits);
            number = 10 * number + digit;
            digits++;
        }
        if (digits != DIGITS) {
            throw new CatalogueException("an ISBN has " + DIGITS + " digits, not " + digits);
        }
        if (sum % 10 != 0) {
            throw new CatalogueException("wrong check digit in " + text);
        }
        return new Isbn(number);
    }

    /** The ISBN of a publisher's n-th title, with its check digit. */
    public static Isbn numbered(int publisher, int title) {
        long number = 978_000_000_000L + publisher * 10_000L + title;
        int sum = 0;
        long rest = number;
        for (int place = DIGITS - 2; place >= 0; place--) {
            sum += (int) (rest % 10) * weight(place);
            rest /= 10;
        }
        return new Isbn(10 * number + (10 - sum % 10) % 10);
    }

    private static int weight(int place) {
        return place % 2 == 0 ? 1 : 3;
    }

    public int publisher() {
        return (int) (number / 100_000L % 100_000L);
    }

    @Override
    public int compareTo(Isbn other) {
        return Long.compare(number, other.number);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Isbn && ((Isbn) other).number == number;
    }

    @Override
    public int hashCode() {
        return (int) (number ^ number >>> 32);
    }

    @Override
    public String toString() {
        String digits = Long.toString(number);
        return digits.substring(0, 3) + "-" + digits.substring(3, 12) + "-" + digits.substring(12);
    }
}
