package dev.fulmar.benchmarks.tpch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The statements of the tables and queries. */
public final class TpchScripts {
    private TpchScripts() {}

    /** The 22 queries, in the specification's order, with its validation parameters. */
    public static List<String> queries() {
        return statements("queries");
    }

    /** Statements that make the tables and their indexes, in any engine. */
    public static List<String> schema() {
        return statements("schema");
    }

    /** Statements that spread the tables over partitions. */
    public static List<String> partitioning() {
        return statements("partitioning");
    }

    private static List<String> statements(String name) {
        try (InputStream script = TpchScripts.class.getResourceAsStream("/tpch/" + name + ".sql")) {
            if (script == null) {
                throw new IllegalStateException("the class path has no " + name + ".sql of TPC-H");
            }
            String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(text.split(";", -1))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
