package bookshop.pricing;

import bookshop.collections.Index;

/** A formula over whole numbers, as price rules are written in. */
public sealed interface Formula {
    int precedence();

    <R> R accept(Visitor<R> visitor);

    /** The value where each variable has the value given. */
    default int evaluate(Index<String, Integer> variables) {
        return accept(new Evaluation(variables));
    }

    default String inParentheses(Formula inner) {
        String text = inner.toString();
        return inner.precedence() < precedence() ? "(" + text + ")" : text;
    }

    /** A number. */
    record Constant(int value) implements Formula {
        @Override
        public int precedence() {
            return 9;
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.constant(this);
        }

        @Override
        public String toString() {
            return Integer.toString(value);
        }
    }

    /** A name for a number. */
    record Variable(String name) implements Formula {
        @Override
        public int precedence() {
            return 9;
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.variable(this);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Two formulas joined by an operator. */
    record Binary(Operator operator, Formula left, Formula right) implements Formula {
        @Override
        public int precedence() {
            return operator.precedence();
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.binary(this);
        }

        @Override
        public String toString() {
            return inParentheses(left) + " " + operator.sign() + " " + inParentheses(right);
        }
    }

    /** One of two formulas, chosen by whether a third is positive. */
    record Choice(Formula condition, Formula positive, Formula other) implements Formula {
        @Override
        public int precedence() {
            return 0;
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.choice(this);
        }

        @Override
        public String toString() {
            return "if " + condition + " then " + positive + " else " + other;
        }
    }

    /** One answer per kind of formula. */
    interface Visitor<R> {
        R constant(Constant formula);

        R variable(Variable formula);

        R binary(Binary formula);

        R choice(Choice formula);
    }

    /** Computes a formula's value. */
    final class Evaluation implements Visitor<Integer> {
        private final Index<String, Integer> variables;

        Evaluation(Index<String, Integer> variables) {
            this.variables = variables;
        }

        @Override
        public Integer constant(Constant formula) {
            return formula.value();
        }

        @Override
        public Integer variable(Variable formula) {
            Integer value = variables.get(formula.name());
            if (value == null) {
                throw new FormulaException("no value for " + formula.name());
            }
            return value;
        }

        @Override
        public Integer binary(Binary formula) {
            return formula.operator().apply(formula.left().accept(this), formula.right().accept(this));
        }

        @Override
        public Integer choice(Choice formula) {
            return formula.condition().accept(this) > 0 ? formula.positive().accept(this) : formula.other().accept(this);
        }
    }
}
