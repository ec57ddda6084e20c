import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a test or its length says of a text bounds the number that is parsed from it. */
class Digits {
    static final Pattern NUMBER = Pattern.compile("#([0-9]+)");

    static boolean isNumeric(String text) {
        return !text.isEmpty() && text.chars().allMatch(Character::isDigit);
    }

    int matched(int[] cells, String name) {
        if (name.matches("g[0-9]+")) {
            int cell = Integer.parseInt(name.substring(1));
            return cell < cells.length ? cells[cell] : 0;
        }
        int other = Integer.parseInt(name.substring(1));
        return other < cells.length ? cells[other] : 0; // found index-out-of-bounds
    }

    int grouped(int[] cells, String name) {
        Matcher matcher = NUMBER.matcher(name);
        if (!matcher.find()) {
            return 0;
        }
        int cell = Integer.parseInt(matcher.group(1));
        return cell < cells.length ? cells[cell] : 0;
    }

    int part(int[] cells, String name) {
        String[] parts = name.split("/");
        if (isNumeric(parts[0]) && parts.length > 2) {
            int cell = Integer.parseInt(parts[0]);
            return cell < cells.length ? cells[cell] : 0;
        }
        int other = Integer.parseInt(parts[1]);
        return other < cells.length ? cells[other] : 0; // found index-out-of-bounds
    }

    int characters(int[] cells, String name) {
        for (int i = 1; i < name.length(); i++) {
            if (!Character.isDigit(name.charAt(i))) {
                return 0;
            }
        }
        int cell = Integer.parseInt(name.substring(1));
        int sum = cell < cells.length ? cells[cell] : 0;
        for (char c : name.toCharArray()) {
            if (!Character.isDigit(c)) {
                return sum;
            }
        }
        int second = Integer.parseInt(name);
        return second < cells.length ? cells[second] : sum;
    }

    int all(int[] cells, String name) {
        if (!name.chars().allMatch(Character::isDigit)) {
            int third = Integer.parseInt(name);
            return third < cells.length ? cells[third] : 0; // found index-out-of-bounds
        }
        int fourth = Integer.parseInt(name);
        return fourth < cells.length ? cells[fourth] : 0;
    }

    int begins(int[] cells, String name, String other) {
        if (Character.isDigit(other.charAt(0))) {
            int cell = Integer.parseInt(name);
            return cell < cells.length ? cells[cell] : 0; // found index-out-of-bounds
        }
        return 0;
    }

    int minutes(String time, int at) {
        int hours = Integer.parseInt(time.substring(at + 1, at + 3));
        int some = Integer.parseInt(time.substring(0, 2));
        int many = Integer.parseInt(time.substring(at));
        return hours * 60 + some * 60 + many * 60; // found integer-overflow
    }

    int last(String time, char digit) {
        int[] cells = new int[10];
        int last = Integer.parseInt(time.substring(time.length() - 1));
        int two = Integer.parseInt(time.substring(time.length() - 2));
        int one = Integer.parseInt(String.valueOf(digit));
        return cells[last] + cells[one] + cells[two]; // found index-out-of-bounds
    }

    int divided(String time) {
        return 60 / Integer.parseInt(time.substring(0, 2)); // found division-by-zero
    }

    byte[] drawn(Random random, String text) {
        byte[] drawn = new byte[4];
        drawn[0] = (byte) random.nextInt();
        drawn[1] = (byte) Integer.parseInt(text); // found numeric-truncation
        float exact = Float.parseFloat(text);
        if (Float.compare(exact, (int) exact) == 0) {
            drawn[2] = 1;
        }
        if (exact == (int) exact) {
            drawn[3] = 1;
        }
        return drawn;
    }
}

/** One check would do for all of them. */
class Kinds {
    static int at(Object cells, String text) {
        int index = Integer.parseInt(text);
        if (cells instanceof int[]) {
            return ((int[]) cells)[index]; // found index-out-of-bounds
        }
        if (cells instanceof short[]) {
            return ((short[]) cells)[index];
        }
        index = Integer.parseInt(text + "0");
        return ((byte[]) cells)[index]; // found index-out-of-bounds
    }
}

/** The last index is the length itself. */
class Lasts {
    final java.util.List<String> names = new java.util.ArrayList<>();

    int all(java.util.List<String> others, String text) {
        int sum = 0;
        for (int i = 0; i <= others.size(); i++) {
            sum += others.get(i).length(); // found off-by-one
        }
        for (int i = 0; i <= text.length(); i++) {
            sum += text.charAt(i); // found off-by-one
        }
        for (int i = 0; i <= names.size(); i++) {
            sum += names.get(i).length(); // found off-by-one
        }
        for (int i = 0; i < names.size(); i++) {
            sum += names.get(i).length();
        }
        for (int i = 1; i <= names.size(); i++) {
            sum += names.get(i - 1).length();
        }
        for (int i = 0; i <= text.length(); i++) {
            sum += i < text.length() ? text.charAt(i) : 0;
        }
        for (int i = 0; i <= names.size(); i++) {
            sum += others.get(i).length();
        }
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length()) {
                break;
            }
            sum += text.charAt(i);
        }
        return sum;
    }

    int upTo(int[] parts, int wanted, boolean whole) {
        int last = parts.length;
        while (last-- > 0) {
            if (parts[last] < wanted) {
                break;
            }
        }
        int sum = 0;
        for (int i = 0; i <= last; i++) {
            sum += parts[i];
        }
        int end = parts.length;
        if (whole) {
            end = end - 1;
        }
        for (int i = 0; i <= end; i++) {
            sum += parts[i];
        }
        int size = parts.length;
        for (int i = 0; i <= size; i++) {
            sum += parts[i]; // found off-by-one
        }
        return sum;
    }
}
