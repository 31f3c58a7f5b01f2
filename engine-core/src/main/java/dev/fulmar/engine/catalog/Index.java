package dev.fulmar.engine.catalog;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * An index of a table. A primary key has two: a unique HASH one that enforces it and finds single rows, and an ORDERED
 * one for ranges and prefixes, unless the table asks for one kind only.
 *
 * @param id unique in the table, never reused
 * @param unique no two visible rows have equal keys without nulls
 * @param primary belongs to the primary key
 * @param condition which rows the index has: those that meet it; empty for all
 * @param unvalidatedSince version of the catalog since which writes keep keys over partitions unique, where earlier
 *     rows on two partitions may have equal ones; 0 if none have
 */
public record Index(
        int id,
        String name,
        IndexKind kind,
        boolean unique,
        boolean primary,
        List<IndexColumn> columns,
        Optional<Check> condition,
        long unvalidatedSince) {
    public Index {
        columns = List.copyOf(columns);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("index " + name + " has no column");
        }
    }

    /** An index that is what it says. */
    public Index(
            int id,
            String name,
            IndexKind kind,
            boolean unique,
            boolean primary,
            List<IndexColumn> columns,
            Optional<Check> condition) {
        this(id, name, kind, unique, primary, columns, condition, 0);
    }

    /** An index of all rows. */
    public Index(int id, String name, IndexKind kind, boolean unique, boolean primary, List<IndexColumn> columns) {
        this(id, name, kind, unique, primary, columns, Optional.empty());
    }

    /** The same under another name. */
    public Index withName(String other) {
        return new Index(id, other, kind, unique, primary, columns, condition, unvalidatedSince);
    }

    /** The same under another id. */
    public Index withId(int other) {
        return new Index(other, name, kind, unique, primary, columns, condition, unvalidatedSince);
    }

    /** The same with other columns, and a condition over them. */
    public Index withColumns(List<IndexColumn> others, Optional<Check> otherCondition) {
        return new Index(id, name, kind, unique, primary, others, otherCondition, unvalidatedSince);
    }

    /** The same that only writes since a version of the catalog keep unique, or all rows if it is 0. */
    public Index withUnvalidatedSince(long version) {
        return new Index(id, name, kind, unique, primary, columns, condition, version);
    }

    /** Whether all rows keep it. */
    public boolean isValidated() {
        return unvalidatedSince == 0;
    }

    /** Whether it stands for a constraint on all rows. */
    public boolean isConstraint() {
        return unique && condition.isEmpty() && !isComputed();
    }

    /** Whether a key is computed. */
    public boolean isComputed() {
        return columns.stream().anyMatch(IndexColumn::isComputed);
    }

    /** Whether its condition or a computed key reads the column. */
    public boolean computesFrom(int column) {
        return condition.map(check -> check.reads(column)).orElse(false)
                || columns.stream()
                        .flatMap(key -> key.expression().stream())
                        .anyMatch(expression -> expression.reads(column));
    }

    /** Whether the entry of a row changes with the column, but for what only tells rows apart. */
    public boolean dependsOn(int column) {
        return columns.stream().anyMatch(key -> key.column() == column) || computesFrom(column);
    }

    /** The number of its first keys that are among the columns; 0 if it has not all rows, or not in order. */
    public int leadingKeys(Collection<Integer> among) {
        if (kind != IndexKind.ORDERED || condition.isPresent()) {
            return 0;
        }
        int count = 0;
        while (count < columns.size() && among.contains(columns.get(count).column())) {
            count++;
        }
        return count;
    }
}
