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
 * @param options that its author has said, as {@code name=value}; they change nothing
 */
public record View(String name, List<ResultColumn> columns, String text, Set<String> uses, List<String> options) {
    public View {
        options = List.copyOf(options);
        columns = List.copyOf(columns);
        uses = Set.copyOf(new TreeSet<>(uses));
    }

    /** One without options. */
    public View(String name, List<ResultColumn> columns, String text, Set<String> uses) {
        this(name, columns, text, uses, List.of());
    }

    /** The same with options. */
    public View withOptions(List<String> others) {
        return new View(name, columns, text, uses, others);
    }
}
