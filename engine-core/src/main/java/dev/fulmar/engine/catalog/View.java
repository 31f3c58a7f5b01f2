package dev.fulmar.engine.catalog;

import dev.fulmar.foundation.data.ResultColumn;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A query with a name. Statements that name it are planned as if they had the query there.
 *
 * @param columns as they are called and typed; the query yields them in this order
 * @param text of the query
 * @param uses names of the tables and views that the query names
 */
public record View(String name, List<ResultColumn> columns, String text, Set<String> uses) {
    public View {
        columns = List.copyOf(columns);
        uses = Set.copyOf(new TreeSet<>(uses));
    }
}
