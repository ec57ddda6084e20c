package fields;

public class Fields {
    static final int LIMIT = 1 << 4;
    static int untouched = 3;
    static int agreed = 4;
    static int changed = 5;
    static int fallen;
    static int late;
    static boolean debug;
    static long sum = 1;
    static int once = Integer.parseInt("7");
    static int looped = 0;

    final int given;
    int same = 6;
    int left;
    int half;
    int counted;
    int behind;
    private final String name;

    Fields(int given, boolean b) {
        this.given = given;
        this.name = "n";
        counted = 2;
        if (b) {
            half = 8;
        }
        behind = 2;
    }

    Fields() {
        this(9, true);
    }

    public static void main(String[] args) {
        int limit = LIMIT;              // limit is 16
        int never = untouched;          // never is 3
        agreed = 4;
        int both = agreed;              // both is 4
        changed = args.length > 0 ? 5 : 6;
        int either = changed;           // either is any
        int zero = fallen;              // zero is 0
        late = 1;
        int maybe = late;               // maybe is any
        boolean off = debug;            // off is 0
        sum = sum * 1;
        long one = sum;                 // one is 1
        int unknown = once;             // unknown is any
        for (int i = 0; i < 10; i++) {
            looped = looped + 1;
        }
        int many = looped;              // many is any
        int wrapped = looped;           // wrapped in any
        Fields f = new Fields();
        int nine = f.given;             // nine is 9
        int six = f.same;               // six is 6
        int nought = f.left;            // nought is 0
        int eight = f.half;             // eight is any
        int upto = f.half;              // upto in [0, 8]
        int two = f.counted;            // two is 2
        int later = f.behind;           // later is any
        String n = f.name;              // n is "n"
        f.same = 6;
        int still = new Fields().same;  // still is 6
        int length = Holder.SIZE;       // length is 17
        new Leaf().use();
        int after = new Caller(1).seen; // after is any
    }
}

class Holder {
    static final int SIZE;
    static {
        SIZE = Fields.LIMIT + 1;
    }
}

// The constructor of the superclass reads what the subclass has not assigned yet.
class Early {
    Early() { show(); }
    void show() { }
}

class Leaf extends Early {
    int ready = 1;
    static final int READY = 1;

    void show() {
        int unready = ready;            // unready is any
        int constant = READY;           // constant is 1
    }

    void use() {
        int now = ready;                // now is any
    }
}

// A method runs before the constructor assigns the field.
class Caller {
    int seen;
    Caller(int n) {
        look();
        seen = n;
    }
    void look() {
        int before = seen;              // before is any
    }
}
