package dev.fulmar.postgres.dialect;

import org.jspecify.annotations.Nullable;

/** Ends of a temporary table at the end of each transaction: the clause ON COMMIT. */
public enum AtCommit {
    PRESERVE_ROWS,
    DELETE_ROWS,
    DROP;

    /** The place of the clause behind the name of a table, before a query; the count of words for none. */
    static int place(Words words, int name) {
        int end = words.outside(name + 1, "AS");
        int place = name;
        do {
            place = words.outside(place + 1, end, "ON");
        } while (place < end && !words.areAt(place, "ON", "COMMIT"));
        return place < end ? place : words.count();
    }

    /** The meaning of the clause at the place; null if it has none. */
    static @Nullable AtCommit at(Words words, int place) {
        if (words.areAt(place + 2, "DROP")) {
            return DROP;
        }
        if (words.areAt(place + 2, "DELETE", "ROWS")) {
            return DELETE_ROWS;
        }
        return words.areAt(place + 2, "PRESERVE", "ROWS") ? PRESERVE_ROWS : null;
    }
}
