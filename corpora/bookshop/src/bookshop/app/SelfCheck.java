package bookshop.app;

import bookshop.catalogue.Catalogue;
import bookshop.catalogue.CatalogueException;
import bookshop.catalogue.CatalogueReader;
import bookshop.catalogue.Genre;
import bookshop.catalogue.Isbn;
import bookshop.catalogue.Title;
import bookshop.collections.ArraySequence;
import bookshop.collections.Bits;
import bookshop.collections.HashIndex;
import bookshop.collections.Heap;
import bookshop.collections.Index;
import bookshop.collections.LinkedSequence;
import bookshop.collections.ObservableSequence;
import bookshop.collections.Option;
import bookshop.collections.RingBuffer;
import bookshop.collections.Sequence;
import bookshop.collections.SortedIndex;
import bookshop.orders.Basket;
import bookshop.orders.CardPayment;
import bookshop.orders.Customer;
import bookshop.orders.Order;
import bookshop.orders.OrderState;
import bookshop.orders.Payment;
import bookshop.plugins.Loyalty;
import bookshop.pricing.Discount;
import bookshop.pricing.Formula;
import bookshop.pricing.FormulaException;
import bookshop.pricing.FormulaParser;
import bookshop.pricing.FormulaSimplifier;
import bookshop.pricing.Money;
import bookshop.pricing.QuantityDiscount;
import bookshop.pricing.Quote;
import bookshop.reports.SalesReport;
import bookshop.reports.Statistics;
import bookshop.reports.Week;
import java.io.StringReader;
import java.util.Iterator;
import java.util.concurrent.Callable;

/** Checks that the shop's parts do what they say. */
final class SelfCheck {
    private final StringBuilder complaints = new StringBuilder();
    private int checks;
    private int failures;

    int failures() {
        return failures;
    }

    String run() {
        sequences();
        indexes();
        otherCollections();
        money();
        formulas();
        discounts();
        catalogue();
        orders();
        statistics();
        return complaints + (failures == 0 ? "all " + checks + " checks hold" : failures + " of " + checks + " checks fail");
    }

    private void sequences() {
        for (Sequence<Integer> numbers : Sequence.<Sequence<Integer>>of(new ArraySequence<>(), new LinkedSequence<>())) {
            for (int i = 0; i < 20; i++) {
                numbers.add(i * 7 % 20);
            }
            equal("size", 20, numbers.size());
            equal("sum", 190, Sequence.sum(numbers));
            equal("max", 19, Sequence.max(numbers));
            equal("sorted", "[0, 1, 2]", numbers.sorted(Integer::compare).where(n -> n < 3).toString());
            check("remove", numbers.remove(Integer.valueOf(7)) && !numbers.contains(7));
            equal("copy", Sequence.copyOf(numbers), numbers);
            equal("hash", Sequence.copyOf(numbers).hashCode(), numbers.hashCode());
        }
        LinkedSequence<String> words = new LinkedSequence<String>().add("b").add("c").addFirst("a");
        equal("backwards", "[c, b, a]", Sequence.copyOf(words.backwards()).toString());
        Iterator<String> walk = words.iterator();
        walk.next();
        walk.remove();
        equal("first", "b", words.first());
        fails("get", IndexOutOfBoundsException.class, () -> words.get(2));

        StringBuilder heard = new StringBuilder();
        ObservableSequence<String> observed = new ObservableSequence<>();
        ObservableSequence.Observer<Object> observer = new ObservableSequence.Observer<>() {
            @Override
            public void added(Object element) {
                heard.append('+').append(element);
            }

            @Override
            public void removed(Object element) {
                heard.append('-').append(element);
            }
        };
        ObservableSequence.Observation observation = observed.observe(observer);
        observed.add("x").add("y").remove("x");
        observation.close();
        observed.add("z");
        equal("observed", "+x+y-x", heard.toString());
    }

