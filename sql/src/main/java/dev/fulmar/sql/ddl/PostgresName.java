package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.MirroredName;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Makes the names that PostgreSQL gives to constraints and indexes without one: of the table, of columns and of a word,
 * as {@code users_email_key}. A name has 63 bytes at most; table and columns are cut to fit. A name that is taken gets
 * a number behind it.
 */
final class PostgresName {
    private static final int MOST_BYTES = 63;

    private PostgresName() {}

    /**
     * A free name, as the catalog has it.
     *
     * @param table its own name, as the catalog has it, without the schema
     * @param columns as the catalog has them; none for a name without
     * @param word as PostgreSQL has it, in small letters
     */
    static String free(String table, List<String> columns, String word, Predicate<String> isTaken) {
        String ofTable = MirroredName.of(table);
        String ofColumns = columns.stream().map(MirroredName::of).collect(Collectors.joining("_"));
        String name = MirroredName.of(of(ofTable, ofColumns, word));
        for (int number = 1; isTaken.test(name); number++) {
            name = MirroredName.of(of(ofTable, ofColumns, word + number));
        }
        return name;
    }

    private static String of(String table, String columns, String word) {
        int first = bytes(table);
        int second = bytes(columns);
        int most = MOST_BYTES - 1 - bytes(word) - (columns.isEmpty() ? 0 : 1);
        while (first + second > most) {
            if (first > second) {
                first--;
            } else {
                second--;
            }
        }
        String name = cut(table, first);
        return (columns.isEmpty() ? name : name + "_" + cut(columns, second)) + "_" + word;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The beginning of the text with so many bytes at most, and whole characters. */
    private static String cut(String text, int most) {
        int end = 0;
        int length = 0;
        while (end < text.length()) {
            int next = end + Character.charCount(text.codePointAt(end));
            length += bytes(text.substring(end, next));
            if (length > most) {
                break;
            }
            end = next;
        }
        return text.substring(0, end);
    }
}
