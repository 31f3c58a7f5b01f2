package dev.fulmar.sql.calcite;

import com.google.common.collect.ImmutableList;
import dev.fulmar.sql.postgres.PostgresCatalog;
import dev.fulmar.sql.postgres.SystemTable;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Supplier;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** A table of PG_CATALOG: its rows show the catalog, and become part of the plan. */
final class PostgresTable extends AbstractTable implements TranslatableTable {
    private static final int MICROSECONDS = 6;

    private final SystemTable table;
    private final Supplier<PostgresCatalog> catalog;

    PostgresTable(SystemTable table, Supplier<PostgresCatalog> catalog) {
        this.table = table;
        this.catalog = catalog;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory typeFactory) {
        RelDataTypeFactory.Builder builder = typeFactory.builder();
        for (SystemTable.Column column : table.columns()) {
            RelDataType type = switch (column.kind()) {
                case TEXT -> typeFactory.createSqlType(SqlTypeName.VARCHAR, TypeMapping.MAX_LENGTH);
                case TRUTH -> typeFactory.createSqlType(SqlTypeName.BOOLEAN);
                case NUMBER -> typeFactory.createSqlType(SqlTypeName.INTEGER);
                case LONG_NUMBER -> typeFactory.createSqlType(SqlTypeName.BIGINT);
                case FRACTION -> typeFactory.createSqlType(SqlTypeName.DOUBLE);
                case TIME -> typeFactory.createSqlType(SqlTypeName.TIMESTAMP, MICROSECONDS);
            };
            builder.add(column.engineName(), typeFactory.createTypeWithNullability(type, true));
        }
        return builder.build();
    }

    @Override
    public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable relTable) {
        RexBuilder literals = context.getCluster().getRexBuilder();
        ImmutableList.Builder<ImmutableList<RexLiteral>> tuples = ImmutableList.builder();
        for (List<@Nullable Object> row : catalog.get().rows(table)) {
            ImmutableList.Builder<RexLiteral> tuple = ImmutableList.builder();
            for (int i = 0; i < row.size(); i++) {
                RelDataType type = relTable.getRowType().getFieldList().get(i).getType();
                tuple.add(literal(literals, row.get(i), type));
            }
            tuples.add(tuple.build());
        }
        return CatalogRows.of(context.getCluster(), relTable.getRowType(), tuples.build());
    }

    private static RexLiteral literal(RexBuilder literals, @Nullable Object value, RelDataType type) {
        return switch (value) {
            case null -> literals.makeNullLiteral(type);
            case Boolean truth -> literals.makeLiteral(truth);
            case Integer number -> literals.makeExactLiteral(BigDecimal.valueOf(number), type);
            case Long number -> literals.makeExactLiteral(BigDecimal.valueOf(number), type);
            case Double number -> literals.makeApproxLiteral(BigDecimal.valueOf(number), type);
            default -> literals.makeLiteral(value.toString());
        };
    }
}
