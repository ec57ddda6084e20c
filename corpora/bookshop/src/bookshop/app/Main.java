package bookshop.app;

/** Runs the sample day, or checks the shop's parts with `--check`. */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals("--check")) {
            SelfCheck check = new SelfCheck();
            System.out.println(check.run());
            System.exit(check.failures() == 0 ? 0 : 1);
        }
        Shop shop = new Shop("audit", "loyalty", "bestsellers", "silent");
        SampleData.fill(shop.catalogue());
        System.out.print(new Script(shop).run(SampleData.DAY));
        System.out.print(shop.plugins().summaries());
    }
}
