package dev.fulmar.benchmarks.sqlcheck;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node of this process. */
final class FulmarEngine implements SqlEngine {
    private final LocalDatabase database;
    private final FulmarClient client;
    private final String name;
    private final boolean indexed;

    FulmarEngine(int partitions, boolean indexed) {
        this(partitions, indexed, new SharedPlans());
    }

    /** @param plans of this engine and others that get the same statements */
    FulmarEngine(int partitions, boolean indexed, SharedPlans plans) {
        database = start(partitions, plans);
        client = database.connect(8);
        name = "fulmar-" + partitions + (indexed ? "" : "-without-indexes");
        this.indexed = indexed;
    }

    /** Starts a small node that takes its time. */
    static LocalDatabase start(int partitions, SharedPlans plans) {
        return LocalDatabase.start(
                Map.of(
                        "partitions",
                        Integer.toString(partitions),
                        "sites",
                        "1",
                        "memory.limit",
                        "512m",
                        "postgres",
                        "127.0.0.1:0",
                        // A machine that does other things too is no reason to complain.
                        "procedures.time-budget",
                        "60s",
                        "jmx",
                        "false"),
                plans::around);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> creation(GeneratedTable table) {
        return indexed ? table.fulmarCreation() : table.bareCreation();
    }

    @Override
    public Answer execute(String sql) {
        try {
            CallResult result = client.execute(sql);
            if (result.hasValue()) {
                return Answer.count(result.longValue());
            }
            return result.tables().isEmpty() ? Answer.count(0) : Answer.rows(rows(result.table()));
        } catch (FulmarException e) {
            return Answer.error(outcome(e.code()), e.code() + " " + e.getMessage());
        }
    }

    private static List<String> rows(ResultTable table) {
        List<String> rows = new ArrayList<>(table.rowCount());
        while (table.next()) {
            StringBuilder row = new StringBuilder();
            for (int column = 0; column < table.columnCount(); column++) {
                row.append(column == 0 ? "" : " | ").append(text(table.getObject(column)));
            }
            rows.add(row.toString());
        }
        return rows;
    }

    private static String text(@Nullable Object value) {
        return value instanceof LocalDateTime time ? "TIMESTAMP " + time : Answer.text(value);
    }

    private static Answer.Outcome outcome(ErrorCode code) {
        return switch (code) {
            case VALUE_OUT_OF_RANGE,
                    DATETIME_OUT_OF_RANGE,
                    STRING_TOO_LONG,
                    DIVISION_BY_ZERO,
                    INVALID_TEXT,
                    CARDINALITY_VIOLATION -> Answer.Outcome.DATA_ERROR;
            case UNIQUE_VIOLATION, NOT_NULL_VIOLATION, CHECK_VIOLATION, FOREIGN_KEY_VIOLATION ->
                Answer.Outcome.CONSTRAINT;
            case SYNTAX, UNKNOWN_OBJECT, TYPE_MISMATCH, NOT_SUPPORTED, STATEMENT_TOO_COMPLEX -> Answer.Outcome.REFUSED;
            default -> Answer.Outcome.DEFECT;
        };
    }

    @Override
    public void close() {
        client.close();
        database.close();
    }
}
