package dev.fulmar.benchmarks.hotrow;

import java.util.Locale;

/** A transaction that changes the row. */
enum HotRowCase {
    /** {@code UPDATE hot SET n = n + 1}: its client sees no value of it. */
    COUNTER,

    /** The client reads the value, and writes one that it has computed from it. */
    READ_MODIFY_WRITE;

    /** Key of its row. */
    int row() {
        return ordinal() + 1;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
