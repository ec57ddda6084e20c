import java.io.Serializable;
import java.text.ParsePosition;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import java.util.EventListener;
import java.util.Locale;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.*;
import org.apache.commons.lang3.builder.*;
import org.apache.commons.lang3.concurrent.*;
import org.apache.commons.lang3.event.EventListenerSupport;
import org.apache.commons.lang3.exception.*;
import org.apache.commons.lang3.function.*;
import org.apache.commons.lang3.math.*;
import org.apache.commons.lang3.mutable.*;
import org.apache.commons.lang3.reflect.*;
import org.apache.commons.lang3.stream.Streams;
import org.apache.commons.lang3.text.*;
import org.apache.commons.lang3.time.*;
import org.apache.commons.lang3.tuple.*;

/** Uses most packages of Commons Lang. */
public final class LangDriver {
    public interface Heard extends EventListener {
        void heard(String what);
    }

    public static class Point implements Serializable, Comparable<Point> {
        private static final long serialVersionUID = 1;
        private final int x;
        protected String name;
        private final int[] more = {1, 2};

        public Point(int x, String name) {
            this.x = x;
            this.name = name;
        }

        public String getName() {
            return name;
        }

        public static int twice(int n) {
            return 2 * n;
        }

        @Override
        public int compareTo(Point other) {
            return new CompareToBuilder().append(x, other.x).append(name, other.name).append(more, other.more).toComparison();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Point && new EqualsBuilder().append(x, ((Point) other).x).append(name, ((Point) other).name)
                .append(more, ((Point) other).more).isEquals();
        }

        @Override
        public int hashCode() {
            return new HashCodeBuilder(17, 37).append(x).append(name).append(more).toHashCode();
        }

        @Override
        public String toString() {
            return new ToStringBuilder(this, ToStringStyle.SHORT_PREFIX_STYLE).append("x", x).append("name", name)
                .append("more", more).toString();
        }
    }

    enum Colour { RED, GREEN }

    public static void main(String[] args) throws Exception {
        strings();
        arrays();
        builders();
        numbers();
        times();
        reflection();
        concurrency();
        text();
        rest();
    }

    private static void strings() {
        StringUtils.join(StringUtils.split("a,b;c", ",;"), '-');
        StringUtils.replaceEach("abc", new String[] {"a", "c"}, new String[] {"x", "y"});
        StringUtils.capitalize(StringUtils.reverse(StringUtils.abbreviate("a long sentence", 8)));
        StringUtils.leftPad(StringUtils.center(StringUtils.repeat("ab", 3), 20, '*'), 30);
        StringUtils.getLevenshteinDistance("kitten", "sitting");
        StringUtils.getJaroWinklerDistance("frog", "fog");
        StringUtils.difference("abc", "abd");
        StringUtils.substringsBetween("[a][b]", "[", "]");
        StringUtils.stripAccents(StringUtils.swapCase(StringUtils.normalizeSpace(" é  B ")));
        StringUtils.containsAny("abc", 'x', 'c');
        StringUtils.isNumeric("12");
        StringUtils.splitByCharacterTypeCamelCase("fooBar12");
        StringUtils.wrap(StringUtils.rotate("abc", 1), '"');
        StringUtils.equalsIgnoreCase("a", "A");
        CharSetUtils.delete("hello", "l-m");
        CharUtils.unicodeEscaped('x');
        RegExUtils.replaceAll("aab", "a+", "c");
        StringEscapeUtils.unescapeHtml4(StringEscapeUtils.escapeHtml4("<é>"));
        StringEscapeUtils.escapeJava("\t\u1234");
        StringEscapeUtils.escapeCsv("a,b");
        RandomStringUtils.randomAlphanumeric(5);
        LocaleUtils.toLocale("de_AT");
        LocaleUtils.localeLookupList(Locale.GERMANY);
    }

    private static void arrays() {
        int[] numbers = ArrayUtils.addAll(new int[] {3, 1}, 2);
        ArrayUtils.reverse(numbers);
        ArrayUtils.shift(numbers, 1);
        ArrayUtils.toObject(ArrayUtils.removeElement(ArrayUtils.subarray(numbers, 0, 2), 1));
        ArrayUtils.contains(ArrayUtils.insert(1, numbers, 9), 9);
        ArrayUtils.toString(ArrayUtils.toArray("a", "b"));
        ArrayUtils.toMap(new Object[][] {{"a", 1}, {"b", 2}});
        ArraySorter.sort(new String[] {"b", "a"});
        ArrayUtils.isSorted(new Integer[] {1, 2});
        ArrayUtils.indexesOf(numbers, 1);
    }

