package bookshop.orders;

import bookshop.pricing.Money;

/** A payment was refused. */
public class PaymentException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Money amount;

    public PaymentException(String message, Money amount) {
        super(message);
        this.amount = amount;
    }

    public Money amount() {
        return amount;
    }
}
