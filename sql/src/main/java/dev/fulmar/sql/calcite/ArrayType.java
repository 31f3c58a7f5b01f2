package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.data.ColumnType;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.apache.calcite.sql.SqlCollation;
import org.apache.calcite.sql.type.BasicSqlType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * An array. To Calcite it is a VARCHAR of another name, which a text literal may become. Invariant: no operation of
 * texts takes one; {@code ArrayRules} refuses what Calcite lets through.
 */
public final class ArrayType extends BasicSqlType {
    private static final long serialVersionUID = 1;

    private final transient ColumnType array;

    private ArrayType(RelDataTypeSystem typeSystem, ColumnType array, boolean nullable) {
        this.array = array; // which the constructor above asks for
        super(typeSystem, SqlTypeName.VARCHAR, nullable, TypeMapping.MAX_LENGTH);
    }

    static RelDataType of(RelDataTypeFactory typeFactory, ColumnType array, boolean nullable) {
        return typeFactory.createTypeWithNullability(
                new ArrayType(typeFactory.getTypeSystem(), array, nullable), nullable);
    }

    /** Fulmar's type of it. */
    public ColumnType array() {
        return array;
    }

    public static boolean is(RelDataType type) {
        return type instanceof ArrayType;
    }

    /** The type of the elements; of any other type that itself. */
    static RelDataType element(RelDataTypeFactory typeFactory, RelDataType type) {
        return type instanceof ArrayType known
                ? TypeMapping.relDataType(typeFactory, known.array.element(), true)
                : type;
    }

    /** The type of arrays that all of them, of which one is of arrays, become; null if there is none. */
    static @Nullable RelDataType common(RelDataTypeFactory typeFactory, List<RelDataType> types) {
        List<RelDataType> arrays = types.stream().filter(ArrayType::is).toList();
        boolean areAlike = types.stream().allMatch(type -> is(type) || JsonType.isLiteral(type));
        RelDataType element = areAlike
                ? typeFactory.leastRestrictive(
                        arrays.stream().map(type -> element(typeFactory, type)).toList())
                : null;
        return element == null ? null : of(typeFactory, ColumnType.array(TypeMapping.columnType(element)), true);
    }

    @Override
    public BasicSqlType createWithNullability(boolean nullable) {
        return nullable == isNullable() ? this : new ArrayType(typeSystem, array, nullable);
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
            text.append(" OF ").append(array);
        }
    }
}
