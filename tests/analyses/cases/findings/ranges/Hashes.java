import java.util.*;

/** Hashes may be negative, and so is what is left of their division. */
class Hashes {
    private static final String[] NAMES = new String[16];

    static String byConstant(Object key) {
        return NAMES[key.hashCode() % 16]; // found index-out-of-bounds
    }

    static String byLength(String key, String[] names) {
        int slot = key.hashCode() % names.length;
        return names[slot]; // found index-out-of-bounds
    }

    static String byCount(Object key, List<String> names) {
        return names.get(Objects.hash(key, 1) % names.size()); // found index-out-of-bounds
    }

    static String parsed(String number) {
        return NAMES[Integer.parseInt(number) % 16]; // found index-out-of-bounds
    }

    static String positive(Object key, String[] names) {
        return names[(key.hashCode() & 0x7fffffff) % names.length] + names[Math.floorMod(key.hashCode(), names.length)];
    }

    static String checked(Object key, String[] names) {
        int slot = key.hashCode() % names.length;
        return names[slot < 0 ? slot + names.length : slot];
    }

    static int mixed(Object key, Object other) {
        return key.hashCode() * 31 + other.hashCode() + (short) key.hashCode();
    }

    public static void main(String[] args) {
        byConstant(args);
        byLength(args[0], args);
        byCount(args, List.of(args));
        parsed(args[0]);
        positive(args, args);
        checked(args, args);
        mixed(args, args);
    }
}
