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
        last.name(); // not found: only if no argument is given, and conditions are not followed
        Item found = null;
        while (found == null) {
            found = new Item("");
        }
        found.name();
        Item first = null;
        for (String arg : args) {
            first.name(); // not found: the loop may end before
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
