package dev.fulmar.benchmarks.logictest;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A form that belongs to SQLite or another dialect and not to standard SQL; records with it are not asked.
 *
 * @param name under which they are counted
 * @param reason what the standard says instead
 */
record GrammarRule(String name, String reason, Pattern pattern) {
    private static final List<GrammarRule> ALL = List.of(
            rule(
                    "trigger",
                    "triggers are not part of the dialect",
                    "^\\s*(CREATE|DROP)\\s+(TEMP(ORARY)?\\s+)?TRIGGER\\b"),
            rule(
                    "replace-statement",
                    "UPSERT or MERGE instead of REPLACE",
                    "^\\s*(INSERT\\s+OR\\s+)?REPLACE\\b|^\\s*INSERT\\s+OR\\s"),
            rule("update-or", "a conflict clause of SQLite", "^\\s*UPDATE\\s+OR\\s"),
            rule("temporary", "temporary objects are not part of the dialect", "^\\s*CREATE\\s+TEMP(ORARY)?\\b"),
            rule("reindex", "indexes are never stale", "^\\s*REINDEX\\b"),
            rule("pragma", "a statement of SQLite", "^\\s*PRAGMA\\b"),
            rule("empty-list", "ISO 9075-2, 8.4: IN takes one value at least", "\\bIN\\s*\\(\\s*\\)"),
            rule(
                    "in-table",
                    "ISO 9075-2, 8.4: IN takes a list or a query, no table name",
                    "\\bIN\\s+[A-Za-z_]\\w*\\s*($|\\)|;|\\n)"),
            rule("group-concat", "LISTAGG is the standard's", "\\bgroup_concat\\s*\\("),
            rule("total", "an aggregate of SQLite", "\\btotal\\s*\\("),
            rule("double-equals", "ISO 9075-2, 8.2: equality is =", "=="),
            rule("indexed-by", "a hint of SQLite", "\\b(NOT\\s+INDEXED|INDEXED\\s+BY)\\b"));

    private static GrammarRule rule(String name, String reason, String pattern) {
        return new GrammarRule(name, reason, Pattern.compile(pattern, Pattern.CASE_INSENSITIVE));
    }

    /** The first rule that takes the statement out. */
    static Optional<GrammarRule> of(String sql) {
        return ALL.stream().filter(rule -> rule.pattern().matcher(sql).find()).findFirst();
    }
}
