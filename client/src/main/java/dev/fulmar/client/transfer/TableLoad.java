package dev.fulmar.client.transfer;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Loads a CSV file into a table: many rows are on their way at once, each to its partition. What cannot become a row
 * goes to the file of rejected records. How far it is stands in a file beside, from which a load that was broken off
 * goes on.
 */
public final class TableLoad {
    private static final int REPORT_ROWS = 1_000;
    private static final int MARK_ROWS = 1_000;

    private final FulmarClient client;
    private final Request request;
    private final TransferProgress progress;
    private final ArrayDeque<Sent> sent = new ArrayDeque<>();
    private List<ResultColumn> columns = List.of();
    private String insert = "";
    private long settled;
    private long rows;
    private long rejected;
    private long alreadyThere;
    private long uncertain;
    private @Nullable RejectFile rejects;

    /**
     * A load of one file into one table.
     *
     * @param table as SQL names it; unquoted names are upper case
     * @param columns of the table that the fields are for, in order; empty if the first line of the file says it
     * @param upsert rows whose primary key exists are replaced
     * @param resume goes on where a load of the same file ended
     * @param mostRejected one more ends the load
     * @param outstanding rows on their way at once
     */
    public record Request(
            Path file,
            String table,
            List<String> columns,
            char separator,
            boolean upsert,
            boolean resume,
            long mostRejected,
            int outstanding) {
        public Request {
            columns = List.copyOf(columns);
        }

        /** Records that became no rows, as they stand in the file. */
        public Path rejectFile() {
            return beside(".rejected");
        }

        /** File with the reason of each line. */
        public Path reasonFile() {
            return beside(".reasons");
        }

        /** File with the number of finished records. */
        public Path markFile() {
            return beside(".loaded");
        }

        private Path beside(String ending) {
            return file.resolveSibling(file.getFileName() + ending);
        }
    }

    /**
     * Result of a load.
     *
     * @param alreadyThere rows that a load before this one had made without hearing of it
     */
    public record Report(long rows, long rejected, long alreadyThere) {}

    /** A record whose outcome is awaited. */
    private record Sent(String text, long line, long number, CompletableFuture<CallResult> outcome) {}

    public TableLoad(FulmarClient client, Request request, TransferProgress progress) {
        this.client = client;
        this.request = request;
        this.progress = progress;
    }

    /** Loads to the end of the file. A load that ends with an error has marked how far it was. */
    public Report run() {
        try (BufferedReader reader = Files.newBufferedReader(request.file(), StandardCharsets.UTF_8);
                RejectFile file = new RejectFile(request)) {
            rejects = file;
            CsvReader records = new CsvReader(reader, request.separator());
            boolean complete = false;
            try {
                prepare(records);
                skip(records);
                load(records);
                complete = true;
            } finally {
                mark(complete);
            }
        } catch (CharacterCodingException e) {
            throw notUtf8(e);
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the load of " + request.file() + " ended (" + e
                            + "); check path, permissions and space, and resume",
                    e);
        }
        progress.report(request.table(), rows, rejected);
        return new Report(rows, rejected, alreadyThere);
    }