    private void indexes() {
        SortedIndex<Integer, String> sorted = SortedIndex.natural();
        Index<Integer, String> hashed = new HashIndex<>();
        int key = 1;
        for (int i = 0; i < 200; i++) {
            key = key * 31 % 257;
            sorted.put(key, "v" + key);
            hashed.put(key, "v" + key);
        }
        equal("same size", sorted.size(), hashed.size());
        check("balanced", sorted.height() <= 10);
        for (int n = 0; n < 257; n += 3) {
            equal("removed " + n, sorted.remove(n), hashed.remove(n));
        }
        equal("same keys", sorted.keys(), hashed.keys().sorted(Integer::compare));
        for (Index.Entry<Integer, String> entry : sorted.between(100, 120)) {
            check("between", entry.key() >= 100 && entry.key() <= 120 && hashed.containsKey(entry.key()));
        }
    }

    private void otherCollections() {
        Heap<String> heap = new Heap<>(String::compareTo);
        for (String word : "the quick brown fox jumps over it".split(" ")) {
            heap.push(word);
        }
        StringBuilder popped = new StringBuilder();
        while (heap.size() > 4) {
            popped.append(heap.pop()).append(' ');
        }
        equal("heap", "brown fox it ", popped.toString());
        RingBuffer<Integer> ring = new RingBuffer<>(3);
        for (int i = 1; i <= 5; i++) {
            ring.add(i);
        }
        equal("ring", "3 4 5", Sequence.copyOf(ring).join(" "));
        Bits bits = new Bits().add(3).add(64).add(31);
        bits.remove(3);
        check("bits", bits.count() == 2 && bits.contains(64) && !bits.contains(3) && !bits.contains(1000));
        equal("option", 5, Option.some("hello").map(String::length).orElse(0));
        fails("nothing", IllegalStateException.class, () -> Option.none().orThrow(IllegalStateException::new));
    }

    private void money() {
        equal("parse", Money.of(12, 50), Money.parse("12.50"));
        equal("negative", "-0.05", Money.cents(-5).toString());
        equal("percent", Money.cents(8), Money.cents(150).percent(5));
        Money[] parts = Money.of(10, 0).split(3);
        equal("split", Money.of(10, 0), Money.sum(Sequence.of(parts)));
        fails("overflow", ArithmeticException.class, () -> Money.cents(Long.MAX_VALUE).plus(Money.cents(1)));
    }

    private void formulas() {
        Index<String, Integer> variables = new HashIndex<>();
        variables.put("x", 7);
        Formula formula = FormulaParser.parse("2 * (x + 3) - 4 / 2");
        equal("value", 18, formula.evaluate(variables));
        equal("text", "2 * (x + 3) - 4 / 2", formula.toString());
        equal("simpler", "2 * (x + 3) - 2", FormulaSimplifier.simplify(formula).toString());
        equal("chosen", "x", FormulaSimplifier.simplify(FormulaParser.parse("if 3 > 2 then x * 1 else 1 / 0")).toString());
        fails("end", FormulaException.class, () -> FormulaParser.parse("1 +"));
        fails("zero", FormulaException.class, () -> FormulaParser.parse("x / (x - 7)").evaluate(variables));
    }

    private void discounts() {
        Title title = SampleData.fill(new Catalogue()).search("numbers").first();
        Discount quantity = new QuantityDiscount(3, 10, 10, 20);
        Money full = Money.of(100, 0);
        equal("few", full, quantity.apply(new Quote(title, 2, full)));
        equal("some", Money.of(90, 0), quantity.apply(new Quote(title, 9, full)));
        equal("many", Money.of(80, 0), quantity.apply(new Quote(title, 11, full)));
        equal("both", Money.of(72, 0), quantity.then(Discount.onGenre(Genre.SCIENCE, 10)).apply(new Quote(title, 11, full)));
        equal("limit", Money.of(85, 0), quantity.butAtLeast(85).apply(new Quote(title, 11, full)));
        equal("none", title.price(), Discount.NONE.apply(new Quote(title)));
        fails("descending", IllegalArgumentException.class, () -> new QuantityDiscount(5, 1, 4, 2));
    }

