package numbers;

public class Numbers {
    static final int LIMIT = 10;
    static int mutable = 3;

    public static void main(String[] args) {
        mutable = args.length;
        int a = 3;                      // a is 3
        int b = a * 4 + LIMIT;          // b is 22
        int c = mutable;                // c is any
        byte narrow = (byte) 200;       // narrow is -56
        char letter = 'a';              // letter is 97
        int sum = letter + 1;           // sum is 98
        letter += 2;
        int later = letter;             // later is 99
        long big = Integer.MAX_VALUE;   // big is any
        int wrapped = 2147483647 + a;   // wrapped is -2147483646
        long wide = 2147483647L + a;    // wide is 2147483650
        int shifted = -8 >>> 28;        // shifted is 15
        int remainder = -7 % 3;         // remainder is -1
        int quotient = -7 / 2;          // quotient is -3
        boolean test = b > a;           // test is 1
        int bits = (a & 2) | (b ^ 1);   // bits is 23
        int inverse = ~a;               // inverse is -4
        int merged = args.length > 0 ? 5 : 5;   // merged is 5
        int split = args.length > 0 ? 5 : 6;
        int either = split;             // either is any
        int zero = c * 0;               // zero is 0
        int x = 1;                      // x is 1
        if (args.length > 1) {
            x = 2;                      // x is 2
            int inside = x;             // inside is 2
        }
        int after = x;                  // after is any
        if (c == 7) {
            int seven = c;              // seven is 7
        } else {
            int other = c;              // other is any
        }
        x = 9;                          // x is 9
        int restored = x;               // restored is 9
        int called = twice(4);          // called is 8
        int other = pass(4);            // other is any
        pass(5);
        int fixed = new Numbers().fixed();      // fixed is 1
        int chosen = make(args).virtual();      // chosen is any
        int alike = make(args).alike(); // alike is 2
        int caught = 1;                 // caught is 1
        try {
            caught = Integer.parseInt(args[0]);
            caught = 2;                 // caught is 2
        } catch (NumberFormatException e) {
            int handler = caught;       // handler is 1
        }
        Runnable run = () -> {
            int captured = a;           // captured is 3
        };
    }

    static int twice(int n) {
        int doubled = n + n;            // doubled is 8
        return doubled;
    }

    static int pass(int n) {
        int passed = n;                 // passed is any
        return passed;
    }

    static int never(int n) {
        int unseen = n;                 // unseen is any
        return unseen;
    }

    int fixed() { return 1; }

    static Numbers make(String[] args) {
        return args.length == 3 ? new Numbers() : new Other();
    }

    int virtual() { return 1; }
    int alike() { return 2; }
}

class Other extends Numbers {
    int virtual() { return 2; }
    int alike() { return 2; }
}

class Ranges {
    static void loops(int[] array, int n, byte b, char c, long l) {
        for (int i = 0; i < 10; i++) {  // i in [0, 0]
            int inner = i;              // inner in [0, 9]
        }
        for (int j = 0; j < array.length; j++) {
            int index = j;              // index in [0, 2147483646]
        }
        int down = 100;                 // down in [100, 100]
        while (down > 0) {
            down--;
        }
        int end = down;                 // end in [0, 0]
        int up = 0;                     // up in [0, 0]
        while (up < 100) {
            up += 3;
        }
        int stop = up;                  // stop in [102, 102]
        int masked = n & 15;            // masked in [0, 15]
        int modulo = n % 10;            // modulo in [-9, 9]
        int halved = b / 2;             // halved in [-64, 63]
        int code = c;                   // code in [0, 65535]
        int shifted = c >> 8;           // shifted in [0, 255]
        int top = n >>> 24;             // top in [0, 255]
        int product = b * b;            // product in [-16256, 16384]
        int overflow = n + 1;           // overflow in any
        byte cast = (byte) (c & 0x3f);  // cast in [0, 63]
        if (n >= 5 && n < 8) {
            int between = n;            // between in [5, 7]
        }
        if (5 > n) {
            int less = n;               // less in [-2147483648, 4]
        } else {
            int more = n;               // more in [5, 2147483647]
        }
        if (n != 0) {
            return;
        }
        int zero = n;                   // zero in [0, 0]
        long chosen = l > 0 ? l : 1L;
        long positive = chosen;         // positive in [1, 9223372036854775807]
        boolean flag = b < 1000;        // flag in [1, 1]
        int pick = b > 0 ? 3 : 9;
        int joined = pick;              // joined in [3, 9]
    }

    public static void main(String[] args) {
        loops(new int[args.length], args.length - Integer.parseInt("1"), (byte) args.length, args[0].charAt(0), Long.parseLong("2"));
    }
}