    private static void builders() {
        Point one = new Point(1, "one");
        Point same = SerializationUtils.clone(one);
        one.equals(same);
        one.compareTo(new Point(2, "two"));
        one.hashCode();
        one.toString();
        ToStringBuilder.reflectionToString(one, ToStringStyle.MULTI_LINE_STYLE);
        ReflectionToStringBuilder.toString(one, new RecursiveToStringStyle());
        new ReflectionToStringBuilder(one, ToStringStyle.JSON_STYLE).setExcludeFieldNames("x").toString();
        EqualsBuilder.reflectionEquals(one, same);
        HashCodeBuilder.reflectionHashCode(one);
        CompareToBuilder.reflectionCompare(one, same);
        DiffResult<Point> differences = new DiffBuilder<>(one, new Point(3, "three"), ToStringStyle.DEFAULT_STYLE)
            .append("x", 1, 3).append("name", "one", "three").build();
        differences.getDiffs().forEach(difference -> difference.getLeft());
        differences.toString();
    }

    private static void numbers() {
        NumberUtils.createNumber("0x1F");
        NumberUtils.createNumber("1.5e3");
        NumberUtils.max(1, 2, 3);
        NumberUtils.isCreatable("12L");
        NumberUtils.toInt("x", 3);
        Fraction.getFraction("3/4").add(Fraction.getFraction(1, 4)).multiplyBy(Fraction.ONE_HALF).toProperString();
        IEEE754rUtils.max(1.0, 2.0);
        Range.between(1, 5).intersectionWith(Range.between(3, 9)).contains(4);
        new MutableInt(1).addAndGet(2);
        new MutableObject<>("a").setValue("b");
        new MutableBoolean(true).isTrue();
        Pair.of("a", 1).compareTo(Pair.of("a", 2));
        MutablePair.of(1, 2).setLeft(3);
        Triple.of(1, 2, 3).toString("%s-%s-%s");
        Conversion.intToHexDigit(11);
        new BitField(0xF0).setValue(0, 5);
    }

    private static void times() throws Exception {
        TimeZone utc = TimeZone.getTimeZone("UTC");
        FastDateFormat format = FastDateFormat.getInstance("yyyy-MM-dd'T'HH:mm:ss.SSSZZ EEE D w a", utc, Locale.ENGLISH);
        Date date = new Date(0);
        format.format(date);
        FastDateFormat.getInstance("yyyy-MM-dd HH:mm", utc).parse("2001-02-03 04:05");
        FastDateFormat.getDateInstance(FastDateFormat.MEDIUM, Locale.US).format(date);
        FastDateFormat.getInstance("d MMM yyyy z", utc, Locale.ENGLISH).parse("1 Jan 2000 UTC", new ParsePosition(0));
        DateUtils.parseDate("03.02.2001", "yyyy", "dd.MM.yyyy");
        DateUtils.truncate(DateUtils.addDays(date, 3), Calendar.MONTH);
        DateUtils.round(date, Calendar.HOUR);
        DateUtils.ceiling(date, Calendar.DATE);
        DateUtils.iterator(date, DateUtils.RANGE_MONTH_MONDAY).next();
        DateFormatUtils.ISO_8601_EXTENDED_DATE_FORMAT.format(date);
        DurationFormatUtils.formatDurationHMS(3723004);
        DurationFormatUtils.formatPeriod(0, 99999999999L, "y-M-d H:m");
        DurationFormatUtils.formatDurationWords(3723004, true, true);
        StopWatch watch = StopWatch.createStarted();
        watch.split();
        watch.stop();
        watch.toString();
        FastTimeZone.getTimeZone("GMT+1");
    }

