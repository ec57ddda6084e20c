package bookshop.orders;

import bookshop.pricing.Money;

/** A way to pay: checks first, then pays, and writes down how it went. */
public abstract class Payment {
    private String receipt = "";

    public final void pay(Order order) throws PaymentException {
        Money amount = order.total();
        try {
            check(order, amount);
            transfer(order, amount);
            receipt = describe() + " " + amount;
        } catch (PaymentException error) {
            receipt = "refused: " + error.getMessage();
            throw error;
        } finally {
            done();
        }
    }

    public String receipt() {
        return receipt;
    }

    protected void check(Order order, Money amount) throws PaymentException {
        if (amount.isNegative()) {
            throw new PaymentException("nothing to pay", amount);
        }
    }

    protected abstract void transfer(Order order, Money amount) throws PaymentException;

    protected abstract String describe();

    protected void done() {
    }
}
