/** Fields: what a method knows of them. */
class Fields {
    static Item shared;
    private final Item made;
    private Item late;
    private String text;

    Fields() {
        this("");
    }

    Fields(String name) {
        made = new Item(name);
        start();
    }

    private void start() {
        late = new Item("");
    }

    void all(boolean some) {
        made.name();
        late.name();
        checked();
        closed();
        given();
        holder(some);
        shared = null;
        useShared();
        shared = new Item("");
        shared.name();
    }

    private void checked() {
        if (late == null) {
            System.out.println("none");
        }
        late.name(); // found null-dereference-of-checked
        if (text != null) {
            text.length();
        }
    }

    private void closed() {
        this.late = null;
        late.name(); // found null-dereference
        this.late = null;
        start();
        late.name();
    }

    private void given() {
        text = null;
        useText();
        text = "";
    }

    private void useText() {
        text.length(); // found nullable-argument
    }

    private static void useShared() {
        shared.name(); // found nullable-argument
    }

    private void holder(boolean some) {
        Item a = new Item("");
        a.next = some ? a : null;
        follow(a);
        Item b = new Item("");
        b.next = a;
        followOther(b);
    }

    private void follow(Item item) {
        item.next.name(); // found nullable-argument
    }

    private void followOther(Item item) {
        item.next.name();
    }
}