    private static void reflection() throws Exception {
        Point point = ConstructorUtils.invokeConstructor(Mutable.class, "made");
        MethodUtils.invokeMethod(point, "getName");
        MethodUtils.invokeStaticMethod(Point.class, "twice", 4);
        FieldUtils.writeField(point, "name", "written", true);
        FieldUtils.readField(point, "x", true);
        FieldUtils.getAllFieldsList(Point.class);
        TypeUtils.toString(TypeUtils.parameterize(Comparable.class, String.class));
        TypeUtils.getTypeArguments(Point.class, Comparable.class);
        TypeUtils.isAssignable(Point.class, Comparable.class);
        ClassUtils.getAllInterfaces(Point.class);
        ClassUtils.getShortClassName(Point.class);
        ClassUtils.getClass("java.util.Map$Entry");
        ClassUtils.hierarchy(Point.class, ClassUtils.Interfaces.INCLUDE).forEach(Class::getName);
        InheritanceUtils.distance(Mutable.class, Object.class);
    }

    public static class Mutable extends Point {
        public Mutable(String name) {
            super(0, name);
        }
    }

    private static void concurrency() throws Exception {
        LazyInitializer<String> lazy = new LazyInitializer<>() {
            @Override
            protected String initialize() {
                return "made";
            }
        };
        lazy.get();
        BackgroundInitializer<Integer> background = new BackgroundInitializer<>() {
            @Override
            protected Integer initialize() {
                return 42;
            }
        };
        background.start();
        background.get();
        Memoizer<Integer, String> memo = new Memoizer<Integer, String>(n -> "n" + n);
        memo.compute(1);
        memo.compute(1);
        BasicThreadFactory factory = new BasicThreadFactory.Builder().namingPattern("t-%d").daemon(true).priority(3).build();
        Thread thread = factory.newThread(() -> Colour.RED.name());
        thread.start();
        thread.join();
        new ThresholdCircuitBreaker(2).incrementAndCheckState(1L);
        EventCountCircuitBreaker breaker = new EventCountCircuitBreaker(5, 1, TimeUnit.MINUTES);
        breaker.addChangeListener(event -> event.getPropertyName());
        breaker.incrementAndCheckState();
        breaker.open();
        ConcurrentUtils.constantFuture("x").get();
        TimedSemaphore semaphore = new TimedSemaphore(1, TimeUnit.SECONDS, 2);
        semaphore.acquire();
        semaphore.shutdown();
    }

    private static void text() {
        new StrSubstitutor(java.util.Map.of("a", "1", "b", "${a}2")).replace("x ${a} ${b} ${c:-d}");
        new StrBuilder("abc").append(1).appendWithSeparators(Arrays.asList(1, 2), ",").replaceAll("b", "c").reverse().toString();
        new StrTokenizer("a 'b c' d", ' ', '\'').getTokenList();
        WordUtils.wrap(WordUtils.capitalizeFully("some words to wrap"), 6);
        new ExtendedMessageFormat("{0} and {1,number,#}", Locale.US).format(new Object[] {"a", 2});
    }

    private static void rest() throws Exception {
        EventListenerSupport<Heard> support = EventListenerSupport.create(Heard.class);
        StringBuilder heard = new StringBuilder();
        support.addListener(heard::append);
        support.fire().heard("event");
        EnumUtils.getEnumList(Colour.class);
        EnumUtils.generateBitVector(Colour.class, Colour.RED);
        ObjectUtils.compare(ObjectUtils.firstNonNull(null, 1), 2);
        ObjectUtils.median(3, 1, 2);
        BooleanUtils.toBoolean("yes");
        Validate.inclusiveBetween(1, 3, 2);
        try {
            Validate.isTrue(false, "wrong %d", 1L);
        } catch (IllegalArgumentException wrong) {
            ExceptionUtils.getStackTrace(new ContextedRuntimeException("m", wrong).addContextValue("k", 1));
            ExceptionUtils.getRootCauseMessage(new RuntimeException(wrong));
        }
        Streams.stream(Arrays.asList("a", "b")).map(String::length).filter(n -> n > 0).collect(java.util.stream.Collectors.toList());
        Failable.asFunction((String s) -> s.length()).apply("abc");
        Failable.tryWithResources(() -> heard.append("x"), () -> heard.append("y"));
        new ThreadUtils.NamePredicate("main").test(Thread.currentThread());
        ThreadUtils.findThreadsByName("main");
        SystemUtils.isJavaVersionAtLeast(JavaVersion.JAVA_1_8);
        ClassPathUtils.toFullyQualifiedPath(LangDriver.class, "x");
        CharSet.getInstance("^a-c", "x").contains('x');
        BitField field = new BitField(3);
        field.isSet(1);
        SerializationUtils.deserialize(SerializationUtils.serialize(new Point(5, "five")));
    }
}
