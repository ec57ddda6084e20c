package bounds;

import java.io.File;

/** What is known only because callers choose the same. */
public class Branches {
    private static int level;

    protected void store(String name, boolean replace) {
        boolean existing = new File(name).exists();
        if (existing && !replace) {
            throw new IllegalStateException(name);
        }
        if (existing) {
            System.out.println("update");
        } else {
            System.out.println("insert");
        }
    }

    protected void refuse(String name, boolean replace) {
        boolean existing = new File(name).exists();
        if (existing) {
            throw new IllegalStateException(name);
        }
        if (replace) {
            System.out.println("replace");
        }
        if (existing) { // found constant-condition
            System.out.println("never");
        }
    }

    protected void again(String name, boolean replace) {
        boolean existing = new File(name).exists();
        if (existing && !replace) {
            throw new IllegalStateException(name);
        }
        existing = false;
        if (existing) { // found constant-condition
            System.out.println("never");
        }
    }

    protected void other(String[] names, boolean replace) {
        int count = names.length;
        if (count == 3 && !replace) {
            throw new IllegalStateException();
        }
        if (count == 3) {
            System.out.println("as the caller chooses");
        }
        if (count < -1) { // found constant-condition
            System.out.println("never");
        }
    }

    protected void assign(String name, boolean replace) {
        int kind = 1;
        int other = 1;
        if (replace) {
            System.out.println(name);
            kind = name.length();
            level = 2;
        }
        if (kind == 1) {
            System.out.println("as the caller chooses");
        }
        if (other == 1) { // found constant-condition
            System.out.println("always");
        }
        if (level > 1) {
            System.out.println("as the caller chooses");
        }
    }

    protected void known(String name) {
        boolean never = new int[2].length < 0;
        int kind = 1;
        if (never) { // found constant-condition
            System.out.println(name);
            kind = name.length();
        }
        if (kind == 1) { // found constant-condition
            System.out.println("always");
        }
    }

    public static void main(String[] args) {
        Branches made = new Branches();
        made.store(args[0], false);
        made.refuse(args[0], false);
        made.again(args[0], false);
        made.other(args, false);
        made.assign(args[0], false);
        made.known(args[0]);
    }
}
