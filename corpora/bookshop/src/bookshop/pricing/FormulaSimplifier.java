package bookshop.pricing;

/** Computes what can be computed without knowing the variables. */
public final class FormulaSimplifier implements Formula.Visitor<Formula> {
    private int steps;

    public static Formula simplify(Formula formula) {
        FormulaSimplifier simplifier = new FormulaSimplifier();
        Formula before;
        Formula after = formula;
        do {
            before = after;
            after = before.accept(simplifier);
        } while (!after.equals(before) && simplifier.steps < 1000);
        return after;
    }

    @Override
    public Formula constant(Formula.Constant formula) {
        return formula;
    }

    @Override
    public Formula variable(Formula.Variable formula) {
        return formula;
    }

    @Override
    public Formula binary(Formula.Binary formula) {
        steps++;
        Formula left = formula.left().accept(this);
        Formula right = formula.right().accept(this);
        Operator operator = formula.operator();
        if (left instanceof Formula.Constant a && right instanceof Formula.Constant b
                && !(operator == Operator.OVER && b.value() == 0)) {
            return new Formula.Constant(operator.apply(a.value(), b.value()));
        }
        if (isConstant(right, neutral(operator))) {
            return left;
        }
        boolean swaps = operator == Operator.PLUS || operator == Operator.TIMES;
        if (swaps && isConstant(left, neutral(operator))) {
            return right;
        }
        return new Formula.Binary(operator, left, right);
    }

    @Override
    public Formula choice(Formula.Choice formula) {
        steps++;
        Formula condition = formula.condition().accept(this);
        if (condition instanceof Formula.Constant constant) {
            Formula chosen = constant.value() > 0 ? formula.positive() : formula.other();
            return chosen.accept(this);
        }
        return new Formula.Choice(condition, formula.positive().accept(this), formula.other().accept(this));
    }

    /** The right operand that changes nothing; none for comparisons. */
    private static int neutral(Operator operator) {
        switch (operator) {
            case PLUS:
            case MINUS:
                return 0;
            case TIMES:
            case OVER:
                return 1;
            default:
                return Integer.MIN_VALUE;
        }
    }

    private static boolean isConstant(Formula formula, int value) {
        return formula instanceof Formula.Constant constant && constant.value() == value && value != Integer.MIN_VALUE;
    }
}