    private void catalogue() {
        Catalogue catalogue = SampleData.fill(new Catalogue());
        equal("titles", 10, catalogue.titles().size());
        equal("found", 2, catalogue.search("The", "stairs").size());
        equal("cheap", 3, catalogue.matching(Catalogue.cheaperThan(Money.of(10, 0))).size());
        equal("crime", 2, catalogue.matching(Catalogue.of(Genre.CRIME)).size());
        Title gone = catalogue.titles().first();
        catalogue.remove(gone);
        check("removed", catalogue.search("ladder").size() == 1);
        fails("unknown", CatalogueException.class, () -> catalogue.title(gone.isbn()));
        fails("check digit", CatalogueException.class, () -> Isbn.parse("978-0-306-40615-8"));
        fails("form", CatalogueException.class,
            () -> new CatalogueReader(new StringReader("scroll | a | b | novel | 1 | 2"), 1).readInto(new Catalogue()));
    }

    private void orders() {
        Shop shop = new Shop("loyalty");
        SampleData.fill(shop.catalogue());
        Title soups = shop.catalogue().search("soups").first();
        Title stairs = shop.catalogue().search("below").first();
        shop.warehouse().receive(soups, 2);
        Customer customer = new Customer("Ida", 40);
        Order good = shop.send(customer, new Basket().putAll(soups, stairs), new CardPayment("4539578763621486"));
        equal("shipped", OrderState.SHIPPED, good.state());
        equal("left", 1, shop.warehouse().available(soups));
        Order bad = shop.sell(customer, new Basket().put(soups), new CardPayment("4539578763621487"));
        equal("cancelled", OrderState.CANCELLED, bad.state());
        equal("released", 1, shop.warehouse().available(soups));
        Payment failing = new Payment() {
            @Override
            protected void transfer(Order order, Money amount) {
                throw new IllegalArgumentException("no line");
            }

            @Override
            protected String describe() {
                return "by telephone";
            }
        };
        equal("failed", OrderState.CANCELLED, shop.sell(customer, new Basket().put(soups), failing).state());
        equal("empty", OrderState.CANCELLED, shop.sell(customer, new Basket(), failing).state());
        check("takings", SalesReport.takings(shop.orders()).equals(good.total()) && good.total().compareTo(good.net()) > 0);
        equal("endings", 3, SalesReport.endings(shop.orders()).get(OrderState.CANCELLED));
        equal("export", 5, SalesReport.export(shop.orders()).split("\n").length);
        check("points", shop.plugins().find(Loyalty.class).points(customer) > 50);
    }

    private void statistics() {
        Statistics statistics = new Statistics(10);
        for (int n = -5; n < 200; n += 11) {
            statistics.add(n);
        }
        equal("count", 19, statistics.count());
        equal("mean", 94, statistics.mean());
        equal("range", 198, statistics.range());
        Week week = new Week();
        week.setOpen(6, 22, 24);
        equal("quiet", "Mon 9-18, Tue 9-18, Wed 9-18, Thu 9-18, Fri 9-18, Sat 9-14", week.quietSpans(3).join(", "));
        equal("never busy", null, week.firstBusyHour(1));
        equal("root", 46_340, Statistics.root(Integer.MAX_VALUE));
        equal("small root", 3, Statistics.root(15));
    }

    private void check(String what, boolean holds) {
        checks++;
        if (!holds) {
            failures++;
            complaints.append("wrong: ").append(what).append('\n');
        }
    }

    private <T> void equal(String what, T expected, T found) {
        boolean same = expected == null ? found == null : expected.equals(found);
        check(same ? what : what + ", expected " + expected + ", found " + found, same);
    }

    private void fails(String what, Class<? extends Exception> expected, Callable<?> action) {
        try {
            action.call();
            check(what + ", expected " + expected.getSimpleName(), false);
        } catch (Exception error) {
            check(what + ", found " + error, expected.isInstance(error));
        }
    }
}
