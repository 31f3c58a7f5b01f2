package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.schema.ColumnStrategy;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql2rel.InitializerContext;
import org.apache.calcite.sql2rel.InitializerExpressionFactory;
import org.apache.calcite.sql2rel.NullInitializerExpressionFactory;
import org.jspecify.annotations.Nullable;

/** A catalog's table as Calcite sees it. */
public final class CatalogTable extends AbstractTable {
    private final Table table;
    private final InitializerExpressionFactory defaults = new Defaults();

    CatalogTable(Table table) {
        this.table = table;
    }

    /** The catalog's own record. */
    public Table table() {
        return table;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory typeFactory) {
        RelDataTypeFactory.Builder builder = typeFactory.builder();
        for (Column column : table.visibleColumns()) {
            builder.add(column.name(), TypeMapping.relDataType(typeFactory, column.type(), column.nullable()));
        }
        return builder.build();
    }

    @Override
    public <C> @Nullable C unwrap(Class<C> wanted) {
        if (wanted == InitializerExpressionFactory.class) {
            return wanted.cast(defaults);
        }
        return super.unwrap(wanted);
    }

    /** Tells which columns an INSERT may leave out, and what they become. */
    private final class Defaults extends NullInitializerExpressionFactory {
        @Override
        public ColumnStrategy generationStrategy(RelOptTable relTable, int column) {
            Column definition = table.columns().get(column);
            if (definition.defaultValue() != null || definition.isGenerated()) {
                return ColumnStrategy.DEFAULT;
            }
            return definition.nullable() ? ColumnStrategy.NULLABLE : ColumnStrategy.NOT_NULLABLE;
        }

        @Override
        public RexNode newColumnDefaultValue(RelOptTable relTable, int column, InitializerContext context) {
            Column definition = table.columns().get(column);
            RelDataType type =
                    TypeMapping.relDataType(context.getRexBuilder().getTypeFactory(), definition.type(), true);
            return definition.defaultValue() == null
                    ? context.getRexBuilder().makeNullLiteral(type)
                    : new DefaultValues(context.getRexBuilder()).rex(definition, column, type);
        }
    }
}
