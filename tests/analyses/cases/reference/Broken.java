package shop;

class Broken {
    void half() {
        Shop.main(null;
    }

    void whole() {
        half();
    }
}
