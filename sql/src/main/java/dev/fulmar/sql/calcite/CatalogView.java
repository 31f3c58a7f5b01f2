package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.View;
import dev.fulmar.foundation.data.ResultColumn;
import java.util.List;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;

/** A view as Calcite sees it: a table that becomes the tree of its query. */
final class CatalogView extends AbstractTable implements TranslatableTable {
    private final View view;

    CatalogView(View view) {
        this.view = view;
    }

    @Override
    public Schema.TableType getJdbcTableType() {
        return Schema.TableType.VIEW;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory typeFactory) {
        RelDataTypeFactory.Builder builder = typeFactory.builder();
        for (ResultColumn column : view.columns()) {
            builder.add(column.name(), TypeMapping.relDataType(typeFactory, column.type(), column.nullable()));
        }
        return builder.build();
    }

    @Override
    public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
        RelDataType rowType = table.getRowType();
        RelNode query = context.expandView(rowType, view.text(), List.of(), List.of(view.name()))
                .project();
        return RelOptUtil.createCastRel(query, rowType, true);
    }
}
