package dev.fulmar.client.transfer;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a database into a directory. It writes {@code schema.sql}, a CSV file for each table, several at once, the
 * jars of its procedures, and {@code users.sql}, which has verifiers of passwords and is readable by its owner only.
 */
public final class DatabaseDump {
    /** The statements that make the tables and all else. */
    public static final String SCHEMA_FILE = "schema.sql";

    /** The statements that make the users, and give them their rights. */
    public static final String USERS_FILE = "users.sql";

    private static final String CSV = ".csv";

    private final FulmarClient client;
    private final Path directory;
    private final int parallel;
    private final boolean isComplete;
    private final TransferProgress progress;

    /**
     * @param parallel tables that are written at once
     * @param isComplete with users and jars, which only somebody with ADMIN may read
     */
    public DatabaseDump(
            FulmarClient client, Path directory, int parallel, boolean isComplete, TransferProgress progress) {
        this.client = client;
        this.directory = directory;
        this.parallel = parallel;
        this.isComplete = isComplete;
        this.progress = progress;
    }

    /** Writes the tables, or all if none is named; returns the rows by table. */
    public Map<String, Long> run(List<String> only) {
        try {
            Files.createDirectories(directory);
            List<String> tables = only.isEmpty()
                    ? column("SELECT " + name("TABLE")
                            + " FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_TYPE = 'BASE TABLE' ORDER BY 1")
                    : only;
            if (only.isEmpty() && isComplete) {
                new AccessDump(client, directory).write();
            }
            Map<String, Long> rows = writeAll(tables);
            if (only.isEmpty()) {
                Files.writeString(directory.resolve(SCHEMA_FILE), schema());
            }
            return rows;
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the dump to " + directory + " failed (" + e + "); check path, permissions and space",
                    e);
        }
    }

    /** Name of the table's file. */
    public static String fileName(String table) {
        return URLEncoder.encode(table, StandardCharsets.UTF_8) + CSV;
    }

    private Map<String, Long> writeAll(List<String> tables) throws IOException {
        Map<String, Future<Long>> running = new LinkedHashMap<>();
        Map<String, Long> rows = new LinkedHashMap<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(parallel)) {
            for (String table : tables) {
                Callable<Long> work = () ->
                        new TableDump(client, table, key(table), progress).write(directory.resolve(fileName(table)));
                running.put(table, threads.submit(work));
            }
            for (Map.Entry<String, Future<Long>> entry : running.entrySet()) {
                rows.put(entry.getKey(), entry.getValue().get());
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case FulmarException known -> throw known;
                case IOException failed -> throw failed;
                case null, default ->
                    throw new FulmarException(ErrorCode.INTERNAL, "the dump failed: " + e.getCause(), e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FulmarException(ErrorCode.OUTCOME_UNKNOWN, "the dump was interrupted; start it again", e);
        }
        return rows;
    }

    private List<String> column(String query) {
        ResultTable table = client.execute(query).table();
        List<String> values = new ArrayList<>();
        while (table.next()) {
            values.add(String.valueOf(table.getString(0)));
        }
        return values;
    }

    /** The name by which an object is known, schema and all. */
    private static String name(String kind) {
        return "CASE " + kind + "_SCHEMA WHEN 'PUBLIC' THEN " + kind + "_NAME ELSE " + kind + "_SCHEMA || '.' || "
                + kind + "_NAME END";
    }

    /** The columns of the primary key; none if the file does not have all of them, for it lacks generated ones. */
    private List<String> key(String table) {
        String name = "'" + table.replace("'", "''") + "'";
        List<String> generated =
                column("SELECT COLUMN_NAME FROM INFORMATION_SCHEMA.COLUMNS WHERE IS_GENERATED = 'ALWAYS' AND "
                        + name("TABLE") + " = " + name);
        List<String> key = column("SELECT k.COLUMN_NAME FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS c"
                + " JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE k ON k.CONSTRAINT_NAME = c.CONSTRAINT_NAME AND k.TABLE_NAME = c.TABLE_NAME"
                + " AND k.TABLE_SCHEMA = c.TABLE_SCHEMA WHERE c.CONSTRAINT_TYPE = 'PRIMARY KEY' AND "
                + name("c.TABLE") + " = " + name
                + " ORDER BY k.ORDINAL_POSITION");
        return key.stream().anyMatch(generated::contains) ? List.of() : key;
    }

    /** The definitions; sequences go on behind the numbers that were drawn. */
    private String schema() {
        String text = String.join(
                        ";\n\n",
                        column("SELECT STATEMENT FROM INFORMATION_SCHEMA.DEFINITIONS ORDER BY ORDINAL_POSITION"))
                + ";\n";
        ResultTable sequences = client.execute("SELECT " + name("SEQUENCE")
                        + ", START_VALUE, INCREMENT, APART FROM INFORMATION_SCHEMA.SEQUENCES")
                .table();
        while (sequences.next()) {
            String name = String.valueOf(sequences.getString(0));
            BigInteger next = next(name, sequences);
            Pattern start = Pattern.compile(Pattern.quote("/*" + name + "*/ START WITH ") + "-?\\d+");
            Matcher bounds = Pattern.compile(
                            Pattern.quote("/*" + name + "*/ START WITH ")
                                    + "-?\\d+ INCREMENT BY (-?\\d+) CACHE \\d+ AS \\w+ MINVALUE (-?\\d+) MAXVALUE (-?\\d+)( CYCLE)?")
                    .matcher(text);
            if (bounds.find()) {
                next = within(next, bounds);
            }
            text = start.matcher(text).replaceAll(Matcher.quoteReplacement("/*" + name + "*/ START WITH " + next));
        }
        return text;
    }

    /**
     * The number within the bounds of its sequence. Behind the last one a sequence that cycles begins anew; any other
     * is used up, and has its last number once more, as no sequence can begin behind its bounds.
     */
    private static BigInteger within(BigInteger next, Matcher bounds) {
        BigInteger least = new BigInteger(bounds.group(2));
        BigInteger greatest = new BigInteger(bounds.group(3));
        boolean rises = !bounds.group(1).startsWith("-");
        if (next.compareTo(least) >= 0 && next.compareTo(greatest) <= 0) {
            return next;
        }
        boolean cycles = bounds.group(4) != null;
        return rises == cycles ? least : greatest;
    }

    /** A number behind all that were drawn, at whichever place. */
    private BigInteger next(String sequence, ResultTable rule) {
        ResultTable drawn = client.execute("SELECT COALESCE(MAX(DRAWN), 0) FROM " + TableDump.quoted(sequence))
                .table()
                .first();
        BigInteger steps = BigInteger.valueOf(drawn.getLong(0)).multiply(BigInteger.valueOf(rule.getLong(3)));
        BigInteger start = new BigInteger(String.valueOf(rule.getString(1)));
        return start.add(steps.multiply(new BigInteger(String.valueOf(rule.getString(2)))));
    }
}
