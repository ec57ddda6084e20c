/** Starts everything. */
class Main {
    public static void main(String[] args) {
        boolean some = args.length > 0;
        Item item = some ? new Item(args[0]) : null;
        new Checks().all(new Item("a"), args, some);
        new Loops().all(args);
        new Excluding().all(some, new Item("e"), args);
        new Given().all(new Item("h"));
        new Excluding().results(new Item("f"), new Item("g"));
        new Tries().all(args);
        new Lambdas().all(new Item("b"), some);
        new Fields(args[0]).all(some);
        new Fields().all(some);
        new Arrays().all(args, some);
        new Annotations().all(new Item("c"));
        new Marked().all(new Item("d"));
        new Optionals().all(java.util.Optional.of("e"));
        new Calls().all(some, item);
        new Library().all(args);
        new Types().all(some);
        new Unboxed().all(args.length, new int[3]);
        new Others().all(new Item("i"));
        new Again().all(new Again());
        new Kept().all(new Kept(), some);
        new Inside().all(java.util.List.of(), new Inside[0]);
        new Filters(item).all(java.util.List.of());
        new Understood().all();
        new Understood().last();
        new sure.Sure().all(args[0]);
        new plain.Plain().all();
    }
}

class Item {
    String name;
    Item next;

    Item(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }
}
