package shop;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** What nobody takes out again. */
public class Values {
    static void all(List<String> names, int limit) throws IOException {
        new Values().total(names, limit);
        again(names, limit);
        handlers(names.get(0));
        loops(names, new int[limit]);
        labels(limit);
        System.out.println(new Half().of(limit, limit) + new Whole().of(limit, 1));
        IntUnaryOperator same = Values::same;
        System.out.println(same.applyAsInt(limit) + ignored(limit, limit));
    }

    private int total(List<String> names, int limit) { // found unused-parameter
        int unread = names.size(); // found unused-variable
        int sum = 0;
        int steps = 0; // found unused-variable
        for (String name : names) {
            sum += name.length();
            steps++;
        }
        return sum;
    }

    static void again(List<String> names, int limit) {
        String first = names.get(0); // found lost-assignment
        first = names.get(1);
        System.out.println(first);
        String last = "";
        if (limit > 0) {
            last = names.get(limit);
        }
        System.out.println(last);
        last = names.get(0); // found lost-assignment
        String either = names.get(2);
        if (limit > 1) {
            either = names.get(3);
        }
        System.out.println(either);
        int later = names.size();
        Runnable task = () -> System.out.println(later);
        task.run();
    }

    static String handlers(String text) {
        String state = text.trim(); // read where the reader cannot be made
        try (StringReader reader = new StringReader(text)) {
            state = text.strip();
            check(text);
            state = "done";
        } catch (IOException expected) {
            return state;
        }
        return state;
    }

    static void check(String text) throws IOException {
        if (text.isEmpty()) {
            throw new IOException(text);
        }
    }

    static void loops(List<String> names, int[] numbers) {
        int count = 0;
        for (String name : names) {
            count++;
        }
        for (int number : numbers) {
            count++;
        }
        for (int i = 0; i < count; i++) {
            System.out.println(i);
        }
    }

    static void labels(int limit) {
        final int one = 1;
        switch (limit) {
            case one:
                System.out.println(limit);
                break;
            default:
        }
    }

    static int same(int number) {
        return 1;
    }

    static int ignored(int number, int ignored) {
        return number;
    }

    static class Whole {
        int of(int number, int part) {
            return number * part;
        }
    }

    static class Half extends Whole {
        @Override
        int of(int number, int part) {
            System.out.println(part);
            return 2;
        }
    }
}
