package dev.fulmar.postgres.dialect;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Functions about the session become their values: they are the same for the whole statement. */
final class SessionWords {
    /** The engine's own is a TIMESTAMP in UTC. */
    private static final String NOW = "CAST(CURRENT_TIMESTAMP AS TIMESTAMP WITH TIME ZONE)";

    /** The first schema of the path that there is. The planner knows it, at each execution. */
    private static final String CURRENT_SCHEMA = "\"#CURRENT_SCHEMA\"()";

    private final String source;
    private final Words words;
    private final SessionFacts facts;

    private SessionWords(String source, Words words, SessionFacts facts) {
        this.source = source;
        this.words = words;
        this.facts = facts;
    }

    static void replace(String source, Words words, SessionFacts facts) {
        if (computesNow(words)) {
            SessionWords session = new SessionWords(source, words, facts);
            for (int i = 0; i < words.count(); i++) {
                session.replace(i);
            }
        }
    }

    /** Whether the statement keeps no expression. Others would keep the value of today's session. */
    private static boolean computesNow(Words words) {
        int first = 0;
        while (words.at(first).isSymbol("(")) {
            first++;
        }
        if (!words.at(first).isWord("CREATE")) {
            return Translation.IN_ZONE.contains(words.at(first).word());
        }
        return (words.areAt(1, "TABLE") || words.areAt(2, "TABLE")) && words.outside(2, "AS") < words.count();
    }

    private void replace(int place) {
        int start = place;
        int name = place;
        boolean isQualified = words.areAt(place, "PG_CATALOG", ".");
        if (isQualified) {
            name += 2;
        } else if (words.at(place - 1).isSymbol(".") || words.at(place - 1).isWord("AS")) {
            return;
        }
        boolean hasDigits = hasDigits(name);
        boolean isCalled = words.areAt(name + 1, "(") && !hasDigits;
        String value = isCalled ? called(name) : named(name);
        if (value != null) {
            int end = isCalled || hasDigits ? words.closing(name + 1) + 1 : name + 1;
            boolean isRounded = hasDigits && !words.areAt(name, "CURRENT_TIME");
            String digits = isRounded ? words.at(name + 2).text() : "6";
            words.replace(
                    start, end, digits.equals("6") ? value : ColumnTypes.ROUNDED + "(" + value + ", " + digits + ")");
        }
    }

    /** Whether a time says its digits, as {@code CURRENT_TIMESTAMP(3)} does. */
    private boolean hasDigits(int place) {
        boolean isTime = switch (words.at(place).word()) {
            case "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "LOCALTIME", "CURRENT_TIME" -> true;
            default -> false;
        };
        boolean hasDigits = isTime && words.areAt(place + 1, "(");
        if (hasDigits && !words.at(place + 2).text().matches("[0-6]")) {
            throw ColumnTypes.fewerDigits(source, words.at(place));
        }
        return hasDigits;
    }

    private static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    /** The value of a word without parentheses, or null. */
    private @Nullable String named(int place) {
        if (words.areAt(place + 1, ".") || words.at(place - 1).isWord("OVERRIDING")) {
            return null;
        }
        return switch (words.at(place).word()) {
            case "CURRENT_USER", "SESSION_USER", "CURRENT_ROLE", "USER" -> text(facts.user());
            case "CURRENT_CATALOG" -> text(facts.database());
            case "CURRENT_SCHEMA" -> CURRENT_SCHEMA;
            case "CURRENT_TIMESTAMP" -> NOW;
            case "LOCALTIMESTAMP" -> "CAST(" + NOW + " AS TIMESTAMP)";
            case "CURRENT_DATE" -> "CAST(" + NOW + " AS DATE)";
            case "LOCALTIME" -> "CAST(" + NOW + " AS TIME)";
            default -> null;
        };
    }

    /** The value of a call, or null. */
    private @Nullable String called(int place) {
        boolean isEmpty = words.areAt(place + 2, ")");
        return switch (words.at(place).word()) {
            case "CURRENT_DATABASE" -> isEmpty ? text(facts.database()) : null;
            case "CURRENT_SCHEMA" -> isEmpty ? CURRENT_SCHEMA : null;
            case "CURRENT_SCHEMAS" -> schemas(place);
            case "VERSION" -> isEmpty ? text("PostgreSQL " + facts.setting("server_version")) : null;
            case "NOW", "TRANSACTION_TIMESTAMP", "STATEMENT_TIMESTAMP", "CLOCK_TIMESTAMP" -> isEmpty ? NOW : null;
            case "PG_BACKEND_PID" -> isEmpty ? Integer.toString(facts.process()) : null;
            case "PG_MY_TEMP_SCHEMA" -> isEmpty ? "0" : null;
            case "INET_SERVER_ADDR", "INET_CLIENT_ADDR" -> isEmpty ? "CAST(NULL AS VARCHAR)" : null;
            case "CURRENT_SETTING" -> setting(place);
            case "ARRAY_UPPER" -> upper(place);
            default -> null;
        };
    }

    private @Nullable String schemas(int place) {
        return switch (words.at(place + 2).word()) {
            case "TRUE" -> "\"#CURRENT_SCHEMAS\"(TRUE)";
            case "FALSE" -> "\"#CURRENT_SCHEMAS\"(FALSE)";
            default -> null;
        };
    }

    private @Nullable String setting(int place) {
        Lexeme name = words.at(place + 2);
        boolean isText = name.kind() == Lexeme.Kind.STRING || name.kind() == Lexeme.Kind.ESCAPED;
        return isText ? text(facts.setting(TextLiteral.value(source, name))) : null;
    }

    /** Of the schemas of the search path. */
    private @Nullable String upper(int place) {
        List<Lexeme> inside = words.between(place + 2, words.closing(place + 1));
        String argument = inside.isEmpty() ? "" : inside.getFirst().text().toUpperCase(Locale.ROOT);
        boolean isOfSchemas = argument.equals("CURRENT_SCHEMAS") && inside.size() > 2;
        if (!isOfSchemas) {
            return null;
        }
        return "\"#CURRENT_SCHEMA_COUNT\"(" + (inside.get(2).isWord("TRUE") ? "TRUE" : "FALSE") + ")";
    }
}
