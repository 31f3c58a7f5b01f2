package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.TableIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks directly by integer parameters whether an expected row has the key of a point look-up, which saves the index
 * search. The row was read ahead for the look-up. The key is a whole one of a unique index whose columns are never
 * null.
 */
final class ParameterKey {
    private final RowLayout layout;
    private final int[] columns;
    private final int[] parameters;

    private ParameterKey(RowLayout layout, int[] columns, int[] parameters) {
        this.layout = layout;
        this.columns = columns;
        this.parameters = parameters;
    }

    /** The key that the values make, or null if they make no such key. */
    static @Nullable ParameterKey of(TableIndex index, IndexKeyWriter values) {
        RowLayout layout = index.layout();
        List<IndexColumn> keyColumns = index.definition().columns();
        if (index.definition().isComputed()) {
            return null;
        }
        int[] columns = new int[keyColumns.size()];
        int[] parameters = new int[columns.length];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = keyColumns.get(i).column();
            parameters[i] = values.longParameter(i);
            boolean nullable = layout.table().columns().get(columns[i]).nullable();
            if (parameters[i] < 0 || nullable || !layout.kind(columns[i]).isLong()) {
                return null;
            }
        }
        return new ParameterKey(layout, columns, parameters);
    }

    /** Whether the slot holds the row with this key; no other row has it then. */
    boolean isKeyOf(long slot, ParameterSlots values) {
        if (!RowLayout.isVisible(slot)) {
            return false;
        }
        for (int i = 0; i < columns.length; i++) {
            int parameter = parameters[i];
            if (values.isNull(parameter) || layout.getLong(slot, columns[i]) != values.getLong(parameter)) {
                return false;
            }
        }
        return true;
    }
}
