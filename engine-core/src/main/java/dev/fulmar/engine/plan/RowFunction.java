package dev.fulmar.engine.plan;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.List;

/**
 * A call of a function that yields several values, one a row.
 *
 * @param arguments read no column of an input, but perhaps {@link Expression.OuterReference}s. One that is null yields
 *     no value. Of a series they are the first number or moment, the last one, the step, and of instants the zone
 * @param type of the values
 */
public record RowFunction(Kind kind, List<Expression> arguments, ColumnType type) {
    /** The functions. */
    public enum Kind {
        /** From the first number or moment on, by a step, to the last one. */
        SERIES,
        /** The elements of an array. */
        ELEMENTS
    }

    public RowFunction {
        arguments = List.copyOf(arguments);
    }

    /** The types of the functions' values side by side, and of the row's number. */
    static List<ColumnType> columns(List<RowFunction> functions) {
        List<ColumnType> columns = new ArrayList<>();
        functions.forEach(function -> columns.add(function.type));
        columns.add(ColumnType.of(TypeKind.BIGINT));
        return columns;
    }
}
