package bookshop.orders;

import bookshop.collections.LinkedSequence;
import bookshop.collections.Sequence;
import bookshop.pricing.Money;
import bookshop.stock.Reservation;

/** What a customer ordered, from placing to shipping. */
public class Order {
    private static int lastNumber;

    private final int number;
    private final Customer customer;
    private final Sequence<OrderLine> lines;
    private final Sequence<Reservation> reservations = new LinkedSequence<>();
    private Money postage = Money.ZERO;
    private OrderState state = OrderState.NEW;

    Order(Customer customer, Sequence<OrderLine> lines) {
        this.number = ++lastNumber;
        this.customer = customer;
        this.lines = lines;
    }

    public int number() {
        return number;
    }

    public Customer customer() {
        return customer;
    }

    public Sequence<OrderLine> lines() {
        return lines;
    }

    public OrderState state() {
        return state;
    }

    public Money net() {
        return Money.sum(lines.map(OrderLine::price));
    }

    public Money tax() {
        return lines.fold(Money.ZERO, (sum, line) -> sum.plus(line.tax()));
    }

    public Money total() {
        return net().plus(tax()).plus(postage);
    }

    public int weight() {
        return Sequence.sum(lines.map(OrderLine::weight));
    }

    void setPostage(Money postage) {
        this.postage = postage;
    }

    void hold(Reservation reservation) {
        reservations.add(reservation);
    }

    void markPaid() {
        state = state.paid();
    }

    void pack() {
        state = state.packed();
        reservations.forEach(Reservation::take);
    }

    void ship() {
        state = state.shipped();
    }

    void cancel() {
        state = state.cancelled();
        for (Reservation reservation : reservations) {
            reservation.release();
        }
    }

    @Override
    public String toString() {
        return "order " + number + " of " + customer + ": " + lines.join(", ");
    }
}
