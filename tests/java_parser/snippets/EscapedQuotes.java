/** Literals begin and end with escapes. */
class EscapedQuotes {
    char quoted = \u0027x\u0027, quote = '\u0022', apostrophe = '\u005c\u0027';
    String text = \u0022y\u0022 + "\u002b" + "\u0022 + "z" + "\u005c"";
}
