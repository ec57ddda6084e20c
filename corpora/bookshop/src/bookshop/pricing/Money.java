package bookshop.pricing;

import bookshop.collections.Sequence;

/** An amount of money in cents; it never overflows silently. */
public final class Money implements Comparable<Money> {
    public static final Money ZERO = new Money(0);

    private final long cents;

    private Money(long cents) {
        this.cents = cents;
    }

    public static Money cents(long cents) {
        return cents == 0 ? ZERO : new Money(cents);
    }

    public static Money of(int whole, int cents) {
        return cents(100L * whole + (whole < 0 ? -cents : cents));
    }

    /** Reads `12.50`, `7` or `-0.99`. */
    public static Money parse(String text) {
        boolean negative = text.startsWith("-");
        String digits = negative ? text.substring(1) : text;
        int point = digits.indexOf('.');
        long cents;
        if (point < 0) {
            cents = 100 * Long.parseLong(digits);
        } else {
            String fraction = digits.substring(point + 1);
            if (fraction.length() != 2) {
                throw new NumberFormatException("two digits follow the point: " + text);
            }
            cents = 100 * Long.parseLong(digits.substring(0, point)) + Long.parseLong(fraction);
        }
        return cents(negative ? -cents : cents);
    }

    public static Money sum(Sequence<Money> amounts) {
        return amounts.fold(ZERO, Money::plus);
    }

    public long cents() {
        return cents;
    }

    public Money plus(Money other) {
        return cents(Math.addExact(cents, other.cents));
    }

    public Money minus(Money other) {
        return cents(Math.subtractExact(cents, other.cents));
    }

    public Money times(int factor) {
        return cents(Math.multiplyExact(cents, (long) factor));
    }

    /** So many hundredths of it, half a cent rounded away from zero. */
    public Money percent(int hundredths) {
        long product = Math.multiplyExact(cents, (long) hundredths);
        long half = product < 0 ? -50 : 50;
        return cents((product + half) / 100);
    }

    public Money negated() {
        return cents(-cents);
    }

    public boolean isNegative() {
        return cents < 0;
    }

    public Money atLeast(Money minimum) {
        return compareTo(minimum) < 0 ? minimum : this;
    }

    /** Splits it into parts that differ by a cent at most and sum up to it. */
    public Money[] split(int parts) {
        Money[] result = new Money[parts];
        long rest = cents;
        for (int i = 0; i < parts; i++) {
            long share = rest / (parts - i);
            result[i] = cents(share);
            rest -= share;
        }
        return result;
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(cents, other.cents);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Money money && money.cents == cents;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(cents);
    }

    @Override
    public String toString() {
        long absolute = Math.abs(cents);
        long fraction = absolute % 100;
        return (cents < 0 ? "-" : "") + absolute / 100 + "." + (fraction < 10 ? "0" : "") + fraction;
    }
}
