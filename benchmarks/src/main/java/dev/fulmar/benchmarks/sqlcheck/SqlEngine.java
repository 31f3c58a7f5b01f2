package dev.fulmar.benchmarks.sqlcheck;

import java.util.List;

/** An engine that executes SQL. */
interface SqlEngine extends AutoCloseable {
    String name();

    Answer execute(String sql);

    /** The statements that make the table here. */
    List<String> creation(GeneratedTable table);

    @Override
    void close();
}
