package strings;

public class Strings {
    static final String PREFIX = "log";
    static String mode = "fast";

    public static void main(String[] args) {
        String a = "x";                 // a is "x"
        String b = a + 1 + 'c' + true + 2L + null;      // b is "x1ctrue2null"
        String c = PREFIX + "." + a;    // c is "log.x"
        String d = args.length > 0 ? "y" : "y"; // d is "y"
        String e = args.length > 0 ? "y" : "z";
        String f = e;                   // f is any
        String g = null;                // g is null
        String h = tag("in");           // h is "<in>"
        String i = args[0];             // i is any
        String j = a + i;               // j is any
        String k = mode;                // k is "fast"
        String l = "q\"\\" + '"';       // l is "q\"\\\""
        a += "y";                       // a is "xy"
        int length = c.length();        // length is 5
        char first = c.charAt(0);       // first is 108
        boolean equal = c.equals("log.x");      // equal is 1
        boolean unequal = c.equals(f);  // unequal is any
        boolean starts = c.startsWith("lo");    // starts is 1
        boolean empty = "".isEmpty();   // empty is 1
        String joined = c.concat("!");  // joined is "log.x!"
        int chosen = 0;
        switch (mode) {
            case "slow": chosen = 1; break;     // unreachable by constants
            case "fast": chosen = 2; break;
            default: chosen = 3;        // unreachable by constants
        }
        int two = chosen;               // two is 2
        if (i == null) {
            String nothing = i;         // nothing is null
        }
        String loop = "";
        for (int n = 0; n < 3; n++) {
            loop = loop + "a";
        }
        String grown = loop;            // grown is any
        double real = 1.5;
        String fraction = "r" + real;   // fraction is any
        String same = new String("x");  // same is any
        boolean identical = same == "x";
    }

    static String tag(String s) {
        String result = "<" + s + ">";  // result is "<in>"
        return result;
    }
}
