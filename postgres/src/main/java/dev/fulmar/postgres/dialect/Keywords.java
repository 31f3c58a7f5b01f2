package dev.fulmar.postgres.dialect;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The words of PostgreSQL's grammar, for which drivers ask by {@code pg_get_keywords()}. */
final class Keywords {
    private static final List<String> ALL = all();

    private Keywords() {}

    private static List<String> all() {
        try (InputStream stream = Keywords.class.getResourceAsStream("keywords.txt")) {
            if (stream == null) {
                throw new IllegalStateException("the resource keywords.txt is missing");
            }
            BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
            return reader.lines().filter(line -> !line.startsWith("#")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replaces the query by which the JDBC driver asks for the words that SQL does not have. */
    static void replace(String source, Words words) {
        boolean isQuery = words.areAt(0, "SELECT", "STRING_AGG", "(", "WORD", ",")
                && words.areAt(7, "FROM", "PG_CATALOG", ".", "PG_GET_KEYWORDS", "(", ")", "WHERE", "WORD", "<>", "ALL")
                && words.areAt(17, "(", "CAST", "(")
                && words.at(20).kind() == Lexeme.Kind.STRING;
        if (isQuery) {
            String array = TextLiteral.value(source, words.at(20));
            Set<String> known = Set.of(array.replaceAll("[{}\"]", "").split(",", -1));
            String others = ALL.stream().filter(word -> !known.contains(word)).collect(Collectors.joining(","));
            words.replace(0, words.count() - 1, "SELECT '" + others + "' AS STRING_AGG");
        }
    }
}
