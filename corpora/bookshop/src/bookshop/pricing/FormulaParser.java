package bookshop.pricing;

/** Reads formulas: numbers, names, `+ - * / > and`, parentheses, `if ... then ... else ...`. */
public final class FormulaParser {
    private final Scanner tokens;

    private FormulaParser(String text) {
        this.tokens = new Scanner(text);
    }

    public static Formula parse(String text) {
        FormulaParser parser = new FormulaParser(text);
        Formula formula = parser.formula(0);
        if (!parser.tokens.current.isEmpty()) {
            throw parser.tokens.unexpected();
        }
        return formula;
    }

    private Formula formula(int weakest) {
        Formula left = operand();
        Operator operator = Operator.withSign(tokens.current);
        while (operator != null && operator.precedence() >= weakest) {
            tokens.advance();
            left = new Formula.Binary(operator, left, formula(operator.precedence() + 1));
            operator = Operator.withSign(tokens.current);
        }
        return left;
    }

    private Formula operand() {
        String token = tokens.current;
        if (token.isEmpty()) {
            throw tokens.unexpected();
        }
        if (tokens.accept("(")) {
            Formula inner = formula(0);
            tokens.expect(")");
            return inner;
        }
        if (tokens.accept("if")) {
            return choice();
        }
        if (tokens.accept("-")) {
            return new Formula.Binary(Operator.MINUS, new Formula.Constant(0), formula(Operator.MINUS.precedence() + 1));
        }
        char first = token.charAt(0);
        if (Character.isDigit(first)) {
            tokens.advance();
            return new Formula.Constant(Integer.parseInt(token));
        }
        if (Character.isLetter(first) && Operator.withSign(token) == null) {
            tokens.advance();
            return new Formula.Variable(token);
        }
        throw tokens.unexpected();
    }

    private Formula choice() {
        Formula condition = formula(0);
        tokens.expect("then");
        Formula positive = formula(0);
        tokens.expect("else");
        return new Formula.Choice(condition, positive, formula(0));
    }

    /** Cuts text into tokens; the empty token is its end. */
    private static final class Scanner {
        private final String text;
        private int position;
        private String current;

        Scanner(String text) {
            this.text = text;
            advance();
        }

        void advance() {
            while (position < text.length() && text.charAt(position) == ' ') {
                position++;
            }
            int start = position;
            if (position < text.length()) {
                if (Character.isLetterOrDigit(text.charAt(position))) {
                    do {
                        position++;
                    } while (position < text.length() && Character.isLetterOrDigit(text.charAt(position)));
                } else {
                    position++;
                }
            }
            current = text.substring(start, position);
        }

        boolean accept(String token) {
            boolean there = current.equals(token);
            if (there) {
                advance();
            }
            return there;
        }

        void expect(String token) {
            if (!accept(token)) {
                throw unexpected();
            }
        }

        FormulaException unexpected() {
            String what = current.isEmpty() ? "unexpected end" : "unexpected `" + current + "`";
            return new FormulaException(what, text, position - current.length());
        }
    }
}
