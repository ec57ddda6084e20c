package bookshop.app;

import bookshop.catalogue.Title;
import bookshop.collections.HashIndex;
import bookshop.collections.Index;
import bookshop.collections.Sequence;
import bookshop.orders.AccountPayment;
import bookshop.orders.Basket;
import bookshop.orders.CardPayment;
import bookshop.orders.Customer;
import bookshop.orders.Order;
import bookshop.orders.Payment;
import bookshop.orders.VoucherPayment;
import bookshop.pricing.Money;
import bookshop.reports.Report;
import bookshop.reports.SalesReport;
import bookshop.reports.StockReport;
import bookshop.reports.Week;

/** Runs a day in the shop from lines of text: a command and its words. */
public class Script {
    private final Shop shop;
    private final StringBuilder output = new StringBuilder();
    private final Index<String, Command> commands = new HashIndex<>();
    private final Index<String, Customer> customers = new HashIndex<>();
    private final Index<String, Basket> baskets = new HashIndex<>();

    public Script(Shop shop) {
        this.shop = shop;
        commands.put("customer", words -> meet(new Customer(words[1], Integer.parseInt(words[2]))));
        commands.put("regular", words -> meet(new Customer.Regular(words[1], Integer.parseInt(words[2]), Money.parse(words[3]))));
        commands.put("institution", words -> meet(new Customer.Institution(words[1])));
        commands.put("receive", words -> shop.warehouse().receive(title(words[2]), Integer.parseInt(words[1])));
        commands.put("put", words -> basket(words[1]).put(title(words[3]), Integer.parseInt(words[2])));
        commands.put("sell", words -> say(shop.sell(customer(words[1]), basket(words[1]), payment(words, 2))));
        commands.put("send", words -> say(shop.send(customer(words[1]), basket(words[1]), payment(words, 2))));
        commands.put("clear", words -> basket(words[1]).clear());
        commands.put("month", words -> shop.setMonth(Integer.parseInt(words[1])));
        commands.put("reorder", words -> say("reordered " + shop.warehouse().reorder()));
        commands.put("search", this::search);
        commands.put("report", this::report);
        commands.put("visitors", Script.this::visitors);
    }

    /** Runs all lines; a line that fails says so and is skipped. */
    public String run(String lines) {
        for (String line : lines.split("\n")) {
            String text = line.trim();
            if (text.isEmpty() || text.charAt(0) == '#') {
                continue;
            }
            try {
                execute(text.split(" +"));
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException error) {
                say("cannot " + text + ": " + error.getMessage());
            }
        }
        return output.toString();
    }

    private void execute(String... words) {
        Command command = commands.get(words[0]);
        if (command == null) {
            throw new IllegalArgumentException("unknown command");
        }
        command.run(words);
    }

    private void meet(Customer customer) {
        customers.put(customer.name(), customer);
    }

    private Customer customer(String name) {
        return customers.lookup(name).orThrow(() -> new IllegalArgumentException("nobody is called " + name));
    }

    private Basket basket(String name) {
        return baskets.getOrMake(name, Basket::new);
    }

    private Title title(String words) {
        Sequence<Title> found = shop.catalogue().search(words.split("_"));
        if (found.size() != 1) {
            throw new IllegalArgumentException(found.size() + " titles have " + words);
        }
        return found.first();
    }

    /** `card NUMBER`, `account`, or `voucher VALUE` followed by a way to pay the rest. */
    private static Payment payment(String[] words, int at) {
        return switch (words[at]) {
            case "card" -> new CardPayment(words[at + 1]);
            case "account" -> new AccountPayment();
            case "voucher" -> new VoucherPayment(Money.parse(words[at + 1]), payment(words, at + 2));
            default -> throw new IllegalArgumentException("no way to pay: " + words[at]);
        };
    }

    private void search(String[] words) {
        String[] wanted = new String[words.length - 1];
        System.arraycopy(words, 1, wanted, 0, wanted.length);
        Sequence<Title> found = shop.catalogue().search(wanted);
        say(found.isEmpty() ? "nothing found" : found.map(Title::toString).join("\n"));
    }

    private void report(String[] words) {
        Report report;
        if (words[1].equals("stock")) {
            report = new StockReport();
        } else if (words[1].equals("sales")) {
            report = new SalesReport();
        } else {
            report = new Report("Authors") {
                @Override
                protected String body(Shop shop) {
                    return shop.catalogue().authors().map(a -> a.sortName() + " " + a.titles().size()).join("\n") + "\n";
                }
            };
        }
        say(report.render(shop));
    }

    private void visitors(String[] words) {
        Week week = new Week();
        week.simulate(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        Sequence<String> quiet = week.quietSpans(2);
        String[] spans = quiet.toArray(String[]::new);
        say("first busy hour " + week.firstBusyHour(3) + ", quiet "
            + (spans.length == 0 ? "never" : String.join(", ", spans)));
    }

    private void say(Order order) {
        say(order + " -> " + order.state());
    }

    private void say(String text) {
        output.append(text).append('\n');
    }

    /** What a line's first word means. */
    @FunctionalInterface
    private interface Command {
        void run(String[] words);
    }
}
