package dev.fulmar.sql.calcite;

import com.google.common.collect.ImmutableList;
import dev.fulmar.engine.catalog.Catalog;
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

/** A table of INFORMATION_SCHEMA: its rows show the catalog, and become part of the plan. */
final class InformationTable extends AbstractTable implements TranslatableTable {
    static final String SCHEMA = "INFORMATION_SCHEMA";

    private static final int TEXT_LENGTH = 1 << 20;

    private final String name;
    private final List<Field> fields;
    private final Supplier<List<List<@Nullable Object>>> rows;

    /** A column: text, or a number. */
    record Field(String name, boolean number) {
        static Field text(String name) {
            return new Field(name, false);
        }

        static Field number(String name) {
            return new Field(name, true);
        }
    }

    /** @param rows values are text or {@link Integer} */
    InformationTable(String name, List<Field> fields, Supplier<List<List<@Nullable Object>>> rows) {
        this.name = name;
        this.fields = List.copyOf(fields);
        this.rows = rows;
    }

    static List<InformationTable> all(Catalog catalog) {
        return new InformationRows(catalog).tables();
    }

    String name() {
        return name;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory typeFactory) {
        RelDataTypeFactory.Builder builder = typeFactory.builder();
        for (Field field : fields) {
            RelDataType type = field.number()
                    ? typeFactory.createSqlType(SqlTypeName.INTEGER)
                    : typeFactory.createSqlType(SqlTypeName.VARCHAR, TEXT_LENGTH);
            builder.add(field.name(), typeFactory.createTypeWithNullability(type, true));
        }
        return builder.build();
    }

    @Override
    public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
        RexBuilder literals = context.getCluster().getRexBuilder();
        ImmutableList.Builder<ImmutableList<RexLiteral>> tuples = ImmutableList.builder();
        for (List<@Nullable Object> row : rows.get()) {
            ImmutableList.Builder<RexLiteral> tuple = ImmutableList.builder();
            for (int i = 0; i < row.size(); i++) {
                RelDataType type = table.getRowType().getFieldList().get(i).getType();
                tuple.add(literal(literals, row.get(i), type));
            }
            tuples.add(tuple.build());
        }
        return CatalogRows.of(context.getCluster(), table.getRowType(), tuples.build());
    }

    private static RexLiteral literal(RexBuilder literals, @Nullable Object value, RelDataType type) {
        if (value == null) {
            return literals.makeNullLiteral(type);
        }
        return value instanceof Integer number
                ? literals.makeExactLiteral(BigDecimal.valueOf(number), type)
                : literals.makeLiteral(value.toString());
    }
}
