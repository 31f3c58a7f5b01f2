package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Expiry;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;
import java.util.Optional;

/** The statement that deletes the oldest rows of a table, so many at most, by the index of their time. */
public final class ExpiredRows {
    private static final int TIME = 0;
    private static final int MOST = 1;

    private ExpiredRows() {}

    /** Whether the index finds the oldest rows by the column. */
    public static boolean serves(Index index, int column) {
        return index.kind() == IndexKind.ORDERED
                && index.condition().isEmpty()
                && index.columns().getFirst().column() == column
                && !index.columns().getFirst().descending();
    }

    /** The statement on a partition's own rows; its parameters are what {@link #bind} sets. */
    public static CompiledStatement of(Table table, Catalog catalog) {
        Expiry expiry = table.expiry().orElseThrow();
        int column = table.columnIndex(expiry.column());
        Index index = table.indexes().stream()
                .filter(candidate -> serves(candidate, column))
                .findFirst()
                .orElseThrow(() -> Invariants.breach("rows that go by themselves are found by an index"));
        List<ColumnType> parameters = List.of(table.columns().get(column).type(), ColumnType.of(TypeKind.BIGINT));
        Relation oldest = new Relation.IndexScan(
                table.id(),
                table.visibleColumns().stream().map(Column::type).toList(),
                new Relation.IndexKey(
                        index.id(),
                        List.of(),
                        Optional.empty(),
                        Optional.of(new Relation.Bound(new Expression.Parameter(TIME, parameters.get(TIME)), true))),
                false,
                null);
        Relation some = new Relation.Limit(oldest, null, new Expression.Parameter(MOST, parameters.get(MOST)));
        StatementPlan.Fragment delete =
                new StatementPlan.Fragment(new PartitionScope.All(), new Operation.Delete(table.id(), some));
        String text = "the oldest rows of " + table.name();
        return StatementCompiler.compile(
                catalog, new StatementPlan(text, parameters, List.of(), List.of(delete), Optional.empty()));
    }

    /** Binds the parameters that choose the rows that go. */
    public static void bind(Bindings bindings, long notAfterMicros, int most) {
        bindings.setTimestamp(TIME, notAfterMicros);
        bindings.setLong(MOST, most);
    }
}
