package dev.fulmar.simulator.verify;

import java.util.List;
import java.util.OptionalLong;

/**
 * One step of a transaction. A key is either a list that only grows or a register; the two have key spaces of their
 * own. No element is appended to a key twice and no value written to a key twice, so that a read tells whose write it
 * saw.
 */
public sealed interface Operation {
    long key();

    /** Adds the element at the end of the list. */
    record Append(long key, long element) implements Operation {}

    /** Saw these elements. */
    record ReadList(long key, List<Long> elements) implements Operation {
        public ReadList {
            elements = List.copyOf(elements);
        }
    }

    /** Sets the register. */
    record Write(long key, long value) implements Operation {}

    /** A read of the value, or of none because none was written. */
    record ReadRegister(long key, OptionalLong value) implements Operation {}
}
