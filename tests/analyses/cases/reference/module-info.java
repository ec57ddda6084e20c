module shop.main {
    exports shop;
    requires transitive java.sql;
}
