package dev.fulmar.benchmarks.workload;

import dev.fulmar.client.FulmarClient;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares counts of queries with their expected values, and collects the differences. */
public final class TableChecks {
    private final FulmarClient client;
    private final List<String> problems = new ArrayList<>();

    public TableChecks(FulmarClient client) {
        this.client = client;
    }

    /**
     * Expects the one integer that the query yields.
     *
     * @param what things that the query counts, for "there are 3 WHAT instead of 4"
     */
    public TableChecks expect(long expected, String what, String query, @Nullable Object... arguments) {
        long found = Statements.longOf(client, query, arguments);
        if (found != expected) {
            problems.add("there are " + found + " " + what + " instead of " + expected);
        }
        return this;
    }

    /** Expects two queries to yield the same integer. */
    public TableChecks expectEqual(String query, String other) {
        long found = Statements.longOf(client, query);
        long same = Statements.longOf(client, other);
        if (found != same) {
            problems.add(query + " gives " + found + ", but " + other + " gives " + same);
        }
        return this;
    }

    /** Problems of the tables. */
    public List<String> problems() {
        return List.copyOf(problems);
    }
}
