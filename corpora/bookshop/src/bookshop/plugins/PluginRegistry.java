package bookshop.plugins;

import bookshop.app.Shop;
import bookshop.collections.HashIndex;
import bookshop.collections.Index;
import bookshop.collections.LinkedSequence;
import bookshop.collections.Sequence;
import java.util.function.Supplier;

/** Makes plugins by name. */
public final class PluginRegistry {
    private static final Index<String, Supplier<? extends Plugin>> MAKERS = new HashIndex<>();

    static {
        register("audit", AuditTrail::new);
        register("loyalty", () -> new Loyalty(50));
        register("bestsellers", Bestsellers::new);
        register("silent", () -> new Plugin() {
            @Override
            public void install(Shop shop) {
            }

            @Override
            public String name() {
                return "silent";
            }
        });
    }

    private final Sequence<Plugin> installed = new LinkedSequence<>();

    public static void register(String name, Supplier<? extends Plugin> maker) {
        MAKERS.put(name, maker);
    }

    public PluginRegistry install(Shop shop, String... names) {
        for (String name : names) {
            Supplier<? extends Plugin> maker = MAKERS.get(name);
            if (maker == null) {
                throw new IllegalArgumentException("no plugin " + name + "; there are " + MAKERS.keys().join(", "));
            }
            Plugin plugin = maker.get();
            plugin.install(shop);
            installed.add(plugin);
        }
        return this;
    }

    /** The first installed plugin of a type. */
    public <P extends Plugin> P find(Class<P> type) {
        return type.cast(installed.find(type::isInstance).get());
    }

    public String summaries() {
        StringBuilder text = new StringBuilder();
        for (Plugin plugin : installed) {
            String summary = plugin.summary();
            if (!summary.isEmpty()) {
                text.append(plugin.name()).append(": ").append(summary).append('\n');
            }
        }
        return text.toString();
    }
}
