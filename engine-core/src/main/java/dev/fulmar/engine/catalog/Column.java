package dev.fulmar.engine.catalog;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.data.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table.
 *
 * @param defaultValue what an INSERT that does not name the column stores, without column references; null for NULL
 * @param defaultText the default as its author wrote it; null if there is none
 */
public record Column(
        String name,
        ColumnType type,
        boolean nullable,
        @Nullable Expression defaultValue,
        @Nullable String defaultText) {
    /** A column whose default has no text. */
    public Column(String name, ColumnType type, boolean nullable, @Nullable Expression defaultValue) {
        this(name, type, nullable, defaultValue, null);
    }

    /** The same under another name. */
    public Column withName(String other) {
        return new Column(other, type, nullable, defaultValue, defaultText);
    }

    /** The same with another default. */
    public Column withDefault(@Nullable Expression value, @Nullable String text) {
        return new Column(name, type, nullable, value, text);
    }

    /** The same, which may be null or not. */
    public Column withNullable(boolean other) {
        return new Column(name, type, other, defaultValue, defaultText);
    }
}
