package web;

/** Called by its name on what an unknown library gives: another file has such objects. */
class Held {
    public String title() {
        return "held";
    }
}
