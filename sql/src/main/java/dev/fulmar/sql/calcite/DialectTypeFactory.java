package dev.fulmar.sql.calcite;

import dev.fulmar.engine.spi.PlanningTurn;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCollation;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** The factory of the dialect's types, whose text is UTF-8. */
final class DialectTypeFactory extends JavaTypeFactoryImpl {
    DialectTypeFactory() {
        super(new DialectTypeSystem());
    }

    /** Rows have as many types as columns, and queries as many rows as steps: with them grows what planning takes. */
    @Override
    protected RelDataType canonize(RelDataType type) {
        PlanningTurn.goOn();
        return super.canonize(type);
    }

    @Override
    public RelDataType createSqlType(SqlTypeName name, int precision, int scale) {
        return NumericType.isOne(name, precision)
                ? canonize(NumericType.made(typeSystem, precision, scale))
                : super.createSqlType(name, precision, scale);
    }

    /**
     * Where CHAR meets literals only, in CASE, COALESCE, UNION or VALUES, the result is CHAR; where it meets VARCHAR,
     * that (ISO 9075-2, 9.5). Where an instant meets a timestamp or date, the result is an instant, and where a
     * timestamp meets a date, a timestamp.
     */
    @Override
    public @Nullable RelDataType leastRestrictive(List<RelDataType> types, SqlTypeMappingRule mappingRule) {
        List<RelDataType> texts = types.stream()
                .filter(type -> type.getSqlTypeName() != SqlTypeName.NULL)
                .toList();
        if (texts.stream().anyMatch(JsonType::isAny)) {
            return JsonType.areAlike(texts)
                    ? createTypeWithNullability(
                            texts.stream().filter(JsonType::isAny).findFirst().orElseThrow(),
                            types.stream().anyMatch(RelDataType::isNullable))
                    : null;
        }
        if (texts.stream().anyMatch(IntervalType::is)) {
            return IntervalType.areAlike(texts)
                    ? IntervalType.common(this, texts, types.stream().anyMatch(RelDataType::isNullable))
                    : null;
        }
        if (texts.stream().anyMatch(ArrayType::is)) {
            RelDataType array = ArrayType.common(this, texts);
            return array == null
                    ? null
                    : createTypeWithNullability(array, types.stream().anyMatch(RelDataType::isNullable));
        }
        boolean hasDefault = texts.stream().anyMatch(type -> type.getSqlTypeName() == SqlTypeName.ANY);
        if (texts.stream().anyMatch(EnumType::isAny) && !hasDefault) {
            return EnumType.areAlike(texts)
                    ? createTypeWithNullability(
                            EnumType.first(texts), types.stream().anyMatch(RelDataType::isNullable))
                    : null;
        }
        if (texts.stream().anyMatch(NumericType::is) && NumericType.areExactOrOpen(texts)) {
            boolean isOfOne = texts.stream()
                                    .map(RelDataType::getPrecision)
                                    .distinct()
                                    .count()
                            == 1
                    && texts.stream().map(RelDataType::getScale).distinct().count() == 1;
            boolean isNullable = types.stream().anyMatch(RelDataType::isNullable);
            return isOfOne
                    ? createTypeWithNullability(texts.getFirst(), isNullable)
                    : NumericType.any(this, isNullable);
        }
        boolean isChar = texts.stream().anyMatch(CharType.class::isInstance)
                && texts.stream().allMatch(type -> type.getSqlTypeName() == SqlTypeName.CHAR);
        boolean hasInstant = texts.stream().anyMatch(DialectTypeFactory::isInstant)
                && !texts.stream().allMatch(DialectTypeFactory::isInstant)
                && texts.stream().allMatch(type -> isInstant(type) || isTimestampOrDate(type));
        if (hasInstant) {
            boolean isNullable = types.stream().anyMatch(RelDataType::isNullable);
            return createTypeWithNullability(createSqlType(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 6), isNullable);
        }
        if (isMoment(texts)) {
            return createTypeWithNullability(
                    createSqlType(SqlTypeName.TIMESTAMP, 6), types.stream().anyMatch(RelDataType::isNullable));
        }
        return isChar
                ? CharType.of(this, CharType.length(texts), types.stream().anyMatch(RelDataType::isNullable))
                : super.leastRestrictive(types, mappingRule);
    }

    private static boolean isMoment(List<RelDataType> types) {
        return types.stream().anyMatch(type -> type.getSqlTypeName() == SqlTypeName.DATE)
                && types.stream().anyMatch(type -> type.getSqlTypeName() == SqlTypeName.TIMESTAMP)
                && types.stream().allMatch(DialectTypeFactory::isTimestampOrDate);
    }

    private static boolean isInstant(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
    }

    private static boolean isTimestampOrDate(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.TIMESTAMP || type.getSqlTypeName() == SqlTypeName.DATE;
    }

    @Override
    public RelDataType createTypeWithCharsetAndCollation(RelDataType type, Charset charset, SqlCollation collation) {
        return type instanceof CharType
                        || type instanceof JsonType
                        || type instanceof IntervalType
                        || type instanceof ArrayType
                        || type instanceof EnumType
                ? type
                : super.createTypeWithCharsetAndCollation(type, charset, collation);
    }

    @Override
    public Charset getDefaultCharset() {
        return StandardCharsets.UTF_8;
    }
}
