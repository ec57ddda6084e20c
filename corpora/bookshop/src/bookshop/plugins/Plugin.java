package bookshop.plugins;

import bookshop.app.Shop;

/** Something that watches the shop and may have to say something at the end of the day. */
public interface Plugin {
    /** Called once, before anything is sold. */
    void install(Shop shop);

    default String name() {
        return getClass().getSimpleName();
    }

    /** Lines for the end of the day; empty if there is nothing to say. */
    default String summary() {
        return "";
    }
}
