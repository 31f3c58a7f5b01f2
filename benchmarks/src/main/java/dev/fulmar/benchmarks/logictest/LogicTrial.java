package dev.fulmar.benchmarks.logictest;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Executes the records of files on a node of this process. Tables with a primary key of one column are spread over its
 * partitions by it.
 */
public final class LogicTrial implements AutoCloseable {
    private static final int EXAMPLES = 5;
    private static final Pattern CREATED = Pattern.compile(
            "^\\s*CREATE\\s+(TABLE|VIEW)\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?(\\w+)", Pattern.CASE_INSENSITIVE);
    private static final Pattern KEY = Pattern.compile("(\\w+)\\s+\\w+\\s+PRIMARY\\s+KEY", Pattern.CASE_INSENSITIVE);

    /** A unique index must have the partitioning column, so tables of a file that makes any stay whole. */
    private static final Pattern UNIQUE = Pattern.compile("\\bUNIQUE\\b", Pattern.CASE_INSENSITIVE);

    private final LocalDatabase database;
    private final FulmarClient client;
    private boolean spreads = true;
    private final Set<String> created = new LinkedHashSet<>();

    public LogicTrial(int partitions) {
        // It spreads tables itself, and leaves others whole, so that there are both kinds.
        database = LocalDatabase.start(Map.of(
                "partitions",
                Integer.toString(partitions),
                "tables.partitioned",
                "false",
                "sites",
                "1",
                "memory.limit",
                "1g",
                "jmx",
                "false"));
        client = database.connect(8);
    }

    /**
     * Outcome of a file.
     *
     * @param excluded records by the rule that leaves them out
     * @param examples of what failed
     */
    public record Outcome(int passed, int failed, SortedMap<String, Integer> excluded, List<String> examples) {
        public Outcome {
            excluded = new TreeMap<>(excluded);
            examples = List.copyOf(examples);
        }

        /** Records that the file has for this engine. */
        public int records() {
            return passed + failed + excludedRecords();
        }

        public int excludedRecords() {
            return excluded.values().stream().mapToInt(Integer::intValue).sum();
        }

        /** Share of the records asked that passed. */
        public double share() {
            return passed + failed == 0 ? 1 : (double) passed / (passed + failed);
        }
    }

    /** Runs the lines of a file over no tables, and leaves none. */
    public Outcome run(List<String> lines) {
        int passed = 0;
        int failed = 0;
        SortedMap<String, Integer> excluded = new TreeMap<>();
        List<String> examples = new ArrayList<>();
        spreads = lines.stream().noneMatch(line -> UNIQUE.matcher(line).find());
        for (LogicRecord each : LogicFile.records(lines)) {
            Optional<GrammarRule> rule = GrammarRule.of(each.sql());
            if (rule.isPresent()) {
                excluded.merge(rule.get().name(), 1, Integer::sum);
                continue;
            }
            String failure = failure(each);
            if (failure.isEmpty()) {
                passed++;
            } else {
                failed++;
                if (examples.size() < EXAMPLES) {
                    examples.add("line " + each.line() + ": " + each.sql() + " -- " + failure);
                }
            }
        }
        clear();
        return new Outcome(passed, failed, excluded, examples);
    }

    /** The failure of a record, empty if there is none. */
    private String failure(LogicRecord asked) {
        CallResult result;
        try {
            result = client.execute(asked.sql());
            remember(asked.sql());
        } catch (FulmarException e) {
            return asked.kind() == LogicRecord.Kind.STATEMENT_ERROR ? "" : e.code() + " " + e.getMessage();
        }
        return switch (asked.kind()) {
            case STATEMENT_OK -> "";
            case STATEMENT_ERROR -> "it succeeds, and must not";
            case QUERY -> compared(asked, result);
        };
    }

    private static String compared(LogicRecord asked, CallResult result) {
        List<String> values = result.tables().isEmpty() ? null : LogicResult.values(result.table(), asked);
        if (values == null) {
            return "it has other columns than " + asked.types();
        }
        if (LogicResult.matches(values, asked.expected())) {
            return "";
        }
        List<String> few = values.subList(0, Math.min(EXAMPLES, values.size()));
        return values.size() + " values, " + few + ", instead of "
                + asked.expected()
                        .subList(0, Math.min(EXAMPLES, asked.expected().size()));
    }

    private void remember(String sql) {
        Matcher creation = CREATED.matcher(sql);
        if (!creation.find()) {
            return;
        }
        String kind = creation.group(1).toUpperCase(Locale.ROOT);
        created.add(kind + " IF EXISTS " + creation.group(2));
        Matcher key = KEY.matcher(sql);
        if (spreads && kind.equals("TABLE") && key.find()) {
            attempt("PARTITION TABLE " + creation.group(2) + " ON COLUMN " + key.group(1));
        }
    }

    /** Views before the tables that they read. */
    private void clear() {
        created.stream().filter(each -> each.startsWith("VIEW")).forEach(each -> attempt("DROP " + each));
        created.stream().filter(each -> each.startsWith("TABLE")).forEach(each -> attempt("DROP " + each));
        created.clear();
    }

    /**
     * A table that another unique key keeps from being spread stays whole, and what the file dropped itself is gone.
     */
    private void attempt(String sql) {
        try {
            client.execute(sql);
        } catch (FulmarException e) {
            if (e.code().name().equals("INTERNAL")) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        client.close();
        database.close();
    }
}
