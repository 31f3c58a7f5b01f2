package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.data.Enumeration;
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
 * A type with labels. To Calcite it is a VARCHAR of another name, which a text literal may become. Invariant: no
 * operation of texts takes one; {@code EnumRules} refuses what Calcite lets through.
 */
public final class EnumType extends BasicSqlType {
    private static final long serialVersionUID = 1;

    private final transient Enumeration enumeration;

    private EnumType(RelDataTypeSystem typeSystem, Enumeration enumeration, boolean nullable) {
        this.enumeration = enumeration; // which the constructor above asks for
        super(typeSystem, SqlTypeName.VARCHAR, nullable, Enumeration.MOST_LABEL_BYTES);
    }

    static RelDataType of(RelDataTypeFactory typeFactory, Enumeration enumeration, boolean nullable) {
        return typeFactory.createTypeWithNullability(
                new EnumType(typeFactory.getTypeSystem(), enumeration, nullable), nullable);
    }

    /** The labels. */
    public Enumeration enumeration() {
        return enumeration;
    }

    static boolean isAny(RelDataType type) {
        return type instanceof EnumType;
    }

    static boolean is(RelDataType type, Enumeration enumeration) {
        return type instanceof EnumType labels && labels.enumeration.id() == enumeration.id();
    }

    /** The first of the types that has labels; one has. */
    static EnumType first(List<RelDataType> types) {
        return types.stream()
                .filter(EnumType.class::isInstance)
                .map(EnumType.class::cast)
                .findFirst()
                .orElseThrow();
    }

    /** Whether all of the types, of which one has labels, are the same one or become it. */
    static boolean areAlike(List<RelDataType> types) {
        Enumeration enumeration = first(types).enumeration;
        return types.stream().allMatch(type -> is(type, enumeration) || JsonType.isLiteral(type));
    }

    @Override
    public BasicSqlType createWithNullability(boolean nullable) {
        return nullable == isNullable() ? this : new EnumType(typeSystem, enumeration, nullable);
    }

    @Override
    public Charset getCharset() {
        return StandardCharsets.UTF_8;
    }

    @Override
    public SqlCollation getCollation() {
        return SqlCollation.IMPLICIT;
    }

    /**
     * Types are the same to Calcite if their texts are, and it keeps one of them for all statements to come. The labels
     * of a type change.
     */
    @Override
    protected void generateTypeString(StringBuilder text, boolean withDetail) {
        super.generateTypeString(text, withDetail);
        if (withDetail) {
            text.append(" OF ").append(enumeration.id()).append(' ').append(enumeration.fingerprint());
        }
    }
}
