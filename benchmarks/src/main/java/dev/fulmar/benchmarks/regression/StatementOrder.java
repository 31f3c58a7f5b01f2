package dev.fulmar.benchmarks.regression;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The order of rows that a statement asks for. It is that of its last ORDER BY outside of parentheses: those of windows
 * and of subqueries say nothing of the rows that are sent. Rows with equal keys may come in any order.
 */
final class StatementOrder {
    private static final Pattern NO_CODE = Pattern.compile("'(?:[^']|'')*'|--[^\\n]*|/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern KEYS = Pattern.compile(
            "\\bORDER\\s+BY\\b(?!.*\\bORDER\\s+BY\\b)(.*?)(?:\\b(?:LIMIT|OFFSET|FETCH|FOR)\\b.*)?$", Pattern.DOTALL);
    private static final Pattern KEY =
            Pattern.compile("(?:\\w+\\.)?(\\w+)(?:\\s+(?:ASC|DESC))?(?:\\s+NULLS\\s+(?:FIRST|LAST))?");

    private final boolean isAsked;
    private final List<String> keys;

    private StatementOrder(boolean isAsked, List<String> keys) {
        this.isAsked = isAsked;
        this.keys = List.copyOf(keys);
    }

    /** The order that the statement asks for. */
    static StatementOrder of(String sql) {
        String text = outside(NO_CODE.matcher(sql).replaceAll(" x "))
                .toUpperCase(Locale.ROOT)
                .strip();
        Matcher order = KEYS.matcher(text);
        if (!order.find()) {
            return new StatementOrder(false, List.of());
        }
        List<String> keys = new ArrayList<>();
        for (String written : order.group(1).split(",", -1)) {
            Matcher key = KEY.matcher(written.strip());
            keys.add(key.matches() ? key.group(1) : "");
        }
        return new StatementOrder(true, keys);
    }

    /** The text with a mark for what is between parentheses. */
    private static String outside(String text) {
        StringBuilder outside = new StringBuilder();
        int depth = 0;
        for (char each : text.toCharArray()) {
            depth += each == '(' ? 1 : each == ')' ? -1 : 0;
            outside.append(depth == 0 ? each : depth == 1 && each == '(' ? "(" : "");
        }
        return outside.toString();
    }

    /** Whether rows that are the same in any order are in the order. */
    boolean holds(Answer ours, Answer theirs) {
        if (!isAsked || ours.rows().equals(theirs.rows())) {
            return true;
        }
        List<Integer> places = places(theirs.columns());
        return !places.isEmpty() && values(ours, places).equals(values(theirs, places));
    }

    /** Where the keys are in the rows; none if one of them is computed, or its name is that of two columns. */
    private List<Integer> places(List<Answer.Column> columns) {
        List<Integer> places = new ArrayList<>();
        for (String key : keys) {
            List<Integer> named = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                boolean isNumber = key.equals(Integer.toString(i + 1));
                if (isNumber || columns.get(i).name().toUpperCase(Locale.ROOT).equals(key)) {
                    named.add(i);
                }
            }
            if (named.size() != 1) {
                return List.of();
            }
            places.addAll(named);
        }
        return places;
    }

    private static List<List<@Nullable String>> values(Answer answer, List<Integer> places) {
        List<List<@Nullable String>> values = new ArrayList<>();
        for (List<@Nullable String> row : answer.rows()) {
            List<@Nullable String> keys = new ArrayList<>();
            places.forEach(place -> keys.add(row.get(place)));
            values.add(keys);
        }
        return values;
    }
}
