package dev.fulmar.sql.calcite;

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
 * JSON or JSONB. To Calcite it is a VARCHAR of another name, which a text literal may become. Invariant: no operation
 * of texts takes one; {@code JsonRules} refuses what Calcite lets through.
 */
public final class JsonType extends BasicSqlType {
    private static final long serialVersionUID = 1;

    private final TypeKind kind;

    private JsonType(RelDataTypeSystem typeSystem, TypeKind kind, boolean nullable) {
        this.kind = kind; // which the constructor above asks for
        super(typeSystem, SqlTypeName.VARCHAR, nullable, TypeMapping.MAX_LENGTH);
    }

    static RelDataType of(RelDataTypeFactory typeFactory, TypeKind kind, boolean nullable) {
        return typeFactory.createTypeWithNullability(
                new JsonType(typeFactory.getTypeSystem(), kind, nullable), nullable);
    }

    /** Which of the two it is. */
    public TypeKind kind() {
        return kind;
    }

    static boolean is(RelDataType type, TypeKind kind) {
        return type instanceof JsonType json && json.kind == kind;
    }

    public static boolean isAny(RelDataType type) {
        return type instanceof JsonType;
    }

    /** Whether it is the type of a text literal, which may become a document. */
    static boolean isLiteral(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.CHAR && !(type instanceof CharType);
    }

    /** Whether all of the types, of which one is of documents, are of the same one or become it. */
    static boolean areAlike(List<RelDataType> types) {
        TypeKind kind = types.stream()
                .filter(JsonType.class::isInstance)
                .map(type -> ((JsonType) type).kind)
                .findFirst()
                .orElseThrow();
        return types.stream().allMatch(type -> is(type, kind) || isLiteral(type));
    }

    @Override
    public BasicSqlType createWithNullability(boolean nullable) {
        return nullable == isNullable() ? this : new JsonType(typeSystem, kind, nullable);
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
            text.append(" OF ").append(kind);
        }
    }
}
