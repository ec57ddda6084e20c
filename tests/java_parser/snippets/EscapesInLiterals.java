/** Escapes that would end a comment stand in literals: \u0030. */
class EscapesInLiterals {
    String stars = "\u0000/\u002a \u002a\u002f";
    char star = '\u002A';
}
