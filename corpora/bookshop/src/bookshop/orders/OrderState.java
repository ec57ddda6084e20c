package bookshop.orders;

/** Where an order stands and what may happen to it next. */
public enum OrderState {
    NEW {
        @Override
        OrderState paid() {
            return PAID;
        }

        @Override
        OrderState cancelled() {
            return CANCELLED;
        }
    },
    PAID {
        @Override
        OrderState packed() {
            return PACKED;
        }

        @Override
        OrderState cancelled() {
            return REFUNDED;
        }
    },
    PACKED {
        @Override
        OrderState shipped() {
            return SHIPPED;
        }

        @Override
        OrderState cancelled() {
            return REFUNDED;
        }
    },
    SHIPPED,
    CANCELLED,
    REFUNDED;

    OrderState paid() {
        throw refuse("be paid");
    }

    OrderState packed() {
        throw refuse("be packed");
    }

    OrderState shipped() {
        throw refuse("be shipped");
    }

    OrderState cancelled() {
        throw refuse("be cancelled");
    }

    public boolean isFinal() {
        return this == SHIPPED || this == CANCELLED || this == REFUNDED;
    }

    private IllegalStateException refuse(String what) {
        return new IllegalStateException("an order that is " + name().toLowerCase() + " cannot " + what);
    }
}
