module shop.main {
    exports shop;
    requires transitive java.sql;
    provides java.lang.Runnable with shop.Shop;
}
