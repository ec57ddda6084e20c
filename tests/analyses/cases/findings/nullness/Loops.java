/** Values that come round. */
class Loops {
    void all(String[] args) {
        Item last = null;
        for (String arg : args) {
            if (last != null) {
                last.name();
            }
            last = new Item(arg);
        }
        last.name(); // found null-dereference-on-path
        Item found = null;
        while (found == null) {
            found = new Item("");
        }
        found.name();
        Item first = null;
        for (String arg : args) {
            first.name(); // found null-dereference-on-path
            first = new Item(arg);
        }
        int n = 0;
        Item head = new Item("");
        for (Item each = head; each != null; each = each.next) {
            each.name();
        }
        do {
            n++;
            head = head.next;
        } while (head != null && n < args.length);
    }
}
