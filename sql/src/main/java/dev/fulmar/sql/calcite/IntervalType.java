package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.data.TypeKind;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.apache.calcite.sql.SqlCollation;
import org.apache.calcite.sql.type.BasicSqlType;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * INTERVAL as a value of months, days and microseconds, which Calcite's own types of intervals have apart. To Calcite
 * it is a VARCHAR of another name, which a text literal may become. Invariant: no operation of texts takes one;
 * {@code IntervalRules} refuses what Calcite lets through.
 */
public final class IntervalType extends BasicSqlType {
    private static final long serialVersionUID = 1;

    /** The precision of our type. */
    private final int code;

    private IntervalType(RelDataTypeSystem typeSystem, int code, boolean nullable) {
        this.code = code; // which the constructor above asks for
        super(typeSystem, SqlTypeName.VARCHAR, nullable, TypeMapping.MAX_LENGTH);
    }

    static RelDataType of(RelDataTypeFactory typeFactory, ColumnType type, boolean nullable) {
        return typeFactory.createTypeWithNullability(
                new IntervalType(typeFactory.getTypeSystem(), type.precision(), nullable), nullable);
    }

    /** The type of intervals that keep all. */
    static RelDataType ofAll(RelDataTypeFactory typeFactory) {
        return of(typeFactory, IntervalShape.ANY.type(), true);
    }

    /** Our type. */
    public ColumnType columnType() {
        return new ColumnType(TypeKind.INTERVAL, code, 0);
    }

    /** Whether it is the type of intervals as values. */
    public static boolean is(RelDataType type) {
        return type instanceof IntervalType;
    }

    /** Whether all of the types, of which one is of intervals, are, or become it. */
    static boolean areAlike(List<RelDataType> types) {
        return types.stream().allMatch(type -> is(type) || JsonType.isLiteral(type));
    }

    /** The type that values of all of the types have. */
    static RelDataType common(RelDataTypeFactory typeFactory, List<RelDataType> types, boolean nullable) {
        List<ColumnType> kept = types.stream()
                .filter(IntervalType.class::isInstance)
                .map(type -> ((IntervalType) type).columnType())
                .distinct()
                .toList();
        return of(typeFactory, kept.size() == 1 ? kept.getFirst() : IntervalShape.ANY.type(), nullable);
    }

    @Override
    public BasicSqlType createWithNullability(boolean nullable) {
        return nullable == isNullable() ? this : new IntervalType(typeSystem, code, nullable);
    }

    @Override
    public Charset getCharset() {
        return StandardCharsets.UTF_8;
    }

    @Override
    public SqlCollation getCollation() {
        return SqlCollation.IMPLICIT;
    }

    /** Types are the same to Calcite if their texts are. */
    @Override
    protected void generateTypeString(StringBuilder text, boolean withDetail) {
        super.generateTypeString(text, withDetail);
        if (withDetail) {
            text.append(" OF INTERVAL ").append(code);
        }
    }
}
