package bookshop.orders;

import bookshop.pricing.Money;

/** Later, on the customer's account. */
public class AccountPayment extends Payment {
    @Override
    protected void transfer(Order order, Money amount) throws PaymentException {
        order.customer().charge(amount);
    }

    @Override
    protected String describe() {
        return "on account";
    }
}
