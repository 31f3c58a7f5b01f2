package dev.fulmar.engine.procedure.repeat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Drawing;
import dev.fulmar.engine.plan.Relation;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Says whether all copies of a replicated table come to the same rows when each inserts the rows of its own source.
 * Copies may have the same rows in another order in memory, and numbers of their own for rows without a primary key. An
 * error on one copy fails the statement on all of them.
 */
public final class CopiesScan {
    private CopiesScan() {}

    /**
     * Whether they do. DO UPDATE is let pass without a look, since there is no other way to run it: copies may differ
     * if it changes the key by which rows meet, or if the values of its source depend on the order of rows.
     */
    public static boolean isSame(Table table, Relation source, ConflictAction onConflict, Catalog catalog) {
        if (source instanceof Relation.Values || onConflict instanceof ConflictAction.Change) {
            return true;
        }
        RowsFacts facts = RelationScan.ofCopies(catalog).facts(source);
        if (facts.order() == RowOrder.UNDETERMINED) {
            return false;
        }
        return facts.atMostOne() || (!Drawing.happensIn(source) && meetNoOther(table, facts, onConflict));
    }

    /** Whether no two rows of the source have a key in common by which one of them would be left out or replaced. */
    private static boolean meetNoOther(Table table, RowsFacts facts, ConflictAction onConflict) {
        return switch (onConflict) {
            case ConflictAction.Fail _, ConflictAction.Change _ -> true;
            case ConflictAction.Replace _ -> isKey(facts, Set.copyOf(table.primaryKey()));
            case ConflictAction.Skip(int index) ->
                table.indexes().stream()
                        .filter(Index::unique)
                        .filter(each -> index == ConflictAction.Skip.ANY || each.id() == index)
                        .allMatch(each -> isKey(facts, columns(each)));
        };
    }

    private static Set<Integer> columns(Index index) {
        return index.columns().stream().map(IndexColumn::column).collect(Collectors.toSet());
    }

    private static boolean isKey(RowsFacts facts, Set<Integer> columns) {
        List<Set<Integer>> keys = facts.keys();
        return keys.stream().anyMatch(columns::containsAll);
    }
}
