package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.simulated.SimulatedWorld.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Events in the order of their times, and of their addition where times are equal. Most are due soon and most of the
 * others are cancelled before they are due, so only those of the present moment are kept in order; later ones lie
 * unordered in slots of a millisecond, and what is dead when its slot's turn comes costs nothing more.
 */
final class EventQueue {
    private static final int SLOT_BITS = 20;
    private static final int SLOTS = 1 << 12;
    private static final int SLOT_MASK = SLOTS - 1;

    /** Those of slots up to the present one. */
    private final PriorityQueue<Event> near = new PriorityQueue<>();

    private final List<List<Event>> slots = new ArrayList<>(SLOTS);

    /** Those beyond the last slot. */
    private final PriorityQueue<Event> far = new PriorityQueue<>();

    private long presentSlot;
    private int inSlots;

    EventQueue() {
        for (int i = 0; i < SLOTS; i++) {
            slots.add(new ArrayList<>());
        }
    }

    void add(Event event) {
        long slot = event.timeNanos() >>> SLOT_BITS;
        if (slot <= presentSlot) {
            near.add(event);
        } else if (slot - presentSlot < SLOTS) {
            slots.get((int) slot & SLOT_MASK).add(event);
            inSlots++;
        } else {
            far.add(event);
        }
    }

    /** The next event, which may be dead; null if there is none. */
    @Nullable Event peek() {
        while (near.isEmpty()) {
            if (inSlots == 0 && far.isEmpty()) {
                return null;
            }
            moveOn();
        }
        return near.peek();
    }

    /** Takes the next event out, which may be dead; null if there is none. */
    @Nullable Event poll() {
        return peek() == null ? null : near.poll();
    }

    /** Forgets dead events that are not due yet, with all objects to which they refer. */
    void forgetDead() {
        far.removeIf(Event::isDead);
        for (List<Event> slot : slots) {
            int before = slot.size();
            slot.removeIf(Event::isDead);
            inSlots -= before - slot.size();
        }
    }

    private void moveOn() {
        Event first = far.peek();
        presentSlot = inSlots > 0 || first == null ? presentSlot + 1 : first.timeNanos() >>> SLOT_BITS;
        while (first != null && (first.timeNanos() >>> SLOT_BITS) - presentSlot < SLOTS) {
            far.remove();
            if (!first.isDead()) {
                add(first);
            }
            first = far.peek();
        }
        List<Event> due = slots.get((int) presentSlot & SLOT_MASK);
        inSlots -= due.size();
        for (Event event : due) {
            if (!event.isDead()) {
                near.add(event);
            }
        }
        due.clear();
    }
}
