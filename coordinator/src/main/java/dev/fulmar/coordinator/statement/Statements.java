package dev.fulmar.coordinator.statement;

import dev.fulmar.coordinator.access.StatementNeeds;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.spi.SqlFrontend;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ad hoc SQL: compiles it, and keeps what was compiled. Thread-safe. */
public final class Statements {
    /** What a text turned out to be. */
    public sealed interface Meaning {
        /** A query or DML. */
        record Runs(PreparedStatement statement) implements Meaning {}

        /** DDL. */
        record Changes(CatalogChange change) implements Meaning {}

        /**
         * EXPLAIN.
         *
         * @param needs what the statement itself would need; empty if it would change the catalog
         */
        record Explains(List<String> lines, Optional<List<AccessRight>> needs) implements Meaning {
            public Explains {
                lines = List.copyOf(lines);
            }
        }
    }

    private final SqlFrontend sql;
    private final PlanCache<PreparedStatement> cache;

    /** @param cachedStatements how many statements are kept at least */
    public Statements(SqlFrontend sql, int cachedStatements) {
        this.sql = sql;
        this.cache = new PlanCache<>(cachedStatements);
    }

    /** The statement if it is known and was compiled for the program, else null. Quick. */
    public @Nullable PreparedStatement find(String text, Program program) {
        PreparedStatement known = cache.find(text);
        return known != null && known.program() == program ? known : null;
    }

    /** Compiles the text for the program; takes milliseconds. */
    public Meaning compile(String text, Program program) {
        return switch (sql.compile(text, program.catalog())) {
            case SqlFrontend.Compiled.Runnable(var plan) -> {
                PreparedStatement statement = new PreparedStatement(text, plan, program);
                cache.put(text, statement);
                yield new Meaning.Runs(statement);
            }
            case SqlFrontend.Compiled.Change(var change) -> new Meaning.Changes(change);
            case SqlFrontend.Compiled.Explanation(var lines, var plan) ->
                new Meaning.Explains(lines, plan.map(explained -> StatementNeeds.of(explained, program.catalog())));
        };
    }
}
