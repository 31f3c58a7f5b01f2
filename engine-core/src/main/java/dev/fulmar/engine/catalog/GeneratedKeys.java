package dev.fulmar.engine.catalog;

import dev.fulmar.engine.catalog.ForeignKey.Action;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;

/**
 * Refuses a generated column in a key where the action of a foreign key would change it. Such an action looks after the
 * columns that it sets, and would leave the keys of computed ones unchecked.
 */
final class GeneratedKeys {
    private GeneratedKeys() {}

    static void check(String table, List<Column> columns, List<Index> indexes, List<ForeignKey> foreignKeys) {
        for (ForeignKey key : foreignKeys) {
            boolean sets = key.onDelete().setsColumns() || key.onUpdate() != Action.NO_ACTION;
            for (int column = 0; sets && column < columns.size(); column++) {
                if (reads(columns, column, key) && isKey(columns, column, indexes, foreignKeys)) {
                    throw new FulmarException(
                            ErrorCode.NOT_SUPPORTED,
                            "column " + columns.get(column).name() + " of " + table
                                    + " is in a key and generated from a" + " column that " + key.name()
                                    + " sets; leave its actions out, or the key");
                }
            }
        }
    }

    private static boolean reads(List<Column> columns, int column, ForeignKey key) {
        Generation generation = columns.get(column).generation();
        if (generation == null) {
            return false;
        }
        for (int other = 0; other < columns.size(); other++) {
            if (key.columns().contains(columns.get(other).name()) && generation.reads(other)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isKey(List<Column> columns, int column, List<Index> indexes, List<ForeignKey> foreignKeys) {
        List<String> referring = new ArrayList<>();
        foreignKeys.forEach(key -> referring.addAll(key.columns()));
        return referring.contains(columns.get(column).name())
                || indexes.stream()
                        .filter(Index::unique)
                        .flatMap(index -> index.columns().stream())
                        .anyMatch(part -> part.column() == column);
    }
}
