package dev.fulmar.engine.catalog;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.data.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table.
 *
 * @param defaultValue what an INSERT that does not name the column stores, without column references; null for NULL
 */
public record Column(
        String name,
        ColumnType type,
        boolean nullable,
        @Nullable Expression defaultValue) {}
