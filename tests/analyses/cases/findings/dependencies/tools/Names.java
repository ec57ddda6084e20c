package shop.tools;

public class Names {
    public static String trimmed(String name) {
        return name.trim();
    }

    static String label() {
        return shop.model.Item.label(); // found package-cycle
    }
}
