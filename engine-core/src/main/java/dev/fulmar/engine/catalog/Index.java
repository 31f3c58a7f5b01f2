package dev.fulmar.engine.catalog;

import java.util.List;

/**
 * An index of a table. A primary key has two: a unique HASH one that enforces it and finds single rows, and an ORDERED one for
 * ranges and prefixes, unless the table asks for one kind only.
 *
 * @param id unique in the table, never reused
 * @param unique no two visible rows have equal keys without nulls
 * @param primary belongs to the primary key
 */
public record Index(int id, String name, IndexKind kind, boolean unique, boolean primary, List<IndexColumn> columns) {
    public Index {
        columns = List.copyOf(columns);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("index " + name + " has no column");
        }
    }

    /** The same under another name. */
    public Index withName(String other) {
        return new Index(id, other, kind, unique, primary, columns);
    }
}
