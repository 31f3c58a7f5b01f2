package dev.fulmar.pmemlog.checkpoint;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/** Free slots of the master heap, by their class of sizes. One thread. */
final class FreeSlots {
    private final SortedMap<Integer, Stack> stacks = new TreeMap<>();

    /** Free slots of one size. */
    private static final class Stack {
        private long[] slots = new long[16];
        private int size;

        void push(long slot) {
            if (size == slots.length) {
                slots = Arrays.copyOf(slots, 2 * size);
            }
            slots[size++] = slot;
        }

        void removeIf(LongPredicate gone) {
            int kept = 0;
            for (int i = 0; i < size; i++) {
                if (!gone.test(slots[i])) {
                    slots[kept++] = slots[i];
                }
            }
            size = kept;
        }
    }

    void push(int sizeClass, long slot) {
        stacks.computeIfAbsent(sizeClass, any -> new Stack()).push(slot);
    }

    /** Takes the slot that was freed last; there is one. */
    long pop(int sizeClass) {
        Stack stack = stacks.computeIfAbsent(sizeClass, any -> new Stack());
        return stack.slots[--stack.size];
    }

    int count(int sizeClass) {
        Stack stack = stacks.get(sizeClass);
        return stack == null ? 0 : stack.size;
    }

    /** Forgets slots that are none any more. */
    void removeIf(LongPredicate gone) {
        stacks.values().forEach(stack -> stack.removeIf(gone));
    }
}
