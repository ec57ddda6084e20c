package bookshop.orders;

import bookshop.pricing.Money;

/** With a card whose number is checked as usual for cards. */
public class CardPayment extends Payment {
    private char[] number;

    public CardPayment(String number) {
        this.number = number.toCharArray();
    }

    @Override
    protected void check(Order order, Money amount) throws PaymentException {
        super.check(order, amount);
        if (!isValid(number)) {
            throw new PaymentException("bad card number", amount);
        }
    }

    @Override
    protected void transfer(Order order, Money amount) {
        assert number.length > 4;
    }

    @Override
    protected String describe() {
        return "card ending in " + new String(number, number.length - 4, 4);
    }

    /** The number is not kept. */
    @Override
    protected void done() {
        number = new char[] {'?', '?', '?', '?', '?'};
    }

    /** Every second digit from the right counts twice; the sum of all digits must end in 0. */
    static boolean isValid(char[] digits) {
        int sum = 0;
        boolean twice = false;
        for (int i = digits.length - 1; i >= 0; i--) {
            int digit = digits[i] - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            int value = twice ? 2 * digit : digit;
            sum += value > 9 ? value - 9 : value;
            twice = !twice;
        }
        return digits.length > 4 && sum % 10 == 0;
    }
}
