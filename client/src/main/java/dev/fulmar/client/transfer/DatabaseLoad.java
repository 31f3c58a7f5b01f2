package dev.fulmar.client.transfer;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Loads a database that {@link DatabaseDump} has written. */
public final class DatabaseLoad {
    private static final String CSV = ".csv";
    private static final String JAR = ".jar";
    private static final char SEPARATOR = ',';
    private static final Pattern PLACED =
            Pattern.compile("\\b(REPLICATED|PARTITIONED|PARTITION ON (ROW|COLUMN (\\w+|\"([^\"]|\"\")*\")))$");

    private final FulmarClient client;
    private final Path directory;
    private final TransferProgress progress;

    public DatabaseLoad(FulmarClient client, Path directory, TransferProgress progress) {
        this.client = client;
        this.directory = directory;
        this.progress = progress;
    }

    /**
     * Loads the jars, runs the statements, and loads the files.
     *
     * @param schema what {@link DatabaseDump#SCHEMA_FILE} has, and behind it {@link DatabaseDump#USERS_FILE} if there
     *     is one
     * @param resume what exists is left alone, and each file goes on where it ended
     */
    public Map<String, TableLoad.Report> run(List<String> schema, boolean resume, long mostRejected, int outstanding) {
        files(JAR, Comparator.naturalOrder()).forEach(client::loadClasses);
        schema.stream().filter(statement -> !isLate(statement)).forEach(statement -> execute(statement, resume));
        Map<String, TableLoad.Report> reports = new LinkedHashMap<>();
        for (Path file : files(CSV, inOrderOf(schema))) {
            String table = table(file);
            TableLoad.Request request = new TableLoad.Request(
                    file, TableDump.quoted(table), List.of(), SEPARATOR, false, resume, mostRejected, outstanding);
            reports.put(table, new TableLoad(client, request, progress).run());
        }
        schema.stream().filter(DatabaseLoad::isLate).forEach(statement -> execute(statement, resume));
        return reports;
    }

    /**
     * Whether the rows come before it. Such a statement makes a foreign key of a table that refers to one behind it, or
     * a constraint that rows may break.
     */
    private static boolean isLate(String statement) {
        return statement.startsWith("ALTER TABLE ") || statement.endsWith(" NOT VALID");
    }

    /** A dump by an earlier version says nothing of replicated tables, and PARTITION TABLE of others. */
    private static String placed(String statement) {
        return statement.startsWith("CREATE TABLE ")
                        && !PLACED.matcher(statement.stripTrailing()).find()
                ? statement + " REPLICATED"
                : statement;
    }

    private void execute(String statement, boolean resume) {
        try {
            client.execute(placed(statement));
        } catch (FulmarException e) {
            boolean isDone = resume && (e.code() == ErrorCode.OBJECT_EXISTS || statement.startsWith("PARTITION TABLE"));
            if (!isDone) {
                throw e;
            }
        }
    }

    private static String table(Path file) {
        String name = file.getFileName().toString();
        return URLDecoder.decode(name.substring(0, name.length() - CSV.length()), StandardCharsets.UTF_8);
    }

    private static int place(String table, List<String> schema) {
        for (int i = 0; i < schema.size(); i++) {
            if (schema.get(i).startsWith("CREATE TABLE " + TableDump.quoted(table) + " ")) {
                return i;
            }
        }
        return schema.size();
    }

    /** A table comes after those that it refers to. */
    private static Comparator<Path> inOrderOf(List<String> schema) {
        return Comparator.comparing(file -> place(table(file), schema));
    }

    private List<Path> files(String suffix, Comparator<Path> order) {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> file.getFileName().toString().endsWith(suffix))
                    .sorted(order)
                    .toList();
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION, "the directory " + directory + " cannot be read (" + e + ")", e);
        }
    }
}
