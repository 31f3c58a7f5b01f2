package dev.fulmar.coordinator.invocation;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.ParameterTypes;
import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.engine.execution.value.Texts;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ProcedureParameter;
import dev.fulmar.engine.procedure.invocation.SqlEntry;
import dev.fulmar.engine.spi.Invocation;
import dev.fulmar.engine.spi.Invocation.Argument;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Writes what a statement passes to a procedure as the parameters of a call. */
final class InvocationArguments {
    private static final int FIRST_BYTES = 64;
    private static final int MOST_BYTES = 64 << 20;
    private static final int MOST_CHARACTERS = 1 << 20;

    /** Digits behind the point of a decimal whose type is not said; values have as many as they need. */
    private static final int SCALE = 12;

    private InvocationArguments() {}

    /**
     * The parameters of the call.
     *
     * @param given the parameters of the statement
     */
    static byte[] of(Invocation invocation, LoadedProcedure procedure, byte[] given) {
        ParameterReader reader = new ParameterReader(ParameterWriter.MAX_PARAMETERS).wrap(given, 0, given.length);
        int markers = invocation.markers();
        if (reader.count() != markers) {
            throw new FulmarException(
                    ErrorCode.WRONG_PARAMETERS,
                    "the statement has " + markers + " parameters, but " + reader.count()
                            + " were given; pass one value per ?");
        }
        ParameterWriter writer = new ParameterWriter(FIRST_BYTES, MOST_BYTES).begin();
        int next = 0;
        for (int i = 0; i < invocation.arguments().size(); i++) {
            switch (invocation.arguments().get(i)) {
                case Argument.Marker(Optional<ColumnType> type) -> {
                    if (type.isPresent()) {
                        addConverted(writer, type.get(), reader, next);
                    } else {
                        writer.addCopy(reader, next);
                    }
                    next++;
                }
                case Argument.Text(String value) -> addText(writer, value, procedure, i, invocation.zone());
                case Argument.Value(TypeKind kind, Object value) -> add(writer, kind, value);
                case Argument.Null() -> writer.addNull();
            }
        }
        Invariants.check(next == markers, "each parameter of the statement is an argument");
        Invariants.check(
                writer.count() == procedure.parameters().size(), "each argument is a parameter of the procedure");
        return writer.toByteArray();
    }

    /** The type of the procedure's parameter, or of its elements if it is an array. */
    static ColumnType type(LoadedProcedure procedure, int position) {
        if (procedure.entry() instanceof SqlEntry statements) {
            return statements.parameterType(position);
        }
        return switch (procedure.parameters().get(position).kind()) {
            case BOOLEAN -> ColumnType.of(TypeKind.BOOLEAN);
            case BYTE -> ColumnType.of(TypeKind.TINYINT);
            case SHORT -> ColumnType.of(TypeKind.SMALLINT);
            case INT -> ColumnType.of(TypeKind.INTEGER);
            case LONG -> ColumnType.of(TypeKind.BIGINT);
            case FLOAT -> ColumnType.of(TypeKind.REAL);
            case DOUBLE -> ColumnType.of(TypeKind.DOUBLE);
            case STRING -> ColumnType.varchar(MOST_CHARACTERS);
            case BYTES -> new ColumnType(TypeKind.VARBINARY, MOST_CHARACTERS, 0);
            case DECIMAL -> ColumnType.decimal(ColumnType.MAX_DECIMAL_DIGITS, SCALE);
            case DATE -> ColumnType.of(TypeKind.DATE);
            case TIME -> ColumnType.of(TypeKind.TIME);
            case TIMESTAMP -> ColumnType.of(TypeKind.TIMESTAMP);
            case INSTANT -> ColumnType.of(TypeKind.TIMESTAMP_TZ);
            case UUID -> ColumnType.of(TypeKind.UUID);
        };
    }

    /** Adds a parameter to which the statement gives a type, as a statement of that type would have it. */
    private static void addConverted(ParameterWriter writer, ColumnType type, ParameterReader reader, int position) {
        Bindings value = new Bindings(new ParameterTypes(List.of(type)));
        value.set(0, reader, position);
        addBound(writer, value);
    }

    private static void addBound(ParameterWriter writer, Bindings value) {
        ParameterWriter list = new ParameterWriter(FIRST_BYTES, MOST_BYTES);
        value.writeTo(list);
        writer.addCopy(new ParameterReader(1).wrap(list.array(), 0, list.end()), 0);
    }

    /** A text that is no value of the type is refused, and never rounded. */
    private static void addText(
            ParameterWriter writer, String text, LoadedProcedure procedure, int position, ZoneId zone) {
        ProcedureParameter parameter = procedure.parameters().get(position);
        ColumnType type = type(procedure, position);
        if (parameter.array()) {
            writer.add(text); // which the procedure refuses
            return;
        }
        switch (type.kind()) {
            case CHAR, VARCHAR, VARBINARY -> writer.add(text);
            case TINYINT, SMALLINT, INTEGER, BIGINT -> writer.add(whole(text, type));
            case DECIMAL -> writer.add(decimal(text, type));
            case TIMESTAMP_TZ -> writer.addTimestamp(Temporals.parseTimestampTz(text, zone));
            case BOOLEAN, REAL, DOUBLE, DATE, TIME, TIMESTAMP, UUID, JSON, JSONB, INTERVAL, ARRAY, ENUM, NUMERIC -> {
                Bindings value = new Bindings(new ParameterTypes(List.of(type)));
                value.setString(0, text);
                addBound(writer, value);
            }
        }
    }

    private static long whole(String text, ColumnType type) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw Texts.invalid(text, type, "a whole number");
        }
    }

    private static BigDecimal decimal(String text, ColumnType type) {
        try {
            return new BigDecimal(text.strip());
        } catch (NumberFormatException e) {
            throw Texts.invalid(text, type, "a number");
        }
    }

    private static void add(ParameterWriter writer, TypeKind kind, Object value) {
        switch (kind) {
            case BOOLEAN -> writer.add((boolean) value);
            case TINYINT, SMALLINT, INTEGER, BIGINT -> writer.add((long) value);
            case DECIMAL -> writer.add((BigDecimal) value);
            case REAL, DOUBLE -> writer.add((double) value);
            case CHAR, VARCHAR, JSON, JSONB, INTERVAL, ARRAY, ENUM, NUMERIC -> writer.add((String) value);
            case VARBINARY -> writer.add((byte[]) value);
            case DATE -> writer.addDate((long) value);
            case TIME -> writer.addTime((long) value);
            case TIMESTAMP, TIMESTAMP_TZ -> writer.addTimestamp((long) value);
            case UUID -> writer.add((UUID) value);
        }
    }
}
