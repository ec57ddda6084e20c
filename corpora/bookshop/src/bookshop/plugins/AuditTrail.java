package bookshop.plugins;

import bookshop.app.Shop;
import bookshop.collections.RingBuffer;
import bookshop.events.Event;

/** Remembers the last few events. */
public class AuditTrail implements Plugin {
    private static final int KEPT = 4;

    private final RingBuffer<Event> recent = new RingBuffer<>(KEPT);
    private int count;

    @Override
    public void install(Shop shop) {
        shop.events().subscribe(Event.class, this::record);
    }

    private void record(Event event) {
        count++;
        recent.add(event);
    }

    @Override
    public String summary() {
        StringBuilder text = new StringBuilder().append(count).append(" events, the last of them");
        for (Event event : recent) {
            text.append("\n    ").append(event.describe());
        }
        return text.toString();
    }
}
