package branches;

public class Branches {
    static final boolean DEBUG = false;
    static final int LEVEL = 3;

    public static void main(String[] args) {
        int x = 1;
        if (DEBUG) {                    // decided false
            x = 2;                      // unreachable
            only(5);                    // unreachable
        }
        int one = x;                    // one is 1
        only(6);
        int y = 0;
        if (LEVEL > 2) {                // decided true
            y = 4;
        } else {
            y = 5;                      // unreachable
        }
        int four = y;                   // four is 4
        // Optimistic: that the branch is never taken and that z stays 0 support each other.
        int z = 0;
        for (int i = 0; i < args.length; i++) {
            if (z != 0) {               // decided false
                z = 7;                  // unreachable
            }
        }
        int zero = z;                   // zero is 0
        int w = args.length;
        if (w < 0) {                    // decided false by intervals
            w = 3;                      // unreachable by intervals
        }
        int chosen = select(2);         // chosen is 20
        int several = choose(args.length);      // several is any
        labels(args.length);
        int named = constant(4);        // named is any
        int state = 0;
        try {
            if (LEVEL == 4) {           // decided false
                throw new IllegalStateException();      // unreachable
            }
            state = 1;
        } finally {                     // unreachable
            int ended = state;          // ended is 1
        }
        int done = state;               // done is 1
        while (true) {
            if (args.length > 3) {
                break;
            }
            args = java.util.Arrays.copyOf(args, args.length + 1);
        }
        int reached = 1;                // reached is 1
        boolean both = LEVEL == 3 && !DEBUG;    // decided true and false; unreachable
        int loop = 0;
        int level = LEVEL;
        while (level == 3) {            // decided true
            loop++;
            if (loop > 5) {
                return;
            }
        }
        int past = 2;                   // past is any; unreachable
    }                                   // unreachable

    static void only(int n) {
        int argument = n;               // argument is 6
    }

    static int select(int n) {
        switch (n) {
            case 1: return 10;          // unreachable
            case 2: return 20;
            case 3:
            default: return 30;         // unreachable
        }
    }

    static int choose(int n) {
        switch (n) {
            case 1: return 10;
            default: return 30;
        }
    }

    static void labels(int n) {
        switch (n) {
            case 7:
                int seven = n;          // seven is 7
                break;
            case 1:
            case 2:
                int some = n;           // some in [1, 2]
                break;
            default:
                int other = n;          // other is any
        }
    }

    static int constant(int n) {
        switch (n) {
            case LEVEL: return 10;
            case 4: return 20;
            case 5: return 40;          // unreachable
            default: return 30;         // unreachable
        }
    }

    // Nothing calls it: it has no values, and makes none.
    static void dead() {
        int nothing = 1;                // nothing is any
        only(9);
        int[] array = {1};
    }
}
