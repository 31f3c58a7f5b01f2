package dev.fulmar.benchmarks.regression;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Objects and settings in which the servers differ, because a statement that changes something had different outcomes.
 * Objects are known by their names: an object is concerned if a statement with that outcome names it.
 */
final class Divergence {
    private static final Pattern MADE = Pattern.compile(
            "\\b(?:CREATE\\s+(?:OR\\s+REPLACE\\s+)?(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|RECURSIVE|MATERIALIZED|UNIQUE|CONSTRAINT)\\s+)*"
                    + "(?:TABLE|VIEW|SEQUENCE|FUNCTION|PROCEDURE|INDEX|SCHEMA|TYPE|DOMAIN|TRIGGER|RULE|OPERATOR|AGGREGATE|CAST)"
                    + "(?:\\s+CONCURRENTLY)?(?:\\s+IF\\s+NOT\\s+EXISTS)?|DECLARE|PREPARE"
                    + "|INTO\\s+(?:(?:TEMP|TEMPORARY|UNLOGGED)\\s+)?(?:TABLE\\s+)?|RENAME\\s+(?:COLUMN\\s+\\S+\\s+)?TO|SAVEPOINT)\\s+"
                    + "((?:\"[^\"]+\"|[\\w$]+)(?:\\.(?:\"[^\"]+\"|[\\w$]+))?)",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern NAME = Pattern.compile("\"[^\"]+\"|[A-Za-z_\\x80-\\uffff][\\w$\\x80-\\uffff]*");
    private static final Pattern ABOUT_ALL = Pattern.compile(
            "\\b(pg_constraint|pg_class|pg_attribute|pg_cursors|pg_prepared_statements|information_schema)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern CHANGING = Pattern.compile(
            "\\b(INSERT|UPDATE|DELETE|MERGE|NEXTVAL|SETVAL|INTO|SET_CONFIG|FETCH|MOVE)\\b", Pattern.CASE_INSENSITIVE);
    /** Settings by which the same values are read or shown in other ways. */
    private static final Pattern SETTING = Pattern.compile(
            "(?s)(SET|RESET)\\b.*\\b(DATESTYLE|INTERVALSTYLE|TIME\\s*ZONE|EXTRA_FLOAT_DIGITS|BYTEA_OUTPUT|SEARCH_PATH"
                    + "|STANDARD_CONFORMING_STRINGS|XMLBINARY|ROLE|AUTHORIZATION)\\b.*",
            Pattern.CASE_INSENSITIVE);

    /** Errors about what an earlier statement was to make: transactions, tables, columns, cursors, statements. */
    private static final Set<String> EFFECTS = Set.of("25P02", "42P01", "42703", "34000", "26000", "42704", "3B001");

    private static final Set<String> READING = Set.of("SELECT", "VALUES", "TABLE", "WITH", "SHOW", "EXPLAIN", "(");

    private final Set<String> made = new LinkedHashSet<>();
    private final Map<String, Integer> diverged = new LinkedHashMap<>();
    private final Set<String> inTransaction = new LinkedHashSet<>();
    private int setting;
    private int failure;

    /** A session begins; settings and prepared statements of the one before are gone. */
    void sessionBegins() {
        setting = 0;
        failure = 0;
        inTransaction.clear();
    }

    private static String name(String text) {
        return text.startsWith("\"") ? text.substring(1, text.length() - 1) : text.toLowerCase(Locale.ROOT);
    }

    private Set<String> known(String sql) {
        Set<String> known = new LinkedHashSet<>();
        Matcher matcher = NAME.matcher(sql);
        while (matcher.find()) {
            String name = name(matcher.group());
            if (made.contains(name)) {
                known.add(name);
            }
        }
        return known;
    }

    static boolean changes(String sql) {
        Matcher first = Pattern.compile("^\\(|\\w+").matcher(sql);
        String word = first.find() ? first.group().toUpperCase(Locale.ROOT) : "";
        return !READING.contains(word) || CHANGING.matcher(sql).find();
    }

    /** Whether the answer is an error that tells of an earlier one. */
    static boolean isEffect(Answer answer) {
        return EFFECTS.contains(answer.sqlState());
    }

    /** The statement whose outcome the answers to this one may follow from; 0 for none. */
    int origin(String sql) {
        int origin = Math.max(setting, failure);
        if (ABOUT_ALL.matcher(sql).find()) {
            for (int number : diverged.values()) {
                origin = Math.max(origin, number);
            }
        }
        for (String name : known(sql)) {
            origin = Math.max(origin, diverged.getOrDefault(name, 0));
        }
        return origin;
    }

    /** A statement was executed on both. */
    void executed(int number, String sql, Answer ours, Answer theirs) {
        Matcher matcher = MADE.matcher(sql);
        while (matcher.find()) {
            String whole = matcher.group(1);
            made.add(name(whole.substring(whole.lastIndexOf('.') + 1)));
        }
        Set<String> known = known(sql);
        boolean isOther = ours.isError() != theirs.isError() || !ours.tag().equals(theirs.tag());
        int earlier = 0;
        for (String name : known) {
            earlier = earlier == 0 ? diverged.getOrDefault(name, 0) : earlier;
        }
        if (earlier == 0 && !diverged.isEmpty() && ABOUT_ALL.matcher(sql).find()) {
            earlier = diverged.values().iterator().next();
        }
        if (changes(sql)) {
            inTransaction.addAll(known);
            if (isOther) {
                known.forEach(name -> diverged.putIfAbsent(name, number));
                setting = SETTING.matcher(sql).matches() ? number : setting;
            } else if (earlier != 0) {
                for (String name : known) {
                    diverged.putIfAbsent(name, earlier);
                }
            }
        }
        transaction(number, ours, theirs);
    }

    private void transaction(int number, Answer ours, Answer theirs) {
        if (ours.hasFailedTransaction() != theirs.hasFailedTransaction()) {
            failure = failure == 0 ? number : failure;
            inTransaction.forEach(name -> diverged.putIfAbsent(name, number));
        } else {
            failure = 0;
        }
        if (ours.status() == 'I' && theirs.status() == 'I') {
            inTransaction.clear();
        }
    }
}
