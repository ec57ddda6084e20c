package bookshop.pricing;

/** What joins two numbers. */
public enum Operator {
    PLUS("+", 4) {
        @Override
        int apply(int left, int right) {
            return left + right;
        }
    },
    MINUS("-", 4) {
        @Override
        int apply(int left, int right) {
            return left - right;
        }
    },
    TIMES("*", 5) {
        @Override
        int apply(int left, int right) {
            return left * right;
        }
    },
    OVER("/", 5) {
        @Override
        int apply(int left, int right) {
            if (right == 0) {
                throw new FormulaException("division by zero");
            }
            return left / right;
        }
    },
    MORE(">", 2) {
        @Override
        int apply(int left, int right) {
            return left > right ? 1 : 0;
        }
    },
    AND("and", 1) {
        @Override
        int apply(int left, int right) {
            return left > 0 && right > 0 ? 1 : 0;
        }
    };

    private final String sign;
    private final int precedence;

    Operator(String sign, int precedence) {
        this.sign = sign;
        this.precedence = precedence;
    }

    abstract int apply(int left, int right);

    public String sign() {
        return sign;
    }

    public int precedence() {
        return precedence;
    }

    /** The operator with that sign, or null. */
    static Operator withSign(String sign) {
        for (Operator operator : values()) {
            if (operator.sign.equals(sign)) {
                return operator;
            }
        }
        return null;
    }
}
