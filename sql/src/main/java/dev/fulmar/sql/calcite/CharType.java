package dev.fulmar.sql.calcite;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.apache.calcite.sql.SqlCollation;
import org.apache.calcite.sql.type.BasicSqlType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * A CHAR(n) that a column or a CAST declares. Calcite's own CHAR is left to literals, which it gives that type whatever
 * they are compared with, and to what it computes of them; that is VARCHAR for us. Invariant: a value of this type has
 * no blanks at its end, so that equal values are the same bytes.
 */
final class CharType extends BasicSqlType {
    private static final long serialVersionUID = 1;

    private CharType(RelDataTypeSystem typeSystem, int length, boolean nullable) {
        super(typeSystem, SqlTypeName.CHAR, nullable, length);
    }

    static RelDataType of(RelDataTypeFactory typeFactory, int length, boolean nullable) {
        return typeFactory.createTypeWithNullability(
                new CharType(typeFactory.getTypeSystem(), length, nullable), nullable);
    }

    /** Whether one of the texts is CHAR and another may have blanks at its end, while none is anything else. */
    static boolean isMixed(List<RelDataType> types) {
        return types.stream().allMatch(SqlTypeUtil::inCharFamily)
                && types.stream().anyMatch(CharType.class::isInstance)
                && !types.stream().allMatch(CharType.class::isInstance);
    }

    /** The length that the longest of the texts needs; at least one has a length. */
    static int length(List<RelDataType> types) {
        return Math.min(
                TypeMapping.MAX_LENGTH,
                types.stream()
                        .mapToInt(type -> type.getPrecision() < 0 ? TypeMapping.MAX_LENGTH : type.getPrecision())
                        .max()
                        .orElseThrow());
    }

    @Override
    public BasicSqlType createWithNullability(boolean nullable) {
        return nullable == isNullable() ? this : new CharType(typeSystem, getPrecision(), nullable);
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
            text.append(" WITHOUT BLANKS");
        }
    }
}
