package bookshop.orders;

import bookshop.pricing.Money;

/** With a voucher; what it does not cover is paid in another way. */
public class VoucherPayment extends Payment {
    private final Payment other;
    private Money value;

    public VoucherPayment(Money value, Payment other) {
        this.value = value;
        this.other = other;
    }

    public Money left() {
        return value;
    }

    @Override
    protected void check(Order order, Money amount) throws PaymentException {
        super.check(order, amount);
        if (amount.compareTo(value) > 0) {
            other.check(order, amount.minus(value));
        }
    }

    @Override
    protected void transfer(Order order, Money amount) throws PaymentException {
        Money rest = amount.minus(value);
        if (rest.isNegative()) {
            value = rest.negated();
            return;
        }
        other.transfer(order, rest);
        value = Money.ZERO;
    }

    @Override
    protected String describe() {
        return "voucher and " + other.describe();
    }

    @Override
    protected void done() {
        other.done();
    }
}
