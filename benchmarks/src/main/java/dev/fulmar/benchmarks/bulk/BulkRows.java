package dev.fulmar.benchmarks.bulk;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.IntStream;

/** Two tables, and the rows that they get. */
final class BulkRows {
    static final String ITEM = "CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, k INTEGER NOT NULL,"
            + " price NUMERIC(12, 2), name VARCHAR(40), note VARCHAR(120))";
    static final String DOCUMENT =
            "CREATE TABLE document (id BIGINT NOT NULL PRIMARY KEY, k INTEGER NOT NULL, body VARCHAR(2000))";

    /** Characters of a document's body. */
    static final int BODY = 1_000;

    private static final int KINDS = 1_000;

    private BulkRows() {}

    /** Writes a file of rows of {@code item} as CSV, with its columns in the first line. */
    static void items(Path file, int rows) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            writer.write("id,k,price,name,note\n");
            for (int id = 0; id < rows; id++) {
                writer.write(String.format(
                        Locale.ROOT,
                        "%d,%d,%d.%02d,name of item %d,\"a note, of some length, that item %d has\"%n",
                        id,
                        id % KINDS,
                        id % 90_000,
                        id % 100,
                        id,
                        id));
            }
        }
    }

    /** Writes rows of {@code document} in the text format of COPY. */
    static void documents(OutputStream out, int rows) {
        try (BufferedWriter writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.US_ASCII))) {
            for (int id = 0; id < rows; id++) {
                writer.write(id + "\t" + id % KINDS + "\t" + body(id) + "\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The body that the document must have. */
    static String body(long id) {
        char letter = (char) ('a' + id % 26);
        return String.valueOf(letter).repeat(BODY);
    }

    /** The sum of the kinds of so many rows. */
    static long kinds(int rows) {
        return IntStream.range(0, rows).mapToLong(id -> id % KINDS).sum();
    }
}
