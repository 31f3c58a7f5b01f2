package dev.fulmar.engine.spi;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.plan.StatementPlan;
import java.util.List;
import java.util.Optional;

/** SQL text in, plans out. Implemented by {@code sql}. Thread-safe. Errors are {@code FulmarException}s with the position in the text. */
public interface SqlFrontend {
    /** Splits a script into statements at its semicolons; comments and quoted text are respected. */
    List<String> split(String script);

    /** Compiles one statement against the catalog. */
    Compiled compile(String sql, Catalog catalog);

    /** What a statement turned out to be. */
    sealed interface Compiled {
        /** A query or DML. */
        record Runnable(StatementPlan plan) implements Compiled {}

        /** DDL. */
        record Change(CatalogChange change) implements Compiled {}

        /**
         * EXPLAIN: the text to show, line by line.
         *
         * @param plan of the statement that is explained; empty for one that changes the catalog
         */
        record Explanation(List<String> lines, Optional<StatementPlan> plan) implements Compiled {
            public Explanation {
                lines = List.copyOf(lines);
            }
        }
    }
}
