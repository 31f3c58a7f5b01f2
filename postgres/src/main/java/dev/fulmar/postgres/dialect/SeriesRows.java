package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * {@code generate_series(first, last [, step])} of whole numbers in FROM. It becomes a query that puts the numbers
 * together from digits, the highest ones first, so that they come in their order.
 */
final class SeriesRows {
    /** Values of a digit: a million numbers need three lists of a hundred. */
    private static final int BASE = 100;

    private static final long MOST_ROWS = 100_000_000;

    private final String source;
    private final Words words;

    private SeriesRows(String source, Words words) {
        this.source = source;
        this.words = words;
    }

    static void replace(String source, Words words) {
        SeriesRows series = new SeriesRows(source, words);
        boolean[] tables = CalledTables.places(words);
        for (int i = words.count() - 1; i >= 0; i--) {
            if (words.areAt(i, "GENERATE_SERIES", "(") && !words.areAt(i + 2, ")")) {
                series.replace(i, tables);
            }
        }
    }

    private void replace(int place, boolean[] tables) {
        int start = words.areAt(place - 2, "PG_CATALOG", ".") ? place - 2 : place;
        boolean isQualified = start == place && words.at(place - 1).isSymbol(".");
        if (isQualified || !tables[start]) {
            return;
        }
        int close = words.closing(place + 1);
        List<Long> numbers = numbers(place + 2, close);
        if (numbers == null) {
            throw refused(place, "generate_series takes whole numbers, written as such: generate_series(1, 1000)");
        }
        long first = numbers.getFirst();
        long step = numbers.size() > 2 ? numbers.get(2) : 1;
        if (step == 0) {
            throw refused(place, "the step of generate_series is zero; leave it out, or give another one");
        }
        long count = Math.max(0, Math.floorDiv(numbers.get(1) - first, step) + 1);
        if (count > MOST_ROWS) {
            throw refused(place, "generate_series makes at most " + MOST_ROWS + " rows; ask for a part at a time");
        }
        CalledTables.name(words, close + 1, "GENERATE_SERIES");
        words.replace(start, close + 1, "(" + query(first, step, count) + ")");
    }

    private RuntimeException refused(int place, String reason) {
        return Place.error(ErrorCode.NOT_SUPPORTED, source, words.at(place).start(), reason);
    }

    /** The arguments; null if they are other ones. */
    private @Nullable List<Long> numbers(int from, int to) {
        List<Long> numbers = new ArrayList<>();
        int place = from;
        while (place < to) {
            boolean isNegative = words.at(place).isSymbol("-");
            int digits = isNegative ? place + 1 : place;
            boolean isNumber = words.at(digits).text().matches("[0-9]{1,18}");
            boolean ends = digits + 1 == to || words.at(digits + 1).isSymbol(",");
            if (!isNumber || !ends) {
                return null;
            }
            numbers.add(
                    Long.parseLong((isNegative ? "-" : "") + words.at(digits).text()));
            place = digits + 2;
        }
        return numbers.size() == 2 || numbers.size() == 3 ? numbers : null;
    }

    private static String query(long first, long step, long count) {
        List<String> lists = new ArrayList<>();
        StringBuilder number = new StringBuilder();
        long weight = 1;
        int digits = 0;
        for (long rest = Math.max(1, count); digits == 0 || rest > 1; rest = Math.ceilDiv(rest, BASE)) {
            lists.addFirst("(VALUES " + values(Math.min(rest, BASE)) + ") AS D" + digits + " (I)");
            number.insert(0, (rest > BASE ? " + " : "") + "D" + digits + ".I" + (weight > 1 ? " * " + weight : ""));
            weight *= BASE;
            digits++;
        }
        boolean isExact = Math.floorMod(count, weight / BASE) == 0;
        return "SELECT " + first + " + (" + number + ") * " + step + " FROM " + String.join(", ", lists)
                + (isExact && count > 0 ? "" : " WHERE " + number + " < " + count);
    }

    private static String values(long count) {
        return LongStream.range(0, count).mapToObj(i -> "(" + i + ")").collect(Collectors.joining(","));
    }
}
