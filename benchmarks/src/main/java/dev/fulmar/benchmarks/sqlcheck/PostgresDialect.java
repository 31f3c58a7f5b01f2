package dev.fulmar.benchmarks.sqlcheck;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Translation of statements for PostgreSQL: names of types, and definitions in a schema before its catalog. Only rules
 * that docs/SQL.md states as Fulmar's are defined anew there: DATE moved by days or months stays a DATE, and SUM of
 * BIGINT is a BIGINT.
 */
final class PostgresDialect {
    private static final Pattern DOUBLE = Pattern.compile("\\bDOUBLE\\b(?! PRECISION)");
    private static final Pattern WHOLE_DAYS = Pattern.compile("INTERVAL '[-\\d]+' (?:DAY|MONTH|YEAR)\\b");
    private static final String EXTRACT = "EXTRACT(";

    private PostgresDialect() {}

    /** Statements that prepare a database, once. */
    static List<String> preparation() {
        return List.of(
                "CREATE SCHEMA fulmar",
                "SET search_path = fulmar, pg_catalog, public",
                "CREATE TYPE fulmar.days AS (value interval)",
                "CREATE FUNCTION fulmar.later(date, days) RETURNS date LANGUAGE SQL IMMUTABLE RETURN CAST($1 + ($2).value AS date)",
                "CREATE FUNCTION fulmar.earlier(date, days) RETURNS date LANGUAGE SQL IMMUTABLE RETURN CAST($1 - ($2).value AS date)",
                "CREATE FUNCTION fulmar.later(timestamp, days) RETURNS timestamp LANGUAGE SQL IMMUTABLE RETURN $1 + ($2).value",
                "CREATE FUNCTION fulmar.earlier(timestamp, days) RETURNS timestamp LANGUAGE SQL IMMUTABLE RETURN $1 - ($2).value",
                "CREATE OPERATOR fulmar.+ (LEFTARG = date, RIGHTARG = days, FUNCTION = fulmar.later)",
                "CREATE OPERATOR fulmar.- (LEFTARG = date, RIGHTARG = days, FUNCTION = fulmar.earlier)",
                "CREATE OPERATOR fulmar.+ (LEFTARG = timestamp, RIGHTARG = days, FUNCTION = fulmar.later)",
                "CREATE OPERATOR fulmar.- (LEFTARG = timestamp, RIGHTARG = days, FUNCTION = fulmar.earlier)",
                "CREATE FUNCTION fulmar.add(numeric, bigint) RETURNS numeric LANGUAGE SQL IMMUTABLE"
                        + " RETURN CASE WHEN $2 IS NULL THEN $1 ELSE COALESCE($1, 0) + $2 END",
                "CREATE FUNCTION fulmar.whole(numeric) RETURNS bigint LANGUAGE SQL IMMUTABLE RETURN CAST($1 AS bigint)",
                "CREATE AGGREGATE fulmar.sum(bigint) (SFUNC = fulmar.add, STYPE = numeric, FINALFUNC = fulmar.whole)");
    }

    /** The statement with PostgreSQL's names of types; all else means what it means there. */
    static String named(String sql) {
        return DOUBLE.matcher(sql).replaceAll("DOUBLE PRECISION");
    }

    /** The statement in its words. */
    static String translate(String sql) {
        String moved = WHOLE_DAYS.matcher(named(sql)).replaceAll("CAST(ROW($0) AS fulmar.days)");
        return wholeParts(moved);
    }

    /**
     * EXTRACT of a whole part is an INTEGER in Fulmar and a NUMERIC there, which would change what a division of it is.
     */
    private static String wholeParts(String sql) {
        StringBuilder text = new StringBuilder(sql);
        int from = text.indexOf(EXTRACT);
        while (from >= 0) {
            int end = closing(text, from + EXTRACT.length());
            text.insert(end + 1, " AS INTEGER)");
            text.insert(from, "CAST(");
            from = text.indexOf(EXTRACT, from + "CAST(".length() + EXTRACT.length());
        }
        return text.toString();
    }

    /** The place of the parenthesis that closes what is open at the place; quoted text is none. */
    private static int closing(CharSequence text, int from) {
        int open = 1;
        boolean quoted = false;
        for (int i = from; i < text.length(); i++) {
            char letter = text.charAt(i);
            quoted ^= letter == '\'';
            if (!quoted && letter == '(') {
                open++;
            } else if (!quoted && letter == ')' && --open == 0) {
                return i;
            }
        }
        throw new IllegalArgumentException("a parenthesis is not closed in " + text);
    }
}
