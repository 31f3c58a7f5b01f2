package dev.fulmar.sql.ddl;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.sql.text.Position;

/** Turns the text of a column's default into a constant of the column's type. */
@FunctionalInterface
public interface DefaultCompiler {
    /**
     * The constant.
     *
     * @param position where the text begins, for errors
     */
    Expression compile(String text, ColumnType type, Position position);
}
