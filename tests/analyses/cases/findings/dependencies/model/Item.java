package shop.model;

import shop.tools.Names;

public class Item {
    public final String name;

    public Item(String name) {
        this.name = Names.trimmed(name);
    }

    public static String label() {
        return Names.trimmed("a") + Names.trimmed("b");
    }
}
