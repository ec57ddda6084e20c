package shop.store;

import acme.cache.Cache;
import java.sql.Connection;
import java.sql.DriverManager;
import shop.model.Item;

public class Store {
    private final Cache cache = Cache.shared();

    public Item find(String name) {
        cache.put(name, name);
        return new Item(name);
    }

    public Connection connection() throws Exception {
        return DriverManager.getConnection("jdbc:acme");
    }
}
