package dev.fulmar.engine.catalog;

import java.util.Collections;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The comments on objects of the catalog. A comment goes with its object, and keeps to it under another name.
 * Immutable.
 */
public final class Comments {
    private static final Comments NONE = new Comments(Collections.emptySortedMap());

    /** A kind of object that may have a comment. */
    public enum Kind {
        TABLE,
        VIEW,
        /** Of a table. */
        COLUMN,
        INDEX,
        PROCEDURE,
        TYPE
    }

    /**
     * The object that a comment is about.
     *
     * @param name of the object, of the table for a column; that of a procedure in upper case
     * @param column empty for other kinds
     */
    public record Subject(Kind kind, String name, String column) implements Comparable<Subject> {
        private static final Comparator<Subject> ORDER =
                Comparator.comparing(Subject::kind).thenComparing(Subject::name).thenComparing(Subject::column);

        @Override
        public int compareTo(Subject other) {
            return ORDER.compare(this, other);
        }

        private Subject named(String other) {
            return new Subject(kind, other, column);
        }
    }

    private final SortedMap<Subject, String> texts;

    private Comments(SortedMap<Subject, String> texts) {
        this.texts = Collections.unmodifiableSortedMap(texts);
    }

    static Comments none() {
        return NONE;
    }

    /** The comment, or null. */
    public @Nullable String text(Kind kind, String name) {
        return texts.get(new Subject(kind, name, ""));
    }

    /** The comment on a column of a table, or null. */
    public @Nullable String ofColumn(String table, String column) {
        return texts.get(new Subject(Kind.COLUMN, table, column));
    }

    /** All of them, in an order that follows from the subjects. */
    public SortedMap<Subject, String> all() {
        return texts;
    }

    /** With another comment, or with none where the text is empty. */
    Comments with(Subject subject, String text) {
        TreeMap<Subject, String> changed = new TreeMap<>(texts);
        if (text.isEmpty()) {
            changed.remove(subject);
        } else {
            changed.put(subject, text);
        }
        return new Comments(changed);
    }

    Comments without(Kind kind, String name) {
        return with(new Subject(kind, name, ""), "");
    }

    /** The comments that remain when a table is dropped. */
    Comments without(Table table) {
        TreeMap<Subject, String> changed = new TreeMap<>(texts);
        changed.keySet().removeIf(subject -> switch (subject.kind()) {
            case TABLE, COLUMN -> subject.name().equals(table.name());
            case INDEX ->
                table.indexes().stream().anyMatch(index -> index.name().equals(subject.name()));
            case VIEW, PROCEDURE, TYPE -> false;
        });
        return new Comments(changed);
    }

    /**
     * The comments that remain when a table changes. With as many columns as before, they are the same under whatever
     * names.
     */
    Comments changed(Table before, Table after) {
        if (texts.isEmpty()) {
            return this;
        }
        TreeMap<Subject, String> changed = new TreeMap<>();
        texts.forEach((subject, text) -> {
            Subject kept = changed(subject, before, after);
            if (kept != null) {
                changed.put(kept, text);
            }
        });
        return new Comments(changed);
    }

    private static @Nullable Subject changed(Subject subject, Table before, Table after) {
        return switch (subject.kind()) {
            case TABLE -> subject.name().equals(before.name()) ? subject.named(after.name()) : subject;
            case COLUMN -> subject.name().equals(before.name()) ? column(subject, before, after) : subject;
            case INDEX -> index(subject, before, after);
            case VIEW, PROCEDURE, TYPE -> subject;
        };
    }

    private static @Nullable Subject column(Subject subject, Table before, Table after) {
        int place = before.columnIndex(subject.column());
        if (before.columns().size() == after.columns().size()) {
            return new Subject(
                    Kind.COLUMN, after.name(), after.columns().get(place).name());
        }
        return after.columnIndex(subject.column()) < 0 ? null : subject.named(after.name());
    }

    private static @Nullable Subject index(Subject subject, Table before, Table after) {
        for (Index old : before.indexes()) {
            if (old.name().equals(subject.name())) {
                for (Index index : after.indexes()) {
                    if (index.id() == old.id() || index.name().equals(old.name())) {
                        return subject.named(index.name());
                    }
                }
                return null;
            }
        }
        return subject;
    }
}