    private FulmarException notUtf8(CharacterCodingException cause) {
        String place = "a line";
        try {
            place = "line " + TextLines.firstThatIsNotUtf8(request.file());
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
        return new FulmarException(
                ErrorCode.INVALID_TEXT,
                place + " of " + request.file() + " is not UTF-8; convert the file, and resume",
                cause);
    }

    private void prepare(CsvReader records) throws IOException {
        List<String> names = request.columns();
        if (names.isEmpty()) {
            List<@Nullable String> header = next(records);
            if (header == null || header.contains(null)) {
                throw new FulmarException(
                        ErrorCode.INVALID_TEXT,
                        "the first line of " + request.file()
                                + " should name the columns; name them with --columns if it does not");
            }
            List<ResultColumn> all = client.execute("SELECT * FROM " + request.table() + " LIMIT 0")
                    .table()
                    .columns();
            names = header.stream()
                    .map(name -> quoted(meant(String.valueOf(name), all)))
                    .toList();
        }
        String list = String.join(", ", names);
        columns = client.execute("SELECT " + list + " FROM " + request.table() + " LIMIT 0")
                .table()
                .columns();
        insert = (request.upsert() ? "UPSERT" : "INSERT") + " INTO " + request.table() + " (" + list
                + ") OVERRIDING SYSTEM VALUE VALUES ("
                + names.stream().map(name -> "?").collect(Collectors.joining(", ")) + ")";
    }

    /**
     * The column of that name; where there is none, the only one that has it in other case, as other databases write
     * their names.
     */
    private static String meant(String name, List<ResultColumn> all) {
        List<String> alike = all.stream()
                .map(ResultColumn::name)
                .filter(column -> column.equalsIgnoreCase(name))
                .toList();
        return alike.size() == 1 && !alike.contains(name) ? alike.getFirst() : name;
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    /** Skips finished records; the outcome of those that may have been on their way then is unknown. */
    private void skip(CsvReader records) throws IOException {
        if (!request.resume() || !Files.exists(request.markFile())) {
            return;
        }
        long done;
        try {
            done = Long.parseLong(Files.readString(request.markFile()).strip());
        } catch (NumberFormatException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION, request.markFile() + " does not tell how far the load was", e);
        }
        while (settled < done && next(records) != null) {
            settled++;
        }
        uncertain = settled + request.outstanding() + MARK_ROWS;
    }

    private void load(CsvReader records) throws IOException {
        long number = settled;
        List<@Nullable String> record = next(records);
        while (record != null) {
            while (sent.size() >= request.outstanding()) {
                settle(sent.removeFirst());
            }
            number++;
            sent.addLast(new Sent(records.text(), records.line(), number, send(record)));
            record = next(records);
        }
        settleAll();
    }

    private void settleAll() throws IOException {
        while (!sent.isEmpty()) {
            settle(sent.removeFirst());
        }
    }

    /**
     * The next record. A file that goes on with something else ends the load behind what is on its way, so that a
     * resumed one begins just there.
     */
    private @Nullable List<@Nullable String> next(CsvReader records) throws IOException {
        try {
            return records.next();
        } catch (CharacterCodingException | FulmarException e) {
            settleAll();
            throw e;
        }
    }

    private CompletableFuture<CallResult> send(List<@Nullable String> record) {
        try {
            if (record.size() != columns.size()) {
                throw new FulmarException(
                        ErrorCode.INVALID_TEXT,
                        "the record has " + record.size() + " fields for " + columns.size() + " columns");
            }
            @Nullable Object[] values = new Object[record.size()];
            for (int i = 0; i < record.size(); i++) {
                values[i] = CsvText.value(record.get(i), columns.get(i).type());
            }
            return client.executeAsync(insert, values);
        } catch (FulmarException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void settle(Sent record) throws IOException {
        try {
            record.outcome().get();
            rows++;
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof FulmarException failure)) {
                throw new FulmarException(ErrorCode.INTERNAL, "the client failed: " + e.getCause(), e);
            }
            refused(record, failure);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FulmarException(ErrorCode.OUTCOME_UNKNOWN, "the load was interrupted; resume it", e);
        }
        settled++;
        if (settled % MARK_ROWS == 0) {
            mark(false);
        }
        if (settled % REPORT_ROWS == 0) {
            progress.report(request.table(), rows, rejected);
        }
    }

    /**
     * Counts a refused record as rejected if the record is at fault; a fault of the server, the connection or a right
     * ends the load.
     */
    private void refused(Sent record, FulmarException failure) throws IOException {
        if (failure.code() == ErrorCode.UNIQUE_VIOLATION && record.number() <= uncertain) {
            alreadyThere++;
            return;
        }
        boolean isOfRecord = switch (failure.code()) {
            case UNIQUE_VIOLATION,
                    NOT_NULL_VIOLATION,
                    CHECK_VIOLATION,
                    FOREIGN_KEY_VIOLATION,
                    VALUE_OUT_OF_RANGE,
                    DATETIME_OUT_OF_RANGE,
                    STRING_TOO_LONG,
                    INVALID_TEXT,
                    TYPE_MISMATCH -> true;
            default -> false;
        };
        if (!isOfRecord) {
            throw failure;
        }
        rejected++;
        RejectFile file = rejects;
        if (file != null) {
            file.add(record.text(), record.line(), failure);
        }
        if (rejected > request.mostRejected()) {
            settled++;
            throw new FulmarException(
                    failure.code(),
                    "more than " + request.mostRejected() + " records were rejected, the last at line " + record.line()
                            + ": " + failure.getMessage() + "; see " + request.reasonFile(),
                    failure);
        }
    }

    /** Only what is settled counts: outcomes are looked at in the order of the file. */
    private void mark(boolean complete) throws IOException {
        if (complete) {
            Files.deleteIfExists(request.markFile());
        } else {
            Path next = request.markFile().resolveSibling(request.markFile().getFileName() + ".new");
            Files.writeString(next, settled + "\n");
            Files.move(next, request.markFile(), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
