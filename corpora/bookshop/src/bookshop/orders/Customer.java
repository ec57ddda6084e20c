package bookshop.orders;

import bookshop.pricing.Money;

/** Somebody who buys. */
public class Customer {
    private final String name;
    private final int age;
    private Money credit = Money.ZERO;

    public Customer(String name, int age) {
        this.name = name;
        this.age = age;
    }

    public String name() {
        return name;
    }

    public int age() {
        return age;
    }

    /** What the customer may buy before paying. */
    public Money creditLimit() {
        return Money.ZERO;
    }

    public Money credit() {
        return credit;
    }

    /** Writes an amount on the customer's account. */
    void charge(Money amount) throws PaymentException {
        Money after = credit.plus(amount);
        if (after.compareTo(creditLimit()) > 0) {
            throw new PaymentException(name + " has no credit for " + amount, amount);
        }
        credit = after;
    }

    void settle() {
        credit = Money.ZERO;
    }

    @Override
    public String toString() {
        return name;
    }

    /** A customer who is known for long. */
    public static class Regular extends Customer {
        private final Money limit;

        public Regular(String name, int age, Money limit) {
            super(name, age);
            this.limit = limit;
        }

        @Override
        public Money creditLimit() {
            return limit;
        }
    }

    /** A library or a school: pays later, whatever it is. */
    public static final class Institution extends Regular {
        public Institution(String name) {
            super(name, 99, Money.of(1_000, 0));
        }

        @Override
        public Money creditLimit() {
            return super.creditLimit().times(10);
        }
    }
}
