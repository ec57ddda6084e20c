package bookshop.reports;

import bookshop.app.Shop;

/** Says something about the shop. */
public abstract class Report {
    private final String heading;

    protected Report(String heading) {
        this.heading = heading;
    }

    public final String render(Shop shop) {
        return heading + "\n" + "=".repeat(heading.length()) + "\n" + body(shop);
    }

    protected abstract String body(Shop shop);
}
