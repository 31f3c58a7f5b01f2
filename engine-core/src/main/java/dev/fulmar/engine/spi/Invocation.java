package dev.fulmar.engine.spi;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * A statement that calls a stored procedure.
 *
 * @param form how it does that
 * @param procedure the name, in upper case unless it is quoted
 * @param column name of the column of a result that is one value
 * @param arguments in order
 * @param zone in which texts are instants
 */
public record Invocation(Form form, String procedure, String column, List<Argument> arguments, ZoneId zone) {
    /** The forms of such statements. */
    public enum Form {
        /** {@code CALL p(...)}. */
        CALL,
        /** {@code SELECT * FROM p(...)}. */
        ROWS
    }

    /** A value that the statement passes to the procedure. */
    public sealed interface Argument {
        /**
         * A parameter of the statement. Their order is their number.
         *
         * @param type that the statement gives it; empty for that of the procedure's parameter
         */
        record Marker(Optional<ColumnType> type) implements Argument {}

        /** A text without a type, which becomes a value of the procedure's parameter. */
        record Text(String value) implements Argument {}

        /**
         * A constant.
         *
         * @param value as that of a literal in a plan
         */
        record Value(TypeKind kind, Object value) implements Argument {}

        /** No value. */
        record Null() implements Argument {}
    }

    public Invocation {
        arguments = List.copyOf(arguments);
    }

    /** How many parameters the statement has. */
    public int markers() {
        return (int)
                arguments.stream().filter(Argument.Marker.class::isInstance).count();
    }
}
