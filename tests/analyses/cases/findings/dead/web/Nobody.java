package web;

/** Has a method of such a name, too, but nobody has objects of it. */
public class Nobody { // found unused-type
    private Nobody other;

    public String title() {
        return "nobody";
    }
}
