package shop.web;

import java.sql.Connection; // found forbidden-dependency
import shop.model.Item;
import shop.store.Store;

public class Page {
    private final Store store = new Store();

    public static void main(String[] args) throws Exception {
        System.out.println(new Page().show(args[0]));
        Class.forName(args[0]); // found forbidden-dependency
    }

    String show(String name) throws Exception {
        Item item = store.find(name);
        return item.name + open().getSchema(); // found forbidden-dependency
    }

    private Connection open() throws Exception { // found forbidden-dependency
        return store.connection();
    }

    static void never(String command) throws Exception {
        Runtime.getRuntime().exec(command);
    }
}
