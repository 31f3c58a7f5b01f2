package dev.fulmar.coordinator.statement;

import dev.fulmar.engine.spi.Statistics;
import dev.fulmar.engine.spi.Statistics.KeyValues;
import dev.fulmar.engine.spi.Statistics.TableFigures;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The text of a statement with statistics in it, so that all nodes that compile it make the same plan. Nodes name a
 * statement by its text, and each compiles it, whatever statistics it has itself. So those of the plan are part of the
 * text: {@code ^1|5 1000 0=1000 0,1=30|6 20|^1SELECT ...}, of table 5 with 1000 rows and 20 of table 6. No statement of
 * a client begins like that.
 */
record CostedStatement(String sql, Statistics statistics) {
    private static final char MARK = '\u0001';

    /** The whole as one text. */
    String text() {
        StringBuilder text = new StringBuilder().append(MARK);
        statistics.tables().forEach((id, table) -> {
            text.append('|').append(id).append(' ').append(table.rows());
            for (KeyValues key : table.keys()) {
                String columns = key.columns().stream().map(String::valueOf).collect(Collectors.joining(","));
                text.append(' ').append(columns).append('=').append(key.values());
            }
        });
        return text.append(MARK).append(sql).toString();
    }

    /** Whether the text is more than a statement; one of a client never is. */
    static boolean isWeighed(String text) {
        return !text.isEmpty() && text.charAt(0) == MARK;
    }

    /** Reads a text with statistics; null if the text is a statement and nothing else. */
    static @Nullable CostedStatement of(String text) {
        if (!isWeighed(text)) {
            return null;
        }
        int end = text.indexOf(MARK, 1);
        try {
            SortedMap<Integer, TableFigures> tables = new TreeMap<>();
            for (String table : text.substring(1, end).split("\\|")) {
                if (!table.isEmpty()) {
                    List<String> words = Arrays.asList(table.split(" "));
                    tables.put(Integer.valueOf(words.getFirst()), table(words));
                }
            }
            return new CostedStatement(text.substring(end + 1), new Statistics(tables));
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new FulmarException(ErrorCode.MALFORMED_REQUEST, "the statistics of a statement make no sense", e);
        }
    }

    private static TableFigures table(List<String> words) {
        List<KeyValues> keys = new ArrayList<>();
        for (String word : words.subList(2, words.size())) {
            String[] sides = word.split("=");
            List<Integer> columns =
                    Arrays.stream(sides[0].split(",")).map(Integer::valueOf).toList();
            keys.add(new KeyValues(columns, Long.parseLong(sides[1])));
        }
        return new TableFigures(Long.parseLong(words.get(1)), keys);
    }
}
