package bookshop.reports;

import bookshop.collections.ArraySequence;
import bookshop.collections.Sequence;

/** When the shop is open, hour by hour, and how busy it was then. */
public class Week {
    private static final int DAYS = 7;
    private static final int HOURS = 24;
    private static final String[] NAMES = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

    private final boolean[][] open = new boolean[DAYS][HOURS];
    private final int[][] visitors = new int[DAYS][HOURS];

    {
        for (int day = 0; day < DAYS - 1; day++) {
            setOpen(day, 9, day == 5 ? 14 : 18);
        }
    }

    /** Opens the shop on a day (0 is Monday) from an hour to another one. */
    public final void setOpen(int day, int from, int to) {
        for (int hour = 0; hour < HOURS; hour++) {
            open[day][hour] = hour >= from && hour < to;
        }
    }

    /** Lets as many visitors in as hours go by; the numbers only look random. */
    public void simulate(int hours, int seed) {
        int state = seed;
        for (int i = 0; i < hours; i++) {
            state = state * 1_103_515_245 + 12_345;
            int day = (state >>> 16) % DAYS;
            int hour = (state >>> 8 & 0xff) % HOURS;
            if (open[day][hour]) {
                visitors[day][hour] += 1 + (state >>> 24) % 3;
            }
        }
    }

    /** Spans of hours without a single visitor while the shop was open, the longest first. */
    public Sequence<String> quietSpans(int shortest) {
        record Span(int day, int from, int to) {
            int length() {
                return to - from;
            }

            @Override
            public String toString() {
                return NAMES[day] + " " + from + "-" + to;
            }
        }

        Sequence<Span> spans = new ArraySequence<>();
        for (int day = 0; day < DAYS; day++) {
            int start = -1;
            for (int hour = 0; hour <= HOURS; hour++) {
                boolean quiet = hour < HOURS && open[day][hour] && visitors[day][hour] == 0;
                if (quiet && start < 0) {
                    start = hour;
                } else if (!quiet && start >= 0) {
                    if (hour - start >= shortest) {
                        spans.add(new Span(day, start, hour));
                    }
                    start = -1;
                }
            }
        }
        return spans.sorted((a, b) -> b.length() - a.length()).map(Object::toString);
    }

    /** The first hour of the week with at least so many visitors, as `Tue 11`, or null. */
    public String firstBusyHour(int many) {
        String found = null;
        days:
        for (int day = 0; day < DAYS; day++) {
            if (!opensOn(day)) {
                continue;
            }
            for (int hour = 0; hour < HOURS; hour++) {
                if (visitors[day][hour] >= many) {
                    found = NAMES[day] + " " + hour;
                    break days;
                }
            }
        }
        return found;
    }

    private boolean opensOn(int day) {
        int hour = 0;
        do {
            if (open[day][hour]) {
                return true;
            }
        } while (++hour < HOURS);
        return false;
    }
}
